//! The saved state of threads that run functions for expressions.

use crate::native::ptrace::{SavedThread, Tid};

/// The state to restore when a called function has returned.
#[derive(Clone, Debug)]
pub(in crate::native) struct CalledFrame {
    pub thread: Tid,
    /// The return address.
    pub back: u64,
    /// The stack pointer after the return.
    pub stack_pointer: u64,
    pub saved: SavedThread,
}

/// Called functions that the rank has stopped in and that have not returned yet.
#[derive(Debug, Default)]
pub(in crate::native) struct LeftCalls {
    frames: Vec<CalledFrame>,
}

impl LeftCalls {
    pub(in crate::native) fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    pub(in crate::native) fn push(&mut self, frame: CalledFrame) {
        self.frames.push(frame);
    }

    pub(in crate::native) fn pop(&mut self) -> Option<CalledFrame> {
        self.frames.pop()
    }

    pub(in crate::native) fn clear(&mut self) {
        self.frames.clear();
    }

    /// Removes and returns the called function that a thread has just returned from; `None` if there is none.
    pub(in crate::native) fn take(&mut self, thread: Tid, back: u64, stack_pointer: u64) -> Option<CalledFrame> {
        let mine =
            |frame: &CalledFrame| frame.thread == thread && frame.back == back && frame.stack_pointer == stack_pointer;
        let place = self.frames.iter().position(mine)?;
        Some(self.frames.remove(place))
    }

    /// Returns the called functions of a thread.
    pub(in crate::native) fn of(&self, thread: Tid) -> Vec<CalledFrame> {
        self.frames.iter().filter(|frame| frame.thread == thread).cloned().collect()
    }

    /// Moves the called functions of a thread to the child that it continues in, and forgets those of other threads.
    pub(in crate::native) fn go_on_in(&mut self, thread: Tid, child: Tid) {
        self.frames.retain_mut(|frame| {
            let stays = frame.thread == thread;
            frame.thread = child;
            stays
        });
    }
}
