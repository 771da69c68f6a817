//! Whom a command means.

use model::{ProcessSet, ThreadId};

/// The ranks that a command is for.
#[derive(Clone, Debug)]
pub(in crate::core) struct Target {
    pub(in crate::core) ranks: ProcessSet,
    pub(in crate::core) thread: Option<ThreadId>,
    /// Named on the line, not the focus.
    pub(in crate::core) named: bool,
    /// It says itself that it means ranks that are lost.
    pub(in crate::core) means_lost: bool,
}
