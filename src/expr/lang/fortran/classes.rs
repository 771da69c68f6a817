//! Objects of classes. gfortran describes a polymorphic variable, `class(T)`, as a structure of a pointer to the object
//! and one to the table of its type; and an extended type as one whose first component is the type it extends, by
//! that type's name.

use crate::EvalError;
use crate::context::EvalContext;
use crate::eval::access::{measured, member};
use crate::eval::operand::dereferenced;
use crate::types::{MAX_DEPTH, size_of, stripped};
use crate::value::Value;
use debuginfo::types::{Kind, Member, Place, Type, TypeRef};
use model::{ErrorCode, VirtualAddress};

/// The start of the names that gfortran gives these structures.
const CLASS: &str = "__class_";
/// The components of these structures.
const OBJECT: &str = "_data";
const TABLE: &str = "_vptr";
/// In the name of the symbol of a type's table, before the name of the type.
const TABLE_OF: &str = "__vtab_";

fn members(ty: &Type) -> &[Member] {
    match &ty.kind {
        Kind::Aggregate { members, .. } => members,
        _ => &[],
    }
}

/// Returns the member of this name, which may be one of a type that it extends, in a value of a derived type.
fn component_of(of: &Value, name: &str, s: &EvalContext<'_>, depth: u32) -> Option<Value> {
    let (_, ty) = stripped(of.ty(), s);
    let members = members(&ty);
    if let Some(found) = members.iter().find(|member| member.name.as_deref() == Some(name)) {
        return Some(of.part(found.ty.clone(), found.offset, None));
    }
    let parent = members.first().filter(|first| {
        let parent = stripped(&first.ty, s).1;
        let own = parent.name.as_deref().map(|name| name.rsplit("::").next().unwrap_or(name));
        matches!(parent.kind, Kind::Aggregate { .. }) && own.is_some() && own == first.name.as_deref()
    })?;
    let part = of.part(parent.ty.clone(), parent.offset, None);
    (depth < MAX_DEPTH).then(|| component_of(&part, name, s, depth + 1)).flatten()
}

/// Returns the object of a polymorphic variable, as its declared type; `None` for other values.
pub(super) fn object_of(of: &Value, s: &EvalContext<'_>) -> Option<Value> {
    let of = dereferenced(of, s).ok()?;
    let (_, ty) = stripped(of.ty(), s);
    let is_class = ty.name.as_deref().is_some_and(|name| name.rsplit("::").next().unwrap_or(name).starts_with(CLASS));
    let has = |wanted: &str| members(&ty).iter().any(|member| member.name.as_deref() == Some(wanted));
    if !is_class || !has(OBJECT) || !has(TABLE) {
        return None;
    }
    let object = member(&of, OBJECT, false, s).ok()?;
    match &stripped(object.ty(), s).1.kind {
        Kind::Pointer(target) => {
            let address = object.read_bits(8, s).ok()? as u64;
            Some(Value::new(target.clone(), Place::Memory(VirtualAddress(address))))
        }
        // Of an array of a class, the descriptor has been followed.
        _ => Some(object),
    }
}

/// Returns the type that the object has now, by the table that the variable points to. gfortran names the table's symbol
/// after the type's module and its name, which is short enough to be readable in all but odd cases.
fn dynamic_type(of: &Value, s: &EvalContext<'_>) -> Option<TypeRef> {
    let of = dereferenced(of, s).ok()?;
    let table = member(&of, TABLE, false, s).ok()?.read_bits(8, s).ok()? as u64;
    let (symbol, offset) = s.symbols().symbol_at(VirtualAddress(table))?;
    let (_, named) = symbol.split_once(TABLE_OF).filter(|_| offset == 0)?;
    let named = named.split('.').next().unwrap_or(named).to_lowercase();
    // Of `module_type`, both may contain underscores.
    let starts = named.match_indices('_').map(|(at, _)| at + 1);
    let name = |from: usize| s.symbols().type_named(named.get(from..).filter(|name| !name.is_empty())?);
    std::iter::once(0).chain(starts).find_map(name)
}

/// Returns a component by its name through a polymorphic variable, a pointer or the types that a type extends; `None`: the
/// value is no derived type, or has no such component.
pub(super) fn component(of: &Value, name: &str, s: &EvalContext<'_>) -> Result<Option<Value>, EvalError> {
    let name = name.to_lowercase();
    let value = dereferenced(of, s)?;
    let value = match &stripped(value.ty(), s).1.kind {
        Kind::Pointer(target) => {
            Value::new(target.clone(), Place::Memory(VirtualAddress(value.read_bits(8, s)? as u64)))
        }
        _ => value,
    };
    let found = match object_of(&value, s) {
        None => component_of(&value, &name, s, 0),
        Some(_) if matches!(&*name, OBJECT | TABLE | "_len") => None,
        Some(object) => component_of(&object, &name, s, 0).or_else(|| {
            let ty = dynamic_type(&value, s).filter(|ty| size_of(ty, s).is_some())?;
            component_of(&object.address().map(|at| Value::new(ty, Place::Memory(at)))?, &name, s, 0)
        }),
    };
    if found.is_none() && !s.has_effects() && object_of(&value, s).is_some() && !name.starts_with('_') {
        // The type that the object has by then may have it.
        return Err(EvalError::new(ErrorCode::UNKNOWN_VARIABLE, format!("There is no member named {name}.")));
    }
    found.map(|found| measured(found, s)).transpose()
}
