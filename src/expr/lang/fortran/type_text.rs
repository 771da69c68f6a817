//! Formats types as gdb does for Fortran.

use crate::context::EvalContext;
use crate::types::{MAX_DEPTH, type_of};
use debuginfo::types::{Aggregate, Dimension, Encoding, Kind, Member, Type, TypeRef};
use model::VirtualAddress;

/// The element type of a string of fixed length.
const FIXED_CHARACTER: &str = "character(kind=1)";

const UNKNOWN_LENGTH: &str = "character*(*)";

/// Formats a type on one line, or with the components of a derived type if `expand`.
pub(crate) fn fortran_type(ty: &TypeRef, expand: bool, context: &EvalContext<'_>) -> String {
    written(ty, expand, None, context, 0)
}

/// Formats the type of a value with its components, with the bounds of the value at `at`.
pub(crate) fn fortran_type_at(ty: &TypeRef, at: Option<VirtualAddress>, context: &EvalContext<'_>) -> String {
    written(ty, true, at, context, 0)
}

fn written(ty: &TypeRef, expand: bool, at: Option<VirtualAddress>, s: &EvalContext<'_>, depth: u32) -> String {
    let found = type_of(ty, s);
    if depth > MAX_DEPTH {
        return "...".to_owned();
    }
    let inner = |ty: &TypeRef| written(ty, expand, at, s, depth + 1);
    match &found.kind {
        Kind::Typedef(target) => match &found.name {
            Some(name) if !expand || depth > 0 => name.to_string(),
            _ => inner(target),
        },
        Kind::Qualified(_, target) | Kind::Reference(target, _) => inner(target),
        // The target has its own bounds, not those at `at`.
        Kind::Pointer(target) => format!("PTR TO -> ( {} )", written(target, expand, None, s, depth + 1)),
        Kind::Array { element, dimensions } => {
            if let Some(text) = character_text(element, dimensions, s) {
                return text;
            }
            let allocatable = if found.name.is_some() { ", allocatable" } else { "" };
            if is_computed_text(ty, s) && dimensions.iter().any(|one| one.count.is_none()) {
                return UNKNOWN_LENGTH.to_owned();
            }
            // gdb shows a computed length only for a single string, not for an array of them.
            let texts = is_computed_text(element, s).then(|| UNKNOWN_LENGTH.to_owned());
            // Each element has its own bounds, too.
            let element = || written(element, expand, None, s, depth + 1);
            format!("{}{allocatable} ({})", texts.unwrap_or_else(element), bounds(dimensions))
        }
        Kind::Function { returns, parameters, .. } => {
            let texts: Vec<String> = parameters.iter().map(|one| written(one, false, None, s, depth + 1)).collect();
            format!("{} ({})", inner(returns), texts.join(", "))
        }
        Kind::Aggregate { members, tag, .. } => {
            let of_c = if *tag == Aggregate::Union { ", C_Union ::" } else { "" };
            let name = format!("Type{of_c} {}", short(&found));
            if !expand {
                return name;
            }
            let lines: Vec<String> = members.iter().map(|member| component(member, at, s, depth)).collect();
            format!("{name}\n{}\nEnd {name}", lines.join("\n"))
        }
        Kind::Void => "void".to_owned(),
        _ => found.name.as_deref().unwrap_or("<unnamed type>").to_owned(),
    }
}

/// Derived types are shown without their module.
fn short(ty: &Type) -> &str {
    let name = ty.name.as_deref().unwrap_or("<unnamed>");
    name.rsplit("::").next().unwrap_or(name)
}

fn component(member: &Member, at: Option<VirtualAddress>, s: &EvalContext<'_>, depth: u32) -> String {
    let here = at.map(|at| VirtualAddress(at.0.wrapping_add(member.offset)));
    let measured = here.and_then(|here| s.symbols().measured(&member.ty, here)).filter(|(_, place)| place.is_ok());
    let ty = measured.map_or_else(|| member.ty.clone(), |(ty, _)| ty);
    let found = type_of(&ty, s);
    let own = || short(&found).to_owned();
    let name = member.name.as_deref().map_or_else(own, str::to_owned);
    if let Kind::Array { element, dimensions } = &found.kind {
        if let Some(text) = character_text(element, dimensions, s) {
            return format!("{text} :: {name}");
        }
        let allocatable = if found.name.is_some() { ", allocatable" } else { "" };
        let element = written(element, false, None, s, depth + 1);
        let indent = if element.starts_with("character*") { "" } else { "    " };
        return format!("{indent}{element}{allocatable} :: {name}({})", bounds(dimensions));
    }
    format!("    {} :: {name}", written(&ty, false, None, s, depth + 1))
}

/// Formats a character string: an array of characters, of which the debug information gives only the length.
fn character_text(element: &TypeRef, dimensions: &[Dimension], s: &EvalContext<'_>) -> Option<String> {
    let of = type_of(element, s);
    let is_text = of.name.as_deref() == Some(FIXED_CHARACTER) && matches!(of.kind, Kind::Base(Encoding::SignedChar));
    let is_text = is_text && matches!(element, TypeRef::Made(_));
    let [Dimension { count, .. }] = dimensions else { return None };
    is_text.then(|| count.map_or_else(|| UNKNOWN_LENGTH.to_owned(), |count| format!("character*{count}")))
}

fn is_computed_text(ty: &TypeRef, s: &EvalContext<'_>) -> bool {
    let Kind::Array { element, .. } = &type_of(ty, s).kind else { return false };
    let character = type_of(element, s);
    let is_text = matches!(element, TypeRef::Made(_)) && character.kind == Kind::Base(Encoding::SignedChar);
    is_text && character.name.as_deref() != Some(FIXED_CHARACTER)
}

/// Formats bounds, the first index first; a lower bound only if it is not 1.
fn bounds(dimensions: &[Dimension]) -> String {
    let bound = |dimension: &Dimension| match (dimension.lower, dimension.count) {
        (1, None) if dimension.assumed => "*".to_owned(),
        (lower, None) if dimension.assumed => format!("{lower}:*"),
        (_, None) => ":".to_owned(),
        (1, Some(count)) => count.to_string(),
        (lower, Some(count)) => format!("{lower}:{}", lower.wrapping_add_unsigned(count).wrapping_sub(1)),
    };
    dimensions.iter().rev().map(bound).collect::<Vec<_>>().join(",")
}
