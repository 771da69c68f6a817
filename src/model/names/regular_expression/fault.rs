//! What is wrong with a regular expression.

/// The reason why a text is no regular expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid regular expression: {message}")]
pub struct RegularExpressionError {
    /// The characters before the fault.
    pub position: usize,
    /// The fault.
    pub message: &'static str,
}
