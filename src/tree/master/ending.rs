//! A job on its way out, and what comes after it.

use model::TransactionId;
use protocol::LaunchPlan;
use std::time::{Duration, Instant};

/// How often it is looked who is left.
const LOOK: Duration = Duration::from_millis(10);

#[derive(Clone, Debug)]
pub(super) enum Then {
    Nothing,
    Launch {
        /// Of the request for it.
        tid: TransactionId,
        plan: LaunchPlan,
        /// It takes the breakpoints of the one before.
        again: bool,
    },
    /// The end of the session; with the request for it, if one asked.
    Exit(Option<TransactionId>),
}

/// A job on its way out.
#[derive(Debug)]
pub(super) struct Ending {
    /// Ranks are killed; otherwise they are detached.
    pub(super) kill: bool,
    pub(super) then: Then,
    pub(super) begun: Instant,
    /// All ranks had ended by themselves.
    pub(super) ranks_had_ended: bool,
    pub(super) launcher_asked: Option<Instant>,
    pub(super) killing: bool,
}

impl Ending {
    /// An end that begins now.
    pub(super) fn new(kill: bool, then: Then) -> Self {
        Self { kill, then, begun: Instant::now(), ranks_had_ended: false, launcher_asked: None, killing: false }
    }

    /// The end of the session.
    pub(super) fn exit(kill: bool, asked: Option<TransactionId>) -> Self {
        Self::new(kill, Then::Exit(asked))
    }

    /// Begins a job as soon as this one is gone, unless something else has been decided.
    pub(super) fn and_then_launch(&mut self, tid: TransactionId, plan: &LaunchPlan) -> bool {
        let free = matches!(self.then, Then::Nothing);
        if free {
            self.then = Then::Launch { tid, plan: plan.clone(), again: false };
        }
        free
    }

    /// Who asked for what comes is gone.
    pub(super) fn forget_asker(&mut self) {
        match &mut self.then {
            Then::Nothing => {}
            Then::Launch { tid, .. } => *tid = TransactionId(0),
            Then::Exit(asked) => *asked = None,
        }
    }

    /// When to look again.
    pub(super) fn next_look(&self) -> Instant {
        Instant::now() + LOOK
    }
}
