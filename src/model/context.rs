//! The frame of a thread that a question is about.

use super::ThreadId;
use serde::{Deserialize, Serialize};

/// Where an inspection looks: names mean what they mean there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Context {
    /// `None`: the thread that stopped.
    pub thread: Option<ThreadId>,
    /// Level of the frame, 0 the innermost.
    pub frame: u32,
}
