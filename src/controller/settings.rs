//! The settings of a controller.

use crate::Clock;
use crate::saved::SavedSetup;
use protocol::LaunchPlan;
use std::path::PathBuf;

/// The first request to the master.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// No request: the full screen without a target.
    #[default]
    Nothing,
    /// Starts a job.
    Launch(LaunchPlan),
    /// Asks for the state of an existing session.
    Replay,
}

/// The settings of a controller.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The first request to the master.
    pub start: Start,
    /// The command line of the debugged program as the user gave it, for titles.
    pub program: String,
    /// True for a script: a step is done when its ranks have stopped, not when it has begun.
    pub batch: bool,
    /// The file of commands that is kept for the program; `None`: none is kept.
    pub saved: Option<SavedSetup>,
    /// Values of `set VARIABLE VALUE` from the configuration.
    pub variables: Vec<(String, String)>,
    /// Files of printers that were found, each with its text; those of a later one are tried first.
    pub printers: Vec<(String, Result<String, String>)>,
    /// The directory in which files of ranks are written if a command names none; relative names count from it.
    pub directory: PathBuf,
    /// The clock for deadlines.
    pub clock: Clock,
}
