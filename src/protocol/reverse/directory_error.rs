//! Why a directory of requests, or a file in it, cannot be used.

use nix::errno::Errno;
use std::path::Path;

/// Why a directory of requests, or a file in it, cannot be used. Each says what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConnectError {
    /// No place.
    #[error("no home directory to keep requests in: name a directory with --connect-dir or TV_REVERSE_CONNECT_DIR")]
    NoHome,
    /// Nothing there.
    #[error("no directory {0}")]
    Absent(String),
    /// A link, or no directory.
    #[error("{0} is not a directory (symbolic links are not followed): name another one with --connect-dir")]
    NoDirectory(String),
    /// Of another user.
    #[error("{path} belongs to user {uid}, not to you: name a directory of yours with --connect-dir")]
    Foreign {
        /// Which.
        path: String,
        /// Whose.
        uid: u32,
    },
    /// Open to others.
    #[error(
        "{path} is open to other users (mode {mode:03o}), who could request and take sessions in your name: run \
            chmod {wanted} {path}"
    )]
    Open {
        /// Which.
        path: String,
        /// Its permission bits.
        mode: u32,
        /// What they should be.
        wanted: &'static str,
    },
    /// Not a plain file.
    #[error("{0} is not a regular file")]
    NoFile(String),
    /// Longer than anything that belongs here.
    #[error("{path} is too long: {length} bytes")]
    TooLong {
        /// Which.
        path: String,
        /// Its size.
        length: u64,
    },
    /// Not possible.
    #[error("cannot {what} {path}: {}", errno.desc())]
    System {
        /// What was tried.
        what: &'static str,
        /// On what.
        path: String,
        /// What the system says.
        errno: Errno,
    },
}

impl ConnectError {
    /// Whether others could read or write there: the directory must not be used, whatever else happens.
    pub fn is_unsafe(&self) -> bool {
        matches!(self, Self::NoDirectory(_) | Self::Foreign { .. } | Self::Open { .. } | Self::NoFile(_))
    }

    /// Whether there is nothing of this name.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent(_) | Self::System { errno: Errno::ENOENT, .. })
    }
}

/// For `map_err`: what was tried on what.
pub(super) fn system(what: &'static str, path: &Path) -> impl FnOnce(Errno) -> ConnectError {
    let path = path.display().to_string();
    move |errno| ConnectError::System { what, path, errno }
}

/// The same for the errors of the standard library.
pub(super) fn standard(what: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> ConnectError {
    let fault = system(what, path);
    move |error| fault(Errno::from_raw(error.raw_os_error().unwrap_or(Errno::EIO as i32)))
}
