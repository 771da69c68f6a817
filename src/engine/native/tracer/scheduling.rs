//! One thread that goes on while the others stay where they are (the setting `scheduler-locking`).

use super::phase::{Halt, Phase};
use super::tracee::Tracee;
use super::tracer_shared::{Companion, TracerShared};
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::{Thread, Tid, is_leaving};
use crate::native::stepping::stepper::Stepping;
use model::{StepKind, StopReason};

impl Stepping {
    /// Keeps the other threads where they are, when the setting says so for what is about to begin.
    pub(in crate::native) fn lock(&mut self, inferior: &mut Inferior) {
        let runs = |kind: StepKind| matches!(kind, StepKind::Finish | StepKind::Onward);
        let steps = self.stepper.as_ref().is_some_and(|stepper| !runs(stepper.kind));
        let tid = self.stepper.as_ref().map_or(inferior.current, |stepper| stepper.thread);
        let locks =
            inferior.spec.settings.locking.locks(steps) && inferior.process.thread(tid).is_some_and(Thread::is_stopped);
        self.alone = locks.then_some(tid);
    }

    /// Whether a thread does not have to stay where it is.
    pub(in crate::native) fn may_run(&self, tid: Tid) -> bool {
        self.alone.is_none_or(|alone| alone == tid)
    }
}

impl Tracee {
    /// The rank stops when the one thread that was to run has ended, unless the whole process is ending.
    pub(in crate::native) fn lone_thread_ended(&mut self, shared: &mut TracerShared, tid: Tid) {
        if self.stepping.alone != Some(tid) || self.phase != Phase::Running {
            return;
        }
        let stays = |thread: &&Thread| thread.tid != tid && thread.is_stopped() && !is_leaving(thread.tid);
        let Some(stays) = self.inferior.process.threads().iter().find(stays).map(|thread| thread.tid) else { return };
        let number = self.inferior.process.thread(tid).map(|thread| thread.number);
        let who = number.map_or_else(|| "the thread".to_owned(), |number| format!("thread {number}"));
        let note = format!("{who} has ended, and the others are to stay where they are (\"set scheduler-locking\")");
        self.halt(shared, Halt::Stop { tid: stays, reason: StopReason::Step, note: Some(note) });
    }

    /// Whether two processes are in its memory, or it is about to become another one.
    pub(in crate::native) fn is_between_two(&self, shared: &TracerShared) -> bool {
        self.fork.is_some()
            || self.inferior.process.is_in_memory_of_its_parent()
            || shared.companions.values().any(|companion| *companion == Companion::Within(self.rank))
    }
}
