//! Types that others refer to by number.

use super::AifType;
use std::collections::HashMap;

/// Collects the types that `%N/` defines, by their numbers.
pub(super) fn named_types(ty: &AifType) -> HashMap<u32, &AifType> {
    fn collect<'a>(ty: &'a AifType, named: &mut HashMap<u32, &'a AifType>) {
        match ty {
            AifType::Named { id, ty } => {
                named.insert(*id, ty);
                collect(ty, named);
            }
            AifType::Pointer { target, .. } | AifType::Reference { target, .. } => collect(target, named),
            AifType::Array { element, .. } | AifType::Runs { element, .. } => collect(element, named),
            AifType::Aggregate { .. } => ty.aggregate_members().for_each(|field| collect(&field.ty, named)),
            AifType::Union { members, .. } => members.iter().for_each(|field| collect(&field.ty, named)),
            AifType::Optional(ty) | AifType::Located { ty, .. } => collect(ty, named),
            AifType::Titled(ty) | AifType::Spoken { ty, .. } => collect(ty, named),
            AifType::Children { key, element, .. } => {
                collect(key, named);
                collect(element, named);
            }
            _ => {}
        }
    }
    let mut named = HashMap::new();
    collect(ty, &mut named);
    named
}
