//! Formats the types of expressions.

use crate::EvalError;
use crate::context::EvalContext;
use crate::eval::operand::dereferenced;
use crate::expression::Expression;
use crate::types::stripped;
use debuginfo::types::Kind;
use model::{PrintSwitch, TypeDetail};

/// Formats the type of an expression, or a type that it names, without evaluating it, as gdb's `whatis` and `ptype` do.
pub fn type_text(expression: &Expression, detail: TypeDetail, context: &EvalContext<'_>) -> Result<String, EvalError> {
    let subject = match expression.subject(context) {
        Err(_) if context.symbols().has_namespace(expression.text().trim()) => {
            let keyword = if matches!(detail, TypeDetail::Name | TypeDetail::RawName) { "" } else { "namespace " };
            return Ok(format!("{keyword}{}", expression.text().trim()));
        }
        subject => subject?,
    };
    let at = || {
        // Only a part of a variable is evaluated to find its address: evaluating more may have side effects.
        let value = expression.is_part_of_variable(context).then(|| expression.evaluate(context).ok())?;
        dereferenced(&value?, context).ok()?.address()
    };
    let text = context.language().type_text(subject, detail, &at, context);
    Ok(match real_type(expression, context) {
        Some(real) => format!("/* real type = {real} */\n{text}"),
        None => text,
    })
}

/// Returns the type of a pointer or reference by the class that its object has when the program runs, where the user
/// wants it.
fn real_type(expression: &Expression, context: &EvalContext<'_>) -> Option<String> {
    // gdb has not read the values of other expressions.
    let is_name = expression.text().chars().all(|c| c.is_alphanumeric() || c == '_');
    if !context.limits().has(PrintSwitch::Object) || !is_name || !expression.is_part_of_variable(context) {
        return None;
    }
    let value = expression.evaluate(context).ok()?;
    let points = matches!(stripped(value.ty(), context).1.kind, Kind::Pointer(_) | Kind::Reference(..));
    let dynamic = value.as_dynamic(true, context).filter(|_| points)?;
    Some(context.type_name(dynamic.ty()))
}
