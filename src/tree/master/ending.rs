//! The end of a job, and what follows it.

use model::TransactionId;
use protocol::LaunchPlan;
use std::time::{Duration, Instant};

/// Interval between two checks for processes that are left.
const LOOK: Duration = Duration::from_millis(10);

#[derive(Clone, Debug)]
pub(super) enum Then {
    Nothing,
    Launch {
        /// The request for the job.
        tid: TransactionId,
        plan: LaunchPlan,
        /// True if the job takes the breakpoints of the one before.
        again: bool,
    },
    /// Ends the session; holds the request for it, if any.
    Exit(Option<TransactionId>),
}

/// A job that is being ended.
#[derive(Debug)]
pub(super) struct Ending {
    /// True to kill the ranks, false to detach them.
    pub(super) kill: bool,
    pub(super) then: Then,
    pub(super) begun: Instant,
    /// True if all ranks had ended by themselves.
    pub(super) ranks_had_ended: bool,
    pub(super) launcher_asked: Option<Instant>,
    pub(super) killing: bool,
}

impl Ending {
    pub(super) fn new(kill: bool, then: Then) -> Self {
        Self { kill, then, begun: Instant::now(), ranks_had_ended: false, launcher_asked: None, killing: false }
    }

    pub(super) fn exit(kill: bool, asked: Option<TransactionId>) -> Self {
        Self::new(kill, Then::Exit(asked))
    }

    /// Launches a job as soon as this one is gone, unless something else has been decided.
    pub(super) fn and_then_launch(&mut self, tid: TransactionId, plan: &LaunchPlan) -> bool {
        let free = matches!(self.then, Then::Nothing);
        if free {
            self.then = Then::Launch { tid, plan: plan.clone(), again: false };
        }
        free
    }

    /// Forgets the request for the next step: its front end is gone.
    pub(super) fn forget_asker(&mut self) {
        match &mut self.then {
            Then::Nothing => {}
            Then::Launch { tid, .. } => *tid = TransactionId(0),
            Then::Exit(asked) => *asked = None,
        }
    }

    /// Returns when to check again.
    pub(super) fn next_look(&self) -> Instant {
        Instant::now() + LOOK
    }
}
