//! One rank: its process, what the debugger knows of it, and what it is to do.

use super::phase::Phase;
use crate::native::breakpoints::points::Breakpoints;
use crate::native::calls::running_call::InferiorCall;
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::{LaunchFailure, Observation, Pace, Process, Tid};
use crate::native::startup::arriving::Arriving;
use crate::native::startup::fork::Fork;
use crate::native::stepping::stepper::Stepping;
use expr::ParseCache;
use model::{LaunchSpec, Rank, SignalTable, TransactionId};
use std::sync::Arc;

/// One rank.
pub(in crate::native) struct Tracee {
    pub rank: Rank,
    pub inferior: Inferior,
    pub phase: Phase,
    /// Why it could not execute, until it has.
    pub failure: Option<LaunchFailure>,
    /// The stop before the program's own code is still to come.
    pub starting: bool,
    /// It ran before it came to us, and outlives us unless it is killed by name.
    pub guest: bool,
    /// Why it cannot be debugged; it is about to end, or to be let go.
    pub refused: Option<String>,
    pub breakpoints: Breakpoints,
    /// On its way from another engine: who waits for it to be here.
    pub arriving: Option<Arriving>,
    pub stepping: Stepping,
    pub signals: SignalTable,
    /// What threads did while they were being stopped for a moment.
    pub held: Vec<(Tid, Observation)>,
    /// What threads did that waits for debug information to be read, and they with it.
    pub awaiting: Vec<(Tid, Observation)>,
    /// Number of the last run-control query.
    pub control: TransactionId,
    /// The function that runs for an expression.
    pub calling: Option<Box<InferiorCall>>,
    /// The process that it is to become.
    pub fork: Option<Fork>,
}

impl Tracee {
    /// A rank whose process was just seized.
    pub(in crate::native) fn new(
        rank: Rank,
        process: Process,
        spec: LaunchSpec,
        failure: Option<LaunchFailure>,
        expressions: &Arc<ParseCache>,
    ) -> Self {
        Self {
            rank,
            inferior: Inferior::new(process, spec, Arc::clone(expressions)),
            phase: Phase::Waiting,
            failure,
            starting: true,
            guest: false,
            refused: None,
            breakpoints: Breakpoints::default(),
            arriving: None,
            stepping: Stepping::default(),
            signals: SignalTable::default(),
            held: Vec::new(),
            awaiting: Vec::new(),
            control: TransactionId::default(),
            calling: None,
            fork: None,
        }
    }

    /// Resumes a thread as it was resumed before, delivering a signal unless it is 0.
    pub(in crate::native) fn carry_on(&mut self, tid: Tid, signal: i32) {
        if self.inferior.process.thread(tid).is_none_or(|thread| thread.parked) || !self.stepping.may_run(tid) {
            return;
        }
        let pace = match &self.stepping.stepper {
            Some(stepper) if stepper.thread == tid && stepper.pace == Pace::Step => Pace::Step,
            _ if self.breakpoints.steps_watches(tid) => Pace::Step,
            _ => Pace::Run,
        };
        self.inferior.process.resume(tid, pace, signal);
    }

    /// Resumes every thread that is stopped and has nothing to wait for.
    pub(in crate::native) fn resume_others(&mut self, but: Option<Tid>) {
        let stopped =
            self.inferior.process.threads().iter().filter(|thread| thread.is_stopped() && Some(thread.tid) != but);
        let tids: Vec<Tid> = stopped.map(|thread| thread.tid).collect();
        for tid in tids {
            self.carry_on(tid, 0);
        }
    }
}
