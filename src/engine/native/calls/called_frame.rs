//! What threads go back to from functions that expressions called.

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

/// Functions that were called and stopped in, which return some day.
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

    /// The function that a thread has just returned from, if it was called; it is forgotten.
    pub(in crate::native) fn take(&mut self, thread: Tid, back: u64, stack_pointer: u64) -> Option<CalledFrame> {
        let mine =
            |frame: &CalledFrame| frame.thread == thread && frame.back == back && frame.stack_pointer == stack_pointer;
        let place = self.frames.iter().position(mine)?;
        Some(self.frames.remove(place))
    }

    /// Those of a thread.
    pub(in crate::native) fn of(&self, thread: Tid) -> Vec<CalledFrame> {
        self.frames.iter().filter(|frame| frame.thread == thread).cloned().collect()
    }

    /// A thread goes on in a child, and no other does.
    pub(in crate::native) fn go_on_in(&mut self, thread: Tid, child: Tid) {
        self.frames.retain_mut(|frame| {
            let stays = frame.thread == thread;
            frame.thread = child;
            stays
        });
    }
}
