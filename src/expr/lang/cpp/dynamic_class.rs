//! The class that an object of C++ has when the program runs, by the table of virtual functions that it points to
//! (Itanium C++ ABI, 2.5).

use super::base_classes::{MOST_PARTS, spend};
use crate::context::EvalContext;
use crate::eval::operand::dereferenced;
use crate::types::{MAX_DEPTH, made, size_of, stripped, type_of};
use crate::value::Value;
use debuginfo::types::{Kind, Place, TypeRef};
use model::VirtualAddress;

/// In the symbol of a table, before the name of the class.
const TABLE_OF: &str = "vtable for ";
/// The start of the name of a member that points to a table.
const TABLE: &str = "_vptr";
/// The distance from the entry that objects point to, back to the offset of the whole object.
const OFFSET_TO_TOP: u64 = 16;

/// True if objects of the class begin with a pointer to a table: it or one of its bases has virtual functions or bases.
pub(super) fn has_table(ty: &TypeRef, s: &EvalContext<'_>) -> bool {
    fn search(ty: &TypeRef, s: &EvalContext<'_>, depth: u32, left: &mut u32) -> bool {
        let Kind::Aggregate { members, .. } = &stripped(ty, s).1.kind else { return false };
        members.iter().any(|member| {
            member.virtual_at.is_some()
                || member.name.as_deref().is_some_and(|name| name.starts_with(TABLE))
                || member.base && depth < MAX_DEPTH && spend(left) && search(&member.ty, s, depth + 1, left)
        })
    }
    search(ty, s, 0, &mut MOST_PARTS.clone())
}

/// Returns the whole object that an object is, or is a base of; `None` if its class has no table, or the table is none
/// that the debug information knows.
pub(super) fn whole_object(address: VirtualAddress, class: &TypeRef, s: &EvalContext<'_>) -> Option<Value> {
    if !has_table(class, s) {
        return None;
    }
    let word = |address: u64| {
        let mut bytes = [0; 8];
        s.read(VirtualAddress(address), &mut bytes).ok()?;
        Some(u64::from_le_bytes(bytes))
    };
    let table = word(address.0)?;
    let (symbol, _) = s.symbols().symbol_at(VirtualAddress(table))?;
    let ty = s.symbols().type_named(symbol.strip_prefix(TABLE_OF)?)?;
    let whole = address.0.wrapping_add(word(table.wrapping_sub(OFFSET_TO_TOP))?);
    // While an object is destroyed, its class is a base of the declared one.
    let is_larger = size_of(&ty, s)? >= size_of(class, s)?;
    is_larger.then(|| Value::new(ty, Place::Memory(VirtualAddress(whole))))
}

/// Returns a class with the qualifiers of another.
fn qualified_as(model: &TypeRef, class: TypeRef, s: &EvalContext<'_>) -> TypeRef {
    match &type_of(model, s).kind {
        Kind::Qualified(qualifier, next) => {
            let inner = qualified_as(next, class, s);
            let size = size_of(&inner, s);
            made(size, Kind::Qualified(*qualifier, inner))
        }
        _ => class,
    }
}

/// Returns an object, or a pointer or reference to one, with the class that the object has when the program runs;
/// `None` for other values.
pub(super) fn with_dynamic_class(of: &Value, s: &EvalContext<'_>) -> Option<Value> {
    let (_, ty) = stripped(of.ty(), s);
    let (target, kind): (&TypeRef, &dyn Fn(TypeRef) -> Kind) = match &ty.kind {
        Kind::Pointer(target) => (target, &Kind::Pointer),
        Kind::Reference(target, moves) => (target, &|ty| Kind::Reference(ty, *moves)),
        Kind::Aggregate { .. } => return whole_object(of.address()?, of.ty(), s),
        _ => return None,
    };
    let address = of.read_bits(8, s).ok()? as u64;
    let whole = whole_object(VirtualAddress(address), target, s)?;
    let ty = made(Some(8), kind(qualified_as(target, whole.ty().clone(), s)));
    Some(Value::known(ty, whole.address()?.0.to_le_bytes().to_vec()))
}

/// As [`with_dynamic_class`], for the left side of an arrow.
pub(super) fn dynamic_target(of: Value, s: &EvalContext<'_>) -> Value {
    let is_pointer = |of: &Value| matches!(stripped(of.ty(), s).1.kind, Kind::Pointer(_));
    let Some(pointer) = dereferenced(&of, s).ok().filter(is_pointer) else { return of };
    with_dynamic_class(&pointer, s).unwrap_or(of)
}
