//! Types as gdb's `whatis` and `ptype` spell them.

use super::{EvalError, Expression};
use crate::engine::native::types::{Surroundings, TypeRef};
use crate::model::ErrorCode;

/// A type in one line, as gdb's `whatis` spells it: `struct cell *`, `int [3]`, `int (*)(int)`.
pub fn type_name(_ty: &TypeRef, _surroundings: &dyn Surroundings) -> String {
    "?".to_owned()
}

/// The type of an expression, or a type that the expression names, without evaluating it; `expand` spells out the
/// members as gdb's `ptype` does.
pub fn type_text(
    _expression: &Expression,
    _expand: bool,
    _surroundings: &dyn Surroundings,
) -> Result<String, EvalError> {
    Err(EvalError::new(ErrorCode::NOT_IMPLEMENTED, "Types cannot be shown yet."))
}
