//! Resuming one thread while the others stay stopped (the setting `scheduler-locking`).

use super::phase::Halt;
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::{Process, Thread, Tid, is_leaving};
use crate::native::stepping::stepper::Stepping;
use model::{StepKind, StopReason};

impl Stepping {
    /// Keeps the other threads stopped if the setting requires it for the resumption that is about to begin.
    pub(in crate::native) fn lock(&mut self, inferior: &mut Inferior) {
        let runs = |kind: StepKind| matches!(kind, StepKind::Finish | StepKind::Onward);
        let steps = self.stepper.as_ref().is_some_and(|stepper| !runs(stepper.kind));
        let tid = self.stepper.as_ref().map_or(inferior.current, |stepper| stepper.thread);
        let locks =
            inferior.spec.settings.locking.locks(steps) && inferior.process.thread(tid).is_some_and(Thread::is_stopped);
        self.alone = locks.then_some(tid);
    }

    /// True if the scheduler lock lets a thread run.
    pub(in crate::native) fn may_run(&self, tid: Tid) -> bool {
        self.alone.is_none_or(|alone| alone == tid)
    }

    /// Returns the thread that an interrupt shows: the one that steps or runs alone, otherwise the first. The current one
    /// may belong to a library, and have stopped for a signal long ago.
    pub(in crate::native) fn interrupted_thread(&self, process: &Process) -> Option<Tid> {
        let stays = |tid: &Tid| process.thread(*tid).is_some_and(|thread| !thread.activity.is_ending());
        let stepping = self.stepper.as_ref().map(|stepper| stepper.thread);
        let chosen = stepping.or(self.alone).filter(stays);
        let left = process.threads().iter().filter(|thread| !thread.activity.is_ending());
        chosen.or_else(|| left.min_by_key(|thread| thread.number).map(|thread| thread.tid))
    }

    /// Returns the stop if the only thread that may run has ended, unless the whole process is ending.
    pub(in crate::native) fn lone_thread_ended(&self, process: &Process, tid: Tid) -> Option<Halt> {
        if self.alone != Some(tid) {
            return None;
        }
        let stays = |thread: &&Thread| thread.tid != tid && thread.is_stopped() && !is_leaving(thread.tid);
        let stays = process.threads().iter().find(stays)?.tid;
        let number = process.thread(tid).map(|thread| thread.number);
        let who = number.map_or_else(|| "the thread".to_owned(), |number| format!("thread {number}"));
        let note = format!("{who} has ended and the other threads are locked (\"set scheduler-locking\")");
        Some(Halt::Stop { tid: stays, reason: StopReason::Step, note: Some(note) })
    }
}
