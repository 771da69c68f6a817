//! Input from the keyboard.

use crossterm::event::EventStream;
use nix::sys::signal::{SigSet, SigmaskHow, Signal};
use nix::unistd::dup2_stdin;
use std::fs::File;

/// Reads the keyboard in a thread of crossterm's own, which ends with the returned stream. (crossterm's source
/// `use-dev-tty` reads only in that thread; the other one reads endlessly from a terminal after a hangup, in the thread
/// that would receive the signal.)
pub(crate) fn events() -> EventStream {
    // After a hangup the shell takes the terminal back before it ends. A process that then reads it is stopped unless
    // the signal is blocked (setpgid(2)), and would keep the session forever. A new thread inherits the signal mask.
    let mut input = SigSet::empty();
    input.add(Signal::SIGTTIN);
    let before = input.thread_swap_mask(SigmaskHow::SIG_BLOCK);
    let events = EventStream::new();
    if let Ok(before) = before {
        let _ = before.thread_set_mask();
    }
    events
}

/// Leaves the keyboard to the next reader of the terminal. The thread ends a moment after the stream of [`events`] and
/// would take that input; now it reads nothing from standard input.
pub(crate) fn leave_to_others() {
    if let Ok(nothing) = File::open("/dev/null") {
        // If this fails, a key pressed at this moment may be lost.
        let _ = dup2_stdin(nothing);
    }
}
