//! Builds the request from what the process knows of itself and its job.

use super::arguments::Arguments;
use super::fault::{ConnectFault, system};
use protocol::reverse::{BatchJob, ConnectRequest, boot_id, host_name, own_addresses, user_name};
use std::time::{SystemTime, UNIX_EPOCH};

/// Batch systems, and the variables that hold their job IDs. Flux tells its tasks one, and its batch scripts another.
const JOBS: &[(&str, &[&str])] = &[
    ("slurm", &["SLURM_JOB_ID"]),
    ("pbs", &["PBS_JOBID"]),
    ("lsf", &["LSB_JOBID"]),
    ("flux", &["FLUX_JOB_ID", "FLUX_ENCLOSING_ID"]),
];

pub(super) fn request(arguments: &Arguments) -> Result<ConnectRequest, ConnectFault> {
    let directory = std::env::current_dir().map_err(system("find the working directory"))?;
    let Some(directory) = directory.to_str() else {
        return Err(system("ask for a debugger here")(std::io::Error::other(
            "the path of the working directory is \
            not UTF-8",
        )));
    };
    let Some((program, words)) = arguments.program.split_first() else {
        return Err(ConnectFault::NotFound { program: String::new(), why: "expected a program".to_owned() });
    };
    Ok(ConnectRequest {
        program: program.clone(),
        arguments: words.to_vec(),
        directory: directory.to_owned(),
        host: host_name(),
        addresses: own_addresses(),
        pid: std::process::id(),
        boot_id: boot_id(),
        user: user_name(),
        label: arguments.label.clone(),
        jobs: jobs(|name| std::env::var(name).ok()),
        time: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
        rankscope: env!("CARGO_PKG_VERSION").to_owned(),
    })
}

fn jobs(get: impl Fn(&str) -> Option<String>) -> Vec<BatchJob> {
    let found = JOBS.iter().filter_map(|(system, names)| {
        let id = names.iter().find_map(|name| get(name).filter(|id| !id.is_empty()))?;
        Some(BatchJob { system: (*system).to_owned(), id })
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser as _;

    #[test]
    fn it_says_who_we_are() {
        let arguments = Arguments::parse_from(["tvconnect", "--label", "x y", "srun", "-n4", "./app"]);
        let request = request(&arguments).unwrap();
        assert_eq!(request.command().join(" "), "srun -n4 ./app");
        assert_eq!((request.pid, request.label.as_deref()), (std::process::id(), Some("x y")));
        assert!(!request.host.is_empty() && !request.user.is_empty() && request.directory.starts_with('/'));
        assert_eq!(request.boot_id.len(), 36, "{}", request.boot_id);
        assert_eq!(ConnectRequest::parse(&request.print()).fault, None);
    }

    #[test]
    fn batch_systems_are_known_by_their_environment() {
        let get = |name: &str| match name {
            "SLURM_JOB_ID" => Some("12_3".to_owned()),
            "PBS_JOBID" => Some(String::new()),
            "FLUX_JOB_ID" => Some("ƒA".to_owned()),
            _ => None,
        };
        let found = jobs(get);
        let found: Vec<_> = found.iter().map(|job| (job.system.as_str(), job.id.as_str())).collect();
        assert_eq!(found, [("slurm", "12_3"), ("flux", "ƒA")]);
        let of_batch_script = jobs(|name| (name == "FLUX_ENCLOSING_ID").then(|| "ƒB".to_owned()));
        assert_eq!(of_batch_script.first().map(|job| job.id.as_str()), Some("ƒB"));
    }
}
