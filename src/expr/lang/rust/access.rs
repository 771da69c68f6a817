//! Derives Rust values from others: fields, elements, the targets of pointers and trait objects.

use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::eval::access::{contents, member};
use crate::eval::operand::dereferenced;
use crate::eval::variants::active;
use crate::types::{MAX_DEPTH, element_of, size_of, stripped};
use crate::value::{LONGEST, Value};
use debuginfo::types::{Aggregate, Kind, Place, TypeRef};
use model::{ErrorCode, VirtualAddress};

/// Follows a pointer; a trait object's leads to a value of the implementing type.
pub(crate) fn behind(of: &Value, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let of = dereferenced(of, s)?;
    if let Ok(table) = member(&of, "vtable", false, s)
        && let Ok(pointer) = member(&of, "pointer", false, s)
    {
        let table = VirtualAddress(table.read_bits(8, s)? as u64);
        let ty = s.symbols().implementor(table).ok_or_else(|| {
            error(format!(
                "The type behind this trait object is unknown: no debug information for its vtable at \
                {table}."
            ))
        })?;
        return Ok(Value::new(ty, Place::Memory(VirtualAddress(pointer.read_bits(8, s)? as u64))));
    }
    match stripped(of.ty(), s).1.kind {
        Kind::Pointer(_) => contents(&of, s),
        _ => Err(error("Attempt to take contents of a non-pointer value.")),
    }
}

/// Elements that can be indexed: an array's, a slice's, or those behind a pointer.
pub(crate) struct Elements {
    pub(crate) first: Value,
    pub(crate) element: TypeRef,
    pub(crate) size: u64,
    pub(crate) count: Option<u64>,
    /// The type of the slice, if it is one.
    pub(crate) slice: Option<TypeRef>,
}

impl Elements {
    pub(crate) fn of(value: &Value, s: &EvalContext<'_>) -> Result<Self, EvalError> {
        let (_, found) = stripped(value.ty(), s);
        let known = |element: TypeRef, first: Value, count: Option<u64>, slice: Option<TypeRef>| {
            let size = size_of(&element, s).filter(|size| *size <= LONGEST);
            let size = size.ok_or_else(|| error("Cannot subscript elements without a size"))?;
            Ok(Self { first, element, size, count, slice })
        };
        if let Some((element, _, count)) = element_of(&found, s) {
            return known(element, value.clone(), count, None);
        }
        if let Kind::Pointer(target) = &found.kind {
            return known(target.clone(), contents(value, s)?, None, None);
        }
        let part = |name: &str| member(value, name, false, s);
        if matches!(found.kind, Kind::Aggregate { .. })
            && let (Ok(pointer), Ok(length)) = (part("data_ptr"), part("length"))
            && let Kind::Pointer(target) = &stripped(pointer.ty(), s).1.kind
        {
            let first = Value::new(target.clone(), Place::Memory(VirtualAddress(pointer.read_bits(8, s)? as u64)));
            return known(target.clone(), first, Some(length.read_bits(8, s)? as u64), Some(value.ty().clone()));
        }
        Err(error("Cannot subscript non-array type"))
    }
}

/// Returns a field by name or number, following references.
pub(crate) fn field(of: &Value, name: &str, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let mut of = dereferenced(of, s)?;
    for _ in 0..MAX_DEPTH {
        let (_, ty) = stripped(of.ty(), s);
        let Kind::Pointer(target) = &ty.kind else { break };
        if !matches!(stripped(target, s).1.kind, Kind::Pointer(_)) {
            break;
        }
        of = contents(&of, s)?;
    }
    member(&of, name, false, s).map_err(|fault| match fault.code {
        ErrorCode::UNKNOWN_VARIABLE => match explained(&of, name, s) {
            Some(words) if fault.of_types => words.of_types(),
            Some(words) => words,
            None => fault,
        },
        _ => fault,
    })
}

/// Returns gdb's explanation for a missing field.
fn explained(of: &Value, name: &str, s: &EvalContext<'_>) -> Option<EvalError> {
    let of = match &stripped(of.ty(), s).1.kind {
        Kind::Pointer(_) => contents(of, s).ok()?,
        _ => of.clone(),
    };
    let is_number = |name: &str| name.bytes().all(|byte| byte.is_ascii_digit());
    let alternative = active(&of, s);
    let (whole, called) = match &alternative {
        Some((value, name)) => (value.clone(), format!("variant {name}")),
        None => (of.clone(), s.type_name(of.ty())),
    };
    let Kind::Aggregate { members, tag, .. } = &stripped(whole.ty(), s).1.kind else { return None };
    let first = members.first().and_then(|member| member.name.as_deref());
    let (is_tuple, count) = (first.is_some_and(is_number) || called.starts_with('('), members.len());
    let is_union = *tag == Aggregate::Union;
    let only = "Anonymous field access is only allowed on tuples, tuple structs, and tuple-like enum variants";
    let message = match (is_number(name), alternative.is_some()) {
        (true, _) if is_union => only.to_owned(),
        (true, _) if is_tuple || (alternative.is_some() && count == 0) => {
            format!("Cannot access field {name} of {called}, there are only {count} fields")
        }
        (true, true) => format!("{} is not a tuple variant", called.replacen('v', "V", 1)),
        (true, false) => format!(
            "Attempting to access anonymous field {name} of {called}, which is not a tuple, tuple struct, or tuple-like variant"
        ),
        (false, true) if is_tuple => {
            let called = called.trim_start_matches("variant ");
            format!(
                "Attempting to access named field {name} of tuple variant {called}, which has only anonymous fields"
            )
        }
        (false, true) => {
            format!("Could not find field {name} of struct {called}")
        }
        (false, false) => return None,
    };
    Some(EvalError::new(ErrorCode::UNKNOWN_VARIABLE, message))
}
