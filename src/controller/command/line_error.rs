//! What is wrong with a line, and where.

/// Why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct LineError {
    /// What is wrong and what would be right.
    pub message: String,
    /// Character in the line, from 0.
    pub position: usize,
}
