//! Smart pointers, optionals and variants of the C++ standard library: what they hold, computed without a call.

use super::containers::tuple_values;
use super::printer_members::PrinterMembers;
use crate::EvalError;
use crate::error::error;
use crate::eval::operand::{converted, dereferenced, integer_value, pointer_value};
use crate::types::{size_of, stripped};
use crate::value::Value;
use debuginfo::types::Kind;
use debuginfo::types::builtin::{Builtin, pointer_to};

/// Computes the methods of `std::optional`.
pub(super) fn of_optional(
    members: &PrinterMembers<'_>,
    method: &str,
    arguments: &[Value],
) -> Result<Option<Value>, EvalError> {
    let Some(engaged) = members.number(&["_M_payload", "_M_engaged"]) else { return Ok(None) };
    let engaged = engaged & 0xff != 0;
    let value = || match members.part(&["_M_payload", "_M_payload", "_M_value"]) {
        Some(_) if !engaged && members.context.has_effects() => Err(error("This optional has no value.")),
        value => Ok(value),
    };
    match (method, arguments) {
        ("has_value" | "operator bool", []) => Ok(Some(integer_value(engaged.into(), Builtin::CplusplusBool))),
        ("value" | "operator*", []) => value(),
        ("operator->", []) => Ok(value()?.as_ref().and_then(pointer_to_it)),
        ("value_or", [other]) => {
            if engaged {
                value()
            } else {
                alternative_value(members, other)
            }
        }
        _ => Ok(None),
    }
}

/// Converts an argument of `value_or` to the type that the method returns; `None` if only the program can.
fn alternative_value(members: &PrinterMembers<'_>, other: &Value) -> Result<Option<Value>, EvalError> {
    let context = members.context;
    let Some(ty) = members.argument(members.value.ty(), 0) else { return Ok(None) };
    let other = dereferenced(other, context)?;
    let ((_, wanted), (_, given)) = (stripped(&ty, context), stripped(other.ty(), context));
    match (&wanted.kind, &given.kind) {
        (Kind::Base(_) | Kind::Enumeration { .. }, Kind::Base(_) | Kind::Enumeration { .. })
        | (Kind::Pointer(_), Kind::Pointer(_) | Kind::Array { .. }) => {
            let bytes = converted(&other, &ty, context)?;
            Ok(Some(Value::known(ty, bytes)))
        }
        _ if wanted.name.is_some() && wanted.name == given.name => Ok(Some(other)),
        _ => Ok(None),
    }
}

/// Returns the number of a variant's alternative, which it stores in less than the type of `index()`; all bits are set
/// if it has none.
pub(super) fn alternative(members: &PrinterMembers<'_>) -> Option<Value> {
    let stored = members.part(&["_M_index"])?;
    let bits = 8 * size_of(stored.ty(), members.context)?.clamp(1, 8);
    let none = u64::MAX >> (64 - bits);
    let index = members.word(&stored)? & none;
    let index = if index == none { u64::MAX } else { index };
    Some(integer_value(index.into(), Builtin::UnsignedLong))
}

/// Returns how many shared pointers own the object of a shared or weak pointer.
pub(super) fn uses(members: &PrinterMembers<'_>) -> Option<u32> {
    let counts = members.part(&["_M_refcount", "_M_pi"])?;
    if members.word(&counts)? == 0 {
        return Some(0);
    }
    Some(members.word(&members.at(&counts, &["_M_use_count"])?)? as u32)
}

pub(super) fn pointer_to_it(value: &Value) -> Option<Value> {
    Some(pointer_value(value.address()?.0, pointer_to(value.ty().clone())))
}

/// Returns the pointer in a smart pointer.
pub(super) fn pointer(members: &PrinterMembers<'_>, template: &str) -> Option<Value> {
    match template {
        "unique_ptr" => tuple_values(members, &members.part(&["_M_t", "_M_t"])?)?.into_iter().next(),
        "shared_ptr" => members.part(&["_M_ptr"]),
        _ => None,
    }
}
