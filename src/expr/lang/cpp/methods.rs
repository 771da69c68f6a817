//! C++ functions: overload resolution, methods of objects, overloaded operators.

use super::base_classes::{MOST_PARTS, base_part_named, member_value, offset_of_base, scope_of_member, spend};
use crate::EvalError;
use crate::context::EvalContext;
use crate::eval::access::pointed_object;
use crate::types::{MAX_DEPTH, stripped};
use crate::value::Value;
use debuginfo::types::builtin::pointer_to;
use debuginfo::types::{Encoding, Kind, NamedValue, Place, Type, TypeRef};
use model::{ErrorCode, VirtualAddress};

/// A method, and the subobject it belongs to.
pub(crate) struct Method {
    pub(crate) function: Value,
    pub(crate) this: Value,
}

fn error(message: impl Into<String>) -> EvalError {
    EvalError::new(ErrorCode::DEBUGGER, message)
}

fn parameters(function: &TypeRef, s: &EvalContext<'_>) -> (Vec<TypeRef>, bool) {
    match &stripped(function, s).1.kind {
        Kind::Function { parameters, variadic, .. } => (parameters.clone(), *variadic),
        _ => (Vec::new(), true),
    }
}

/// Returns the candidate that fits the arguments best; `None` if none fits.
fn best(candidates: Vec<NamedValue>, arguments: &[Value], own: usize, s: &EvalContext<'_>) -> Option<NamedValue> {
    let mut found: Option<(u32, NamedValue)> = None;
    for candidate in candidates {
        let (parameters, variadic) = parameters(&candidate.ty, s);
        let parameters = parameters.get(own..).unwrap_or_default();
        if arguments.len() < parameters.len() || (arguments.len() > parameters.len() && !variadic) {
            continue;
        }
        let marks = arguments.iter().zip(parameters).map(|(argument, parameter)| fit(argument.ty(), parameter, s));
        let Some(marks) = marks.sum::<Option<u32>>() else { continue };
        if found.as_ref().is_none_or(|(most, _)| marks > *most) {
            found = Some((marks, candidate));
        }
    }
    found.map(|(_, candidate)| candidate)
}

/// Rates how well an argument fits a parameter; `None` if it does not.
fn fit(argument: &TypeRef, parameter: &TypeRef, s: &EvalContext<'_>) -> Option<u32> {
    let behind = |ty: &TypeRef| match &stripped(ty, s).1.kind {
        Kind::Reference(target, _) => target.clone(),
        _ => ty.clone(),
    };
    let (_, given) = stripped(&behind(argument), s);
    let (_, wanted) = stripped(&behind(parameter), s);
    let real = |ty: &Type| matches!(ty.kind, Kind::Base(Encoding::Float));
    match (&given.kind, &wanted.kind) {
        _ if given.name.is_some() && given.name == wanted.name => Some(4),
        (Kind::Aggregate { .. }, Kind::Aggregate { .. }) => {
            offset_of_base(&behind(argument), &behind(parameter), s).map(|_| 2)
        }
        (Kind::Base(_), Kind::Base(_)) if real(&given) == real(&wanted) => {
            Some(if given.size == wanted.size { 3 } else { 2 })
        }
        (Kind::Base(_) | Kind::Enumeration { .. }, Kind::Base(_)) => Some(1),
        (Kind::Pointer(left), Kind::Pointer(right)) => {
            let (left, right) = (stripped(left, s).1, stripped(right, s).1);
            match (&left.kind, &right.kind) {
                _ if left.name == right.name => Some(4),
                (_, Kind::Void) => Some(1),
                (Kind::Aggregate { .. }, Kind::Aggregate { .. }) => Some(1),
                _ => None,
            }
        }
        (Kind::Array { element, .. }, Kind::Pointer(target)) => {
            (stripped(element, s).1.name == stripped(target, s).1.name).then_some(3)
        }
        (Kind::Function { .. }, Kind::Pointer(target)) => {
            matches!(stripped(target, s).1.kind, Kind::Function { .. }).then_some(2)
        }
        _ => None,
    }
}

/// Returns the function of this name, not a method, that fits all operands; `None` if there is none.
pub(super) fn function_for(name: &str, operands: &[Value], s: &EvalContext<'_>) -> Option<NamedValue> {
    best(s.symbols().functions(name), operands, 0, s)
}

/// Returns the overload that fits the arguments; a single function is taken whatever the arguments are.
pub(crate) fn overload(name: &str, arguments: &[Value], s: &EvalContext<'_>) -> Result<Option<Value>, EvalError> {
    let candidates = s.symbols().functions(name);
    if candidates.len() < 2 {
        return Ok(None);
    }
    match best(candidates, arguments, 0, s) {
        Some(NamedValue { ty, place: Ok(place), .. }) => Ok(Some(Value::new(ty, place))),
        _ => Err(error(format!("Cannot resolve function {name} to any overloaded instance"))),
    }
}

/// Returns the method of an object, or of one of its base classes, that fits the arguments; `None` if it has none of
/// this name.
pub(crate) fn method(
    object: &Value,
    name: &str,
    arguments: &[Value],
    s: &EvalContext<'_>,
) -> Result<Option<Method>, EvalError> {
    let object = pointed_object(object, s)?;
    // A call of `Base::f` calls that method, even if the object's class overrides it.
    let scoped = scope_of_member(name);
    let scoped = scoped.map(|(scope, name)| base_part_named(&object, scope, s).map(|part| (part, name)));
    let (object, name, is_scoped) = match scoped {
        Some(Some((part, name))) => (part, name, true),
        Some(None) => return Ok(None),
        None => (object, name, false),
    };
    let Some((candidates, this)) = find(&object, name, s, 0, &mut MOST_PARTS.clone()) else { return Ok(None) };
    let Some(found) = best(candidates, arguments, 1, s) else {
        return Err(error(format!("Cannot resolve method {name} to any overloaded instance")));
    };
    let place = found.place.map_err(error)?;
    let function = match s.symbols().virtual_slot(&found.ty).filter(|_| !is_scoped) {
        Some(slot) => Place::Memory(entry_of(&this, slot, s)?),
        None => place,
    };
    Ok(Some(Method { function: Value::new(found.ty, function), this: pointer(&this)? }))
}

fn pointer(object: &Value) -> Result<Value, EvalError> {
    let address = object.address().ok_or_else(|| error("Attempt to take address of value not located in memory."))?;
    Ok(Value::known(pointer_to(object.ty().clone()), address.0.to_le_bytes().to_vec()))
}

/// Returns the address of a virtual function of an object, from the vtable that its first word points to.
pub(super) fn entry_of(object: &Value, slot: u64, s: &EvalContext<'_>) -> Result<VirtualAddress, EvalError> {
    let table = object.read_bits(8, s)? as u64;
    let mut entry = [0; 8];
    s.read(VirtualAddress(table.wrapping_add(slot.wrapping_mul(8))), &mut entry)?;
    Ok(VirtualAddress(u64::from_le_bytes(entry)))
}

/// Returns the methods of this name in the first class that has any, and the subobject of that class.
fn find(
    object: &Value,
    name: &str,
    s: &EvalContext<'_>,
    depth: u32,
    left: &mut u32,
) -> Option<(Vec<NamedValue>, Value)> {
    let (_, ty) = stripped(object.ty(), s);
    let Kind::Aggregate { members, .. } = &ty.kind else { return None };
    if depth >= MAX_DEPTH {
        return None;
    }
    let class = ty.name.as_deref()?;
    let of_class = |found: &NamedValue| !parameters(&found.ty, s).0.is_empty();
    let own: Vec<NamedValue> =
        s.symbols().functions(&format!("{class}::{name}")).into_iter().filter(of_class).collect();
    if !own.is_empty() {
        return Some((own, object.clone()));
    }
    members.iter().filter(|member| member.base).find_map(|member| {
        let part = member_value(object, member, s).ok().filter(|_| spend(left))?;
        find(&part, name, s, depth + 1, left)
    })
}
