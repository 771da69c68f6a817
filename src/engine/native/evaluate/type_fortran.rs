//! Types as gdb writes them where the program is in Fortran.

use super::resolve::{MAX_DEPTH, type_of};
use crate::engine::native::types::{Dimension, Encoding, Kind, Member, Surroundings, Type, TypeRef};

/// What the characters of a text of fixed length are called.
const FIXED_CHARACTER: &str = "character(kind=1)";

const UNKNOWN_LENGTH: &str = "character*(*)";

/// A type in one line, or with the components of a derived type when `expand`.
pub(super) fn fortran_type(ty: &TypeRef, expand: bool, surroundings: &dyn Surroundings) -> String {
    written(ty, expand, surroundings, 0)
}

fn written(ty: &TypeRef, expand: bool, s: &dyn Surroundings, depth: u32) -> String {
    let found = type_of(ty, s);
    if depth > MAX_DEPTH {
        return "...".to_owned();
    }
    let inner = |ty: &TypeRef| written(ty, expand, s, depth + 1);
    match &found.kind {
        Kind::Qualified(_, target) | Kind::Typedef(target) | Kind::Reference(target, _) => inner(target),
        Kind::Pointer(target) => format!("PTR TO -> ( {} )", inner(target)),
        Kind::Array { element, dimensions } => {
            if let Some(text) = character_text(element, dimensions, s) {
                return text;
            }
            let allocatable = if found.name.is_some() { ", allocatable" } else { "" };
            if is_computed_text(ty, s) && dimensions.iter().any(|one| one.assumed) {
                return UNKNOWN_LENGTH.to_owned();
            }
            // The length of texts that is computed gdb says only of one text.
            let texts = is_computed_text(element, s).then(|| UNKNOWN_LENGTH.to_owned());
            format!("{}{allocatable} ({})", texts.unwrap_or_else(|| inner(element)), bounds(dimensions))
        }
        Kind::Function { returns, parameters, .. } => {
            let texts: Vec<String> = parameters.iter().map(|one| written(one, false, s, depth + 1)).collect();
            format!("{} ({})", inner(returns), texts.join(", "))
        }
        Kind::Aggregate { members, .. } => {
            let name = format!("Type {}", short(&found));
            if !expand {
                return name;
            }
            let lines: Vec<String> = members.iter().map(|member| component(member, s, depth)).collect();
            format!("{name}\n{}\nEnd {name}", lines.join("\n"))
        }
        Kind::Void => "void".to_owned(),
        _ => found.name.as_deref().unwrap_or("<unnamed type>").to_owned(),
    }
}

/// Derived types are known without the module they are in.
fn short(ty: &Type) -> &str {
    let name = ty.name.as_deref().unwrap_or("<unnamed>");
    name.rsplit("::").next().unwrap_or(name)
}

fn component(member: &Member, s: &dyn Surroundings, depth: u32) -> String {
    let found = type_of(&member.ty, s);
    let own = || short(&found).to_owned();
    let name = member.name.as_deref().map_or_else(own, str::to_owned);
    if let Kind::Array { element, dimensions } = &found.kind {
        if let Some(text) = character_text(element, dimensions, s) {
            return format!("{text} :: {name}");
        }
        return format!("    {} :: {name}({})", written(element, false, s, depth + 1), bounds(dimensions));
    }
    format!("    {} :: {name}", written(&member.ty, false, s, depth + 1))
}

/// A text is an array of characters, of which the debug information says the length alone.
fn character_text(element: &TypeRef, dimensions: &[Dimension], s: &dyn Surroundings) -> Option<String> {
    let of = type_of(element, s);
    let is_text = of.name.as_deref() == Some(FIXED_CHARACTER) && matches!(of.kind, Kind::Base(Encoding::SignedChar));
    let is_text = is_text && matches!(element, TypeRef::Made(_));
    let [Dimension { count, .. }] = dimensions else { return None };
    is_text.then(|| count.map_or_else(|| UNKNOWN_LENGTH.to_owned(), |count| format!("character*{count}")))
}

fn is_computed_text(ty: &TypeRef, s: &dyn Surroundings) -> bool {
    let Kind::Array { element, .. } = &type_of(ty, s).kind else { return false };
    let character = type_of(element, s);
    let is_text = matches!(element, TypeRef::Made(_)) && character.kind == Kind::Base(Encoding::SignedChar);
    is_text && character.name.as_deref() != Some(FIXED_CHARACTER)
}

/// The first index first; a lower bound only where it is not 1.
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
