//! What statuses of threads mean, and those that wait to be dealt with.

use super::requests::{Status, Tid};
use std::collections::VecDeque;

/// What a status means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Observation {
    /// Arrived at a breakpoint of ours; the program counter is its address again.
    Breakpoint(u64),
    /// Did the one instruction it was resumed for.
    Stepped,
    /// Accessed places that the debug registers watch.
    Watched {
        /// A bit for each.
        places: u64,
        /// That was the one instruction it was resumed for.
        stepped: bool,
    },
    /// Is about to get this signal.
    Signal(i32),
    /// Stopped because it was asked to, or with its process by a stop signal, or began; nothing else happened.
    Halted,
    /// Nothing that matters: resume it.
    Nothing,
    /// It is about to report something, and not to be resumed.
    Soon,
    /// Created a thread.
    Cloned(Tid),
    /// Created a process.
    Forked {
        /// The new process.
        child: Tid,
        /// In the memory of its parent, until it executes or ends.
        shares_memory: bool,
    },
    /// Became another program; no other thread is left.
    Executed,
    /// A thread ended, or is about to.
    ThreadEnded,
    /// The process ended with a code.
    Exited(i32),
    /// The process was ended by a signal.
    Killed(i32),
}

/// What threads have told while nobody could deal with it.
#[derive(Debug, Default)]
pub(super) struct PendingReports {
    /// Statuses that came while one thread was being waited for.
    statuses: VecDeque<(Tid, Status)>,
    /// What happened without the kernel saying so.
    made: VecDeque<(Tid, Observation)>,
}

/// The next of them.
pub(super) enum Pending {
    Observed(Observation),
    Status(Status),
}

impl PendingReports {
    /// A status that came while another one was being waited for.
    pub(super) fn add_status(&mut self, tid: Tid, status: Status) {
        self.statuses.push_back((tid, status));
    }

    /// What happened without the kernel saying so.
    pub(super) fn add(&mut self, tid: Tid, observation: Observation) {
        self.made.push_back((tid, observation));
    }

    pub(super) fn take(&mut self) -> Option<(Tid, Pending)> {
        if let Some((tid, made)) = self.made.pop_front() {
            return Some((tid, Pending::Observed(made)));
        }
        self.statuses.pop_front().map(|(tid, status)| (tid, Pending::Status(status)))
    }

    /// Their threads are gone.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}
