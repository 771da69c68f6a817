//! An expression, parsed once, evaluated often.

use super::{EvalError, Value};
use crate::engine::native::types::Surroundings;
use crate::model::ErrorCode;

/// A parsed expression.
#[derive(Clone, Debug)]
pub struct Expression {
    text: String,
}

impl Expression {
    /// Parses C syntax. Nothing is looked up, so that a condition can be parsed before its names exist.
    pub fn parse(text: &str) -> Result<Self, EvalError> {
        Ok(Self { text: text.to_owned() })
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its value here. Assignments in it are carried out.
    pub fn evaluate(&self, _surroundings: &dyn Surroundings) -> Result<Value, EvalError> {
        Err(EvalError::new(ErrorCode::NOT_IMPLEMENTED, "Expressions cannot be evaluated yet."))
    }

    /// Whether it is non-zero here: the condition of a breakpoint.
    pub fn condition(&self, surroundings: &dyn Surroundings) -> Result<bool, EvalError> {
        self.evaluate(surroundings)?.as_bool(surroundings)
    }
}
