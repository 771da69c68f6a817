//! `$_` and `$__`: the address that `x` showed last, and its contents.

use crate::context::EvalContext;
use crate::value_history::{Note, ValueHistory};
use debuginfo::types::builtin::pointer_to;
use debuginfo::types::{Encoding, Kind, Place, Type, TypeRef};
use model::{Examination, VirtualAddress};
use std::sync::Arc;

const ADDRESS: &str = "_";
const VALUE: &str = "__";

/// Returns the debugger's own integer type: in gdb, unlike C, one of a byte is a number, not a character.
fn integer(size: u32) -> TypeRef {
    let name = format!("int{}_t", size.saturating_mul(8));
    let kind = Kind::Base(Encoding::Signed);
    TypeRef::Made(Arc::new(Type { name: Some(name.into()), size: Some(size.into()), kind }))
}

/// Returns the type of a character of more than a byte.
fn character(size: u32) -> TypeRef {
    let name = format!("char{}_t", size.saturating_mul(8));
    let kind = Kind::Base(Encoding::Utf);
    TypeRef::Made(Arc::new(Type { name: Some(name.into()), size: Some(size.into()), kind }))
}

fn set(value_history: &ValueHistory, name: &str, ty: TypeRef, bytes: &[u8]) {
    value_history.set_variable(name, Note { ty, place: Place::Convenience(name.into(), bytes.into()) });
}

/// Records the last number or string shown. As in gdb, a string has an address but no value.
pub fn note_examined(examined: Examination, start: VirtualAddress, bytes: &[u8], context: &EvalContext<'_>) {
    let (Some(value_history), Some(last)) = (context.value_history(), examined.last(bytes)) else { return };
    let address = start.0.wrapping_add(last as u64);
    let (ty, value) = match examined {
        Examination::Place => {
            return set(value_history, ADDRESS, pointer_to(TypeRef::Void), &address.to_le_bytes());
        }
        Examination::Units(unit) => (integer(unit), bytes.get(last..).and_then(|rest| rest.get(..unit as usize))),
        Examination::Texts { unit: 0 | 1, .. } => (integer(1), None),
        Examination::Texts { unit, .. } => (character(unit), None),
    };
    set(value_history, ADDRESS, pointer_to(ty.clone()), &address.to_le_bytes());
    match value {
        Some(value) => set(value_history, VALUE, ty, value),
        None => value_history.forget_variable(VALUE),
    }
}

/// Records the last instruction shown, which has no value either.
pub fn note_examined_code(last: VirtualAddress, context: &EvalContext<'_>) {
    note_examined(Examination::Texts { count: 1, unit: 1, limit: 1 }, last, &[0], context);
}
