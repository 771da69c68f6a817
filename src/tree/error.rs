//! Why a process of the tree cannot do its work.

use crate::routing::file::RoutingFileError;
use engine::EngineFault;
use protocol::ptp::{BridgeError, PlainError};
use protocol::{DirectoryError, LinkError, exhausted};
use std::io;

/// Why a process of the tree cannot start, or cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum TreeError {
    /// The session directory.
    #[error(transparent)]
    Directory(#[from] DirectoryError),
    /// A link.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// The place of a client of the base dialect.
    #[error(transparent)]
    Plain(#[from] PlainError),
    /// A client of the base dialect.
    #[error(transparent)]
    Client(#[from] BridgeError),
    /// The routing file.
    #[error(transparent)]
    Routing(#[from] RoutingFileError),
    /// The engine.
    #[error("cannot start the debugger engine: {0}")]
    Engine(#[from] EngineFault),
    /// The front end that accepted a request.
    #[error("cannot reach the front end that accepted the request: {0}")]
    Unreachable(String),
    /// The system.
    #[error("cannot {what}: {source}{}", exhausted(.source))]
    Io {
        /// What was tried, and on what.
        what: String,
        /// What the system says.
        source: io::Error,
    },
    /// Anything that needs a sentence of its own.
    #[error("{0}")]
    Other(String),
}

impl TreeError {
    /// The exit status of a process that ends by it.
    pub(super) fn exit_code(&self) -> i32 {
        if matches!(self, Self::Unreachable(_)) { super::connect::UNREACHABLE } else { 1 }
    }
}

/// For `map_err`: what was tried.
pub(super) fn io_fault(what: impl Into<String>) -> impl FnOnce(io::Error) -> TreeError {
    let what = what.into();
    move |source| TreeError::Io { what, source }
}
