//! Pointers to members: `&Class::member`, `object.*pointer`, calls of the method that a pointer leads to (Itanium C++
//! ABI, 2.3).

use super::base_classes::{base_part, scope_of_member};
use super::methods::entry_of;
use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::eval::access::pointed_object;
use crate::eval::arithmetic::truth;
use crate::eval::node::value;
use crate::eval::operand::dereferenced;
use crate::syntax::tree::{BinaryOperator, Node};
use crate::types::{MAX_DEPTH, made, stripped};
use crate::value::Value;
use debuginfo::types::builtin::pointer_to;
use debuginfo::types::{Kind, Place, TypeRef};
use model::VirtualAddress;

/// Limit on the classes that are searched for a member.
const MOST: u32 = 4_000;

/// A member of an object, as a pointer to a member leads to it.
pub(super) struct Pointed {
    /// The data, or the code of the method.
    pub(super) member: Value,
    /// Points to the object that a method gets as `this`; `None` for data.
    pub(super) this: Option<Value>,
}

/// Returns the address of a non-static member that a name with its class stands for; `None` if it stands for something
/// else.
pub(super) fn address_of_member(name: &str, s: &EvalContext<'_>) -> Option<Value> {
    let (scope, member) = scope_of_member(name)?;
    let class = s.symbols().type_named(scope)?;
    if let Some((target, offset)) = data_member(&class, member, &mut MOST.clone(), s, 0) {
        let ty = made(Some(8), Kind::MemberPointer { class, target });
        return Some(Value::known(ty, offset.to_le_bytes().to_vec()));
    }
    let is_method = |ty: &TypeRef| match &stripped(ty, s).1.kind {
        // A static method has no object.
        Kind::Function { parameters, .. } => parameters.first().is_some_and(|first| is_pointer_to(first, &class, s)),
        _ => false,
    };
    let function = s.symbols().functions(name).into_iter().find(|function| is_method(&function.ty))?;
    let first = match (s.symbols().virtual_slot(&function.ty), &function.place) {
        (Some(slot), _) => slot.checked_mul(8)?.checked_add(1)?,
        (None, Ok(Place::Memory(address))) => address.0,
        _ => return None,
    };
    let ty = made(Some(16), Kind::MemberPointer { class, target: function.ty });
    Some(Value::known(ty, [first.to_le_bytes(), [0; 8]].concat()))
}

/// Returns the type of a non-static data member that is named with its class.
pub(super) fn type_of_member(name: &str, s: &EvalContext<'_>) -> Option<TypeRef> {
    let (scope, member) = scope_of_member(name)?;
    let class = s.symbols().type_named(scope)?;
    data_member(&class, member, &mut MOST.clone(), s, 0).map(|(ty, _)| ty)
}

fn is_pointer_to(ty: &TypeRef, class: &TypeRef, s: &EvalContext<'_>) -> bool {
    let Kind::Pointer(target) = &stripped(ty, s).1.kind else { return false };
    stripped(target, s).1.name == stripped(class, s).1.name
}

/// Returns the type and the offset of a data member of a class or of its base classes.
fn data_member(class: &TypeRef, name: &str, left: &mut u32, s: &EvalContext<'_>, depth: u32) -> Option<(TypeRef, u64)> {
    *left = left.checked_sub(1)?;
    let (_, ty) = stripped(class, s);
    let Kind::Aggregate { members, .. } = &ty.kind else { return None };
    let own = members.iter().find(|member| !member.base && member.name.as_deref() == Some(name));
    if let Some(own) = own {
        return (!own.is_static && own.bits.is_none()).then(|| (own.ty.clone(), own.offset));
    }
    let inner = members.iter().filter(|member| !member.is_static && (member.base || member.name.is_none()));
    let mut inner = inner.filter(|member| member.virtual_at.is_none() && depth < MAX_DEPTH);
    inner.find_map(|member| {
        let (ty, offset) = data_member(&member.ty, name, left, s, depth + 1)?;
        Some((ty, member.offset.checked_add(offset)?))
    })
}

fn parts_of(pointer: &Value, s: &EvalContext<'_>) -> Result<Option<(TypeRef, TypeRef, bool)>, EvalError> {
    Ok(match &stripped(pointer.ty(), s).1.kind {
        Kind::MemberPointer { class, target } => {
            let is_method = matches!(stripped(target, s).1.kind, Kind::Function { .. });
            Some((class.clone(), target.clone(), is_method))
        }
        _ => None,
    })
}

/// Returns what `object.*pointer` or `pointer->*pointer` stands for.
pub(super) fn pointed_member(of: &Node, member: &Node, arrow: bool, s: &EvalContext<'_>) -> Result<Pointed, EvalError> {
    let of = value(of, s)?;
    let pointer = dereferenced(&value(member, s)?, s)?;
    let Some((class, target, is_method)) = parts_of(&pointer, s)? else {
        return Err(error("The right side of .* and ->* must be a pointer to a member.").of_types());
    };
    let object = if arrow { pointed_object(&of, s)? } else { dereferenced(&of, s)? };
    let object = base_part(&object, &class, s).ok_or_else(|| {
        let (object, class) = (s.type_name(object.ty()), s.type_name(&class));
        error(format!("A member of {class} is no member of {object}.")).of_types()
    })?;
    if !s.has_effects() {
        let place = Place::Memory(VirtualAddress(0));
        let this = is_method.then(|| Value::new(pointer_to(class), place.clone()));
        return Ok(Pointed { member: Value::new(target, place), this });
    }
    let bits = pointer.read_bits(if is_method { 16 } else { 8 }, s)?;
    if !is_method {
        let offset = bits as u64;
        if offset == u64::MAX {
            return Err(error("The pointer to a member is null."));
        }
        return Ok(Pointed { member: object.part(target, offset, None), this: None });
    }
    let (first, adjustment) = (bits as u64, (bits >> 64) as u64);
    if first == 0 {
        return Err(error("The pointer to a member is null."));
    }
    let object = object.part(class.clone(), adjustment, None);
    let address = object.address().ok_or_else(|| error("Attempt to take address of value not located in memory."))?;
    let code = if first % 2 == 1 { entry_of(&object, first / 8, s)? } else { VirtualAddress(first) };
    let this = Value::known(pointer_to(class), address.0.to_le_bytes().to_vec());
    Ok(Pointed { member: Value::new(target, Place::Memory(code)), this: Some(this) })
}

/// True if a pointer to a member is null; `None` for a value of another type.
pub(super) fn is_null(pointer: &Value, s: &EvalContext<'_>) -> Result<Option<bool>, EvalError> {
    let Some((.., is_method)) = parts_of(pointer, s)? else { return Ok(None) };
    Ok(Some(if is_method { pointer.read_bits(8, s)? == 0 } else { pointer.read_bits(8, s)? as u64 == u64::MAX }))
}

/// Compares pointers to members; `None` if neither value is one.
pub(super) fn compared(
    operator: BinaryOperator,
    left: &Value,
    right: &Value,
    s: &EvalContext<'_>,
) -> Result<Option<Value>, EvalError> {
    let same = match (parts_of(left, s)?, parts_of(right, s)?) {
        (None, None) => return Ok(None),
        (Some((_, _, a)), Some((_, _, b))) if a == b => {
            let size = if a { 16 } else { 8 };
            left.read_bits(size, s)? == right.read_bits(size, s)?
        }
        _ => return Err(error("Invalid type combination in equality test.").of_types()),
    };
    match operator {
        BinaryOperator::Equal => Ok(Some(truth(same, s))),
        BinaryOperator::NotEqual => Ok(Some(truth(!same, s))),
        _ => Err(error("Argument to arithmetic operation not a number or boolean.").of_types()),
    }
}
