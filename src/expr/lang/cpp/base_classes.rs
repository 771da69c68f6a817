//! Base classes: the part of an object that one of them is, and the names that choose it (`object.Base::member`).

use crate::EvalError;
use crate::context::EvalContext;
use crate::types::{MAX_DEPTH, stripped};
use crate::value::Value;
use debuginfo::types::{Kind, Member, TypeRef};
use model::VirtualAddress;

/// Limit on the base classes that are searched: damaged debug information can describe more paths to them than there is
/// time for.
pub(crate) const MOST_PARTS: u32 = 4_000;

/// Takes one from what is left to search; false if nothing is.
pub(crate) fn spend(left: &mut u32) -> bool {
    let is_left = *left > 0;
    *left = left.saturating_sub(1);
    is_left
}

/// Returns a member or base class of an object; the offset of a virtual base class is stored in the object.
pub(crate) fn member_value(of: &Value, member: &Member, context: &EvalContext<'_>) -> Result<Value, EvalError> {
    let Some(before) = member.virtual_at else { return Ok(of.part(member.ty.clone(), member.offset, None)) };
    let table = of.read_bits(8, context)? as u64;
    let mut distance = [0; 8];
    context.read(VirtualAddress(table.wrapping_sub(before)), &mut distance)?;
    Ok(of.part(member.ty.clone(), u64::from_le_bytes(distance), None))
}

/// True if the type is a structure, class or union.
pub(crate) fn is_class(ty: &TypeRef, s: &EvalContext<'_>) -> bool {
    matches!(stripped(ty, s).1.kind, Kind::Aggregate { .. })
}

/// True if two types are the same class: each file of a program has a description of its own.
pub(crate) fn is_same_class(left: &TypeRef, right: &TypeRef, s: &EvalContext<'_>) -> bool {
    let ((left, first), (right, second)) = (stripped(left, s), stripped(right, s));
    let are_classes = || matches!((&first.kind, &second.kind), (Kind::Aggregate { .. }, Kind::Aggregate { .. }));
    left == right || first.name.is_some() && first.name == second.name && are_classes()
}

/// Returns the object itself if it is of the class, or the part of it that is this base class.
pub(crate) fn base_part(of: &Value, class: &TypeRef, s: &EvalContext<'_>) -> Option<Value> {
    part_for(of, &|ty| is_same_class(ty, class, s), s)
}

/// As [`base_part`], by the name that an expression has for the class.
pub(crate) fn base_part_named(of: &Value, scope: &str, s: &EvalContext<'_>) -> Option<Value> {
    let class = s.symbols().type_named(scope);
    let is_named = |ty: &TypeRef| {
        let (_, found) = stripped(ty, s);
        let before = found.name.as_deref().and_then(|name| name.strip_suffix(scope));
        before.is_some_and(|before| before.is_empty() || before.ends_with("::"))
            || class.as_ref().is_some_and(|class| is_same_class(ty, class, s))
    };
    part_for(of, &is_named, s)
}

fn part_for(of: &Value, is_wanted: &dyn Fn(&TypeRef) -> bool, s: &EvalContext<'_>) -> Option<Value> {
    fn search(
        of: &Value,
        is_wanted: &dyn Fn(&TypeRef) -> bool,
        depth: u32,
        left: &mut u32,
        s: &EvalContext<'_>,
    ) -> Option<Value> {
        if is_wanted(of.ty()) {
            return Some(of.clone());
        }
        let (_, ty) = stripped(of.ty(), s);
        let Kind::Aggregate { members, .. } = &ty.kind else { return None };
        if depth >= MAX_DEPTH {
            return None;
        }
        for base in members.iter().filter(|member| member.base) {
            *left = left.checked_sub(1)?;
            let part = member_value(of, base, s).ok()?;
            if let Some(found) = search(&part, is_wanted, depth + 1, left, s) {
                return Some(found);
            }
        }
        None
    }
    search(of, is_wanted, 0, &mut MOST_PARTS.clone(), s)
}

/// Returns where a base class is in the objects of a class; `None` if it is none of its bases, or is reached through a
/// virtual one, whose place only an object knows.
pub(crate) fn offset_of_base(class: &TypeRef, base: &TypeRef, s: &EvalContext<'_>) -> Option<u64> {
    fn search(class: &TypeRef, base: &TypeRef, depth: u32, left: &mut u32, s: &EvalContext<'_>) -> Option<u64> {
        if is_same_class(class, base, s) {
            return Some(0);
        }
        let (_, ty) = stripped(class, s);
        let Kind::Aggregate { members, .. } = &ty.kind else { return None };
        if depth >= MAX_DEPTH {
            return None;
        }
        for member in members.iter().filter(|member| member.base && member.virtual_at.is_none()) {
            *left = left.checked_sub(1)?;
            if let Some(offset) = search(&member.ty, base, depth + 1, left, s) {
                return offset.checked_add(member.offset);
            }
        }
        None
    }
    search(class, base, 0, &mut MOST_PARTS.clone(), s)
}

/// Splits the name of a member into the class that it names and the rest: `Base::x`.
pub(crate) fn scope_of_member(name: &str) -> Option<(&str, &str)> {
    let (mut depth, mut at) = (0_u32, None);
    let operator = name.rfind("operator").filter(|at| *at == 0 || name.get(..*at).is_some_and(|s| s.ends_with("::")));
    for (index, c) in name.char_indices().take_while(|(index, _)| operator.is_none_or(|operator| *index < operator)) {
        match c {
            '<' | '(' => depth += 1,
            '>' | ')' => depth = depth.saturating_sub(1),
            ':' if depth == 0 && name.get(index..).is_some_and(|rest| rest.starts_with("::")) => at = Some(index),
            _ => {}
        }
    }
    let (scope, rest) = name.split_at_checked(at?)?;
    Some((scope, rest.trim_start_matches(':'))).filter(|(scope, rest)| !scope.is_empty() && !rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_member_is_split_from_the_class_that_it_names() {
        for (name, parts) in [
            ("Base::x", Some(("Base", "x"))),
            ("ns::Base<a::b>::x", Some(("ns::Base<a::b>", "x"))),
            ("Base::operator<", Some(("Base", "operator<"))),
            ("Base::operator ns::T", Some(("Base", "operator ns::T"))),
            ("x", None),
            ("::x", None),
        ] {
            assert_eq!(scope_of_member(name), parts, "{name}");
        }
    }
}
