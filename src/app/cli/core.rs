//! The command line of `rankscope core`.

use super::front_end::Front;
use super::job::{Common, EngineName, Job};
use super::usage_error::{UsageError, usage};
use crate::link::session::TreeOptions;
use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser as _};
use model::{LaunchSpec, raw_text};
use protocol::{AttachTarget, LaunchPlan};
use std::path::Path;

pub(crate) const CORE_HELP: &str = "Each core file is a rank: the one that its environment names, else ranks are \
    numbered in the order of the names.\nEverything that only looks works; nothing runs.\n\nExamples:\n  rankscope \
    core ./solver core.*         the core files of a job\n  rankscope core ./solver /scratch/job7   all core files of \
    a directory\n  rankscope core --batch - ./solver core.12 <<< 'where'";

/// Words of the command line that are shown in titles.
const SHOWN: usize = 4;

/// `rankscope core`.
#[derive(Clone, Debug, Args)]
pub struct Core {
    /// Options of everything that shows a session.
    #[command(flatten)]
    pub front: Front,

    /// The program that wrote the core files
    #[arg(value_name = "PROGRAM", value_parser = OsStringValueParser::new().map(|word| raw_text(&word)))]
    pub program: String,

    /// Core files, or directories with core files
    #[arg(value_name = "CORE|DIR", required = true)]
    #[arg(value_parser = OsStringValueParser::new().map(|word| raw_text(&word)))]
    pub cores: Vec<String>,
}

impl Core {
    /// The job that is asked for.
    pub fn job(&self) -> Result<Job, UsageError> {
        self.front.check()?;
        // The servers may have another working directory.
        let full = |path: &String| -> Result<String, UsageError> {
            let full = std::path::absolute(path).map_err(|error| UsageError(format!("{path}: {error}")))?;
            Ok(raw_text(full.as_os_str()))
        };
        if let Some(path) = self.cores.iter().chain([&self.program]).find(|path| !Path::new(path).exists()) {
            return usage(format!("{path}: no such file or directory"));
        }
        let cores: Vec<String> = self.cores.iter().map(full).collect::<Result<_, _>>()?;
        let spec = LaunchSpec { program: full(&self.program)?, ..LaunchSpec::default() };
        let plan = LaunchPlan::Attach { target: AttachTarget::CoreFiles(cores), spec };
        let mut command = vec!["core".to_owned(), self.program.clone()];
        command.extend(self.cores.iter().take(SHOWN).cloned());
        command.extend((self.cores.len() > SHOWN).then(|| "…".to_owned()));
        let tree = TreeOptions { engine: "core".to_owned(), ..Common::default().tree(EngineName::Native) };
        let (running_start, reads_nothing) = (false, false);
        Ok(Job { plan, tree, command, running_start, variables: Vec::new(), again: None, reads_nothing })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::subcommands::{Action, Cli};
    use clap::Parser;

    fn job(line: &str) -> Result<Job, String> {
        let words = std::iter::once("rankscope core").chain(std::iter::once(line)).flat_map(str::split_whitespace);
        match Cli::try_parse_from(words).map_err(|error| error.to_string())?.action {
            Some(Action::Core(core)) => core.job().map_err(|error| error.to_string()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_program_and_core_files_or_directories_are_a_job() {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().to_str().unwrap();
        let file = |name: &str| {
            std::fs::write(place.path().join(name), "").unwrap();
            format!("{directory}/{name}")
        };
        let (program, core) = (file("app"), file("core.1"));
        let job_of_both = job(&format!("--batch - --json {program} {core} {directory}")).unwrap();
        let LaunchPlan::Attach { target, spec } = job_of_both.plan else { panic!("{job_of_both:?}") };
        assert_eq!(target, AttachTarget::CoreFiles(vec![core.clone(), directory.to_owned()]));
        assert_eq!((spec.program, job_of_both.tree.engine.as_str()), (program.clone(), "core"));
        assert!(job(&program).unwrap_err().contains("CORE|DIR"));
        assert!(job(&format!("{program} /nowhere/core")).unwrap_err().contains("/nowhere/core: no such file"));
        assert!(job(&format!("/nowhere/app {core}")).unwrap_err().contains("/nowhere/app: no such file"));
    }
}
