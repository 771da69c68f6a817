//! The thread and frame in which an operation looks up names.

use super::ThreadId;
use serde::{Deserialize, Serialize};

/// The thread and frame in which names are looked up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Context {
    /// `None`: the thread that stopped.
    pub thread: Option<ThreadId>,
    /// Level of the frame, 0 the innermost.
    pub frame: u32,
}
