//! A step in progress, and the action that it needs next.

use super::step_resume::{Caller, StepResume};
use crate::native::ptrace::{Pace, Tid};
use debuginfo::types::TypeRef;
use model::{Failure, SourcePlace, StepKind, StopReason};
use std::ops::Range;

/// A step in progress.
#[derive(Clone, Debug)]
pub(in crate::native) struct Stepper {
    /// The stepping thread; the other threads run.
    pub thread: Tid,
    /// The pace at which the thread was last resumed.
    pub pace: Pace,
    pub(in crate::native) kind: StepKind,
    /// True if it is `Over` only until the thread is back in the frame from which it steps into functions.
    pub(in crate::native) enters_later: bool,
    pub(in crate::native) remaining: u32,
    /// The line that the thread must leave; `None` in a function without lines.
    pub(in crate::native) line: Option<SourcePlace>,
    /// The instructions that the thread must leave.
    pub(in crate::native) ranges: Vec<Range<u64>>,
    /// The entry of the line's function; `inlined` is the number of functions inlined there.
    pub(in crate::native) function: Option<u64>,
    pub(in crate::native) inlined: usize,
    /// The places where the step waits for its thread.
    pub(in crate::native) landings: Vec<StepResume>,
    pub(in crate::native) last: Last,
    /// Set in a stub on the way into a function: the caller that the function returns to.
    pub(in crate::native) entering: Option<Caller>,
    /// Set when a signal has been delivered: the place that its handler returns to.
    pub(in crate::native) handler: Option<Caller>,
    /// True if that is the signal that the thread had stopped for: the step enters its handler.
    pub(in crate::native) enters_handler: bool,
    /// The stop reason reported at the end.
    pub(in crate::native) reason: StopReason,
    /// The return type of the function that the thread is leaving.
    pub(in crate::native) returns: Option<TypeRef>,
}

/// The kind of the last instruction stepped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::native) enum Last {
    Plain,
    Call(Caller),
    Return,
    Jump,
}

impl Stepper {
    pub(in crate::native) fn new(thread: Tid, kind: StepKind, count: u32, reason: StopReason) -> Self {
        Self {
            thread,
            pace: Pace::Run,
            kind,
            enters_later: false,
            remaining: count.max(1),
            line: None,
            ranges: Vec::new(),
            function: None,
            inlined: 0,
            landings: Vec::new(),
            last: Last::Plain,
            entering: None,
            handler: None,
            enters_handler: false,
            reason,
            returns: None,
        }
    }

    /// Steps into functions again, if the step does so once its thread is back in its frame.
    pub(in crate::native) fn enters_from_here(&mut self) {
        if std::mem::take(&mut self.enters_later) {
            self.kind = StepKind::Into;
        }
    }

    /// True in a stub on the way into a function.
    pub(in crate::native) fn is_entering(&self) -> bool {
        self.entering.is_some()
    }
}

/// The step in progress in a rank, and the scheduler lock.
#[derive(Debug, Default)]
pub(in crate::native) struct Stepping {
    pub stepper: Option<Stepper>,
    /// The only thread that may run; `None` if all may.
    pub alone: Option<Tid>,
}

impl Stepping {
    /// Returns the return type of the function that a thread finishes, if it is the one that returns here.
    pub(in crate::native) fn finishes_at(&mut self, tid: Tid, address: u64, stack: u64) -> Option<TypeRef> {
        let ends = |landing: &StepResume| landing.address == address && stack >= landing.lowest_stack;
        let stepper = self.stepper.as_mut().filter(|stepper| stepper.thread == tid)?;
        if matches!(stepper.reason, StopReason::Finished(_)) && stepper.landings.iter().any(ends) {
            return stepper.returns.take();
        }
        None
    }
}

/// The action that a step needs next.
#[derive(Debug)]
pub(in crate::native) enum StepAction {
    /// Nothing: the thread has ended, or there is no step.
    Nothing,
    /// Resume the thread, with this signal unless it is 0.
    Resume(Tid, i32),
    /// Stop the rank.
    Stop { tid: Tid, reason: StopReason, note: Option<String> },
    /// Read the debug information at this address, then handle the thread as having done its instruction.
    Await(Tid, u64),
}

impl StepAction {
    /// Ends the step where the thread is, with the failure as note.
    pub(in crate::native) fn give_up(tid: Tid, failure: Failure) -> Self {
        Self::Stop { tid, reason: StopReason::Step, note: Some(failure.message) }
    }
}
