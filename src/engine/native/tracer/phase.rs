//! The run state of a rank, and the reason why its threads are being stopped.

use crate::native::ptrace::Tid;
use model::{ErrorCode, Failure, StopReason};

/// The run state of a rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::native) enum Phase {
    /// The process has not executed the program yet.
    Waiting,
    Running,
    /// The threads are being stopped for this reason.
    Halting(Halt),
    /// All threads are stopped.
    Stopped,
    /// All threads are stopped except one, which runs a function for an expression.
    Calling,
    /// The process has ended; its remaining output is being read.
    Ended,
}

/// The reason why the threads are being stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::native) enum Halt {
    /// A stop that is reported.
    Stop {
        /// The thread that the reason applies to.
        tid: Tid,
        reason: StopReason,
        /// Text in addition to the reason.
        note: Option<String>,
    },
    /// To detach.
    Detach,
    /// The rank has come from another engine and stays stopped.
    Arrival,
    /// A change must reach every thread; they resume at once.
    Pause,
    /// To look at the rank: all threads are stopped, and resume when it has been looked at.
    Look,
    /// To detach from the process and follow its child, which resumes at once.
    Follow,
}

impl Phase {
    /// True while the threads are being stopped for the first stop of the program.
    pub(in crate::native) fn begins(&self) -> bool {
        matches!(self, Self::Halting(Halt::Stop { reason, .. }) if reason.is_first())
    }

    /// Fails unless all threads are stopped.
    pub(in crate::native) fn require_stopped(&self) -> Result<(), Failure> {
        match self {
            Self::Stopped => Ok(()),
            Self::Ended => Err(not_run()),
            _ => Err(running()),
        }
    }
}

/// The failure of an operation that needs a stopped rank, in gdb's words.
pub(in crate::native) fn running() -> Failure {
    Failure::new(ErrorCode::RUNNING, "Cannot execute this command while the selected thread is running.")
}

/// The failure of an operation that needs a process on a rank that has ended, in gdb's words.
pub(in crate::native) fn not_run() -> Failure {
    Failure::new(ErrorCode::NOT_RUN, "The program is not being run.")
}
