//! The enumerators of a type and of what it is made of, for completion.

use super::AifType;

/// Types inside each other that are looked at.
const DEEPEST: u32 = 8;

/// Returns the names of the enumerators of a type, of its members, elements and targets.
pub fn enumerators(ty: &AifType) -> Vec<String> {
    let mut names = Vec::new();
    collect(ty, 0, &mut names);
    names
}

fn collect(ty: &AifType, depth: u32, into: &mut Vec<String>) {
    if depth > DEEPEST {
        return;
    }
    match ty {
        AifType::Enumeration { enumerators, .. } => into.extend(enumerators.iter().map(|(name, _)| name.clone())),
        AifType::Pointer { target, .. } => collect(target, depth + 1, into),
        AifType::Array { element, .. } => collect(element, depth + 1, into),
        AifType::Union { members, .. } => members.iter().for_each(|field| collect(&field.ty, depth + 1, into)),
        ty => ty.aggregate_members().for_each(|field| collect(&field.ty, depth + 1, into)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enumerators_are_found_inside_of_other_types() {
        for descriptor in ["<color|RED=0,BLUE=6>is4", "^a8<color|RED=0,BLUE=6>is4", "[r0,3is4]<color|RED=0,BLUE=6>is4"]
        {
            assert_eq!(enumerators(&descriptor.parse().unwrap()), ["RED", "BLUE"], "{descriptor}");
        }
        assert_eq!(enumerators(&"is4".parse().unwrap()), [""; 0]);
    }
}
