//! The subcommands of `rankscope` and their options.

use super::attach::{ATTACH_HELP, Attach};
use super::front_end::Front;
use super::job::Common;
use super::run::Run;
use super::shell::Shell;
use super::usage_error::{UsageError, usage};
use clap::{Parser, Subcommand};

const EXAMPLES: &str = "\
Launchers whose jobs can be debugged: mpirun, mpiexec, orterun, prterun, srun, flux run, jsrun, aprun.

Examples:
  rankscope demo                           look around: 8 ranks of a small C program
  rankscope run -n 4 ./app input.txt       4 copies on this host
  rankscope run mpirun -n 64 ./solver      a job: put \"rankscope run\" before the launcher
  rankscope attach 4711                    a process that runs already
  rankscope run --batch FILE -n 4 ./app    no screen: run the commands of FILE, print, exit

In the debugger: ? explains the keys, : takes commands (\"help\" lists them), q leaves.";

const BATCH_HELP: &str = "\
Exit status of a batch: 0 all commands succeeded; 1 a command failed; 2 wrong usage; 3 the time-out passed;
4 the session could not be started.";

const RESUME_HELP: &str = "\
The screen shows what the last one showed. A script (--batch) leaves the session as it is when it ends.";

/// Debug a whole parallel program at once, from one terminal: every rank is on the screen, and any set of them is
/// stopped, stepped and looked at with one key.
#[derive(Clone, Debug, Parser)]
#[command(name = "rankscope", version, after_help = EXAMPLES, max_term_width = 100, disable_help_subcommand = true)]
pub struct Cli {
    /// What to do; without it the screen opens with no program.
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
        /// Simulate the ranks: no process is started, up to a million ranks
        #[arg(long)]
        simulate: bool,
        /// Common options.
        #[command(flatten)]
        common: Common,
    },
    /// Start a program, or a launcher's job, under the debugger
    #[command(after_help = BATCH_HELP)]
    Run(Run),
    /// List the sessions of this user on this host
    Sessions {
        /// One JSON object a line
        #[arg(long)]
        json: bool,
        /// Remove what stale sessions, whose master was killed, have left; nothing else removes it
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
        /// Which; without it all is listed
        #[arg(value_name = "COMMAND")]
        topic: Vec<String>,
    },
    /// Print the keys of the screen
    Keys,
    /// Print the manual page: "rankscope man | man -l -"
    Man,
    /// Print what makes a shell complete the command line
    Completions {
        /// Which shell
        shell: Shell,
    },
    /// Print where the configuration is read from, and what it says
    Config,
    /// Debug processes or a job that run already
    #[command(after_help = ATTACH_HELP)]
    Attach(Attach),
    /// Take a running session back, after a lost connection or after leaving it
    #[command(after_help = RESUME_HELP)]
    Resume {
        /// Its name; "rankscope sessions" lists them; not needed when there is only one
        session: Option<String>,
        /// Take it from another front end
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
            Self::Attach(attach) => Some(&mut attach.common.front),
            Self::Resume { front, .. } => Some(front),
            Self::Sessions { .. }
            | Self::Theme { .. }
            | Self::Help { .. }
            | Self::Keys
            | Self::Man
            | Self::Completions { .. }
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
                return usage(
                    "the options before the subcommand are of what shows a session: run, attach, demo, resume",
                );
            }
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests;
