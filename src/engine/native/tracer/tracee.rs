//! One rank: its process, the debugger's knowledge of it, and its breakpoints, steps and calls.

use super::explanation::Explanation;
use super::pending_events::PendingEvents;
use super::phase::Phase;
use crate::Query;
use crate::native::breakpoints::points::Breakpoints;
use crate::native::calls::inferior_calls::InferiorCalls;
use crate::native::inspect::inferior::{Inferior, note_rank};
use crate::native::ptrace::{Pace, Process, Tid};
use crate::native::startup::arriving::Arriving;
use crate::native::startup::first_stop::Startup;
use crate::native::startup::fork::Following;
use crate::native::startup::libraries::Libraries;
use crate::native::stepping::stepper::Stepping;
use crate::process::memory_kills::MemoryKills;
use expr::ParseCache;
use model::{LaunchSpec, Rank, SignalTable, TransactionId};
use std::sync::Arc;

/// One rank: the parts that decide what to do, and the process that they act on.
pub(in crate::native) struct Tracee {
    pub rank: Rank,
    pub inferior: Inferior,
    pub phase: Phase,
    pub startup: Startup,
    pub breakpoints: Breakpoints,
    pub libraries: Libraries,
    /// Set while the rank arrives from another engine; holds who waits for it.
    pub arriving: Option<Arriving>,
    pub stepping: Stepping,
    pub signals: SignalTable,
    pub pending: PendingEvents,
    /// The last run-control query, under which events are reported.
    pub control: TransactionId,
    pub calls: InferiorCalls,
    pub following: Following,
    pub explanation: Explanation,
    /// Looks at the running rank that wait until its threads have stopped.
    pub(super) samples: Vec<Query>,
    pub(in crate::native) memory_kills: MemoryKills,
}

impl Tracee {
    /// Creates a rank for a process that was just seized.
    pub(in crate::native) fn new(
        rank: Rank,
        process: Process,
        spec: LaunchSpec,
        startup: Startup,
        expressions: &Arc<ParseCache>,
    ) -> Self {
        let memory_kills = MemoryKills::of(process.pid());
        let inferior = Inferior::new(process, spec, Arc::clone(expressions));
        note_rank(&inferior, rank);
        Self {
            rank,
            inferior,
            phase: Phase::Waiting,
            startup,
            breakpoints: Breakpoints::default(),
            libraries: Libraries::default(),
            arriving: None,
            stepping: Stepping::default(),
            signals: SignalTable::default(),
            pending: PendingEvents::default(),
            control: TransactionId::default(),
            calls: InferiorCalls::default(),
            following: Following::default(),
            explanation: Explanation::default(),
            samples: Vec::new(),
            memory_kills,
        }
    }

    /// Resumes a thread at its last pace, with a signal unless it is 0; does nothing while the rank is being stopped.
    pub(in crate::native) fn carry_on(&mut self, tid: Tid, signal: i32) {
        if !matches!(self.phase, Phase::Running | Phase::Waiting) && !self.calls.runs_in(tid) {
            return;
        }
        if self.inferior.process.thread(tid).is_none_or(|thread| thread.parked) || !self.stepping.may_run(tid) {
            return;
        }
        let pace = match &self.stepping.stepper {
            Some(stepper) if stepper.thread == tid && stepper.pace == Pace::Step => Pace::Step,
            _ if self.breakpoints.steps_watches(tid) => Pace::Step,
            _ => Pace::Run,
        };
        let Breakpoints { fpe, claims, .. } = &mut self.breakpoints;
        fpe.mind(&mut self.inferior, claims, tid);
        self.inferior.process.resume(tid, pace, signal);
    }

    /// Resumes every stopped thread except `but` that has nothing to wait for.
    pub(in crate::native) fn resume_others(&mut self, but: Option<Tid>) {
        let stopped =
            self.inferior.process.threads().iter().filter(|thread| thread.is_stopped() && Some(thread.tid) != but);
        let tids: Vec<Tid> = stopped.map(|thread| thread.tid).collect();
        for tid in tids {
            self.carry_on(tid, 0);
        }
    }
}
