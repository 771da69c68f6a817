//! Why the directory of a session cannot be used.

use crate::{SessionKey, exhausted};
use std::io;
use std::path::Path;

/// The longest path of a directory whose sockets still fit into a socket address (unix(7): 108 bytes).
pub(crate) const LONGEST_PATH: usize = 108 - "/server-4294967295.sock\0".len();

/// Why a session directory cannot be used. Each says what to do.
#[derive(Debug, thiserror::Error)]
pub enum DirectoryError {
    /// Not possible.
    #[error("cannot {what} {path}: {source}{}", exhausted(.source))]
    Io {
        /// What was tried.
        what: &'static str,
        /// On what.
        path: String,
        /// What the system says.
        source: io::Error,
    },
    /// A symbolic link, or no directory.
    #[error(
        "{0} is not a directory (symbolic links are not followed): remove it, or set XDG_RUNTIME_DIR to another \
            directory"
    )]
    NoDirectory(String),
    /// Of another user.
    #[error("{path} belongs to user {uid}, not to you: set XDG_RUNTIME_DIR to a directory of yours")]
    Foreign {
        /// Which.
        path: String,
        /// Whose.
        uid: u32,
    },
    /// Open to others.
    #[error(
        "{path} is open to other users (mode {mode:03o}): make sure that nobody else has used it, then run chmod \
            {wanted} {path}"
    )]
    Open {
        /// Which.
        path: String,
        /// Its permission bits.
        mode: u32,
        /// What they should be.
        wanted: &'static str,
    },
    /// Sockets in it could not be named.
    #[error("{path} is too long for sockets ({} bytes, at most {LONGEST_PATH}): set XDG_RUNTIME_DIR to a shorter one", path.len())]
    TooLong {
        /// Which.
        path: String,
    },
    /// Not a name.
    #[error("invalid session name {0:?}: use at most 64 letters, digits, '-', '_' and '.', not starting with '.'")]
    Name(String),
    /// Somebody has it.
    #[error("session {0:?} already exists: take it back with \"rankscope resume {0}\", or choose another name")]
    Exists(String),
    /// Nobody has it.
    #[error("no session at {0}: \"rankscope sessions\" lists the running ones")]
    Absent(String),
    /// It has no mark of ours.
    #[error("{path} was not made by rankscope (no {mark} in it): not removed")]
    NotOurs {
        /// Which.
        path: String,
        /// The name of the mark.
        mark: &'static str,
    },
    /// Something else is in it.
    #[error("{path} has files that rankscope did not make ({names}): move them away, then remove the directory")]
    Strangers {
        /// Which.
        path: String,
        /// Their names.
        names: String,
    },
    /// The key file is not one.
    #[error("{path} is not a session key ({length} bytes, expected {}): cannot join the session", SessionKey::LENGTH)]
    Key {
        /// Which.
        path: String,
        /// Its size.
        length: u64,
    },
    /// The description cannot be read.
    #[error("cannot read {path}: {source}")]
    Info {
        /// Which.
        path: String,
        /// Why.
        source: serde_json::Error,
    },
}

/// For `map_err`: what was tried, and on what.
pub(crate) fn io_fault(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> DirectoryError {
    let path = path.display().to_string();
    move |source| DirectoryError::Io { what, path, source }
}
