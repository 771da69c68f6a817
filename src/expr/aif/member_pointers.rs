//! Converts pointers to members. gdb shows them by name, not as numbers: `&Class::member`, `&virtual Class::method()`.

use super::pointed_text::symbol;
use crate::context::EvalContext;
use crate::lang::cpp::base_classes::MOST_PARTS;
use crate::types::{MAX_DEPTH, stripped};
use debuginfo::types::{Kind, TypeRef};
use model::aif::{AifType, AifValue, as_gdb_spells};

/// Returns a number with the words that stand for it, as an enumeration with this one value.
fn named(words: String, bits: u64) -> (AifType, AifValue) {
    let base = Box::new(AifType::Integer { signed: true, size: 8 });
    let ty = AifType::Enumeration { name: String::new(), enumerators: vec![(words, bits as i64)], base };
    own(ty, bits)
}

/// Values of one type of pointers have different words, so that each carries its own type.
fn own(ty: AifType, bits: u64) -> (AifType, AifValue) {
    (AifType::Own, AifValue::Own(Box::new(ty), Box::new(AifValue::Scalar(u128::from(bits)))))
}

/// Converts a pointer to a member of a class from its bytes.
pub(super) fn member_pointer(ty: &TypeRef, bits: u128, s: &EvalContext<'_>) -> (AifType, AifValue) {
    let (reference, found) = stripped(ty, s);
    let Kind::MemberPointer { class, target } = &found.kind else {
        return own(AifType::Integer { signed: true, size: 8 }, bits as u64);
    };
    let first = bits as u64;
    if !matches!(stripped(target, s).1.kind, Kind::Function { .. }) {
        return match data_member(class, first, &mut MOST_PARTS.clone(), s, 0) {
            _ if first == u64::MAX => named("NULL".to_owned(), first),
            Some(name) => named(format!("&{name}"), first),
            None => own(AifType::Integer { signed: true, size: 8 }, first),
        };
    }
    let adjustment = (bits >> 64) as u64;
    let adjusted = if adjustment == 0 { String::new() } else { format!(", this adjustment {}", adjustment as i64) };
    if first == 0 {
        return named("NULL".to_owned(), first);
    }
    if first % 2 == 1 {
        let slot = first / 8;
        let method = virtual_method(class, slot, s, 0);
        let words = method.map_or_else(|| format!("&virtual table offset {slot}"), |name| format!("&virtual {name}"));
        return named(words + &adjusted, first);
    }
    let symbol = symbol(first, s).map(|symbol| format!(" <{symbol}>")).unwrap_or_default();
    let spelled = as_gdb_spells(&s.type_name(&reference));
    named(format!("({spelled}) {first:#x}{symbol}{adjusted}"), first)
}

/// Returns the data member at an offset, with the class that declares it.
fn data_member(class: &TypeRef, offset: u64, left: &mut u32, s: &EvalContext<'_>, depth: u32) -> Option<String> {
    *left = left.checked_sub(1)?;
    let (reference, ty) = stripped(class, s);
    let Kind::Aggregate { members, .. } = &ty.kind else { return None };
    let data = || members.iter().filter(|member| !member.is_static && member.virtual_at.is_none());
    let own = data().find(|member| !member.base && member.bits.is_none() && member.offset == offset);
    if let Some(name) = own.and_then(|member| member.name.as_deref()) {
        let class = s.type_name(&reference);
        return Some(format!("{}::{name}", class.strip_prefix("struct ").unwrap_or(&class)));
    }
    let mut inner = data().filter(|member| depth < MAX_DEPTH && (member.base || member.name.is_none()));
    inner.find_map(|member| data_member(&member.ty, offset.checked_sub(member.offset)?, left, s, depth + 1))
}

/// Returns the virtual method in a slot of the table with its class and parameters, from the class or its first base
/// class, which shares the table.
fn virtual_method(class: &TypeRef, slot: u64, s: &EvalContext<'_>, depth: u32) -> Option<String> {
    let (reference, ty) = stripped(class, s);
    let Kind::Aggregate { members, .. } = &ty.kind else { return None };
    let methods = s.symbols().class(&reference).map(|class| class.methods).unwrap_or_default();
    if let Some(own) = methods.iter().find(|method| method.slot == Some(slot)) {
        return Some(own.full_name.as_ref().map_or_else(
            || {
                let class = s.type_name(&reference);
                format!("{}::{}()", class.strip_prefix("struct ").unwrap_or(&class), own.name)
            },
            |name| name.to_string(),
        ));
    }
    let base = members.iter().find(|member| member.base && member.offset == 0 && depth < MAX_DEPTH)?;
    virtual_method(&base.ty, slot, s, depth + 1)
}
