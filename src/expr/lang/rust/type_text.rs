//! Formats types as gdb does for Rust.

use crate::context::EvalContext;
use crate::types::{MAX_DEPTH, element_of, type_of};
use debuginfo::types::{Aggregate, Alternative, Kind, Member, Type, TypeRef};

/// Formats a type on one line, or with its fields if `expand`.
pub(crate) fn rust_type(ty: &TypeRef, expand: bool, context: &EvalContext<'_>) -> String {
    let found = type_of(ty, context);
    match &found.kind {
        Kind::Aggregate { tag, members, .. } if expand && !is_tuple(&found) => {
            let word = if *tag == Aggregate::Union { "union" } else { "struct" };
            format!("{word} {}{}", own_name(&found), declared(members, context))
        }
        Kind::Variants(variants) if expand => {
            let lines = variants.alternatives.iter().map(|one| format!("  {},\n", alternative(one, context)));
            format!("enum {} {{\n{}}}", own_name(&found), lines.collect::<String>())
        }
        Kind::Enumeration { enumerators, .. } if expand => {
            let lines = enumerators.iter().map(|(name, _)| format!("  {name},\n"));
            format!("enum {} {{\n{}}}", own_name(&found), lines.collect::<String>())
        }
        Kind::Typedef(target) | Kind::Qualified(_, target) if expand => rust_type(target, expand, context),
        _ => named(ty, context, 0),
    }
}

fn own_name(ty: &Type) -> &str {
    ty.name.as_deref().unwrap_or("<unnamed type>")
}

fn is_tuple(ty: &Type) -> bool {
    own_name(ty).starts_with('(')
}

fn named(ty: &TypeRef, s: &EvalContext<'_>, depth: u32) -> String {
    let found = type_of(ty, s);
    if depth > MAX_DEPTH {
        return "...".to_owned();
    }
    let inner = |ty: &TypeRef| named(ty, s, depth + 1);
    match &found.kind {
        Kind::Void => found.name.as_deref().unwrap_or("()").to_owned(),
        Kind::Pointer(target) => format!("*mut {}", inner(target)),
        Kind::Reference(target, _) => format!("&{}", inner(target)),
        Kind::Qualified(_, target) => inner(target),
        Kind::Array { .. } => match element_of(&found, s) {
            Some((element, _, Some(count))) => format!("[{}; {count}]", inner(&element)),
            Some((element, ..)) => format!("[{}]", inner(&element)),
            None => "[]".to_owned(),
        },
        Kind::Function { returns, parameters, variadic, .. } => {
            let mut texts: Vec<String> = parameters.iter().map(inner).collect();
            if *variadic {
                texts.push("...".to_owned());
            }
            let is_void = type_of(returns, s).kind == Kind::Void;
            let returns = match inner(returns) {
                nothing if is_void || nothing == "()" => String::new(),
                returns => format!(" -> {returns}"),
            };
            format!("fn ({}){returns}", texts.join(", "))
        }
        Kind::Unknown(why) => found.name.as_deref().map_or_else(|| format!("<{why}>"), str::to_owned),
        _ => own_name(&found).to_owned(),
    }
}

fn declared(members: &[Member], s: &EvalContext<'_>) -> String {
    let mut text = String::new();
    let Some((open, close)) = brackets(members) else { return text };
    text.push_str(&format!(" {open}\n"));
    for member in members {
        text.push_str(&format!("  {},\n", field(member, s)));
    }
    text.push_str(close);
    text
}

/// Returns the brackets around the fields: round ones for a tuple; `None` if there are no fields.
fn brackets(members: &[Member]) -> Option<(&'static str, &'static str)> {
    let first = members.first()?;
    Some(if is_numbered(first) { ("(", ")") } else { ("{", "}") })
}

fn is_numbered(member: &Member) -> bool {
    member.name.as_deref().is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_digit()))
}

fn field(member: &Member, s: &EvalContext<'_>) -> String {
    let ty = named(&member.ty, s, 1);
    match &member.name {
        Some(name) if !is_numbered(member) => format!("{name}: {ty}"),
        _ => ty,
    }
}

/// Formats an alternative of an enum with its fields.
fn alternative(alternative: &Alternative, s: &EvalContext<'_>) -> String {
    let found = type_of(&alternative.member.ty, s);
    let mut text = alternative.member.name.as_deref().unwrap_or_default().to_owned();
    if let Kind::Aggregate { members, .. } = &found.kind
        && let Some((open, close)) = brackets(members)
    {
        let fields: Vec<String> = members.iter().map(|member| field(member, s)).collect();
        text.push_str(&format!("{open}{}{close}", fields.join(", ")));
    }
    text
}
