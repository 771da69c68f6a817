//! Evaluates a node of an expression in the frame's language.

use super::call_arguments::placed;
use super::operand::Operand;
use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::syntax::tree::Node;
use crate::types::stripped;
use crate::value::Value;
use debuginfo::types::{Kind, Place};
use model::VirtualAddress;

/// Evaluates a node; an error without a position gets the node's.
pub(crate) fn value(node: &Node, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let value = s.language().value(node, s).map_err(|error| error.at(node.position))?;
    Ok(if s.has_effects() { value } else { value.with_zeros_for_holes() })
}

pub(crate) fn operand(node: &Node, s: &EvalContext<'_>) -> Result<Operand, EvalError> {
    Operand::of(&value(node, s)?, s).map_err(|error| error.at(node.position))
}

/// Evaluates an operand of an operator; in C it cannot be an aggregate.
pub(crate) fn operand_of(node: &Node, sign: &str, s: &EvalContext<'_>) -> Result<Operand, EvalError> {
    let value = value(node, s)?;
    if matches!(stripped(value.ty(), s).1.kind, Kind::Aggregate { .. }) {
        return Err(error(format!("Structure has no component named operator{sign}.")).of_types());
    }
    Operand::of(&located(value, s)?, s).map_err(|error| error.at(node.position))
}

/// Copies an array without an address, such as a literal, into the program's memory, for operators that need its
/// address.
pub(super) fn located(value: Value, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let (_, ty) = stripped(value.ty(), s);
    let (Kind::Array { .. }, None, true) = (&ty.kind, value.address(), s.has_effects()) else { return Ok(value) };
    let address = placed(&value, s)?;
    Ok(Value::new(value.ty().clone(), Place::Memory(VirtualAddress(address))))
}
