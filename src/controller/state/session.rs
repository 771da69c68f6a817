//! The session as a whole.

use model::ProcessSet;
use std::sync::Arc;

/// A session that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionInfo {
    /// By which it can be resumed.
    pub id: String,
    /// Ranks of the job.
    pub size: u32,
    /// Which ranks are on which host.
    pub hosts: Vec<(Arc<str>, ProcessSet)>,
}

/// How far the session is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// No job has been asked for.
    #[default]
    Idle,
    /// The master has not been heard of yet.
    Connecting,
    /// The job is being started; how far it is.
    Launching(String),
    /// The job is there.
    Live,
    /// It ended in order.
    Ended,
    /// It could not be started, or the master is gone; why.
    Failed(String),
}
