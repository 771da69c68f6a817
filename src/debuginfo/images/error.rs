//! Why a file is no image.

use std::path::{Path, PathBuf};

/// Why a file is no image.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImageError {
    /// It cannot be opened or mapped.
    #[error("cannot read {path}: {reason}")]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// In the system's words.
        reason: String,
    },
    /// It is something else.
    #[error("{path} is not an ELF file")]
    NotElf {
        /// Which.
        path: PathBuf,
    },
    /// It is for another processor.
    #[error("{path} is not for x86-64")]
    Architecture {
        /// Which.
        path: PathBuf,
    },
    /// Its headers contradict themselves.
    #[error("{path} is damaged: {reason}")]
    Malformed {
        /// Which.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A file that was split from its debug information is not there; there may be more.
    #[error(
        "{file} is not there, which has debug information of {path}; its functions, lines and variables may be unknown: \
         put it back, or build the program again"
    )]
    SplitAway {
        /// Which.
        path: PathBuf,
        /// What is missing.
        file: PathBuf,
    },
    /// Something of it is there and not read, to save the debugger from it.
    #[error("{path}: {what}; its functions, lines and variables may be unknown")]
    Refused {
        /// Which.
        path: PathBuf,
        /// What, and why.
        what: String,
    },
    /// It was written over in place while it was in use; what has not been read of it is lost.
    #[error(
        "{path} was written over while it is being debugged; its functions, lines and variables may be unknown or wrong: \
         start the program again, and let builds put a new file in the place of the old one"
    )]
    WrittenOver {
        /// Which.
        path: PathBuf,
    },
    /// A unit of its debug information contradicts itself (DWARF 5, 7.5); there may be more.
    #[error(
        "{path} has damaged debug information, first in {unit}: {reason}; its functions, lines and variables may be \
         unknown or wrong, those of other units are used: build the file again"
    )]
    DebugInformation {
        /// Which.
        path: PathBuf,
        /// The unit.
        unit: String,
        /// What is wrong.
        reason: String,
    },
}

impl ImageError {
    pub(crate) fn unreadable(path: &Path, error: &std::io::Error) -> Self {
        Self::Unreadable { path: path.to_owned(), reason: error.to_string() }
    }
}
