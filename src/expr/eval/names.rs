//! Looks up names; words the errors for unknown ones.

use super::access::member;
use super::operand::integer_value;
use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::lang::c::macros::with_advice;
use crate::syntax::tree::{Node, NodeKind};
use crate::types::stripped;
use crate::value::Value;
use debuginfo::types::builtin::Builtin;
use debuginfo::types::{Kind, NamedValue, Place, TypeRef, UNDESCRIBED_DATA};
use model::{ErrorCode, VirtualAddress};
use std::sync::Arc;

/// True for data that only symbol tables know.
pub(crate) fn is_undescribed(found: &NamedValue) -> bool {
    match &found.ty {
        TypeRef::Made(ty) => matches!(ty.kind, Kind::Unknown(_)) && ty.name.as_deref() == Some(UNDESCRIBED_DATA),
        _ => false,
    }
}

pub(crate) fn named(name: &Arc<str>, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    if let Some(found) = s.variable(name) {
        return of_variable(found, s);
    }
    if let Some(this) = this(s)?
        && let Ok(found) = member(&this, name, true, s)
    {
        return Ok(found);
    }
    match &**name {
        "true" | "false" => Ok(integer_value(i128::from(&**name == "true"), Builtin::CplusplusBool)),
        _ if let Some(ty) = s.language().type_of_member(name, s) => {
            // `sizeof` and `whatis` need no object.
            if s.has_effects() {
                let member = name.rsplit("::").next().unwrap_or(name);
                return Err(error(format!("Cannot reference non-static field \"{member}\"")).of_types());
            }
            Ok(Value::new(ty, Place::Memory(VirtualAddress(0))))
        }
        _ if s.symbols().type_named(name).is_some() || s.symbols().has_namespace(name) => {
            Err(error("Attempt to use a type name as an expression").of_types())
        }
        _ => {
            let message = with_advice(missing(name, s), name);
            Err(EvalError::new(ErrorCode::UNKNOWN_VARIABLE, message).of_types())
        }
    }
}

pub(crate) fn of_variable(found: NamedValue, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    if is_undescribed(&found) {
        let message = format!("'{}' has unknown type; cast it to its declared type", found.name);
        return Err(EvalError::new(ErrorCode::UNKNOWN_TYPE, message).of_types());
    }
    match found.place {
        Ok(place) => Ok(Value::new(found.ty, place)),
        // Even something without an address has a type.
        Err(_) if !s.has_effects() => Ok(Value::new(found.ty, Place::Memory(VirtualAddress(0)))),
        Err(why) => Err(error(why)),
    }
}

/// True if no variable has this name: a method of the object, or a type, may have it.
pub(crate) fn is_function_or_nothing(name: &str, s: &EvalContext<'_>) -> bool {
    s.variable(name).is_none_or(|found| matches!(stripped(&found.ty, s).1.kind, Kind::Function { .. }))
}

/// Returns the object whose method the frame's function is.
pub(crate) fn this(s: &EvalContext<'_>) -> Result<Option<Value>, EvalError> {
    let Some(this) = s.variable("this") else { return Ok(None) };
    if s.has_effects() {
        return Ok(this.place.ok().map(|place| Value::new(this.ty, place)));
    }
    // The object's address may be unknown here, but its type is not.
    Ok(Some(Value::new(this.ty, Place::Memory(VirtualAddress(0)))))
}

/// Returns data known only by its symbol: it has an address, and a cast gives it its declared type.
pub(crate) fn undescribed(node: &Node, s: &EvalContext<'_>) -> Option<Value> {
    let NodeKind::Name(name) = &node.kind else { return None };
    let found = s.variable(name).filter(is_undescribed)?;
    Some(Value::new(found.ty, found.place.ok()?))
}

/// gdb's words for an unknown name; for `scope::x` they say which of the two is missing.
pub(crate) fn missing(name: &str, s: &EvalContext<'_>) -> String {
    if let Some((scope, name)) = name.rsplit_once("::")
        && let Some(words) = s.language().missing_in_scope(scope, name, s)
    {
        return words;
    }
    match name.rsplit_once("::") {
        Some((scope, name)) if scope.is_empty() || s.variable(scope).is_some() => {
            format!("No symbol \"{name}\" in specified context.")
        }
        Some((scope, _)) => format!("No symbol \"{scope}\" in current context."),
        None => format!("No symbol \"{name}\" in current context."),
    }
}
