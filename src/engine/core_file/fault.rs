//! Why a core file could not be written.

use model::{CorePlace, ErrorCode, Failure};
use nix::libc;
use std::io;
use thiserror::Error;

/// Why a core file could not be written. The words name no rank, so that those of many ranks are one.
#[derive(Debug, Error)]
pub(crate) enum CoreFault {
    #[error("{0} is not an absolute path: name a directory of the rank's host (gcore DIR)")]
    NotAbsolute(String),
    #[error("no directory {0} on the rank's host: create it, or name another (gcore DIR)")]
    NoDirectory(String),
    #[error("{} exists: remove it, or name another directory (gcore DIR)", path(.0))]
    Exists(CorePlace),
    #[error("cannot write {}: {}; {}", path(.0), words(.1), advice(.1))]
    File(CorePlace, io::Error),
    #[error("cannot write {}: it has {size} bytes, and files of this server are limited to {limit} (ulimit -f)", path(.place))]
    TooLarge { place: CorePlace, size: u64, limit: u64 },
    #[error("{} was not written: interrupted", path(.0))]
    Interrupted(CorePlace),
    #[error("no core file: the process has ended")]
    Ended,
    #[error("no core file: cannot start a thread that writes it: {0}")]
    NoThread(io::Error),
}

impl From<CoreFault> for Failure {
    fn from(fault: CoreFault) -> Self {
        let code = match &fault {
            CoreFault::NotAbsolute(_) | CoreFault::NoDirectory(_) => ErrorCode::NO_FILE,
            CoreFault::Ended => ErrorCode::NOT_RUN,
            _ => ErrorCode::DEBUGGER,
        };
        Self::new(code, fault.to_string())
    }
}

fn path(place: &CorePlace) -> String {
    place.path("RANK")
}

/// Returns the system's words without the number of the error.
fn words(error: &io::Error) -> String {
    let text = error.to_string();
    text.split_once(" (os error").map_or(text.clone(), |(words, _)| words.to_owned())
}

fn advice(error: &io::Error) -> &'static str {
    match error.raw_os_error() {
        Some(libc::ENOSPC | libc::EDQUOT) => "free some space, or name another directory (gcore DIR)",
        _ => "name another directory (gcore DIR)",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_say_where_and_what_to_do() {
        let place = CorePlace { directory: "/x/".to_owned(), name: "core".to_owned() };
        let of = |number| CoreFault::File(place.clone(), io::Error::from_raw_os_error(number)).to_string();
        assert_eq!(
            of(libc::ENOSPC),
            "cannot write /x/core.RANK: No space left on device; free some space, or name another directory (gcore DIR)"
        );
        assert_eq!(
            of(libc::EACCES),
            "cannot write /x/core.RANK: Permission denied; name another directory (gcore DIR)"
        );
    }
}
