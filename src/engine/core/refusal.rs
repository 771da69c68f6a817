//! Operations that ranks of core files refuse, and the reasons.

use model::{Answer, ErrorCode, Failure, Operation};

/// The change or action that an operation would need a process for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// To run.
    Run,
    /// To change memory or registers.
    Change,
    /// To call a function.
    Call,
    /// To stop at a point.
    Point,
    /// To write a core file.
    Write,
    /// To be ended or detached from.
    End,
    /// To receive a signal.
    Signal,
    /// Another engine.
    Engine,
    /// Anything else.
    Other,
}

impl Refusal {
    /// Returns the refusal of an operation.
    pub(super) fn of(operation: &Operation) -> Self {
        match operation {
            Operation::Signal(_) | Operation::QueueSignal(..) | Operation::HandleSignal { .. } => Self::Signal,
            operation if operation.resumes() => Self::Run,
            Operation::SetBreakpoint(_)
            | Operation::DeleteBreakpoint(_)
            | Operation::EnableBreakpoint(..)
            | Operation::SetCondition(..)
            | Operation::SetIgnore(..) => Self::Point,
            Operation::WriteMemory { .. } => Self::Change,
            Operation::WriteCore(_) => Self::Write,
            Operation::Terminate | Operation::Detach => Self::End,
            Operation::Engine(_) | Operation::UseEngine(_) => Self::Engine,
            _ => Self::Other,
        }
    }

    pub(super) fn failure(self) -> Failure {
        let words = match self {
            Self::Run => "they cannot run; start or attach to the program (rankscope run, rankscope attach)",
            Self::Change => "their memory and registers cannot be changed",
            Self::Call => "they cannot run, so no function of the program can be called",
            Self::Point => "they cannot run, so they stop at no breakpoint or watchpoint",
            Self::Write => "they are written already; copy the files",
            Self::End => "there is no process to kill or detach from; quit closes the files",
            Self::Signal => "they cannot run, so they receive no signals",
            Self::Engine => "no other engine can debug them",
            Self::Other => "this needs a process",
        };
        Failure::new(ErrorCode::NOT_RUN, format!("these ranks are core files: {words}"))
    }

    pub(super) fn answer(self) -> Answer {
        Answer::Failed(self.failure())
    }
}
