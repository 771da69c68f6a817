//! The command line of `rankscope run`.

use super::hosts::OnHosts;
use super::job::{Common, EngineName, Job};
use super::usage_error::{UsageError, usage};
use crate::launcher;
use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser as _};
use model::{InputOption, InputSource, LaunchSpec, StandardInput, StopAt, raw_text, raw_word};
use protocol::LaunchPlan;
use std::path::{Path, PathBuf};

/// `rankscope run`.
#[derive(Clone, Debug, Args)]
pub struct Run {
    /// Common options.
    #[command(flatten)]
    pub common: Common,

    /// Start the program in this directory
    #[arg(long, value_name = "DIR")]
    pub cwd: Option<PathBuf>,

    /// Standard input of the program: a file for each rank to read, RANKS:FILE for some of them, none, or terminal: what
    /// the command "send" types. With a launcher, the launcher's own input [default: terminal; none in a script]
    #[arg(long, value_name = "[RANKS:]FILE|none|terminal", value_parser = InputOption::parse)]
    pub stdin: Vec<InputOption>,

    /// Leave address randomisation on; by default it is off, as in gdb
    #[arg(long)]
    pub randomise: bool,

    /// Read the processes from the launcher's MPIR table instead of wrapping each rank: mpirun, srun, or a script that
    /// execs one
    #[arg(long)]
    pub mpir: bool,

    /// Hosts to start copies on.
    #[command(flatten)]
    pub hosts: OnHosts,

    /// Keep what is started under a name: "rankscope run @NAME" starts it again
    #[arg(long, value_name = "NAME")]
    pub save_as: Option<String>,

    /// The kept run that this one repeats.
    #[arg(long, value_name = "NAME", hide = true)]
    pub again: Option<String>,

    /// The program and its arguments, or a launcher's command line; @NAME: what was kept under this name
    #[arg(value_name = "PROGRAM", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    #[arg(value_parser = OsStringValueParser::new().map(|word| raw_text(&word)))]
    pub program: Vec<String>,
}

impl Run {
    /// The job that is asked for.
    pub fn job(&self) -> Result<Job, UsageError> {
        self.common.check()?;
        let Some((program, arguments)) = self.program.split_first() else {
            return usage("expected a program");
        };
        if program.starts_with('-') {
            return usage(format!("unknown option {program} (rankscope run --help lists them)"));
        }
        let engine = self.common.engine()?;
        let directory = match &self.cwd {
            None => None,
            Some(path) if path.is_dir() => Some(raw_text(path.as_os_str())),
            Some(path) => return usage(format!("--cwd {}: no such directory", path.display())),
        };
        let input = self.input(launcher::is_launcher(program) || self.mpir)?;
        let stop_at = self.common.stop_at.clone().unwrap_or_default();
        let running_start = stop_at == StopAt::Nowhere;
        let spec = |program: &str, arguments: &[String]| LaunchSpec {
            program: program.to_owned(),
            arguments: arguments.to_vec(),
            directory: directory.clone(),
            environment: Vec::new(),
            stop_at: stop_at.clone(),
            randomise: self.randomise,
            input: input.clone(),
            ..LaunchSpec::default()
        };
        let read = launcher::files_in(self.cwd.as_deref().unwrap_or(Path::new("")));
        let plan = match launcher::join(program, arguments, &read) {
            _ if self.mpir && engine == EngineName::Fake => return usage("--mpir: --engine fake has no launchers"),
            joined if self.mpir && self.common.ranks.is_none() => {
                let named = joined.and_then(Result::ok).map(|joined| (joined.program, joined.arguments));
                let (named, arguments) = named.unwrap_or_else(|| (program.clone(), arguments.to_vec()));
                LaunchPlan::Starter { command: self.program.clone(), spec: spec(&named, &arguments) }
            }
            _ if self.mpir => {
                return usage(format!(
                    "-n does not apply with --mpir: {program} sets the number of \
                ranks"
                ));
            }
            _ if self.hosts.is_given() && engine == EngineName::Fake => {
                return usage("--hosts does not apply to simulated ranks (--engine fake)");
            }
            None if self.hosts.is_given() => {
                let directory = directory.clone().or_else(|| Some(raw_text(std::env::current_dir().ok()?.as_os_str())));
                let hosts = self.hosts.spread(self.common.ranks)?;
                LaunchPlan::Hosts { hosts, spec: LaunchSpec { directory, ..spec(program, arguments) } }
            }
            _ if self.hosts.is_given() => {
                return usage(format!("--hosts is for copies that rankscope starts; here {program} starts the ranks"));
            }
            None => {
                let ranks = self.common.checked_ranks(engine, 1)?;
                LaunchPlan::Local { ranks, spec: spec(program, arguments) }
            }
            Some(Err(error)) => return usage(error.to_string()),
            Some(Ok(_)) if self.common.ranks.is_some() => {
                return usage(format!(
                    "-n is for copies that rankscope starts; here {program} starts the ranks: give it its own option"
                ));
            }
            Some(Ok(joined)) => {
                let spec = spec(&joined.program, &joined.arguments);
                LaunchPlan::Joined { command: joined.command, spec }
            }
        };
        let variables = self.common.variables();
        let tree = match &plan {
            LaunchPlan::Local { ranks, .. } => self.common.tree(engine).for_simulated(*ranks),
            _ => self.common.tree(engine),
        };
        let (command, again) = (self.program.clone(), self.again.clone());
        let reads_nothing = self.stdin.iter().all(|given| given.ranks.is_some());
        Ok(Job { plan, tree, command, running_start, variables, again, reads_nothing })
    }

    /// The standard input that is asked for.
    fn input(&self, by_launcher: bool) -> Result<StandardInput, UsageError> {
        let otherwise = if self.common.front.batch.is_some() { InputSource::Nothing } else { InputSource::Sent };
        let mut options = self.stdin.clone();
        for option in &mut options {
            if by_launcher && option.ranks.is_some() {
                return usage(format!("--stdin {option}: the launcher decides which ranks read; name only the file"));
            }
            let InputSource::File(file) = &option.source else { continue };
            let path = Path::new(&raw_word(file)).to_owned();
            if !self.hosts.is_given() && !path.is_file() {
                return usage(format!("--stdin {file}: no such file, or not a plain one"));
            }
            // The program may be started in another directory.
            option.source = InputSource::File(raw_text(std::path::absolute(&path).unwrap_or(path).as_os_str()));
        }
        Ok(StandardInput::of_options(&options, otherwise))
    }
}
