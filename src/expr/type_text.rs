//! Types of expressions in words.

use crate::EvalError;
use crate::context::EvalContext;
use crate::eval::operand::dereferenced;
use crate::expression::Expression;

/// The type of an expression, or a type that the expression names, without evaluating it, spelled as gdb's `whatis`
/// spells it; `expand` spells out the members as gdb's `ptype` does.
pub fn type_text(expression: &Expression, expand: bool, context: &EvalContext<'_>) -> Result<String, EvalError> {
    let subject = expression.subject(context)?;
    let at = || {
        // Only of what lies in a variable the place is asked for: to evaluate more may change something.
        let value = expression.is_part_of_variable(context).then(|| expression.evaluate(context).ok())?;
        dereferenced(&value?, context).ok()?.address()
    };
    Ok(context.language().type_text(subject, expand, &at, context))
}
