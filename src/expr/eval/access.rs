//! Derives values from others: members, elements, pointer targets, addresses.

use super::operand::{Operand, dereferenced};
use super::variants::active;
use crate::EvalError;
use crate::context::EvalContext;
use crate::lang::cpp::base_classes::{MOST_PARTS, base_part_named, member_value, scope_of_member, spend};
use crate::types::{MAX_DEPTH, element_of, size_of, stripped, type_of};
use crate::value::Value;
use debuginfo::types::builtin::{Builtin, array_of, pointer_to};
use debuginfo::types::{Kind, Member, Place, Type, TypeRef};
use model::aif::as_gdb_spells;
use model::{DID_YOU_MEAN, ErrorCode, VirtualAddress, nearest_of_few};
use std::sync::Arc;

fn error(message: impl Into<String>) -> EvalError {
    EvalError::new(ErrorCode::DEBUGGER, message)
}

/// Returns a member by name; searches anonymous members and base classes too.
pub(crate) fn member(of: &Value, name: &str, arrow: bool, context: &EvalContext<'_>) -> Result<Value, EvalError> {
    let mut of = dereferenced(of, context)?;
    let (_, ty) = stripped(of.ty(), context);
    match &ty.kind {
        Kind::Pointer(target) => of = pointed(&of, target, context)?,
        // As elsewhere, an array acts as a pointer to its first element.
        Kind::Array { .. } => {
            if let Some((element, ..)) = element_of(&ty, context) {
                of = of.part(element, 0, None);
            }
        }
        _ => {}
    }
    let alternative = active(&of, context);
    let name_of_alternative = alternative.as_ref().map(|(_, name)| name.clone());
    of = alternative.map_or(of, |(alternative, _)| alternative);
    let (_, ty) = stripped(of.ty(), context);
    if !matches!(ty.kind, Kind::Aggregate { .. }) {
        let fault = error(if arrow {
            "Attempt to extract a component of a value that is not a structure pointer."
        } else {
            "Attempt to extract a component of a value that is not a structure."
        });
        let plain = matches!(ty.kind, Kind::Base(_) | Kind::Enumeration { .. } | Kind::Pointer(_) | Kind::Array { .. });
        return Err(if plain { fault.of_types() } else { fault });
    }
    let (of, name) =
        match scope_of_member(name).and_then(|(scope, rest)| Some((base_part_named(&of, scope, context)?, rest))) {
            Some((part, rest)) => (part, rest),
            None => (of, name),
        };
    let found = find_member(&of, name, context, 0, &mut MOST_PARTS.clone()).ok_or_else(|| {
        if let Some(words) = method_words(of.ty(), name, context) {
            return EvalError::new(ErrorCode::DEBUGGER, words).of_types();
        }
        // Another alternative may have the member, and another file may define an incomplete type.
        let lasts = name_of_alternative.is_none() && matches!(ty.kind, Kind::Aggregate { declaration: false, .. });
        let of = name_of_alternative.map_or(String::new(), |of| format!(" in {of}, which it is now"));
        let mut names = Vec::new();
        member_names(&ty, context, 0, &mut MOST_PARTS.clone(), &mut names);
        let near = nearest_of_few(name, names.iter().map(|name| &**name));
        let advice = near.map_or(String::new(), |near| format!(" {DID_YOU_MEAN}{near:?}?"));
        let fault =
            EvalError::new(ErrorCode::UNKNOWN_VARIABLE, format!("There is no member named {name}{of}.{advice}"));
        if lasts { fault.of_types() } else { fault }
    })?;
    measured(found, context)
}

/// Returns a component that is an array with a descriptor, as the array described.
pub(crate) fn measured(of: Value, context: &EvalContext<'_>) -> Result<Value, EvalError> {
    let is_array = matches!(type_of(of.ty(), context).kind, Kind::Array { .. });
    let Some(address) = of.address().filter(|_| is_array) else { return Ok(of) };
    match context.symbols().measured(of.ty(), address) {
        Some((ty, place)) => place.map(|place| Value::new(ty, place)).map_err(error),
        None => Ok(of),
    }
}

fn pointed(pointer: &Value, target: &TypeRef, context: &EvalContext<'_>) -> Result<Value, EvalError> {
    if let Place::Synthetic(place, offset) = pointer.place() {
        return Ok(Value::new(target.clone(), (**place).clone()).part(target.clone(), *offset, None));
    }
    let address = pointer.read_bits(8, context)? as u64;
    Ok(Value::new(target.clone(), Place::Memory(VirtualAddress(address))))
}

/// Returns a static member, which all values of the type share.
pub(crate) fn shared_member(of: &str, member: &Member, context: &EvalContext<'_>) -> Option<Value> {
    let found = context.variable(&format!("{of}::{}", member.name.as_deref()?));
    Some(match found.map(|found| (found.ty, found.place)) {
        Some((ty, Ok(place))) => Value::new(ty, place),
        _ => Value::new(member.ty.clone(), Place::OptimizedOut),
    })
}

/// Returns the value itself, or the object it refers or points to.
pub(crate) fn pointed_object(of: &Value, context: &EvalContext<'_>) -> Result<Value, EvalError> {
    let of = dereferenced(of, context)?;
    match &stripped(of.ty(), context).1.kind {
        Kind::Pointer(target) => pointed(&of, target, context),
        _ => Ok(of),
    }
}

/// Returns the error for the name of a method where a data member is needed; gdb's words for one without code.
fn method_words(ty: &TypeRef, name: &str, context: &EvalContext<'_>) -> Option<String> {
    let class = declaring_class(ty, name, context, 0, &mut MOST_PARTS.clone())?;
    let has_code = !context.symbols().functions(&format!("{class}::{name}")).is_empty();
    Some(if has_code {
        format!("{name} is a method: write its arguments in parentheses to call it.")
    } else {
        "Cannot evaluate function -- may be inlined".to_owned()
    })
}

/// Returns the class that declares a method of this name: that of the type, or one of its base classes.
fn declaring_class(
    ty: &TypeRef,
    name: &str,
    context: &EvalContext<'_>,
    depth: u32,
    left: &mut u32,
) -> Option<Arc<str>> {
    *left = left.checked_sub(1)?;
    let (reference, ty) = stripped(ty, context);
    let Kind::Aggregate { members, .. } = &ty.kind else { return None };
    if depth >= MAX_DEPTH {
        return None;
    }
    let class = context.symbols().class(&reference);
    if class.is_some_and(|class| class.methods.iter().any(|method| &*method.name == name)) {
        return ty.name.clone();
    }
    let mut bases = members.iter().filter(|member| member.base);
    bases.find_map(|base| declaring_class(&base.ty, name, context, depth + 1, left))
}

/// The members that are compared with a misspelt name.
const COMPARED: usize = 1_000;

/// Adds the names of the members that [`find_member`] finds.
fn member_names(ty: &Type, context: &EvalContext<'_>, depth: u32, left: &mut u32, names: &mut Vec<Arc<str>>) {
    let Kind::Aggregate { members, .. } = &ty.kind else { return };
    for member in members {
        if depth >= MAX_DEPTH || names.len() >= COMPARED {
            return;
        }
        match &member.name {
            Some(name) if !member.base => names.push(name.clone()),
            _ if spend(left) => {
                member_names(&stripped(&member.ty, context).1, context, depth + 1, left, names);
            }
            _ => return,
        }
    }
}

/// Finds a member in an object, its base classes and its members without names, as long as parts of it are `left` to
/// search.
fn find_member(of: &Value, name: &str, context: &EvalContext<'_>, depth: u32, left: &mut u32) -> Option<Value> {
    let (_, ty) = stripped(of.ty(), context);
    let Kind::Aggregate { members, .. } = &ty.kind else { return None };
    if depth >= MAX_DEPTH {
        return None;
    }
    if let Some(found) = members.iter().find(|member| !member.base && member.name.as_deref() == Some(name)) {
        if found.is_static {
            return shared_member(ty.name.as_deref()?, found, context);
        }
        let (offset, bits) = match found.bits {
            None => (found.offset, None),
            Some((first, width)) => {
                // Counted from its storage unit or, if it spans two of them, from its first byte.
                let unit = 8 * size_of(&found.ty, context).unwrap_or(1).max(1);
                let within = if first % unit + u64::from(width) <= unit { first % unit } else { first % 8 };
                ((first - within) / 8, Some((within, width)))
            }
        };
        return Some(of.part(found.ty.clone(), offset, bits));
    }
    members.iter().filter(|member| !member.is_static && (member.base || member.name.is_none())).find_map(|member| {
        let part = member_value(of, member, context).ok().filter(|_| spend(left))?;
        find_member(&part, name, context, depth + 1, left)
    })
}

/// `of[index]`, for an array in any place or a pointer.
pub(crate) fn index(of: &Value, index: &Operand, context: &EvalContext<'_>) -> Result<Value, EvalError> {
    let of = dereferenced(of, context)?;
    let (_, ty) = stripped(of.ty(), context);
    if !matches!(ty.kind, Kind::Array { .. } | Kind::Pointer(_) | Kind::Function { .. }) {
        let name = as_gdb_spells(&context.type_name(of.ty()));
        let fault = error(format!("cannot subscript something of type `{name}'"));
        return Err(if matches!(ty.kind, Kind::Base(_)) { fault.of_types() } else { fault });
    }
    let Operand::Integer { value: index, .. } = index else {
        return Err(error("Argument to arithmetic operation not a number or boolean."));
    };
    let (start, element, steps) = match &ty.kind {
        Kind::Array { .. } => {
            let (element, lower, count) =
                element_of(&ty, context).ok_or_else(|| error("The array has no dimensions."))?;
            let steps = index - i128::from(lower);
            if of.address().is_none() && count.is_some_and(|count| steps < 0 || steps >= i128::from(count)) {
                return Err(error(format!("no such vector element: {index}")));
            }
            (of, element, steps)
        }
        Kind::Pointer(target) => {
            let start = pointed(&of, target, context)?;
            if let (Kind::Function { .. }, Some(address)) = (&stripped(target, context).1.kind, start.address()) {
                // gdb checks that the memory is readable.
                context.read(VirtualAddress(address.0.wrapping_add(*index as u64)), &mut [0])?;
            }
            (start, target.clone(), *index)
        }
        Kind::Function { .. } => {
            // gdb checks that the memory is readable.
            let address = of.address().map_or(0, |address| address.0);
            context.read(VirtualAddress(address.wrapping_add(*index as u64)), &mut [0])?;
            (of.clone(), of.ty().clone(), *index)
        }
        _ => return Err(error("cannot subscript the value")),
    };
    if stripped(&element, context).1.kind == Kind::Void {
        return Err(error("Attempt to take contents of a non-pointer value."));
    }
    let size = size_of(&element, context).ok_or_else(|| {
        error("Cannot perform pointer math on incomplete types, try casting to a known type, or void *.")
    })?;
    let stride = match &ty.kind {
        Kind::Array { dimensions, .. } => dimensions.first().and_then(|first| first.stride),
        _ => None,
    };
    let offset = steps.wrapping_mul(stride.map_or(i128::from(size), i128::from)) as u64;
    Ok(start.part(element, offset, None))
}

/// `*of`: integers count as addresses of a `long`, as in gdb.
pub(crate) fn contents(of: &Value, context: &EvalContext<'_>) -> Result<Value, EvalError> {
    let at = |ty: TypeRef, address: u64| Value::new(ty, Place::Memory(VirtualAddress(address)));
    let of = dereferenced(of, context)?;
    if let Kind::Aggregate { .. } | Kind::Void | Kind::Unknown(_) = stripped(of.ty(), context).1.kind {
        return Err(error("Attempt to take contents of a non-pointer value."));
    }
    if let (Place::Synthetic(..), Kind::Pointer(target)) = (of.place(), &stripped(of.ty(), context).1.kind) {
        return pointed(&of, target, context);
    }
    match Operand::of(&of, context)? {
        Operand::Pointer { address, target, .. } => match stripped(&target, context).1.kind {
            Kind::Void => Err(error("Attempt to dereference a generic pointer.").of_types()),
            _ => Ok(at(target, address)),
        },
        Operand::Integer { value, .. } => Ok(at(Builtin::Long.ty(), value as u64)),
        Operand::Float { .. } | Operand::Complex { .. } => {
            Err(error("Attempt to take contents of a non-pointer value."))
        }
    }
}

/// `&of`.
pub(crate) fn address_of(of: &Value, context: &EvalContext<'_>) -> Result<Value, EvalError> {
    let of = dereferenced(of, context)?;
    let address = of.address().ok_or_else(|| error("Attempt to take address of value not located in memory."))?;
    Ok(super::operand::pointer_value(address.0, pointer_to(of.ty().clone())))
}

/// `first@count`. `counted`: the count is evaluated; otherwise only the type is needed.
pub(crate) fn repeated(
    first: &Value,
    count: i128,
    counted: bool,
    context: &EvalContext<'_>,
) -> Result<Value, EvalError> {
    let address = match first.bit_field() {
        None => first.address(),
        Some(_) => None,
    };
    let address = address.ok_or_else(|| error("Only values in memory can be extended with '@'."))?;
    let count = match u64::try_from(count) {
        Ok(count) if count > 0 => count,
        _ if !counted => 1,
        _ => return Err(error(format!("Invalid number {count} of repetitions."))),
    };
    let size = size_of(first.ty(), context)
        .filter(|size| *size > 0 && size.checked_mul(count).is_some())
        .ok_or_else(|| error(format!("Invalid number {count} of repetitions.")))?;
    Ok(Value::new(array_of(first.ty().clone(), Some(size), Some(count)), Place::Memory(address)))
}
