//! What is typed, read by a thread of its own: whoever reads a terminal that was hung up does so without end (crossterm
//! 0.29 takes the end of a file for nothing to read yet), and must not be who hears the signal that says so.

use crossterm::event::{self, Event};
use nix::sys::signal::{SigSet, Signal};
use std::{io, thread};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

pub(super) struct Typed(UnboundedReceiver<io::Result<Event>>);

impl Typed {
    /// The thread ends with the process: nothing wakes it from reading.
    pub(super) fn start() -> Self {
        let (sender, typed) = unbounded_channel();
        thread::spawn(move || {
            // A shell that is hung up takes the terminal back before it ends. Who reads it then is stopped, unless that is
            // blocked (setpgid(2)), and would keep the session for ever.
            let mut input = SigSet::empty();
            input.add(Signal::SIGTTIN);
            let _ = input.thread_block();
            loop {
                let event = event::read();
                let is_last = event.is_err();
                if sender.send(event).is_err() || is_last {
                    return;
                }
            }
        });
        Self(typed)
    }

    /// The next event; `None` after an error.
    pub(super) async fn next(&mut self) -> Option<io::Result<Event>> {
        self.0.recv().await
    }
}
