//! Looking through references to types, typedefs and qualifiers.

use super::EvalError;
use super::context::EvalContext;
use crate::syntax::tree::{BaseType, Derivation, TypeExpression};
use debuginfo::types::builtin::{array_of, pointer_to};
use debuginfo::types::{Encoding, Kind, Qualifier, Type, TypeRef};
use model::ErrorCode;
use model::aif::Spelling;
use std::sync::{Arc, LazyLock};

/// Typedefs and qualifiers on one type; more are a loop in broken debug information.
const MOST_NAMES: usize = 64;

/// Types inside of types; more are a loop in broken debug information.
pub(super) const MAX_DEPTH: u32 = 48;

static VOID: LazyLock<Arc<Type>> =
    LazyLock::new(|| Arc::new(Type { name: Some("void".into()), size: Some(1), kind: Kind::Void }));

/// The type behind a reference.
pub(super) fn type_of(ty: &TypeRef, context: &EvalContext<'_>) -> Arc<Type> {
    match ty {
        TypeRef::Void => VOID.clone(),
        TypeRef::Made(made) => made.clone(),
        TypeRef::Entry(_) => context.type_of(ty),
    }
}

/// The type without typedefs and qualifiers.
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

/// The type without typedefs at its surface; qualifiers stay.
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

/// Bytes of a value of the type; arrays are multiplied out.
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

/// What an array is made of once one index is taken: the element, or an array of one dimension less.
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

/// The type that an expression writes out.
pub(super) fn resolve(expression: &TypeExpression, context: &EvalContext<'_>) -> Result<TypeRef, EvalError> {
    let mut ty = match &expression.base {
        BaseType::Builtin(builtin) => builtin.ty(),
        BaseType::Complex(part) => {
            let (_, found) = stripped(&part.ty(), context);
            let name = format!("complex {}", found.name.as_deref().unwrap_or("double"));
            let size = found.size.map(|size| 2 * size);
            TypeRef::Made(Arc::new(Type { name: Some(name.into()), size, kind: Kind::Base(Encoding::Complex) }))
        }
        BaseType::Named(tag, name) => {
            let spelled = tag.map_or_else(|| name.to_string(), |tag| format!("{tag} {name}"));
            context.type_named(&spelled).ok_or_else(|| {
                let message = match tag {
                    None if context.spelling() == Some(Spelling::Rust) => {
                        format!("No type name '{name}' in current context")
                    }
                    Some(tag) => format!("No {tag} type named {name}."),
                    None => format!("No symbol \"{name}\" in current context."),
                };
                EvalError::new(ErrorCode::UNKNOWN_TYPE, message).at(expression.position).of_types()
            })?
        }
    };
    ty = qualified(ty, expression.is_const, expression.is_volatile);
    for derivation in &expression.derived {
        ty = match derivation {
            Derivation::Pointer { is_const, is_volatile } => qualified(pointer_to(ty), *is_const, *is_volatile),
            Derivation::Reference => made(Some(8), Kind::Reference(ty, false)),
            Derivation::Array(count) => {
                let size = size_of(&ty, context);
                array_of(ty, size, *count)
            }
            Derivation::Function { parameters, variadic, prototyped } => {
                let parameters = parameters.iter().map(|p| resolve(p, context)).collect::<Result<_, _>>()?;
                let kind = Kind::Function { returns: ty, parameters, variadic: *variadic, prototyped: *prototyped };
                made(None, kind)
            }
        };
    }
    Ok(ty)
}

fn made(size: Option<u64>, kind: Kind) -> TypeRef {
    TypeRef::Made(Arc::new(Type { name: None, size, kind }))
}

fn qualified(mut ty: TypeRef, is_const: bool, is_volatile: bool) -> TypeRef {
    if is_volatile {
        ty = made(None, Kind::Qualified(Qualifier::Volatile, ty));
    }
    if is_const {
        ty = made(None, Kind::Qualified(Qualifier::Const, ty));
    }
    ty
}
