//! Why a descriptor or data cannot be read.

/// What is wrong with a descriptor, with data, or with what is asked of them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AifError {
    /// The text breaks the grammar.
    #[error("type descriptor: expected {expected} at character {position}")]
    Descriptor {
        /// What would have been right.
        expected: &'static str,
        /// In bytes from the start of the text.
        position: usize,
    },
    /// More than [`super::MAX_DEPTH`] types or values inside each other.
    #[error("type or value nested deeper than {} levels", super::MAX_DEPTH)]
    TooDeep,
    /// The data ends before the value does.
    #[error("value data: expected {wanted} bytes at byte {position}, {left} left")]
    Truncated {
        /// Bytes needed.
        wanted: usize,
        /// Bytes there.
        left: usize,
        /// In bytes from the start of the data.
        position: usize,
    },
    /// The value ends before the data does.
    #[error("value data: {0} bytes after the end of the value")]
    Trailing(usize),
    /// A count that no data of this length can honour.
    #[error("value data: more elements claimed than the data can hold")]
    TooMany,
    /// Runs of runs that would fill the memory when written out.
    #[error("the value is too long to print")]
    TooLong,
    /// A tag that no version defines.
    #[error("value data: unknown tag {tag} at byte {position}")]
    Tag {
        /// As read.
        tag: u8,
        /// In bytes from the start of the data.
        position: usize,
    },
    /// The value is not of the type.
    #[error("the value does not match its type")]
    Mismatch,
    /// The format letter has no meaning for the value.
    #[error("Value can't be converted to integer.")]
    NotAnInteger,
}
