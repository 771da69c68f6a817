//! Passing and returning values in the Rust ABI, which differs from C's. It is not specified; this is what rustc does
//! on x86-64 since 1.79.

use crate::EvalContext;
use crate::lang::c::abi::{RAX, RDX, XMM0, XMM1, bare, eightbytes};
use debuginfo::types::{Aggregate, Encoding, Kind, Member, Place, TypeRef};

/// Deeper nesting of types means damaged debug information.
const DEEPEST: u32 = 32;

/// A number that fits one register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Scalar {
    floating: bool,
    size: u64,
}

/// The compiler's ABI class of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Empty,
    Scalar(Scalar),
    /// Two numbers, and the offset of the second.
    Pair(Scalar, Scalar, u64),
    Bytes,
}

/// How an argument is passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Passed {
    /// In registers, as long as there are any: the numbers in order, each with true for a vector register, and its
    /// eightbytes.
    Numbers(Vec<(bool, Vec<u64>)>),
    /// By the address of a copy.
    Address,
}

/// Returns the numbers in a value with their offsets; `None` if the compiler treats it as bytes and it is too long for
/// a register.
fn numbers(ty: &TypeRef, size: u64, view: &EvalContext<'_>) -> Option<Vec<(Scalar, u64)>> {
    match shape(ty, view, 0) {
        Shape::Empty => Some(Vec::new()),
        Shape::Bytes if size > 8 => None,
        Shape::Bytes => Some(vec![(Scalar { floating: false, size }, 0)]),
        Shape::Scalar(scalar) => Some(vec![(scalar, 0)]),
        Shape::Pair(first, second, offset) => Some(vec![(first, 0), (second, offset)]),
    }
}

/// Returns how a value of the type, with these bytes, is passed.
pub fn passed_by_rust(ty: &TypeRef, bytes: &[u8], view: &EvalContext<'_>) -> Passed {
    let Some(numbers) = numbers(ty, bytes.len() as u64, view) else { return Passed::Address };
    let eightbytes = |(scalar, offset): (Scalar, u64)| {
        let own = bytes.get(offset as usize..).unwrap_or_default();
        let own = own.get(..scalar.size as usize).unwrap_or(own);
        (scalar.floating, eightbytes(own))
    };
    Passed::Numbers(numbers.into_iter().map(eightbytes).collect())
}

/// True if the place of a result is known, or there is no result.
pub fn is_returned_as_known(ty: &TypeRef, view: &EvalContext<'_>) -> bool {
    let none = bare(ty, view).size.is_none_or(|size| size == 0);
    none || is_returned_in_memory(ty, view) || returned_by_rust(ty, view).is_some()
}

/// True if the caller reserves memory for the result.
pub fn is_returned_in_memory(ty: &TypeRef, view: &EvalContext<'_>) -> bool {
    bare(ty, view).size.is_some_and(|size| numbers(ty, size, view).is_none())
}

/// Returns the place of a result right after the return; `None` if there is no result, or only the caller knows its
/// place.
pub fn returned_by_rust(ty: &TypeRef, view: &EvalContext<'_>) -> Option<Place> {
    let size = bare(ty, view).size?;
    let numbers = numbers(ty, size, view).filter(|numbers| !numbers.is_empty())?;
    place(&numbers, size)
}

/// Returns the registers of numbers at offsets, with the gaps between them.
fn place(numbers: &[(Scalar, u64)], size: u64) -> Option<Place> {
    let (mut integers, mut floats) = ([RAX, RDX].into_iter(), [XMM0, XMM1].into_iter());
    let mut pieces = Vec::new();
    let mut end = 0;
    let padding = |length: u64| (Some(Place::Bytes(vec![0; length as usize])), length);
    for (scalar, offset) in numbers {
        if *offset > end {
            pieces.push(padding(offset - end));
        }
        let mut left = scalar.size;
        while left > 0 {
            let register = if scalar.floating { floats.next()? } else { integers.next()? };
            let length = if scalar.floating { left } else { left.min(8) };
            pieces.push((Some(Place::Register(register)), length));
            left -= length;
        }
        end = offset + scalar.size;
    }
    if size > end {
        pieces.push(padding(size - end));
    }
    match pieces.as_slice() {
        [(Some(only), _)] => Some(only.clone()),
        _ => Some(Place::Pieces(pieces)),
    }
}

fn shape(ty: &TypeRef, view: &EvalContext<'_>, depth: u32) -> Shape {
    let found = bare(ty, view);
    let size = found.size.unwrap_or(0);
    let scalar = |floating| Shape::Scalar(Scalar { floating, size });
    match &found.kind {
        _ if depth > DEEPEST => Shape::Bytes,
        _ if size == 0 => Shape::Empty,
        Kind::Base(Encoding::Float) => scalar(true),
        Kind::Base(_) | Kind::Enumeration { .. } => scalar(false),
        Kind::Pointer(_) | Kind::Reference(..) => Shape::Scalar(Scalar { floating: false, size: 8 }),
        Kind::Aggregate { tag: Aggregate::Struct | Aggregate::Class, members, .. } => {
            fields(members, size, view, depth)
        }
        Kind::Variants(variants) => {
            let alternatives = variants.alternatives.iter().map(|one| of_alternative(&one.member.ty, view));
            let alternatives: Vec<_> = alternatives.collect();
            match &variants.discriminant {
                None => match variants.alternatives.first() {
                    Some(only) => shape(&only.member.ty, view, depth + 1),
                    None => Shape::Empty,
                },
                Some(tag) => tagged(tag, &alternatives, size, view, depth),
            }
        }
        _ => Shape::Bytes,
    }
}

/// Returns the shape of a struct from its fields with a size.
fn fields(members: &[Member], size: u64, view: &EvalContext<'_>, depth: u32) -> Shape {
    let mut parts: Vec<(Shape, u64, u64)> = Vec::new();
    for member in members {
        let own = bare(&member.ty, view).size.unwrap_or(0);
        if own > 0 {
            parts.push((shape(&member.ty, view, depth + 1), member.offset, own));
        }
    }
    parts.sort_by_key(|(_, offset, _)| *offset);
    match parts.as_slice() {
        [] => Shape::Empty,
        [(only, 0, own)] if *own == size => *only,
        [(Shape::Scalar(first), 0, _), (Shape::Scalar(second), offset, _)] => Shape::Pair(*first, *second, *offset),
        _ => Shape::Bytes,
    }
}

/// Returns the fields of an alternative, without the discriminant.
fn of_alternative(ty: &TypeRef, view: &EvalContext<'_>) -> Vec<(TypeRef, u64)> {
    let found = bare(ty, view);
    let Kind::Aggregate { members, .. } = &found.kind else { return Vec::new() };
    let sized = members.iter().filter(|member| bare(&member.ty, view).size.unwrap_or(0) > 0);
    sized.map(|member| (member.ty.clone(), member.offset)).collect()
}

/// Returns the shape of an enum with a discriminant, from the fields of its alternatives.
fn tagged(tag: &Member, alternatives: &[Vec<(TypeRef, u64)>], size: u64, view: &EvalContext<'_>, depth: u32) -> Shape {
    let tag_shape = shape(&tag.ty, view, depth + 1);
    let Shape::Scalar(number) = tag_shape else { return Shape::Bytes };
    let full: Vec<&Vec<(TypeRef, u64)>> = alternatives.iter().filter(|fields| !fields.is_empty()).collect();
    if full.is_empty() {
        return Shape::Scalar(Scalar { floating: false, size });
    }
    // The discriminant is a niche: values that a field of the only alternative with data never has.
    let end = tag.offset + number.size;
    let inside = |fields: &&&Vec<(TypeRef, u64)>| {
        fields.iter().any(|(ty, offset)| {
            let own = bare(ty, view).size.unwrap_or(0);
            *offset < end && tag.offset < offset + own
        })
    };
    if full.iter().any(|fields| inside(&fields)) {
        let [only] = full.as_slice() else { return Shape::Bytes };
        let members: Vec<(Shape, u64, u64)> = only
            .iter()
            .map(|(ty, offset)| (shape(ty, view, depth + 1), *offset, bare(ty, view).size.unwrap_or(0)))
            .collect();
        return match members.as_slice() {
            [(one, 0, own)] if *own == size => *one,
            [(Shape::Scalar(first), a, _), (Shape::Scalar(second), b, _)] if *a == 0 => {
                Shape::Pair(*first, *second, *b)
            }
            [(Shape::Scalar(second), b, _), (Shape::Scalar(first), a, _)] if *a == 0 => {
                Shape::Pair(*first, *second, *b)
            }
            _ => Shape::Bytes,
        };
    }
    // Otherwise it is a pair if all alternatives have the same kind of number at the same offset.
    let mut common = None;
    for fields in full {
        let [(ty, offset)] = fields.as_slice() else { return Shape::Bytes };
        let Shape::Scalar(scalar) = shape(ty, view, depth + 1) else { return Shape::Bytes };
        if common.is_some_and(|known| known != (scalar, *offset)) {
            return Shape::Bytes;
        }
        common = Some((scalar, *offset));
    }
    match common {
        Some((scalar, offset)) if tag.offset == 0 => Shape::Pair(number, scalar, offset),
        _ => Shape::Bytes,
    }
}
