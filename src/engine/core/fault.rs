//! Reasons why a file cannot be opened as a core file.

/// The reason why a file is not used as a core file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CoreFileFault {
    /// The system refused; holds its words.
    #[error("cannot read {path}: {reason}")]
    Unreadable {
        /// The file.
        path: String,
        /// In the system's words.
        reason: String,
    },
    /// The file is in another format.
    #[error("{path} is not a core file: it is not an ELF file")]
    NotElf {
        /// The file.
        path: String,
    },
    /// A compressed file, which may contain a core file.
    #[error("{path} is compressed ({format}): decompress it first")]
    Compressed {
        /// The file.
        path: String,
        /// The name of the format.
        format: &'static str,
    },
    /// An ELF file of another kind.
    #[error("{path} is not a core file: it is {kind}")]
    OtherKind {
        /// The file.
        path: String,
        /// The kind, with an article.
        kind: &'static str,
    },
    /// A core file of another processor.
    #[error("{path} is a core file of another architecture, not of 64-bit x86-64")]
    Architecture {
        /// The file.
        path: String,
    },
    /// The file ends too early, or its headers contradict themselves.
    #[error("{path} is a damaged core file: {reason}")]
    Damaged {
        /// The file.
        path: String,
        /// In words.
        reason: String,
    },
}
