//! Evaluates nodes of an expression in C, and in the other languages where they agree with C.

use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::eval::access::{address_of, contents, index, member, repeated};
use crate::eval::arithmetic::{binary, truth, unary};
use crate::eval::assignment::{assignment, step};
use crate::eval::braces::array;
use crate::eval::calls::{call_of, call_of_own};
use crate::eval::casts::{alignment, cast, size_of_operand, size_value};
use crate::eval::convenience::dollar;
use crate::eval::function_names::{check_number, check_operands};
use crate::eval::names::{named, undescribed};
use crate::eval::node::{operand, operand_of, value};
use crate::eval::operand::{Operand, dereferenced, float_value, integer_value};
use crate::eval::type_expressions::resolve;
use crate::lang::cpp::cpp_nodes::value_of_cpp_node;
use crate::long_double::Real;
use crate::syntax::tree::{BinaryOperator, Node, NodeKind, UnaryOperator};
use crate::types::{size_of, stripped};
use crate::value::Value;
use debuginfo::types::builtin::{Builtin, array_of};
use debuginfo::types::{Kind, Place, TypeRef};

/// Each kind of node has its own function: one for all would take the stack of all of them at every level.
pub(crate) fn value_in_c(node: &Node, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    match &node.kind {
        NodeKind::Name(name) => named(name, s),
        NodeKind::Register(name) => dollar(name, s),
        NodeKind::Integer(value, ty) => Ok(integer_value(i128::from(*value), *ty)),
        NodeKind::Float(value, ty) => Ok(floating(*value, *ty)),
        NodeKind::Character(value, ty) => Ok(integer_value(i128::from(*value), *ty)),
        NodeKind::Text(units, ty) => Ok(literal(units, *ty, s)),
        NodeKind::Member { of, name, arrow } => selected(of, name, *arrow, s),
        NodeKind::Index(of, at) => subscripted(of, at, s),
        NodeKind::Slice(of, first, last) => sliced(of, first, last, s),
        NodeKind::Call(of, arguments) => s.language().call(of, arguments, None, s),
        NodeKind::Unary(operator, of) => prefixed(*operator, of, s),
        NodeKind::Step { of, by, postfix } => step(of, *by, *postfix, s),
        NodeKind::Binary(operator, left, right) => infix(*operator, left, right, s),
        NodeKind::And(left, right) => logic(left, right, false, s),
        NodeKind::Or(left, right) => logic(left, right, true, s),
        NodeKind::Conditional(condition, yes, no) => {
            if is_true(condition, s)? {
                value(yes, s)
            } else {
                value(no, s)
            }
        }
        NodeKind::Comma(left, right) => value(left, s).and_then(|_| value(right, s)),
        NodeKind::Repeat(first, count) => repetition(first, count, s),
        NodeKind::Assign(operator, to, from) => assignment(*operator, to, from, s),
        NodeKind::Cast(ty, of) => resolve(ty, s).and_then(|ty| cast(of, ty, s)),
        NodeKind::Braces(elements) => array(elements, s),
        NodeKind::SizeOf(of) => size_of_operand(of, s),
        NodeKind::SizeOfType(ty) => resolve(ty, s).and_then(|ty| size_value(&ty, s)),
        NodeKind::AlignOf(of) => alignment(of, s),
        NodeKind::Cpp(node) => value_of_cpp_node(node, s),
        NodeKind::Rust(_) => Err(error("This is a Rust expression.")),
        NodeKind::Range(..) => Err(error("A range is only allowed as an array subscript.")),
        NodeKind::Type(_) => Err(error("Attempt to use a type name as an expression")),
    }
}

pub(crate) fn call_in_c(
    of: &Node,
    arguments: &[Node],
    returns: Option<&TypeRef>,
    s: &EvalContext<'_>,
) -> Result<Value, EvalError> {
    match (call_of_own(of, arguments, s), &of.kind) {
        (Some(own), _) => own,
        (None, NodeKind::Register(name)) => Err(error(format!("There is no function ${name}."))),
        _ => call_of(value(of, s)?, of, arguments, returns, s),
    }
}

fn floating(value: Real, ty: Builtin) -> Value {
    let size = match ty {
        Builtin::Float => 4,
        Builtin::LongDouble => 16,
        _ => 8,
    };
    float_value(value, size)
}

fn is_true(node: &Node, s: &EvalContext<'_>) -> Result<bool, EvalError> {
    check_number(node, s)?;
    operand(node, s).map(|operand| operand.is_true())
}

/// Evaluates `&&`, or `||` if `or`: the right side only if the left does not decide.
fn logic(left: &Node, right: &Node, or: bool, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let sign = if or { "||" } else { "&&" };
    let holds = |node: &Node| check_number(node, s).and_then(|()| Ok(operand_of(node, sign, s)?.is_true()));
    let result = if holds(left)? == or { or } else { holds(right)? };
    Ok(truth(result, s))
}

fn selected(of: &Node, name: &str, arrow: bool, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let of = value(of, s)?;
    member(&of, name, arrow, s)
}

fn subscripted(of: &Node, at: &Node, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let of = value(of, s)?;
    index(&of, &operand(at, s)?, s)
}

/// Returns `of[first:last]`, both bounds included.
fn sliced(of: &Node, first: &Node, last: &Node, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let of = value(of, s)?;
    let (low, high) = (operand(first, s)?, operand(last, s)?);
    let (Operand::Integer { value: from, .. }, Operand::Integer { value: to, .. }) = (&low, &high) else {
        return Err(error("The bounds of a slice must be integers."));
    };
    let count = to.saturating_sub(*from).saturating_add(1);
    if count <= 0 && s.has_effects() {
        return Err(error("array or string index out of range"));
    }
    repeated(&index(&of, &low, s)?, count, s.has_effects(), s)
}

fn prefixed(operator: UnaryOperator, of: &Node, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    match operator {
        UnaryOperator::Dereference => contents(&value(of, s)?, s),
        UnaryOperator::AddressOf => address(of, s),
        UnaryOperator::Not => check_number(of, s).and_then(|()| unary(operator, &operand_of(of, "!", s)?, s)),
        _ => unary(operator, &operand_of(of, operator.sign(), s)?, s),
    }
}

fn address(of: &Node, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let value = undescribed(of, s).map_or_else(|| value(of, s), Ok)?;
    // The target of a reference has an address, even if the reference itself has none.
    let refers = matches!(stripped(value.ty(), s).1.kind, Kind::Reference(..));
    match (&of.kind, value.place()) {
        (NodeKind::Name(name), Place::Bytes(_)) if !refers => {
            Err(error(format!("Can't take address of \"{name}\" which isn't an lvalue.")))
        }
        _ => address_of(&value, s),
    }
}

fn repetition(first: &Node, count: &Node, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let first = dereferenced(&value(first, s)?, s)?;
    let Operand::Integer { value: count, .. } = operand(count, s)? else {
        return Err(error("Invalid number of repetitions."));
    };
    repeated(&first, count, s.has_effects(), s)
}

fn infix(operator: BinaryOperator, left: &Node, right: &Node, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let (first, second) = (left, right);
    let left = operand_of(first, operator.sign(), s)?;
    let mut right = operand_of(second, operator.sign(), s)?;
    check_operands(operator, (first, &left), (second, &right), s)?;
    // Memory reads as zero if only the type is needed: avoid a division by it.
    if let (BinaryOperator::Divide | BinaryOperator::Remainder, Operand::Integer { value, .. }) = (operator, &mut right)
        && !s.has_effects()
    {
        *value = 1;
    }
    binary(operator, &left, &right, s)
}

fn literal(units: &[u32], ty: Builtin, s: &EvalContext<'_>) -> Value {
    let size = size_of(&ty.ty(), s).unwrap_or(1);
    // Fortran strings have no terminating NUL.
    let end: &[u32] = if s.language().texts_are_arrays() { &[] } else { &[0] };
    let bytes = units.iter().chain(end).flat_map(|unit| unit.to_le_bytes().into_iter().take(size as usize)).collect();
    Value::known(array_of(ty.ty(), Some(size), Some((units.len() + end.len()) as u64)), bytes)
}
