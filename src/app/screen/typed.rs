//! What is typed.

use crossterm::event::EventStream;
use nix::sys::signal::{SigSet, SigmaskHow, Signal};
use nix::unistd::dup2_stdin;
use std::fs::File;

/// Reads what is typed, in a thread of crossterm's own that ends with what is returned. (Its source `use-dev-tty` reads in
/// that thread alone; the other one reads a terminal that was hung up without end, and in the thread that would hear
/// the signal that says so.)
pub(super) fn events() -> EventStream {
    // A shell that is hung up takes the terminal back before it ends. Who reads it then is stopped, unless that is blocked
    // (setpgid(2)), and would keep the session for ever. A thread blocks what the one that began it did.
    let mut input = SigSet::empty();
    input.add(Signal::SIGTTIN);
    let before = input.thread_swap_mask(SigmaskHow::SIG_BLOCK);
    let events = EventStream::new();
    if let Ok(before) = before {
        let _ = before.thread_set_mask();
    }
    events
}

/// What is typed from here on is for whoever reads the terminal next. The thread ends a moment after what [`events`]
/// returned, and would take that; from standard input, it reads nothing now.
pub(super) fn leave_to_others() {
    if let Ok(nothing) = File::open("/dev/null") {
        // Without it a key that is hit in this moment may be lost.
        let _ = dup2_stdin(nothing);
    }
}
