//! Resolves types written in expressions.

use crate::EvalError;
use crate::context::EvalContext;
use crate::syntax::tree::{BaseType, Derivation, TypeExpression};
use crate::types::{made, size_of, stripped};
use debuginfo::types::builtin::{array_of, pointer_to};
use debuginfo::types::{Encoding, Kind, Qualifier, Type, TypeRef};
use model::ErrorCode;
use std::sync::Arc;

/// Resolves a type written in an expression.
pub(crate) fn resolve(expression: &TypeExpression, context: &EvalContext<'_>) -> Result<TypeRef, EvalError> {
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
            context.symbols().type_named(&spelled).ok_or_else(|| {
                let message = match tag {
                    Some(tag) => format!("No {tag} type named {name}."),
                    None => context.language().unknown_type(name),
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

fn qualified(mut ty: TypeRef, is_const: bool, is_volatile: bool) -> TypeRef {
    if is_volatile {
        ty = made(None, Kind::Qualified(Qualifier::Volatile, ty));
    }
    if is_const {
        ty = made(None, Kind::Qualified(Qualifier::Const, ty));
    }
    ty
}
