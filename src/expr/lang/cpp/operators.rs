//! Operators that classes and functions of the program define, and calls of methods.

use super::base_classes::is_class;
use super::member_pointers::{compared, is_null};
use super::methods::{Method, function_for, method};
use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::eval::arithmetic::truth;
use crate::eval::call_arguments::Callee;
use crate::eval::calls::called;
use crate::eval::node::value;
use crate::eval::operand::dereferenced;
use crate::printers::xmethods::library_method;
use crate::syntax::tree::{BinaryOperator, Node, NodeKind, UnaryOperator};
use crate::types::stripped;
use crate::value::Value;
use debuginfo::types::{Kind, NamedValue};

/// Calls a method of an object: one that is computed without a call, or one that the class defines.
pub(super) fn method_called(
    object: &Value,
    name: &str,
    arguments: Vec<Value>,
    s: &EvalContext<'_>,
) -> Result<Option<Value>, EvalError> {
    if let Some(value) = library_method(object, name, &arguments, s)? {
        return Ok(Some(value));
    }
    method_of_class(object, name, arguments, s)
}

/// Calls a method that the class defines.
fn method_of_class(
    object: &Value,
    name: &str,
    arguments: Vec<Value>,
    s: &EvalContext<'_>,
) -> Result<Option<Value>, EvalError> {
    let Some(Method { function, this }) = method(object, name, &arguments, s)? else { return Ok(None) };
    let mut all = vec![this];
    all.extend(arguments);
    called(&Callee::of(&function, name, None, all.len(), s)?, &all, s).map(Some)
}

/// True for operands that can be evaluated twice, once to see whether an operator is overloaded: they call and change
/// nothing, and contain no operator that is itself evaluated twice, except for one.
fn is_repeatable(node: &Node) -> bool {
    match &node.kind {
        NodeKind::Name(_) | NodeKind::Register(_) | NodeKind::Integer(..) => true,
        NodeKind::Member { of, .. } => is_repeatable(of),
        NodeKind::Index(of, at) => is_repeatable(of) && is_repeatable(at),
        NodeKind::Unary(UnaryOperator::Dereference | UnaryOperator::AddressOf, of) => is_repeatable(of),
        NodeKind::Unary(_, of) => matches!(of.kind, NodeKind::Name(_) | NodeKind::Member { .. }) && is_repeatable(of),
        _ => false,
    }
}

/// Applies an operator that the program defines for its operands, or compares pointers to members.
pub(super) fn operator_of(
    operator: BinaryOperator,
    left: &Node,
    right: &Node,
    s: &EvalContext<'_>,
) -> Result<Option<Value>, EvalError> {
    let sign = operator.sign();
    let is_object = |value: &Value| Ok::<_, EvalError>(is_class(dereferenced(value, s)?.ty(), s));
    if is_repeatable(left) {
        let first = value(left, s)?;
        if let Some(found) = operator_on(&first, sign, Some(right), s)? {
            return Ok(Some(found));
        }
        if is_object(&first)? {
            return free_operator(sign, vec![first, value(right, s)?], s);
        }
        let is_equality = matches!(operator, BinaryOperator::Equal | BinaryOperator::NotEqual);
        if is_equality && is_null(&first, s)?.is_some() {
            return compared(operator, &first, &value(right, s)?, s);
        }
    }
    if is_repeatable(right) {
        let second = value(right, s)?;
        if is_object(&second)? {
            return free_operator(sign, vec![value(left, s)?, second], s);
        }
    }
    Ok(None)
}

/// Applies an operator before or after an operand that the program defines, or tests a pointer to a member. `argument`
/// is what an operator after the operand gets.
pub(super) fn unary_operator(
    of: &Node,
    sign: &str,
    argument: Option<Value>,
    s: &EvalContext<'_>,
) -> Result<Option<Value>, EvalError> {
    if !is_repeatable(of) {
        return Ok(None);
    }
    let operand = value(of, s)?;
    if let ("!", Some(is_null)) = (sign, is_null(&dereferenced(&operand, s)?, s)?) {
        return Ok(Some(truth(is_null, s)));
    }
    let object = dereferenced(&operand, s)?;
    if !is_class(object.ty(), s) || object.address().is_none() {
        return Ok(None);
    }
    let arguments: Vec<Value> = argument.into_iter().collect();
    let name = format!("operator{sign}");
    match method_called(&object, &name, arguments.clone(), s)? {
        Some(value) => Ok(Some(value)),
        None => free_operator(sign, [vec![operand], arguments].concat(), s),
    }
}

/// Applies an operator that the class of a value overloads.
pub(super) fn operator_on(
    left: &Value,
    sign: &str,
    right: Option<&Node>,
    s: &EvalContext<'_>,
) -> Result<Option<Value>, EvalError> {
    let object = dereferenced(left, s)?;
    if !matches!(stripped(object.ty(), s).1.kind, Kind::Aggregate { .. }) {
        return Ok(None);
    }
    let arguments: Vec<Value> = right.map(|right| value(right, s)).transpose()?.into_iter().collect();
    let operator = format!("operator{sign}");
    if let Some(value) = library_method(&object, &operator, &arguments, s)? {
        return Ok(Some(value));
    }
    if object.address().is_none() {
        return Ok(None);
    }
    if sign == "[]" && matches!(right.map(|right| &right.kind), Some(NodeKind::Text(..))) {
        let name = s.type_name(object.ty());
        return Err(error(format!(
            "Cannot index {name} with a string: that needs a key object in the program. Print the container to see \
                its elements."
        )));
    }
    method_of_class(&object, &operator, arguments, s)
}

/// Calls an operator that is no method: `operator<(a, b)`; `None` if the program has none for these operands.
fn free_operator(sign: &str, operands: Vec<Value>, s: &EvalContext<'_>) -> Result<Option<Value>, EvalError> {
    let name = format!("operator{sign}");
    let Some(NamedValue { ty, place, .. }) = function_for(&name, &operands, s) else { return Ok(None) };
    let function = Value::new(ty, place.map_err(error)?);
    called(&Callee::of(&function, &name, None, operands.len(), s)?, &operands, s).map(Some)
}
