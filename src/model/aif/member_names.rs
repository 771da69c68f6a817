//! The names of the members of a value, for expressions.

use super::types::{AifType, Field};

/// Limit on nested base classes; more means a cycle.
const DEEPEST: u32 = 32;

/// The names of the members of a structure or union, base classes included; empty for any other type.
pub fn member_names(ty: &AifType) -> Vec<String> {
    let mut names = Vec::new();
    collect(ty, 0, &mut names);
    names
}

fn collect(ty: &AifType, depth: u32, into: &mut Vec<String>) {
    let fields: Vec<&Field> = match ty {
        AifType::Reference { target: ty, .. }
        | AifType::Optional(ty)
        | AifType::Named { ty, .. }
        | AifType::Spoken { ty, .. }
            if depth < DEEPEST =>
        {
            return collect(ty, depth + 1, into);
        }
        AifType::Union { members, .. } => members.iter().collect(),
        ty => ty.aggregate_members().collect(),
    };
    for field in fields {
        let is_base = field.name.starts_with('<');
        if is_base && depth < DEEPEST || field.name.is_empty() {
            collect(&field.ty, depth + 1, into);
        } else if !is_base {
            into.push(field.name.strip_prefix("static ").unwrap_or(&field.name).to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_of_bases_and_of_what_has_no_name_are_members() {
        let int = || AifType::Integer { signed: true, size: 4 };
        let field = |name: &str, ty: AifType| Field { name: name.to_owned(), ty };
        let base = AifType::aggregate("base", vec![field("b", int())]);
        let union = AifType::Union { name: String::new(), members: vec![field("u", int()), field("v", int())] };
        let whole = AifType::aggregate(
            "whole",
            vec![field("<base>", base), field("m", int()), field("static s", int()), field("", union)],
        );
        assert_eq!(member_names(&whole), ["b", "m", "s", "u", "v"]);
        let reference = AifType::Reference { size: 8, target: Box::new(whole) };
        assert_eq!(member_names(&reference), ["b", "m", "s", "u", "v"]);
        assert_eq!(member_names(&int()), [""; 0]);
    }
}
