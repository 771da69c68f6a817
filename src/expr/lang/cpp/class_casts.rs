//! Casts between classes of which one is a base of the other: the address changes with the class.

use super::base_classes::{base_part, is_class, is_same_class, offset_of_base};
use super::dynamic_class::whole_object;
use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::eval::operand::{dereferenced, pointer_value};
use crate::types::stripped;
use crate::value::Value;
use debuginfo::types::{Kind, Place, TypeRef};
use model::VirtualAddress;

/// Casts a pointer, a reference or an object to a related class; a reference to anything also to an unrelated type.
/// `None` for all other casts.
pub(super) fn class_cast(value: &Value, ty: &TypeRef, s: &EvalContext<'_>) -> Result<Option<Value>, EvalError> {
    match &stripped(ty, s).1.kind {
        Kind::Pointer(wanted) => {
            let Some(object) = target_of(value, s)? else { return Ok(None) };
            let is_null = object.address().is_none_or(|address| address.0 == 0);
            if is_null || !is_class(wanted, s) {
                return Ok(None);
            }
            Ok(as_class(&object, wanted, s)
                .and_then(|object| object.address())
                .map(|at| pointer_value(at.0, ty.clone())))
        }
        Kind::Reference(wanted, _) => {
            let object = dereferenced(value, s)?;
            let object = as_class(&object, wanted, s).unwrap_or(object);
            let address = object.address().filter(|_| object.bit_field().is_none());
            let address = address.ok_or_else(|| error("Attempt to take address of value not located in memory."))?;
            Ok(Some(pointer_value(address.0, ty.clone())))
        }
        Kind::Aggregate { .. } => Ok(as_class(&dereferenced(value, s)?, ty, s)),
        _ => Ok(None),
    }
}

/// Returns what a value points to; `None` if it is no pointer.
fn target_of(value: &Value, s: &EvalContext<'_>) -> Result<Option<Value>, EvalError> {
    let pointer = dereferenced(value, s)?;
    let Kind::Pointer(target) = &stripped(pointer.ty(), s).1.kind else { return Ok(None) };
    let address = pointer.read_bits(8, s)? as u64;
    Ok(Some(Value::new(target.clone(), Place::Memory(VirtualAddress(address)))))
}

/// Returns the base class in an object, or the object of which it is a base class; `None` for the same class, and for
/// classes that are not related.
fn as_class(object: &Value, wanted: &TypeRef, s: &EvalContext<'_>) -> Option<Value> {
    if !is_class(object.ty(), s) || !is_class(wanted, s) || is_same_class(object.ty(), wanted, s) {
        return None;
    }
    if let Some(part) = base_part(object, wanted, s) {
        return Some(part.retyped(wanted.clone()));
    }
    let address = object.address()?;
    if let Some(offset) = offset_of_base(wanted, object.ty(), s) {
        return Some(Value::new(wanted.clone(), Place::Memory(VirtualAddress(address.0.wrapping_sub(offset)))));
    }
    let whole = whole_object(address, object.ty(), s)?;
    // The object is of the class only if this part is a base of it.
    base_part(&whole, wanted, s)
        .filter(|found| base_part(found, object.ty(), s).is_some_and(|part| part.address() == Some(address)))
}

/// Casts as the program's `dynamic_cast` does, by the class that the object has now.
pub(super) fn dynamic_cast(value: &Value, ty: &TypeRef, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let (wanted, object, to_pointer) = match &stripped(ty, s).1.kind {
        Kind::Pointer(wanted) => {
            let object = target_of(value, s)?.filter(|object| is_class(object.ty(), s));
            let object = object.ok_or_else(|| error("Argument to dynamic_cast does not have pointer to class type"))?;
            (wanted.clone(), object, true)
        }
        Kind::Reference(wanted, _) => (wanted.clone(), dereferenced(value, s)?, false),
        _ => return Err(error("Argument to dynamic_cast must be a pointer or reference type")),
    };
    let to_void = to_pointer && stripped(&wanted, s).1.kind == Kind::Void;
    if !is_class(object.ty(), s) {
        return Err(error("Argument to dynamic_cast does not have class type"));
    }
    if !is_class(&wanted, s) && !to_void {
        return Err(error("Argument to dynamic_cast must be pointer to class or `void *'"));
    }
    let address = object.address().ok_or_else(|| error("Attempt to take address of value not located in memory."))?;
    if !s.has_effects() || to_pointer && address.0 == 0 {
        return Ok(pointer_value(address.0, ty.clone()));
    }
    let whole = || {
        whole_object(address, object.ty(), s)
            .ok_or_else(|| error("Couldn't determine value's most derived type for dynamic_cast"))
    };
    let found = match base_part(&object, &wanted, s) {
        Some(part) => Some(part),
        None if to_void => Some(whole()?),
        None => base_part(&whole()?, &wanted, s),
    };
    match found.and_then(|found| found.address()) {
        Some(address) => Ok(pointer_value(address.0, ty.clone())),
        None if to_pointer => Ok(pointer_value(0, ty.clone())),
        None => Err(error("dynamic_cast failed")),
    }
}
