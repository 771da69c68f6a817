//! What a rank is doing, and what its threads are being stopped for.

use crate::native::ptrace::Tid;
use model::{ErrorCode, Failure, StopReason};

/// What a rank is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::native) enum Phase {
    /// Not yet the program: it is about to execute it.
    Waiting,
    /// Executing.
    Running,
    /// Its threads are being stopped.
    Halting(Halt),
    /// All threads are stopped.
    Stopped,
    /// All threads are stopped but for one, which runs a function for an expression.
    Calling,
    /// Gone; what it wrote is being read.
    Ended,
}

/// What its threads are stopped for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::native) enum Halt {
    /// A stop that is reported.
    Stop {
        /// The thread that the reason speaks of.
        tid: Tid,
        /// Why.
        reason: StopReason,
        /// Words beyond the reason.
        note: Option<String>,
    },
    /// To be let go.
    Detach,
    /// It has come from another engine, and is to stay as it is.
    Arrival,
    /// Something is to be done that no thread may miss; they go on at once.
    Pause,
    /// To let go of the process and become its child, which goes on at once.
    Follow,
}

impl Phase {
    /// Fails unless all its threads are stopped.
    pub(in crate::native) fn require_stopped(&self) -> Result<(), Failure> {
        match self {
            Self::Stopped => Ok(()),
            Self::Ended => Err(not_run()),
            _ => Err(running()),
        }
    }
}

/// The failure of what needs a stop, on a running rank; gdb's words.
pub(in crate::native) fn running() -> Failure {
    Failure::new(ErrorCode::RUNNING, "Cannot execute this command while the selected thread is running.")
}

/// The failure of what needs a process, on an ended rank; gdb's words.
pub(in crate::native) fn not_run() -> Failure {
    Failure::new(ErrorCode::NOT_RUN, "The program is not being run.")
}
