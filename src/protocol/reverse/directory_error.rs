//! Errors of a directory of requests and of its files.

use nix::errno::Errno;
use std::path::Path;

/// The reasons why a directory of requests, or a file in it, cannot be used. Each message gives the next step.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConnectError {
    /// There is no home directory and no setting.
    #[error("no home directory to keep requests in: name a directory with --connect-dir or TV_REVERSE_CONNECT_DIR")]
    NoHome,
    /// The file or directory does not exist.
    #[error("no directory {0}")]
    Absent(String),
    /// The path is a symbolic link or no directory.
    #[error("{0} is not a directory (symbolic links are not followed): name another one with --connect-dir")]
    NoDirectory(String),
    /// The path belongs to another user.
    #[error("{path} belongs to user {uid}, not to you: name a directory of yours with --connect-dir")]
    Foreign {
        /// The file or directory.
        path: String,
        /// The id of its owner.
        uid: u32,
    },
    /// Others have access to the path.
    #[error(
        "{path} is open to other users (mode {mode:03o}), who could request and take sessions in your name: run \
            chmod {wanted} {path}"
    )]
    Open {
        /// The file or directory.
        path: String,
        /// The permission bits.
        mode: u32,
        /// The permissions it should have.
        wanted: &'static str,
    },
    /// The path is no plain file.
    #[error("{0} is not a regular file")]
    NoFile(String),
    /// The file is longer than any request or response.
    #[error("{path} is too long: {length} bytes")]
    TooLong {
        /// The file's path.
        path: String,
        /// The size in bytes.
        length: u64,
    },
    /// A system call failed.
    #[error("cannot {what} {path}: {}", errno.desc())]
    System {
        /// The action that failed.
        what: &'static str,
        /// The file or directory.
        path: String,
        /// The system's error.
        errno: Errno,
    },
}

impl ConnectError {
    /// True if others could read or write there: the directory must not be used.
    pub fn is_unsafe(&self) -> bool {
        matches!(self, Self::NoDirectory(_) | Self::Foreign { .. } | Self::Open { .. } | Self::NoFile(_))
    }

    /// True if the file does not exist.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent(_) | Self::System { errno: Errno::ENOENT, .. })
    }
}

/// Builds the error for `map_err` from a failed action and its path.
pub(super) fn system(what: &'static str, path: &Path) -> impl FnOnce(Errno) -> ConnectError {
    let path = path.display().to_string();
    move |errno| ConnectError::System { what, path, errno }
}

/// As [`system`], for errors of the standard library.
pub(super) fn standard(what: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> ConnectError {
    let fault = system(what, path);
    move |error| fault(Errno::from_raw(error.raw_os_error().unwrap_or(Errno::EIO as i32)))
}
