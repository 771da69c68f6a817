//! Errors of expressions.

use model::{ErrorCode, Failure};

/// An error of parsing or evaluating an expression, in gdb's words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct EvalError {
    /// The code for programs.
    pub code: ErrorCode,
    /// The text for people, in gdb's words.
    pub message: String,
    /// Position of the error in the expression, in characters from 0.
    pub position: Option<u32>,
    /// True if the error follows from the types alone, whatever the variables hold.
    pub of_types: bool,
}

impl EvalError {
    /// Creates an error without a position.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), position: None, of_types: false }
    }

    /// Marks the error as one of the types, which no value of the variables avoids.
    pub fn of_types(mut self) -> Self {
        self.of_types = true;
        self
    }

    /// Sets the position, unless the error has one already.
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

/// Creates an error with the debugger's own code.
pub(crate) fn error(message: impl Into<String>) -> EvalError {
    EvalError::new(ErrorCode::DEBUGGER, message)
}
