//! Resolves types written in expressions.

use super::names::is_function_or_nothing;
use super::node::value;
use crate::EvalError;
use crate::context::EvalContext;
use crate::syntax::tree::{BaseType, Derivation, Node, NodeKind, TypeExpression};
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
        BaseType::Of { of, refers } => type_of_node(of, *refers, context)?,
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
            Derivation::Reference { rvalue } => made(Some(8), Kind::Reference(ty, *rvalue)),
            Derivation::MemberPointer(class) => {
                let found = context.symbols().type_named(class);
                let class = found.ok_or_else(|| {
                    let message = context.language().unknown_type(class);
                    EvalError::new(ErrorCode::UNKNOWN_TYPE, message).at(expression.position).of_types()
                })?;
                let is_method = matches!(stripped(&ty, context).1.kind, Kind::Function { .. });
                made(Some(if is_method { 16 } else { 8 }), Kind::MemberPointer { class, target: ty })
            }
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

/// Returns the type that a node is or names; `None` if it stands for a value.
pub(crate) fn type_that_is_named(node: &Node, s: &EvalContext<'_>) -> Option<Result<TypeRef, EvalError>> {
    match &node.kind {
        NodeKind::Type(ty) => Some(resolve(ty, s)),
        NodeKind::Name(name) if is_function_or_nothing(name, s) => s.symbols().type_named(name).map(Ok),
        _ => None,
    }
}

/// Returns the type of an expression, which is not evaluated; of a name without a value, the type that it names.
/// `refers`: a reference if the value has an address.
fn type_of_node(of: &Node, refers: bool, s: &EvalContext<'_>) -> Result<TypeRef, EvalError> {
    if let Some(ty) = type_that_is_named(of, s) {
        return ty;
    }
    let value = value(of, &s.avoiding_side_effects())?;
    let is_reference = matches!(stripped(value.ty(), s).1.kind, Kind::Reference(..));
    let ty = value.ty().clone();
    Ok(if refers && value.is_assignable() && !is_reference { made(Some(8), Kind::Reference(ty, false)) } else { ty })
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
