//! Resolves type references, typedefs and qualifiers.

use crate::context::EvalContext;
use debuginfo::types::{Kind, Type, TypeRef};
use std::sync::{Arc, LazyLock};

/// Limit on typedefs and qualifiers of one type; more mean a loop in damaged debug information.
const MOST_NAMES: usize = 64;

/// Limit on nested types; more mean a loop in damaged debug information.
pub(super) const MAX_DEPTH: u32 = 48;

static VOID: LazyLock<Arc<Type>> =
    LazyLock::new(|| Arc::new(Type { name: Some("void".into()), size: Some(1), kind: Kind::Void }));

/// Returns the referenced type.
pub(super) fn type_of(ty: &TypeRef, context: &EvalContext<'_>) -> Arc<Type> {
    match ty {
        TypeRef::Void => VOID.clone(),
        TypeRef::Made(made) => made.clone(),
        TypeRef::Entry(_) => context.symbols().type_of(ty),
    }
}

/// Returns the type without typedefs and qualifiers.
pub(super) fn stripped(ty: &TypeRef, context: &EvalContext<'_>) -> (TypeRef, Arc<Type>) {
    let mut reference = ty.clone();
    for _ in 0..MOST_NAMES {
        let found = type_of(&reference, context);
        match &found.kind {
            Kind::Typedef(next) | Kind::Qualified(_, next) => reference = next.clone(),
            _ => return (reference, found),
        }
    }
    let kind = Kind::Unknown("a type that is defined by itself".to_owned());
    let unknown = Arc::new(Type { name: None, size: None, kind });
    (TypeRef::Made(unknown.clone()), unknown)
}

/// Returns the type without outer typedefs; qualifiers stay.
pub(super) fn without_typedefs(ty: &TypeRef, context: &EvalContext<'_>) -> TypeRef {
    let mut qualifiers = Vec::new();
    let mut reference = ty.clone();
    let mut changed = false;
    for _ in 0..MOST_NAMES {
        match &type_of(&reference, context).kind {
            Kind::Typedef(next) => {
                reference = next.clone();
                changed = true;
            }
            Kind::Qualified(qualifier, next) => {
                qualifiers.push(*qualifier);
                reference = next.clone();
            }
            _ => break,
        }
    }
    if !changed {
        return ty.clone();
    }
    let size = type_of(&reference, context).size;
    qualifiers.into_iter().rev().fold(reference, |ty, qualifier| made(size, Kind::Qualified(qualifier, ty)))
}

/// Returns the size of a value in bytes; for an array, of all its elements.
pub(super) fn size_of(ty: &TypeRef, context: &EvalContext<'_>) -> Option<u64> {
    fn size(ty: &TypeRef, context: &EvalContext<'_>, depth: u32) -> Option<u64> {
        let (_, found) = stripped(ty, context);
        match &found.kind {
            Kind::Pointer(_) | Kind::Reference(..) => Some(found.size.unwrap_or(8)),
            Kind::Function { .. } | Kind::Void => Some(1),
            Kind::Array { element, dimensions } if found.size.is_none() && depth < MAX_DEPTH => {
                dimensions.iter().try_fold(size(element, context, depth + 1)?, |size, dimension| {
                    size.checked_mul(dimension.count.unwrap_or(0))
                })
            }
            _ => found.size,
        }
    }
    size(ty, context, 0)
}

/// Returns the type, lower bound and count after indexing an array once: an array with one dimension less, or an
/// element.
pub(super) fn element_of(array: &Type, context: &EvalContext<'_>) -> Option<(TypeRef, i64, Option<u64>)> {
    let Kind::Array { element, dimensions } = &array.kind else { return None };
    let (first, rest) = dimensions.split_first()?;
    if rest.is_empty() {
        return Some((element.clone(), first.lower, first.count));
    }
    let counts = rest.iter().map(|dimension| dimension.count);
    let size = counts.fold(size_of(element, context), |size, count| size?.checked_mul(count?));
    let kind = Kind::Array { element: element.clone(), dimensions: rest.to_vec() };
    Some((made(size, kind), first.lower, first.count))
}

pub(crate) fn made(size: Option<u64>, kind: Kind) -> TypeRef {
    TypeRef::Made(Arc::new(Type { name: None, size, kind }))
}
