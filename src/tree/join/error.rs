//! Why a rank cannot join a session.

use super::environment::PlaceError;
use crate::error::TreeError;
use protocol::DirectoryError;
use std::io;

/// The exit code when there is no debugger to join; the program has not run.
pub const EXIT_NO_DEBUGGER: i32 = 125;

/// Why a rank cannot be debugged, or not be started.
#[derive(Debug, thiserror::Error)]
pub enum JoinError {
    /// The session.
    #[error(transparent)]
    Directory(#[from] DirectoryError),
    /// What the master wrote down.
    #[error(transparent)]
    Plan(#[from] TreeError),
    /// Which rank.
    #[error(transparent)]
    Place(#[from] PlaceError),
    /// The system.
    #[error("cannot {what}: {source}")]
    Io {
        /// What was tried.
        what: String,
        /// What the system says.
        source: io::Error,
    },
    /// Nobody takes this process.
    #[error("{0}")]
    Refused(String),
    /// The server says no, and the session has been told why.
    #[error("{0}")]
    Known(String),
    /// The program cannot be executed.
    #[error("cannot execute {program}: {source}")]
    Exec {
        /// Which.
        program: String,
        /// What the system says.
        source: io::Error,
    },
}

impl JoinError {
    /// As shells do it: 127 for a program that is not there, 126 for one that cannot be executed; else
    /// [`EXIT_NO_DEBUGGER`].
    pub fn exit_code(&self) -> i32 {
        match self {
            Self::Exec { source, .. } if source.kind() == io::ErrorKind::NotFound => 127,
            Self::Exec { .. } => 126,
            _ => EXIT_NO_DEBUGGER,
        }
    }
}
