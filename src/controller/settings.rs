//! What a controller is made with.

use crate::Clock;
use crate::saved::SavedSetup;
use protocol::LaunchPlan;

/// What the controller asks the master for first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// Nothing: the full screen without a target.
    #[default]
    Nothing,
    /// A job.
    Launch(LaunchPlan),
    /// The state of a session that is there already.
    Replay,
}

/// What a controller is made with.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// What is asked for first.
    pub start: Start,
    /// What is being debugged, for titles: the command line as the user gave it.
    pub program: String,
    /// A script is being run: a step is done when its ranks have stopped, not when it has begun.
    pub batch: bool,
    /// The file of commands that is kept for the program.
    pub saved: Option<SavedSetup>,
    /// Values of `set VARIABLE VALUE` from the configuration.
    pub variables: Vec<(String, String)>,
    /// From where deadlines are counted.
    pub clock: Clock,
}
