//! Builds the Rust values that expressions create: structs, arrays, ranges, slices.

use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::eval::operand::converted;
use crate::types::{size_of, stripped};
use crate::value::{LONGEST, Value};
use debuginfo::types::builtin::{Builtin, array_of, pointer_to};
use debuginfo::types::{Aggregate, Encoding, Kind, Member, Type, TypeRef};
use std::sync::Arc;

/// The value of `()`.
pub(crate) fn unit() -> Value {
    let ty = Type { name: Some("()".into()), size: Some(0), kind: Kind::Base(Encoding::Unsigned) };
    Value::known(TypeRef::Made(Arc::new(ty)), Vec::new())
}

fn made(name: &str, fields: Vec<(&str, TypeRef, u64)>) -> TypeRef {
    let mut offset = 0;
    let members = fields.into_iter().map(|(name, ty, size)| {
        let start = offset;
        offset += size;
        Member {
            name: Some(name.into()),
            ty,
            offset: start,
            bits: None,
            base: false,
            is_static: false,
            virtual_at: None,
        }
    });
    let members: Vec<Member> = members.collect();
    let kind = Kind::Aggregate { tag: Aggregate::Struct, members, declaration: false };
    TypeRef::Made(Arc::new(Type { name: Some(name.into()), size: Some(offset), kind }))
}

fn reference(name: &str, element: TypeRef) -> TypeRef {
    made(name, vec![("data_ptr", pointer_to(element), 8), ("length", Builtin::Usize.ty(), 8)])
}

fn pair(ty: TypeRef, address: u64, length: u64) -> Value {
    Value::known(ty, [address.to_le_bytes(), length.to_le_bytes()].concat())
}

/// Returns a slice of elements in memory; its type is `own`, or gdb's type for a slice that is not part of another.
pub(crate) fn slice_of(own: Option<TypeRef>, element: &TypeRef, address: u64, length: u64) -> Value {
    pair(own.unwrap_or_else(|| reference("&[*gdb*]", element.clone())), address, length)
}

/// Returns a `&str` to a string in memory.
pub(crate) fn text_reference(address: u64, length: u64, s: &EvalContext<'_>) -> Value {
    pair(s.symbols().type_named("&str").unwrap_or_else(|| reference("&str", Builtin::U8.ty())), address, length)
}

fn bytes_of(value: &Value, s: &EvalContext<'_>) -> Result<Vec<u8>, EvalError> {
    let size = size_of(value.ty(), s).filter(|size| *size <= LONGEST).ok_or_else(|| error("The value is too long."))?;
    let mut bytes = vec![0; size as usize];
    value.read(&mut bytes, s)?;
    Ok(bytes)
}

/// Returns `low..high`.
pub(crate) fn span(
    low: Option<Value>,
    high: Option<Value>,
    inclusive: bool,
    s: &EvalContext<'_>,
) -> Result<Value, EvalError> {
    let name = match (&low, &high) {
        (Some(_), Some(_)) if inclusive => "std::ops::RangeInclusive",
        (Some(_), Some(_)) => "std::ops::Range",
        (Some(_), None) => "std::ops::RangeFrom",
        (None, Some(_)) if inclusive => "std::ops::RangeToInclusive",
        (None, Some(_)) => "std::ops::RangeTo",
        (None, None) => "std::ops::RangeFull",
    };
    if let (Some(low), Some(high)) = (&low, &high)
        && s.type_name(low.ty()) != s.type_name(high.ty())
    {
        return Err(error("Range expression with different types"));
    }
    let (mut fields, mut bytes) = (Vec::new(), Vec::new());
    for (name, value) in [("start", low), ("end", high)] {
        let Some(value) = value else { continue };
        let own = bytes_of(&value, s)?;
        fields.push((name, value.ty().clone(), own.len() as u64));
        bytes.extend(own);
    }
    Ok(Value::known(made(name, fields), bytes))
}

/// Returns `[a, b]`.
pub(crate) fn array(values: &[Value], s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let Some(first) = values.first() else { return Err(error("The elements of an empty array have no type.")) };
    let (ty, size) = (first.ty().clone(), size_of(first.ty(), s));
    if values.iter().any(|value| size_of(value.ty(), s) != size) {
        return Err(error("array elements must all be the same size"));
    }
    let mut bytes = Vec::new();
    for value in values {
        bytes.extend(bytes_of(value, s)?);
    }
    Ok(Value::known(array_of(ty, size, Some(values.len() as u64)), bytes))
}

/// Returns `[a; count]`.
pub(crate) fn repeated(value: &Value, count: u64, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let bytes = bytes_of(value, s)?;
    let length = count.checked_mul(bytes.len() as u64).filter(|length| *length <= LONGEST);
    length.ok_or_else(|| error("The value is too long."))?;
    let ty = array_of(value.ty().clone(), Some(bytes.len() as u64), Some(count));
    Ok(Value::known(ty, bytes.repeat(count as usize)))
}

/// Returns a struct with the given fields; the others are those of `base`.
pub(crate) fn structure(
    ty: &TypeRef,
    fields: &[(String, Value)],
    base: Option<&Value>,
    s: &EvalContext<'_>,
) -> Result<Value, EvalError> {
    let (_, found) = stripped(ty, s);
    let Kind::Aggregate { members, declaration: false, .. } = &found.kind else {
        return Err(error("Struct expression applied to non-struct type"));
    };
    let size = found.size.filter(|size| *size <= LONGEST).ok_or_else(|| error("The value is too long."))?;
    let mut bytes = match base {
        Some(base) if size_of(base.ty(), s) == Some(size) => bytes_of(base, s)?,
        Some(_) => return Err(error("The base has another type.")),
        None => vec![0; size as usize],
    };
    for (name, value) in fields {
        let member = members.iter().find(|member| member.name.as_deref() == Some(name));
        let member = member.ok_or_else(|| error(format!("There is no member named {name}.")))?;
        let own = converted(value, &member.ty, s)?;
        let place = bytes.get_mut(member.offset as usize..).and_then(|rest| rest.get_mut(..own.len()));
        place.ok_or_else(|| error("The debug information of the struct is invalid."))?.copy_from_slice(&own);
    }
    Ok(Value::known(ty.clone(), bytes))
}
