//! Formats the types of expressions.

use crate::EvalError;
use crate::context::EvalContext;
use crate::eval::operand::dereferenced;
use crate::expression::Expression;

/// Formats the type of an expression, or a type that it names, without evaluating it, as gdb's `whatis` does; with
/// `expand` it spells out the members as `ptype` does.
pub fn type_text(expression: &Expression, expand: bool, context: &EvalContext<'_>) -> Result<String, EvalError> {
    let subject = expression.subject(context)?;
    let at = || {
        // Only a part of a variable is evaluated to find its address: evaluating more may have side effects.
        let value = expression.is_part_of_variable(context).then(|| expression.evaluate(context).ok())?;
        dereferenced(&value?, context).ok()?.address()
    };
    Ok(context.language().type_text(subject, expand, &at, context))
}
