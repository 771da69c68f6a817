//! The error in a line, with its place.

/// The reason why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct LineError {
    /// The fault and the correction.
    pub message: String,
    /// The character of the line, from 0.
    pub position: usize,
}
