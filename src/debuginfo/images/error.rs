//! Why a file is no image.

use std::path::{Path, PathBuf};

/// Why a file is no image.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImageError {
    /// It cannot be opened or mapped.
    #[error("cannot read {path}: {reason}")]
    Unreadable {
        /// The file that was to be opened.
        path: PathBuf,
        /// In the system's words.
        reason: String,
    },
    /// It is something else.
    #[error("{path} is not an ELF file")]
    NotElf {
        /// The file that was to be opened.
        path: PathBuf,
    },
    /// It is for another processor.
    #[error("{path} is not for x86-64")]
    Architecture {
        /// The file that was to be opened.
        path: PathBuf,
    },
    /// Its headers contradict themselves.
    #[error("{path} is damaged: {reason}")]
    Malformed {
        /// The file that was to be opened.
        path: PathBuf,
        /// The fault.
        reason: String,
    },
    /// A file that was split from its debug information is not there; there may be more.
    #[error(
        "{file}, which has debug information of {path}, is missing; functions, lines and variables may be unknown: \
            restore it, or build the program again"
    )]
    SplitAway {
        /// The file that was to be opened.
        path: PathBuf,
        /// The file that is missing.
        file: PathBuf,
    },
    /// Something of it is there and not read, to save the debugger from it.
    #[error("{path}: {what}; its functions, lines and variables may be unknown")]
    Refused {
        /// The file that was to be opened.
        path: PathBuf,
        /// The unsupported feature, and why it is not read.
        what: String,
    },
    /// It was written over in place while it was in use; what has not been read of it is lost.
    #[error(
        "{path} was overwritten while it is being debugged; its functions, lines and variables may be unknown or \
            wrong: start the program again, and make builds replace the file instead of overwriting it"
    )]
    WrittenOver {
        /// The file that was to be opened.
        path: PathBuf,
    },
    /// A unit of its debug information contradicts itself (DWARF 5, 7.5); there may be more.
    #[error(
        "{path} has damaged debug information, first in {unit}: {reason}; functions, lines and variables of such \
            units may be unknown or wrong: build the file again"
    )]
    DebugInformation {
        /// The file that was to be opened.
        path: PathBuf,
        /// The unit that is damaged.
        unit: String,
        /// The fault.
        reason: String,
    },
}

impl ImageError {
    pub(crate) fn unreadable(path: &Path, error: &std::io::Error) -> Self {
        Self::Unreadable { path: path.to_owned(), reason: error.to_string() }
    }
}
