//! Thread events derived from wait statuses, and those that wait to be handled.

use super::fpu::trap::FpuTrap;
use super::requests::{Status, Tid};
use crate::process::call_stop::CallStop;
use std::collections::VecDeque;

/// A thread event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Observation {
    /// Arrived at a breakpoint of the debugger; the program counter has been reset to its address.
    Breakpoint(u64),
    /// Did the one instruction it was resumed for.
    Stepped,
    /// Accessed places that the debug registers watch.
    Watched {
        /// A bit for each place.
        places: u64,
        /// True if that was the one instruction it was resumed for.
        stepped: bool,
    },
    /// Is about to get this signal.
    Signal(i32),
    /// Is about to get SIGFPE because of a floating-point exception, perhaps of one that the debugger has unmasked.
    FloatTrap(FpuTrap),
    /// Begins or ends a system call.
    Call(CallStop),
    /// Stopped on request, with its process by a stop signal, or at its beginning; nothing else happened.
    Halted,
    /// Nothing of interest: resume it.
    Nothing,
    /// Is about to report something; do not resume it.
    Soon,
    /// Created a thread.
    Cloned(Tid),
    /// Created a process.
    Forked {
        /// The new process.
        child: Tid,
        /// True if it shares its parent's memory until it calls exec or ends.
        shares_memory: bool,
    },
    /// Executed another program; no other thread is left.
    Executed,
    /// A thread ended, or is about to.
    ThreadEnded,
    /// The process ended with a code.
    Exited(i32),
    /// The process was ended by a signal.
    Killed(i32),
}

/// Statuses and events that could not be handled when they arrived.
#[derive(Debug, Default)]
pub(super) struct PendingReports {
    /// Statuses that arrived while one thread was being waited for.
    statuses: VecDeque<(Tid, Status)>,
    /// Events that no wait status reports.
    made: VecDeque<(Tid, Observation)>,
}

pub(super) enum Pending {
    Observed(Observation),
    Status(Status),
}

impl PendingReports {
    /// Keeps a status that arrived while another one was being waited for.
    pub(super) fn add_status(&mut self, tid: Tid, status: Status) {
        self.statuses.push_back((tid, status));
    }

    /// Keeps an event that no wait status reports.
    pub(super) fn add(&mut self, tid: Tid, observation: Observation) {
        self.made.push_back((tid, observation));
    }

    pub(super) fn take(&mut self) -> Option<(Tid, Pending)> {
        if let Some((tid, made)) = self.made.pop_front() {
            return Some((tid, Pending::Observed(made)));
        }
        self.statuses.pop_front().map(|(tid, status)| (tid, Pending::Status(status)))
    }

    /// Drops all of them, because their threads have ended.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}
