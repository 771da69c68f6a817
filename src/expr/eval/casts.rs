//! Casts and sizes of types.

use super::braces::value_as;
use super::names::{is_function_or_nothing, undescribed};
use super::node::value;
use super::operand::{converted, dereferenced, integer_value};
use super::type_expressions::resolve;
use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::syntax::tree::{Node, NodeKind};
use crate::types::{size_of, stripped};
use crate::value::Value;
use debuginfo::types::builtin::Builtin;
use debuginfo::types::{Encoding, Kind, Place, TypeRef};
use model::VirtualAddress;

pub(crate) fn cast(of: &Node, ty: TypeRef, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    if let Some(data) = undescribed(of, s) {
        return Ok(data.retyped(ty));
    }
    let value = match &of.kind {
        NodeKind::Call(function, arguments) => s.language().call(function, arguments, Some(&ty), s),
        _ => value_as(of, &ty, s),
    };
    let value = value?;
    if let Some(cast) = s.language().class_cast(&value, &ty, s)? {
        return Ok(cast);
    }
    reinterpreted(&value, ty, s)
}

/// Casts a value; an address stays as it is.
pub(crate) fn reinterpreted(value: &Value, ty: TypeRef, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let value = dereferenced(value, s)?;
    match &stripped(&ty, s).1.kind {
        // Arrays and aggregates of the same size keep their address.
        Kind::Aggregate { .. } | Kind::Array { .. } if size_of(&ty, s) == size_of(value.ty(), s) => {
            Ok(value.retyped(ty))
        }
        Kind::Aggregate { declaration: false, .. } | Kind::Array { .. }
            if let Some(at) = readable_as(&value, &ty, s) =>
        {
            Ok(Value::new(ty, Place::Memory(at)))
        }
        Kind::Base(Encoding::Other(_)) | Kind::Unknown(_) | Kind::Function { .. } => Err(error("Invalid cast.")),
        kind => {
            let to_scalar = matches!(kind, Kind::Base(_) | Kind::Enumeration { .. } | Kind::Pointer(_));
            // As in gdb, conversions that the class defines are not called: the object's bytes are read as the type.
            if let Some(at) = address_of_object(&value, s).filter(|_| to_scalar) {
                return Ok(Value::new(ty, Place::Memory(at)));
            }
            let bytes = converted(&value, &ty, s)?;
            Ok(Value::known(ty, bytes))
        }
    }
}

/// Returns the address from which a value in memory is read as a type of another size, as gdb does; an array as one that
/// is no larger.
fn readable_as(value: &Value, ty: &TypeRef, s: &EvalContext<'_>) -> Option<VirtualAddress> {
    let size = size_of(ty, s)?;
    let is_array = matches!(stripped(value.ty(), s).1.kind, Kind::Array { .. });
    value.address().filter(|_| !is_array || size_of(value.ty(), s).is_some_and(|whole| size <= whole))
}

/// Returns where an object of a class is in memory.
fn address_of_object(value: &Value, s: &EvalContext<'_>) -> Option<VirtualAddress> {
    let is_object = matches!(stripped(value.ty(), s).1.kind, Kind::Aggregate { .. });
    value.address().filter(|_| is_object)
}

pub(crate) fn size_of_operand(of: &Node, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    if let NodeKind::Name(name) = &of.kind
        && is_function_or_nothing(name, s)
        && let Some(ty) = s.symbols().type_named(name)
    {
        return size_value(&ty, s);
    }
    let of = value(of, &s.avoiding_side_effects())?;
    size_value(of.ty(), s)
}

/// Returns the alignment of what a node has the size of, an `unsigned long` as in gdb.
pub(crate) fn alignment(of: &Node, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let ty = match &of.kind {
        NodeKind::SizeOfType(ty) => resolve(ty, s)?,
        NodeKind::SizeOf(of) => match &of.kind {
            NodeKind::Name(name) if is_function_or_nothing(name, s) => match s.symbols().type_named(name) {
                Some(ty) => ty,
                None => value(of, &s.avoiding_side_effects())?.ty().clone(),
            },
            _ => value(of, &s.avoiding_side_effects())?.ty().clone(),
        },
        _ => return Err(error("Only types and values have an alignment.")),
    };
    let (_, found) = stripped(&ty, s);
    let ty = if let Kind::Reference(target, _) = &found.kind { target.clone() } else { ty };
    if size_of(&ty, s).is_none() {
        return Err(error("could not determine alignment of type"));
    }
    Ok(integer_value(i128::from(s.symbols().alignment_of(&ty)), Builtin::UnsignedLong))
}

/// The size is an `int`, as in gdb.
pub(crate) fn size_value(ty: &TypeRef, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let ty = match &stripped(ty, s).1.kind {
        Kind::Reference(target, _) => target.clone(),
        _ => ty.clone(),
    };
    // As gdb, which takes the size of an incomplete type as 0.
    let incomplete = matches!(stripped(&ty, s).1.kind, Kind::Aggregate { declaration: true, .. });
    let size = size_of(&ty, s).or(incomplete.then_some(0));
    let size = size.ok_or_else(|| error("The type is incomplete: it has no size."))?;
    Ok(integer_value(i128::from(size), Builtin::Int))
}
