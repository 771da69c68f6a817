//! A step under way, and what it wants to be done next.

use super::step_resume::{Caller, StepResume};
use crate::native::ptrace::{Pace, Tid};
use debuginfo::types::TypeRef;
use model::{Failure, SourcePlace, StepKind, StopReason};
use std::ops::Range;

/// A step under way.
#[derive(Clone, Debug)]
pub(in crate::native) struct Stepper {
    /// The thread that steps; the others run.
    pub thread: Tid,
    /// How it was resumed last.
    pub pace: Pace,
    pub(in crate::native) kind: StepKind,
    pub(in crate::native) remaining: u32,
    /// The line it is to leave; `None` in a function without lines.
    pub(in crate::native) line: Option<SourcePlace>,
    /// The instructions it is to leave.
    pub(in crate::native) ranges: Vec<Range<u64>>,
    /// Where the function of the line is entered, and how many functions are inlined there.
    pub(in crate::native) function: Option<u64>,
    pub(in crate::native) inlined: usize,
    /// Where it is waited for.
    pub(in crate::native) landings: Vec<StepResume>,
    pub(in crate::native) last: Last,
    /// In a stub on the way into a function: where that returns to.
    pub(in crate::native) entering: Option<Caller>,
    /// A signal was delivered here: its handler comes back to this.
    pub(in crate::native) handler: Option<Caller>,
    /// It is the signal that the thread had stopped for: the step goes into its handler.
    pub(in crate::native) enters_handler: bool,
    /// What ends it says.
    pub(in crate::native) reason: StopReason,
    /// What the function that is being left hands back.
    pub(in crate::native) returns: Option<TypeRef>,
}

/// The kind of the instruction that was stepped last.
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

    /// Whether it is in a stub on the way into a function.
    pub(in crate::native) fn is_entering(&self) -> bool {
        self.entering.is_some()
    }
}

/// Who steps in a rank, and who does not run meanwhile.
#[derive(Debug, Default)]
pub(in crate::native) struct Stepping {
    pub stepper: Option<Stepper>,
    /// The one thread that runs, while the others stay where they are.
    pub alone: Option<Tid>,
}

/// What is to be done for a step.
#[derive(Debug)]
pub(in crate::native) enum StepAction {
    /// Nothing: its thread is gone, or there is none.
    Nothing,
    /// The thread goes on, with this signal unless it is 0.
    Resume(Tid, i32),
    /// The rank stops.
    Stop { tid: Tid, reason: StopReason, note: Option<String> },
    /// The debug information at this address is to be read; then the thread has done its instruction.
    Await(Tid, u64),
}

impl StepAction {
    /// The step ends where it is, with words that say why.
    pub(in crate::native) fn give_up(tid: Tid, failure: Failure) -> Self {
        Self::Stop { tid, reason: StopReason::Step, note: Some(failure.message) }
    }
}
