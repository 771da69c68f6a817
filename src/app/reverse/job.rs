//! Converts a request to a job, as `rankscope run` does with the same words.

use crate::launcher;
use controller::state::ListedRequest;
use model::LaunchSpec;
use protocol::LaunchPlan;
use std::path::Path;

/// Returns the launch plan of a request: a launcher's job, or one process.
pub(super) fn plan(listed: &ListedRequest) -> Result<LaunchPlan, String> {
    let request = &listed.request;
    let spec = |program: &str, arguments: &[String]| LaunchSpec {
        program: program.to_owned(),
        arguments: arguments.to_vec(),
        directory: Some(request.directory.clone()),
        ..LaunchSpec::default()
    };
    // A file with programs is read on this host: the hosts of a job share their directories.
    let read = launcher::files_in(Path::new(&request.directory));
    match launcher::join(&request.program, &request.arguments, &read) {
        None => Ok(LaunchPlan::Local { ranks: 1, spec: spec(&request.program, &request.arguments) }),
        Some(Err(error)) => Err(error.to_string()),
        Some(Ok(joined)) => {
            Ok(LaunchPlan::Joined { command: joined.command, spec: spec(&joined.program, &joined.arguments) })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::reverse::{ConnectRequest, RequestId};

    fn listed(words: &[&str]) -> ListedRequest {
        let (program, arguments) = words.split_first().unwrap();
        let request = ConnectRequest {
            program: (*program).to_owned(),
            arguments: arguments.iter().map(|&word| word.to_owned()).collect(),
            directory: "/run/dir".to_owned(),
            host: "node7".to_owned(),
            ..ConnectRequest::default()
        };
        ListedRequest { id: RequestId::new("node7", 1, [0; 8]), number: 1, request, age: 0, silence: 0, fault: None }
    }

    #[test]
    fn a_launcher_is_a_job_and_anything_else_a_process() {
        let LaunchPlan::Joined { command, spec } = plan(&listed(&["srun", "-n4", "./app", "in"])).unwrap() else {
            panic!("srun is a launcher")
        };
        assert_eq!((command.join(" ").as_str(), spec.program.as_str()), ("srun -n4 {join} ./app in", "./app"));
        assert_eq!(spec.directory.as_deref(), Some("/run/dir"));
        let LaunchPlan::Local { ranks: 1, spec } = plan(&listed(&["./app", "-n4"])).unwrap() else {
            panic!("it is no launcher")
        };
        assert_eq!((spec.program.as_str(), spec.arguments.join(" ").as_str()), ("./app", "-n4"));
        assert!(plan(&listed(&["mpirun", "--strange", "app"])).unwrap_err().contains("--strange"));
    }
}
