//! The subcommands of `rankscope` and their options.

use super::again::Runs;
use super::attach::{ATTACH_HELP, Attach};
use super::core::{CORE_HELP, Core};
use super::front_end::Front;
use super::job::Common;
use super::run::Run;
use super::shell::Shell;
use super::triage::{TRIAGE_HELP, Triage, hide_refused};
use super::usage_error::{UsageError, usage};
use clap::{Parser, Subcommand};

const EXAMPLES: &str = "Supported launchers: mpirun, mpiexec, orterun, prterun, srun, flux run, jsrun, \
    aprun.\n\nExamples:\n  rankscope demo                           try it: 8 ranks of a small C program\n  \
    rankscope run -n 4 ./app input.txt       4 copies on this host\n  rankscope run mpirun -n 64 ./solver      a \
    job: put \"rankscope run\" before the launcher\n  rankscope triage mpirun -n 64 ./solver   unattended: a report if it crashes or \
    hangs\n  rankscope attach 4711                    a running \
    process\n  rankscope core ./app core.*              the core files of a job\n  rankscope run --batch FILE -n 4 ./app    no screen: run the commands of FILE, print, exit\n\nIn \
    the debugger: ? shows the keys, : reads a command (\"help\" lists them), q quits.";

const BATCH_HELP: &str = "Exit status with --batch: 0 all commands succeeded; 1 a command failed; 2 usage error; 3 \
    timeout;\n4 the session could not be started.";

const RESUME_HELP: &str = "The screen shows what it showed before. A script (--batch) leaves the session running \
    when it ends.";

/// Debug a whole parallel program from one terminal: see every rank, and stop, step and inspect any set of them with
/// one key.
#[derive(Clone, Debug, Parser)]
#[command(name = "rankscope", version, after_help = EXAMPLES, max_term_width = 100, disable_help_subcommand = true)]
pub struct Cli {
    /// The subcommand; without one, rankscope opens the screen without a program.
    #[command(subcommand)]
    pub action: Option<Action>,

    /// Options that hold without a subcommand.
    #[command(flatten)]
    pub front: Front,
}

/// What to do.
#[derive(Clone, Debug, Subcommand)]
pub enum Action {
    /// Build and debug the built-in demo program
    Demo {
        /// Simulate the ranks, up to a million, without starting processes
        #[arg(long)]
        simulate: bool,
        /// Common options.
        #[command(flatten)]
        common: Common,
    },
    /// Start a program, or a launcher's job, under the debugger
    #[command(after_help = BATCH_HELP, args_override_self = true)]
    Run(Run),
    /// Start the job again that "rankscope run" started last in this directory
    Last {
        /// Options of "rankscope run", such as --batch FILE
        #[arg(value_name = "OPTIONS", trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    /// List the jobs that can be started again, as rankscope run @NAME
    Runs(Runs),
    /// Run a job unattended, and report it if it crashes, hangs, or runs out of time
    #[command(after_help = TRIAGE_HELP, mut_args(hide_refused))]
    Triage(Triage),
    /// List the sessions of this user on this host
    Sessions {
        /// Print one JSON object per line
        #[arg(long)]
        json: bool,
        /// Remove stale sessions, those whose master was killed
        #[arg(long)]
        clean: bool,
    },
    /// List the themes
    Theme {
        /// "list"
        #[arg(value_name = "ACTION", default_value = "list")]
        action: String,
    },
    /// Explain a subcommand, or a command of the debugger: "rankscope help break"
    Help {
        /// The subcommand or command; all are listed by default
        #[arg(value_name = "COMMAND")]
        topic: Vec<String>,
    },
    /// Print the keys of the screen
    Keys,
    /// Print the manual page: "rankscope man | man -l -"
    Man,
    /// Print a shell completion script
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print a Python module that drives rankscope: "rankscope python > rankscope.py"
    Python,
    /// Print the path of the configuration file and its settings
    Config,
    /// Debug running processes, or a running job
    #[command(after_help = ATTACH_HELP)]
    Attach(Attach),
    /// Look at the core files of a job: each is a rank
    #[command(after_help = CORE_HELP)]
    Core(Core),
    /// Take back a running session after a lost connection or a detach
    #[command(after_help = RESUME_HELP)]
    Resume {
        /// The session name or a unique beginning of it ("rankscope sessions" lists them); optional if there is only one
        session: Option<String>,
        /// Take it over from another front end
        #[arg(long)]
        take: bool,
        /// Options of everything that shows a session.
        #[command(flatten)]
        front: Front,
    },
}

impl Action {
    /// The options of one that shows a session.
    fn front(&mut self) -> Option<&mut Front> {
        match self {
            Self::Demo { common, .. } => Some(&mut common.front),
            Self::Run(run) => Some(&mut run.common.front),
            Self::Triage(triage) => Some(&mut triage.run.common.front),
            Self::Attach(attach) => Some(&mut attach.common.front),
            Self::Core(core) => Some(&mut core.front),
            Self::Resume { front, .. } => Some(front),
            Self::Last { .. }
            | Self::Runs(_)
            | Self::Sessions { .. }
            | Self::Theme { .. }
            | Self::Help { .. }
            | Self::Keys
            | Self::Man
            | Self::Completions { .. }
            | Self::Python
            | Self::Config => None,
        }
    }
}

impl Cli {
    /// Gives options that stand before a subcommand to it: "rankscope --batch FILE run PROGRAM".
    ///
    /// # Errors
    /// Where the subcommand shows no session.
    pub fn settled(mut self) -> Result<Self, UsageError> {
        let Some(action) = &mut self.action else { return Ok(self) };
        let before = std::mem::take(&mut self.front);
        match action.front() {
            Some(front) => *front = std::mem::take(front).after(before),
            None if before == Front::default() => {}
            None => {
                return usage("options before the subcommand apply only to run, attach, core, demo and resume");
            }
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests;
