//! Passing and returning values (System V ABI, AMD64 supplement, 3.2.3).

use crate::EvalContext;
use debuginfo::types::{Encoding, Kind, Place, Type, TypeRef};
use model::VirtualAddress;
use std::sync::Arc;

/// DWARF number of the first integer register for results.
pub const RAX: u16 = 0;
/// DWARF number of the second integer register for results.
pub const RDX: u16 = 1;
/// DWARF number of the first vector register for results.
pub const XMM0: u16 = 17;
/// DWARF number of the second vector register for results.
pub const XMM1: u16 = 18;
/// DWARF number of the register for x87 results.
pub const ST0: u16 = 33;
/// Deeper nesting of aggregates means damaged debug information.
const DEEPEST: u32 = 16;

/// Splits bytes into eightbytes, the last padded with zeros.
pub fn eightbytes(bytes: &[u8]) -> Vec<u64> {
    let word = |part: &[u8]| {
        let mut word = [0; 8];
        word.iter_mut().zip(part).for_each(|(to, from)| *to = *from);
        u64::from_le_bytes(word)
    };
    bytes.chunks(8).map(word).collect()
}

/// The class of an eightbyte, which selects its register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Passed in a general register.
    Integer,
    /// Passed in a vector register.
    Sse,
}

/// Returns the type without typedefs and qualifiers.
pub fn bare(ty: &TypeRef, view: &EvalContext<'_>) -> Arc<Type> {
    let mut found = view.symbols().type_of(ty);
    for _ in 0..DEEPEST * 4 {
        let inner = match &found.kind {
            Kind::Typedef(inner) | Kind::Qualified(_, inner) => inner.clone(),
            _ => break,
        };
        found = view.symbols().type_of(&inner);
    }
    found
}

/// Merges the class of what lies at an offset into those of its eightbytes; returns `false` if it goes to memory or is
/// not known.
fn classify(ty: &TypeRef, offset: u64, classes: &mut [Option<Class>; 2], view: &EvalContext<'_>, depth: u32) -> bool {
    let found = bare(ty, view);
    let class = match &found.kind {
        Kind::Base(Encoding::Float) if found.size.is_some_and(|size| size <= 8) => Class::Sse,
        Kind::Base(Encoding::Complex) if found.size.is_some_and(|size| size <= 16) => {
            // Two numbers next to each other.
            let last = offset + found.size.unwrap_or(8) - 1;
            return [offset / 8, last / 8].into_iter().all(|eightbyte| note(classes, eightbyte, Class::Sse));
        }
        Kind::Base(Encoding::Float | Encoding::Complex | Encoding::Other(_)) => return false,
        Kind::Base(_) if found.size.is_some_and(|size| size > 8) => {
            return (0..2).all(|eightbyte| note(classes, offset / 8 + eightbyte, Class::Integer));
        }
        Kind::MemberPointer { .. } if found.size.is_some_and(|size| size > 8) => {
            return (0..2).all(|eightbyte| note(classes, offset / 8 + eightbyte, Class::Integer));
        }
        Kind::MemberPointer { .. } => Class::Integer,
        Kind::Base(_) | Kind::Pointer(_) | Kind::Reference(..) | Kind::Enumeration { .. } => Class::Integer,
        Kind::Aggregate { members, declaration: false, .. } if depth < DEEPEST => {
            return members.iter().all(|member| {
                let place = member.bits.map_or(member.offset, |(bit, _)| bit / 8);
                classify(&member.ty, offset + place, classes, view, depth + 1)
            });
        }
        Kind::Array { element, dimensions } if depth < DEEPEST => {
            let count: u64 = dimensions.iter().map(|dimension| dimension.count.unwrap_or(0)).product();
            let Some(size) = view.symbols().type_of(element).size else { return false };
            return count <= 16 && (0..count).all(|i| classify(element, offset + i * size, classes, view, depth + 1));
        }
        _ => return false,
    };
    note(classes, offset / 8, class)
}

fn note(classes: &mut [Option<Class>; 2], eightbyte: u64, class: Class) -> bool {
    let Some(place) = classes.get_mut(eightbyte as usize) else { return false };
    // An eightbyte that contains any integer is of class INTEGER.
    *place = if *place == Some(Class::Integer) { *place } else { Some(class) };
    true
}

/// Returns the classes of the eightbytes of a value passed in registers; `None` if it goes to memory.
pub fn register_classes(ty: &TypeRef, size: u64, view: &EvalContext<'_>) -> Option<Vec<Class>> {
    let mut classes = [None; 2];
    if size > 16 || !classify(ty, 0, &mut classes, view, 0) {
        return None;
    }
    // An eightbyte that is only padding needs no register; in our types none comes before one with data.
    Some(classes.into_iter().take(size.div_ceil(8) as usize).map(|class| class.unwrap_or(Class::Sse)).collect())
}

/// Returns the place of a result right after the return; `None` if there is no result or its place is unknown.
pub fn returned_place(ty: &TypeRef, view: &EvalContext<'_>) -> Option<Place> {
    let found = bare(ty, view);
    let size = found.size?;
    match (&found.kind, size) {
        (Kind::Void, _) | (_, 0) => return None,
        (Kind::Base(Encoding::Float), 10..=16) => return Some(Place::Register(ST0)),
        (Kind::Base(Encoding::Float), _) => return Some(Place::Register(XMM0)),
        (Kind::Aggregate { .. }, _) if register_classes(ty, size, view).is_none() => {
            let address = view.register(RAX)?;
            return Some(Place::Memory(VirtualAddress(u64::from_le_bytes(*address.first_chunk()?))));
        }
        (Kind::Aggregate { .. } | Kind::Base(_) | Kind::MemberPointer { .. }, _) => {}
        (_, 1..=8) => return Some(Place::Register(RAX)),
        _ => return None,
    }
    let mut classes = [None; 2];
    if !classify(ty, 0, &mut classes, view, 0) {
        return None;
    }
    let (mut integers, mut floats) = ([RAX, RDX].into_iter(), [XMM0, XMM1].into_iter());
    let mut pieces = Vec::new();
    for (class, start) in classes.into_iter().zip([0u64, 8]).filter(|(_, start)| *start < size) {
        let register = match class? {
            Class::Integer => integers.next()?,
            Class::Sse => floats.next()?,
        };
        pieces.push((Some(Place::Register(register)), (size - start).min(8)));
    }
    match pieces.as_slice() {
        [(Some(only), _)] => Some(only.clone()),
        _ => Some(Place::Pieces(pieces)),
    }
}
