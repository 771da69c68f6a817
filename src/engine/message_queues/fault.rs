//! The reasons why message queues cannot be read.

use model::{ErrorCode, Failure};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A failure of a queue library, reported by its process.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub(crate) enum LibraryFault {
    /// dlopen(3) failed; holds its message.
    #[error("cannot be loaded: {0}")]
    NotLoaded(String),
    #[error("is no message-queue library: it has no function {0}")]
    NoFunction(String),
    #[error("has interface version {0}; only version 2 is supported")]
    Version(i32),
    #[error("is for addresses of {0} bytes; this process has addresses of 8")]
    Width(i32),
    /// The library does not find what it needs in the program; holds its message.
    #[error("does not know the queues of this program: {0}")]
    NoQueues(String),
    #[error("failed in {0}: {1}")]
    Call(String, String),
}

/// The reason why the queues of a rank cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum QueueFault {
    #[error(
        "the program names no message-queue library (MPIR_dll_name): it has not loaded an MPI, or one without \
         support for debuggers"
    )]
    Unnamed,
    #[error("{0}, the message-queue library of the MPI, does not exist: install it, or set queue-library to its path")]
    NoFile(PathBuf),
    #[error("{0}, the message-queue library of the MPI, is not a regular file")]
    NotRegular(PathBuf),
    #[error("{0} is not loaded: it is not in the directory of {1}; if you trust it, set queue-library {0}")]
    Elsewhere(PathBuf, String),
    #[error("{0} is not loaded: other users can change it; if you trust it, set queue-library {0}")]
    Writable(PathBuf),
    #[error(
        "no message queues: {library} needs the types of {module}, which has no debug information; install the debug \
         symbols of the MPI"
    )]
    NoDebugInformation { library: String, module: String },
    #[error(
        "no message queues: {library} finds no {missing} in the debug information of {module}; install the debug \
         symbols of this build of the MPI"
    )]
    NoTypes { library: String, missing: String, module: String },
    #[error("{0} {1}")]
    Library(String, LibraryFault),
    #[error("{0} crashed ({1}); it runs in a process of its own, so the rank is as it was")]
    Crashed(String, String),
    #[error("{0} ended its process ({1}); the rank is as it was")]
    Exited(String, String),
    #[error("{library} made no progress for {seconds} s and was killed; the rank is as it was")]
    Hung { library: String, seconds: u64 },
    #[error("not read: {library} hung for another rank")]
    HungBefore { library: String },
    #[error("{0} read more than {1} MiB of the rank and was killed")]
    TooMuch(String, u64),
    #[error("interrupted")]
    Interrupted,
    #[error("cannot start a process for {0}: {1}")]
    NotStarted(String, String),
}

impl From<QueueFault> for Failure {
    fn from(fault: QueueFault) -> Self {
        Self::new(ErrorCode::DEBUGGER, fault.to_string())
    }
}
