//! The reasons why there is no session, and the exit status that tells a batch script.

use protocol::reverse::ConnectError;
use std::io;

/// A reason why there is no session.
#[derive(Debug, thiserror::Error)]
pub enum ConnectFault {
    /// The program does not exist.
    #[error("{program}: {why}")]
    NotFound {
        /// The program as given on the command line.
        program: String,
        /// Where it was searched for.
        why: String,
    },
    /// The program exists and cannot be executed.
    #[error("{program}: {why}")]
    NotExecutable {
        /// The program as given on the command line.
        program: String,
        /// Why it cannot be executed.
        why: String,
    },
    /// The front end rejected the request.
    #[error("request rejected{}", reason.as_ref().map_or_else(String::new, |reason| format!(": {reason}")))]
    Rejected {
        /// The user's reason, if given.
        reason: Option<String>,
    },
    /// Nobody answered within `--wait`.
    #[error("no front end answered the request within {seconds} s")]
    Waited {
        /// The limit given with `--wait`.
        seconds: f64,
    },
    /// The directory of the requests is unusable.
    #[error(transparent)]
    Directory(#[from] ConnectError),
    /// The program that becomes the master is not usable.
    #[error("cannot run {0}: install it beside tvconnect")]
    NoMaster(String),
    /// A signal asked the process to end.
    #[error("ended by {0}")]
    Signal(nix::sys::signal::Signal),
    /// A system call failed.
    #[error("cannot {what}: {source}")]
    System {
        /// The attempted action.
        what: &'static str,
        /// The system's error.
        source: io::Error,
    },
}

impl ConnectFault {
    /// Returns the exit status of `tvconnect`.
    pub fn exit_code(&self) -> i32 {
        match self {
            Self::NotFound { .. } => 127,
            Self::NotExecutable { .. } | Self::NoMaster(_) => 126,
            Self::Rejected { .. } => 3,
            Self::Waited { .. } => 4,
            Self::Directory(_) => 5,
            Self::Signal(signal) => 128 + *signal as i32,
            Self::System { .. } => 1,
        }
    }

    /// True if it is reported on standard error; the sender of a signal knows already.
    pub fn is_told(&self) -> bool {
        !matches!(self, Self::Signal(_))
    }
}

/// Exit status of a master that cannot reach the front end that accepted the request.
pub const UNREACHABLE: i32 = 6;

/// For `map_err`: adds the attempted action.
pub(super) fn system(what: &'static str) -> impl FnOnce(io::Error) -> ConnectFault {
    move |source| ConnectFault::System { what, source }
}
