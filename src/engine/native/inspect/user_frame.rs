//! The state of the search for the frame of the user's code, for a stop outside of it.

use crate::native::ptrace::Tid;
use model::UserFrame;

/// The search for the frame of the user's code in the thread of a stop that is about to be reported.
#[derive(Default)]
pub(in crate::native) struct UserFrameSearch(Search);

#[derive(Default)]
enum Search {
    #[default]
    NotBegun,
    Running(Tid),
    Done(Tid, Option<Box<UserFrame>>),
}

impl UserFrameSearch {
    /// Forgets the search and its result: another stop begins.
    pub(in crate::native) fn reset(&mut self) {
        self.0 = Search::NotBegun;
    }

    /// Notes that a search in a thread has begun.
    pub(in crate::native) fn begin(&mut self, tid: Tid) {
        self.0 = Search::Running(tid);
    }

    /// True if a search in this thread has begun and not ended.
    pub(in crate::native) fn is_running(&self, tid: Tid) -> bool {
        matches!(self.0, Search::Running(of) if of == tid)
    }

    /// True if it is known whether the thread has such a frame.
    pub(in crate::native) fn is_done(&self, tid: Tid) -> bool {
        matches!(self.0, Search::Done(of, _) if of == tid)
    }

    /// Ends the search in a thread.
    pub(in crate::native) fn end(&mut self, tid: Tid, found: Option<Box<UserFrame>>) {
        self.0 = Search::Done(tid, found);
    }

    /// Takes the frame found in a thread.
    pub(in crate::native) fn take(&mut self, tid: Tid) -> Option<Box<UserFrame>> {
        match std::mem::take(&mut self.0) {
            Search::Done(of, found) if of == tid => found,
            _ => None,
        }
    }
}
