//! Finds the active alternative of an enum with data.

use crate::context::EvalContext;
use crate::types::{MAX_DEPTH, size_of, stripped};
use crate::value::Value;
use debuginfo::types::{Alternative, Kind, TypeRef, Variants};

/// Returns the alternative that the discriminant selects; without a discriminant, the one that can exist.
/// `discriminant` reads it by its offset and size.
pub(crate) fn chosen<'v>(
    variants: &'v Variants,
    discriminant: impl FnOnce(u64, u64) -> Option<u128>,
    context: &EvalContext<'_>,
) -> Option<&'v Alternative> {
    let alternatives = &variants.alternatives;
    let Some(member) = &variants.discriminant else {
        let possible = alternatives.iter().find(|one| !is_impossible(&one.member.ty, context, 0));
        return possible.or(alternatives.first());
    };
    let size = size_of(&member.ty, context)?;
    let mask = if size >= 16 { u128::MAX } else { (1 << (8 * size)) - 1 };
    let value = discriminant(member.offset, size)? & mask;
    let said = alternatives.iter().find(|one| one.value.is_some_and(|own| own & mask == value));
    said.or_else(|| alternatives.iter().find(|one| one.value.is_none()))
}

/// True if the type has no values: an enum without alternatives, or a type that contains one.
fn is_impossible(ty: &TypeRef, context: &EvalContext<'_>, depth: u32) -> bool {
    let (_, found) = stripped(ty, context);
    match &found.kind {
        _ if depth > MAX_DEPTH => false,
        Kind::Variants(variants) => variants.alternatives.is_empty(),
        Kind::Aggregate { members, .. } => members.iter().any(|member| is_impossible(&member.ty, context, depth + 1)),
        _ => found.name.as_deref() == Some("!"),
    }
}

/// Returns the active alternative of an enum with data, and its name; `None` for other values.
pub(crate) fn active(value: &Value, context: &EvalContext<'_>) -> Option<(Value, String)> {
    let (_, found) = stripped(value.ty(), context);
    let Kind::Variants(variants) = &found.kind else { return None };
    let number = TypeRef::Void;
    let read = |offset, size| value.part(number, offset, None).read_bits(size, context).ok();
    let member = &chosen(variants, read, context)?.member;
    let name = format!("{}::{}", found.name.as_deref()?, member.name.as_deref()?);
    Some((value.part(member.ty.clone(), member.offset, None), name))
}
