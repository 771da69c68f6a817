//! The ranks of a command.

use crate::sets::ThreadGroup;
use model::{ProcessSet, ThreadId};

/// The ranks that a command is for.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::core) struct Target {
    pub(in crate::core) ranks: ProcessSet,
    pub(in crate::core) thread: Option<ThreadId>,
    /// The threads that the command goes through in turn, if the scope names several.
    pub(in crate::core) group: Option<ThreadGroup>,
    /// True if the line names them, false if they are the focus.
    pub(in crate::core) named: bool,
    /// True if the line names lost ranks explicitly.
    pub(in crate::core) means_lost: bool,
}
