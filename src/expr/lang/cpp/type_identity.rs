//! `typeid`: the object with which the C++ library describes a type.

use super::dynamic_class::{has_table, whole_object};
use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::eval::node::value;
use crate::eval::operand::dereferenced;
use crate::eval::type_expressions::type_that_is_named;
use crate::syntax::tree::Node;
use crate::types::{made, stripped};
use crate::value::Value;
use debuginfo::types::builtin::{Builtin, pointer_to};
use debuginfo::types::{Aggregate, Kind, Member, Place, Qualifier, Type, TypeRef};
use model::VirtualAddress;
use model::aif::as_gdb_spells;
use std::sync::Arc;

/// Evaluates `typeid` of an expression, by the class that an object has now, or of a type.
pub(super) fn type_identity(of: &Node, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let ty = described(of, s)?;
    if !s.has_effects() {
        return Ok(Value::new(type_information(s), Place::Memory(VirtualAddress(0))));
    }
    let (ty, found) = stripped(&ty, s);
    // The library names a pointer by its target, without typedefs.
    let name = as_gdb_spells(&s.type_name(&ty));
    let name = match &found.kind {
        Kind::Aggregate { .. } | Kind::Enumeration { .. } => found.name.as_deref().unwrap_or(&name).to_owned(),
        _ => name.replace(" *", "*"),
    };
    let symbol = s.variable(&format!("typeinfo for {name}"));
    match symbol.map(|symbol| symbol.place) {
        Some(Ok(place)) => Ok(Value::new(type_information(s), place)),
        _ => Err(error(format!("could not find typeinfo symbol for '{name}'"))),
    }
}

/// Returns the type that is described.
fn described(of: &Node, s: &EvalContext<'_>) -> Result<TypeRef, EvalError> {
    if let Some(ty) = type_that_is_named(of, s) {
        return ty;
    }
    let object = dereferenced(&value(of, s)?, s)?;
    let whole = object.address().filter(|_| has_table(object.ty(), s)).and_then(|at| whole_object(at, object.ty(), s));
    Ok(whole.unwrap_or(object).ty().clone())
}

/// Returns the type of the library's object, or one with the same members as gdb has it.
fn type_information(s: &EvalContext<'_>) -> TypeRef {
    let known = s.symbols().type_named("std::type_info");
    let known = known.filter(|ty| matches!(stripped(ty, s).1.kind, Kind::Aggregate { declaration: false, .. }));
    known.unwrap_or_else(|| {
        let constant = |ty| made(None, Kind::Qualified(Qualifier::Const, ty));
        let member = |name: &str, ty: TypeRef, offset: u64| Member {
            name: Some(name.into()),
            ty,
            offset,
            bits: None,
            base: false,
            is_static: false,
            virtual_at: None,
        };
        let members = vec![
            member("_vptr.type_info", pointer_to(TypeRef::Void), 0),
            member("__name", pointer_to(constant(Builtin::Char.ty())), 8),
        ];
        let kind = Kind::Aggregate { tag: Aggregate::Struct, members, declaration: false };
        TypeRef::Made(Arc::new(Type { name: Some("gdb_gnu_v3_type_info".into()), size: Some(16), kind }))
    })
}
