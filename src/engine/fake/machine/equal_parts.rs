//! Parts of a rank's state that equal ranks share, so that a million of them find room.

use super::copy_on_write::Known;
use super::state::{Machine, Thread};

/// The parts of ranks that have just stopped, for the next ones to share.
#[derive(Debug, Default)]
pub(in crate::fake) struct KnownParts {
    globals: Known<Vec<u8>>,
    heap: Known<Vec<u8>>,
    threads: Known<Vec<Thread>>,
}

impl Machine {
    /// Shares what is equal in an earlier rank, and gives back the memory that the rank does not need while it is
    /// stopped.
    pub(in crate::fake) fn share(&mut self, known: &mut KnownParts) {
        known.globals.share(&mut self.globals, Vec::shrink_to_fit);
        known.heap.share(&mut self.heap, Vec::shrink_to_fit);
        known.threads.share(&mut self.threads, |threads| threads.iter_mut().for_each(tighten));
    }
}

/// Gives back memory that is reserved for more calls and operands.
fn tighten(thread: &mut Thread) {
    thread.calls.shrink_to_fit();
    thread.operands.shrink_to_fit();
    thread.stack.shrink_to_fit();
}
