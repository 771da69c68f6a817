//! Errors of the processes of the tree.

use crate::routing::file::RoutingFileError;
use engine::EngineFault;
use protocol::ptp::{BridgeError, PlainError};
use protocol::{DirectoryError, LinkError, exhausted};
use std::io;

/// A reason why a process of the tree cannot start or continue.
#[derive(Debug, thiserror::Error)]
pub enum TreeError {
    /// The session directory is missing or unusable.
    #[error(transparent)]
    Directory(#[from] DirectoryError),
    /// A link to another process failed.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// The address of a base-dialect client is unusable.
    #[error(transparent)]
    Plain(#[from] PlainError),
    /// The bridge between a base-dialect client and the master failed.
    #[error(transparent)]
    Client(#[from] BridgeError),
    /// The routing file is missing, incomplete or malformed.
    #[error(transparent)]
    Routing(#[from] RoutingFileError),
    /// The debugger engine did not start.
    #[error("cannot start the debugger engine: {0}")]
    Engine(#[from] EngineFault),
    /// The front end that accepted a request cannot be dialled; holds the reason.
    #[error("cannot reach the front end that accepted the request: {0}")]
    Unreachable(String),
    /// A system call failed.
    #[error("cannot {what}: {source}{}", exhausted(.source))]
    Io {
        /// The attempted action and its object, as words after "cannot".
        what: String,
        /// The system's error.
        source: io::Error,
    },
    /// Any other failure; holds the whole message.
    #[error("{0}")]
    Other(String),
}

impl TreeError {
    /// Returns the exit status of a process that ends with this error.
    pub(super) fn exit_code(&self) -> i32 {
        if matches!(self, Self::Unreachable(_)) { super::connect::UNREACHABLE } else { 1 }
    }
}

/// For `map_err`: adds the attempted action.
pub(super) fn io_fault(what: impl Into<String>) -> impl FnOnce(io::Error) -> TreeError {
    let what = what.into();
    move |source| TreeError::Io { what, source }
}
