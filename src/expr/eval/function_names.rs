//! Names of functions where a number is expected. A variable that is not in scope may share its name with a function,
//! perhaps of a library: its address is never the number that was meant.

use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::eval::operand::Operand;
use crate::syntax::tree::{BinaryOperator, Node, NodeKind, UnaryOperator};
use crate::types::stripped;
use debuginfo::types::{Kind, NamedValue, Place};
use std::sync::Arc;

/// Returns the name in an operand that stands for a function itself, not for its address, a call or a part of it.
fn function_in<'a>(node: &'a Node, s: &EvalContext<'_>) -> Option<(&'a Arc<str>, NamedValue)> {
    match &node.kind {
        NodeKind::Name(name) => {
            let found = s.variable(name)?;
            matches!(stripped(&found.ty, s).1.kind, Kind::Function { .. }).then_some((name, found))
        }
        NodeKind::Binary(BinaryOperator::Add | BinaryOperator::Subtract, left, right) => {
            function_in(left, s).or_else(|| function_in(right, s))
        }
        NodeKind::Unary(UnaryOperator::Plus | UnaryOperator::Negate, of) => function_in(of, s),
        _ => None,
    }
}

/// Returns the failure if an operand that must be a number or a truth value is a function.
pub(crate) fn not_a_number(node: &Node, s: &EvalContext<'_>) -> Option<EvalError> {
    let (name, found) = function_in(node, s)?;
    let file = found.place.ok().and_then(|place| match place {
        Place::Memory(address) => s.symbols().file_at(address),
        _ => None,
    });
    let of = file.map_or_else(String::new, |file| format!(" of {}", file.rsplit('/').next().unwrap_or_default()));
    let scope = s.symbols().function().map_or_else(|| "here".to_owned(), |function| format!("in {function}"));
    let words = format!("\"{name}\" is a function{of}; no variable \"{name}\" {scope} (its address: &{name})");
    Some(error(words).at(node.position).of_types())
}

/// Fails if an operator applied to a function and a number would take the function's address for a number. Sums are
/// addresses in the code of the function.
pub(crate) fn check_operands(
    operator: BinaryOperator,
    left: (&Node, &Operand),
    right: (&Node, &Operand),
    s: &EvalContext<'_>,
) -> Result<(), EvalError> {
    if matches!(operator, BinaryOperator::Add | BinaryOperator::Subtract) {
        return Ok(());
    }
    let function = match (left, right) {
        ((_, Operand::Pointer { .. }), (_, Operand::Pointer { .. })) => None,
        ((node, Operand::Pointer { .. }), _) | (_, (node, Operand::Pointer { .. })) => not_a_number(node, s),
        _ => None,
    };
    function.map_or(Ok(()), Err)
}

/// Fails if an operand that is to be a number, or true or false, is a function.
pub(crate) fn check_number(node: &Node, s: &EvalContext<'_>) -> Result<(), EvalError> {
    not_a_number(node, s).map_or(Ok(()), Err)
}
