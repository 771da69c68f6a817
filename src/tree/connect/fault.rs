//! Why there is no session, and the exit status that tells a batch script.

use protocol::reverse::ConnectError;
use std::io;

/// Why there is no session.
#[derive(Debug, thiserror::Error)]
pub enum ConnectFault {
    /// The program is not there.
    #[error("{program}: {why}")]
    NotFound {
        /// As given.
        program: String,
        /// Where it was looked for.
        why: String,
    },
    /// It cannot be run.
    #[error("{program}: {why}")]
    NotExecutable {
        /// As given.
        program: String,
        /// Why not.
        why: String,
    },
    /// The front end will not have it.
    #[error("request rejected{}", reason.as_ref().map_or_else(String::new, |reason| format!(": {reason}")))]
    Rejected {
        /// Why, when the user said.
        reason: Option<String>,
    },
    /// Nobody answered in time.
    #[error("no front end answered the request within {seconds} s")]
    Waited {
        /// `--wait`.
        seconds: f64,
    },
    /// The directory.
    #[error(transparent)]
    Directory(#[from] ConnectError),
    /// The debugger's own program.
    #[error("cannot run {0}: install it beside tvconnect")]
    NoMaster(String),
    /// A signal that asks for an end.
    #[error("ended by {0}")]
    Signal(nix::sys::signal::Signal),
    /// The system.
    #[error("cannot {what}: {source}")]
    System {
        /// What was tried.
        what: &'static str,
        /// What the system says.
        source: io::Error,
    },
}

impl ConnectFault {
    /// The exit status.
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

    /// Whether it is told on standard error: who sends a signal knows.
    pub fn is_told(&self) -> bool {
        !matches!(self, Self::Signal(_))
    }
}

/// The exit status of a master that cannot reach the front end that accepted.
pub const UNREACHABLE: i32 = 6;

/// For `map_err`: what was tried.
pub(super) fn system(what: &'static str) -> impl FnOnce(io::Error) -> ConnectFault {
    move |source| ConnectFault::System { what, source }
}
