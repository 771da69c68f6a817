//! What is typed.

use crossterm::event::EventStream;
use nix::sys::signal::{SigSet, SigmaskHow, Signal};

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
