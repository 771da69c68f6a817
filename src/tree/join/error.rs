//! The reasons why a rank cannot join a session.

use super::environment::PlaceError;
use crate::error::TreeError;
use protocol::DirectoryError;
use std::io;

/// Exit code when there is no debugger to join; the program has not run.
pub const EXIT_NO_DEBUGGER: i32 = 125;

/// A reason why a rank cannot be debugged or started.
#[derive(Debug, thiserror::Error)]
pub enum JoinError {
    /// The session directory is missing or unusable.
    #[error(transparent)]
    Directory(#[from] DirectoryError),
    /// The plan that the master wrote cannot be read.
    #[error(transparent)]
    Plan(#[from] TreeError),
    /// The environment does not say which rank this is.
    #[error(transparent)]
    Place(#[from] PlaceError),
    /// A system call failed.
    #[error("cannot {what}: {source}")]
    Io {
        /// The attempted action.
        what: String,
        /// The system's error.
        source: io::Error,
    },
    /// No server takes this process; holds the reason.
    #[error("{0}")]
    Refused(String),
    /// The server refused, and has told the session why.
    #[error("{0}")]
    Known(String),
    /// The program cannot be executed.
    #[error("cannot execute {program}: {source}")]
    Exec {
        /// The program's name.
        program: String,
        /// The system's error.
        source: io::Error,
    },
}

impl JoinError {
    /// Returns the exit code that shells use: 127 if the program does not exist, 126 if it cannot be executed;
    /// otherwise [`EXIT_NO_DEBUGGER`].
    pub fn exit_code(&self) -> i32 {
        match self {
            Self::Exec { source, .. } if source.kind() == io::ErrorKind::NotFound => 127,
            Self::Exec { .. } => 126,
            _ => EXIT_NO_DEBUGGER,
        }
    }
}
