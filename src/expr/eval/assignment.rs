//! Evaluates assignments.

use super::arithmetic::binary;
use super::braces::value_as;
use super::convenience::{is_convenience, is_rank, set_convenience};
use super::function_names::check_number;
use super::node::{located, value};
use super::operand::{Operand, converted, dereferenced};
use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::syntax::tree::{BinaryOperator, Node, NodeKind};
use crate::types::stripped;
use crate::value::Value;
use debuginfo::types::{Kind, Place};

pub(crate) fn assignment(
    operator: Option<BinaryOperator>,
    to: &Node,
    from: &Node,
    s: &EvalContext<'_>,
) -> Result<Value, EvalError> {
    let target = dereferenced(&value(to, s)?, s)?;
    if matches!(stripped(target.ty(), s).1.kind, Kind::Base(_) | Kind::Enumeration { .. }) {
        check_number(from, s)?;
    }
    let is_new = matches!(&to.kind, NodeKind::Register(name) if is_convenience(name, s));
    let from = if operator.is_none() && !is_new { value_as(from, target.ty(), s)? } else { value(from, s)? };
    match operator {
        Some(operator) => {
            let result = binary(operator, &Operand::of(&target, s)?, &Operand::of(&from, s)?, s)?;
            assign_to(to, &target, &result, s)
        }
        None if matches!(stripped(target.ty(), s).1.kind, Kind::Pointer(_)) => {
            assign_to(to, &target, &located(from, s)?, s)
        }
        None => assign_to(to, &target, &from, s),
    }
}

pub(crate) fn step(of: &Node, by: i8, postfix: bool, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let target = dereferenced(&value(of, s)?, s)?;
    let before = frozen(&target, s)?;
    let operator = if by > 0 { BinaryOperator::Add } else { BinaryOperator::Subtract };
    let one = Operand::Integer { value: 1, size: 4, signed: true };
    let sum = binary(operator, &Operand::of(&before, s)?, &one, s)?;
    let after = assign_to(of, &target, &sum, s)?;
    Ok(if postfix { before } else { after })
}

/// Assigns to the target of a node; a convenience variable takes the type of the value, too.
fn assign_to(node: &Node, to: &Value, from: &Value, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    match &node.kind {
        NodeKind::Register(name) if is_rank(name) => {
            Err(error("Left operand of assignment is not a modifiable lvalue."))
        }
        NodeKind::Register(name) if is_convenience(name, s) => {
            if !s.has_effects() {
                return Ok(to.clone());
            }
            set_convenience(name, from, s)
        }
        _ => assign(to, from, s),
    }
}

/// Returns the current value, independent of its source.
fn frozen(value: &Value, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let bytes = converted(value, value.ty(), s)?;
    Ok(Value::known(value.ty().clone(), bytes))
}

fn assign(to: &Value, from: &Value, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    if !to.is_assignable() {
        let modifiable = if matches!(to.place(), Place::Past(..)) { "a modifiable" } else { "an" };
        return Err(error(format!("Left operand of assignment is not {modifiable} lvalue.")));
    }
    match stripped(to.ty(), s).1.kind {
        Kind::Function { .. } => return Err(error("Invalid cast.")),
        Kind::Void | Kind::Unknown(_) => {
            return Err(error("Left operand of assignment is not a modifiable lvalue."));
        }
        _ => {}
    }
    let bytes = converted(from, to.ty(), s)?;
    to.write(&bytes, s)?;
    Ok(match to.place() {
        // The registers of the frame are those of the stop.
        Place::Convenience(..) | Place::Register(_) => Value::known(to.ty().clone(), bytes),
        _ => to.clone(),
    })
}
