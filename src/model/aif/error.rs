//! Errors of reading, writing and printing AIF.

/// An error in a descriptor, in data, or in a request to print them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AifError {
    /// The descriptor has a syntax error.
    #[error("type descriptor: expected {expected} at character {position}")]
    Descriptor {
        /// The syntax expected there, for the message.
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
        /// Bytes that remained.
        left: usize,
        /// In bytes from the start of the data.
        position: usize,
    },
    /// The value ends before the data does.
    #[error("value data: {0} bytes after the end of the value")]
    Trailing(usize),
    /// A count too large for the length of the data.
    #[error("value data: more elements claimed than the data can hold")]
    TooMany,
    /// Nested runs that would fill the memory when expanded.
    #[error("the value is too long to print")]
    TooLong,
    /// A tag that no version defines.
    #[error("value data: unknown tag {tag} at byte {position}")]
    Tag {
        /// The tag's byte.
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
