//! What a thread goes back to from a function that an expression called.

use crate::native::ptrace::{SavedThread, Tid};

/// What is to be put back when a function that was called has returned.
#[derive(Clone, Debug)]
pub(in crate::native) struct CalledFrame {
    pub thread: Tid,
    /// Where it returns to.
    pub back: u64,
    /// The stack pointer when it has.
    pub stack_pointer: u64,
    pub saved: SavedThread,
}
