//! Errors of a session's directory.

use crate::{SessionKey, exhausted};
use std::io;
use std::path::Path;

/// The longest path of a directory whose sockets still fit into a socket address (unix(7): 108 bytes).
pub(crate) const LONGEST_PATH: usize = 108 - "/server-4294967295.sock\0".len();

/// The reasons why a session directory cannot be used. Each message gives the next step.
#[derive(Debug, thiserror::Error)]
pub enum DirectoryError {
    /// A file operation failed.
    #[error("cannot {what} {path}: {source}{}", exhausted(.source))]
    Io {
        /// The action that failed.
        what: &'static str,
        /// The file or directory.
        path: String,
        /// The system's error.
        source: io::Error,
    },
    /// The path is a symbolic link or no directory.
    #[error(
        "{0} is not a directory (symbolic links are not followed): remove it, or set XDG_RUNTIME_DIR to another \
            directory"
    )]
    NoDirectory(String),
    /// The path belongs to another user.
    #[error("{path} belongs to user {uid}, not to you: set XDG_RUNTIME_DIR to a directory of yours")]
    Foreign {
        /// The file or directory.
        path: String,
        /// The id of its owner.
        uid: u32,
    },
    /// Others have access to the path.
    #[error(
        "{path} is open to other users (mode {mode:03o}): make sure that nobody else has used it, then run chmod \
            {wanted} {path}"
    )]
    Open {
        /// The file or directory.
        path: String,
        /// The permission bits.
        mode: u32,
        /// The permissions it should have.
        wanted: &'static str,
    },
    /// The path is too long for the names of sockets in it.
    #[error("{path} is too long for sockets ({} bytes, at most {LONGEST_PATH}): set XDG_RUNTIME_DIR to a shorter one", path.len())]
    TooLong {
        /// The directory.
        path: String,
    },
    /// The text cannot be a session's name.
    #[error("invalid session name {0:?}: use at most 64 letters, digits, '-', '_' and '.', not starting with '.'")]
    Name(String),
    /// A session of this name exists.
    #[error("session {0:?} already exists: take it back with \"rankscope resume {0}\", or choose another name")]
    Exists(String),
    /// No session of this name exists.
    #[error("no session at {0}: \"rankscope sessions\" lists the running ones")]
    Absent(String),
    /// The directory has no mark of rankscope.
    #[error("{path} was not made by rankscope (no {mark} in it): not removed")]
    NotOurs {
        /// The directory.
        path: String,
        /// The name of the missing mark.
        mark: &'static str,
    },
    /// The directory holds files that are not rankscope's.
    #[error("{path} has files that rankscope did not make ({names}): move them away, then remove the directory")]
    Strangers {
        /// The directory.
        path: String,
        /// The names of these files.
        names: String,
    },
    /// The key file has a wrong size.
    #[error("{path} is not a session key ({length} bytes, expected {}): cannot join the session", SessionKey::LENGTH)]
    Key {
        /// The file's path.
        path: String,
        /// The size in bytes.
        length: u64,
    },
    /// `session.json` cannot be read.
    #[error("cannot read {path}: {source}")]
    Info {
        /// The file's path.
        path: String,
        /// The cause.
        source: serde_json::Error,
    },
}

/// Builds the error for `map_err` from a failed action and its path.
pub(crate) fn io_fault(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> DirectoryError {
    let path = path.display().to_string();
    move |source| DirectoryError::Io { what, path, source }
}
