//! Reasons for not using a file as an image.

use std::path::{Path, PathBuf};

/// The reason a file, or its debug information, cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImageError {
    /// The file cannot be opened or mapped.
    #[error("cannot read {path}: {reason}")]
    Unreadable {
        /// The file that was to be opened.
        path: PathBuf,
        /// In the system's words.
        reason: String,
    },
    /// The file is not in ELF format.
    #[error("{path} is not an ELF file")]
    NotElf {
        /// The file that was to be opened.
        path: PathBuf,
    },
    /// The file is for another processor.
    #[error("{path} is not for x86-64")]
    Architecture {
        /// The file that was to be opened.
        path: PathBuf,
    },
    /// The headers contradict themselves.
    #[error("{path} is damaged: {reason}")]
    Malformed {
        /// The file that was to be opened.
        path: PathBuf,
        /// In words, for the message.
        reason: String,
    },
    /// A file with debug information split from this one is missing; more may be.
    #[error(
        "{file}, which has debug information of {path}, is missing; functions, lines and variables may be unknown: \
            restore it, or build the program again"
    )]
    SplitAway {
        /// The file that refers to the missing one.
        path: PathBuf,
        /// The file that is missing.
        file: PathBuf,
    },
    /// Some of its content is not read, to protect the debugger.
    #[error("{path}: {what}; its functions, lines and variables may be unknown")]
    Refused {
        /// The file with that content.
        path: PathBuf,
        /// The unsupported feature, and why it is not read.
        what: String,
    },
    /// The file was overwritten in place while in use; the parts not read yet are lost.
    #[error(
        "{path} was overwritten while it is being debugged; its functions, lines and variables may be unknown or \
            wrong: start the program again, and make builds replace the file instead of overwriting it"
    )]
    WrittenOver {
        /// The overwritten file.
        path: PathBuf,
    },
    /// A unit of its debug information contradicts itself (DWARF 5, 7.5); there may be more.
    #[error(
        "{path} has damaged debug information, first in {unit}: {reason}; functions, lines and variables of such \
            units may be unknown or wrong: build the file again"
    )]
    DebugInformation {
        /// The file with the damage.
        path: PathBuf,
        /// The damaged unit.
        unit: String,
        /// In words, for the message.
        reason: String,
    },
}

impl ImageError {
    pub(crate) fn unreadable(path: &Path, error: &std::io::Error) -> Self {
        Self::Unreadable { path: path.to_owned(), reason: error.to_string() }
    }
}
