//! Why an expression has no value.

use model::{ErrorCode, Failure};

/// Why an expression cannot be parsed or has no value here; worded as gdb words it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct EvalError {
    /// For programs.
    pub code: ErrorCode,
    /// For people, in gdb's words.
    pub message: String,
    /// Character of the expression, from 0, where the trouble is.
    pub position: Option<u32>,
    /// It follows from the types alone: whatever the variables hold, there is no value.
    pub of_types: bool,
}

impl EvalError {
    /// An error without a place.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), position: None, of_types: false }
    }

    /// The same error, which no other value of the variables avoids.
    pub fn of_types(mut self) -> Self {
        self.of_types = true;
        self
    }

    /// The same error at a character of the expression, unless it has a place already.
    pub fn at(mut self, position: u32) -> Self {
        self.position.get_or_insert(position);
        self
    }
}

impl From<EvalError> for Failure {
    fn from(error: EvalError) -> Self {
        Self { code: error.code, message: error.message, position: error.position }
    }
}

/// An error of the debugger itself.
pub(crate) fn error(message: impl Into<String>) -> EvalError {
    EvalError::new(ErrorCode::DEBUGGER, message)
}
