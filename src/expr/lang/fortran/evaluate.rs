//! Fortran where it differs from C: intrinsic functions, array elements and sections in parentheses, and operators on
//! arrays and strings, which are not pointers in Fortran.

use super::classes::{component, object_of};
use super::intrinsics::{has_place, intrinsic, is_intrinsic};
use super::sections::{Subscript, components, section};
use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::eval::access::member;
use crate::eval::arithmetic::truth;
use crate::eval::calls::{call_of, call_of_own, is_function};
use crate::eval::names::missing;
use crate::eval::node::{operand, value};
use crate::eval::operand::{Operand, complex_value, dereferenced};
use crate::eval::strided::is_text;
use crate::lang::c::evaluate::value_in_c;
use crate::syntax::tree::{BinaryOperator, Node, NodeKind};
use crate::types::stripped;
use crate::value::Value;
use debuginfo::types::{Encoding, Kind, Type, TypeRef};
use std::sync::Arc;

/// Bytes of one part of the widest complex number.
const WIDEST: u32 = 16;

/// True for an intrinsic function that is evaluated here.
pub(super) fn is_own(name: &str) -> bool {
    is_intrinsic(name) || matches!(&*name.to_ascii_lowercase(), "allocated" | "associated")
}

pub(super) fn value_in_fortran(node: &Node, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    match &node.kind {
        NodeKind::Member { of, name, arrow } => {
            let of = value(of, s)?;
            let array = object_of(&of, s).filter(|_| !name.starts_with('_'));
            if let Some(found) = components(array.as_ref().unwrap_or(&of), name, s) {
                return found;
            }
            // Another file may define an incomplete type, which `member` knows.
            component(&of, name, s)?.map_or_else(|| member(&of, name, *arrow, s), Ok)
        }
        NodeKind::Comma(left, right) => complex_number(left, right, s),
        NodeKind::Binary(operator, left, right) => match of_arrays(*operator, left, right, s)? {
            Some(value) => Ok(value),
            None => value_in_c(node, s),
        },
        _ => value_in_c(node, s),
    }
}

/// Calls a function, or takes an element or a section of an array.
pub(super) fn call_in_fortran(
    of: &Node,
    arguments: &[Node],
    returns: Option<&TypeRef>,
    s: &EvalContext<'_>,
) -> Result<Value, EvalError> {
    if let Some(own) = call_of_own(of, arguments, s) {
        return own;
    }
    if let NodeKind::Name(name) = &of.kind
        && is_own(name)
        && s.variable(name).is_none_or(|found| !matches!(stripped(&found.ty, s).1.kind, Kind::Array { .. }))
    {
        return intrinsic_call(name, arguments, s);
    }
    let function = value(of, s)?;
    let bare = dereferenced(&function, s)?;
    // An array of a class is that of its objects.
    let bare = object_of(&bare, s).unwrap_or(bare);
    if is_function(&bare, s) { call_of(function, of, arguments, returns, s) } else { element(&bare, arguments, s) }
}

/// Takes an element or a section of a Fortran array.
fn element(of: &Value, subscripts: &[Node], s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let number = |node: &Node| match operand(node, s)? {
        Operand::Integer { value, .. } => i64::try_from(value).map_err(|_| error("no such vector element")),
        _ => Err(error("Argument to arithmetic operation not a number or boolean.")),
    };
    let bound = |node: &Option<Box<Node>>| node.as_deref().map(number).transpose();
    let subscript = |node: &Node| match &node.kind {
        NodeKind::Range(low, high, stride) => {
            let stride = bound(stride)?.unwrap_or(1);
            Ok(Subscript::Range { low: bound(low)?, high: bound(high)?, stride })
        }
        _ => number(node).map(Subscript::At),
    };
    let subscripts = subscripts.iter().map(subscript).collect::<Result<Vec<_>, EvalError>>()?;
    section(of, &subscripts, s)
}

fn intrinsic_call(name: &str, arguments: &[Node], s: &EvalContext<'_>) -> Result<Value, EvalError> {
    if !is_intrinsic(name) {
        let [Node { kind: NodeKind::Name(variable), .. }] = arguments else {
            return Err(error(format!("{} is of a variable", name.to_uppercase())));
        };
        let known = has_place(variable, s);
        return known.ok_or_else(|| error(missing(variable, s)));
    }
    let values = arguments.iter().map(|one| value(one, s)).collect::<Result<Vec<_>, _>>()?;
    intrinsic(name, &values, s)
}

/// Evaluates `(1.5, 2)`, a complex number of the widest kind, as in gdb.
fn complex_number(real: &Node, imaginary: &Node, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let part = |node: &Node| match operand(node, s)? {
        Operand::Complex { .. } => Err(error("The parts of a complex number are real numbers.").at(node.position)),
        other => other.as_real().ok_or_else(|| error("The parts of a complex number are real numbers.")),
    };
    let value = complex_value(part(real)?, part(imaginary)?, WIDEST);
    let kind = Kind::Base(Encoding::Complex);
    let ty = Type { name: Some("complex*16".into()), size: Some(2 * u64::from(WIDEST)), kind };
    Ok(value.retyped(TypeRef::Made(Arc::new(ty))))
}

/// Applies an operator if one operand is an array: strings can be compared, everything else is an error. `None`: both
/// operands are scalars.
fn of_arrays(
    operator: BinaryOperator,
    left: &Node,
    right: &Node,
    s: &EvalContext<'_>,
) -> Result<Option<Value>, EvalError> {
    let (left, right) = (dereferenced(&value(left, s)?, s)?, dereferenced(&value(right, s)?, s)?);
    let is_array = |value: &Value| matches!(stripped(value.ty(), s).1.kind, Kind::Array { .. });
    if !is_array(&left) && !is_array(&right) {
        return Ok(None);
    }
    let equal = match operator {
        BinaryOperator::Equal | BinaryOperator::NotEqual if is_text(left.ty(), s) && is_text(right.ty(), s) => {
            left.raw_bytes(s)? == right.raw_bytes(s)?
        }
        BinaryOperator::Equal | BinaryOperator::NotEqual => {
            return Err(error("Invalid type combination in equality test."));
        }
        _ => return Err(error("Argument to arithmetic operation not a number or boolean.")),
    };
    Ok(Some(truth(equal == (operator == BinaryOperator::Equal), s)))
}
