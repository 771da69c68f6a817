//! The session as a whole.

use model::ProcessSet;
use std::sync::Arc;

/// The session of a job that is ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionInfo {
    /// The name for `resume`.
    pub id: String,
    /// The number of ranks.
    pub size: u32,
    /// The ranks on each host.
    pub hosts: Vec<(Arc<str>, ProcessSet)>,
}

/// The phase of a session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// No job was requested.
    #[default]
    Idle,
    /// The master has not reported yet.
    Connecting,
    /// The job is being started; holds the progress.
    Launching(String),
    /// The job is ready.
    Live,
    /// The session ended in order.
    Ended,
    /// The start failed, or the master is lost; holds the reason.
    Failed(String),
}
