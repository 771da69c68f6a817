//! The kinds of numbers in arrays, and their conversion to doubles.

use super::tiles::TILE;
use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::eval::operand::{extended, float_layout};
use crate::printers::element_storage::is_matrix;
use crate::types::stripped;
use debuginfo::types::{Encoding, Kind, Type, TypeRef};
use model::aif::{FloatLayout, Number};

/// Larger integers may have no double of their own: 2^53.
pub(super) const MOST_EXACT: f64 = 9_007_199_254_740_992.0;

/// The type of the elements of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ElementKind {
    Single,
    Double,
    /// Any other floating-point type.
    Float(FloatLayout),
    Integer {
        signed: bool,
    },
}

/// The size and kind of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ElementType {
    pub(super) kind: ElementKind,
    /// In bytes, with padding.
    pub(super) size: usize,
}

/// Returns the name of a member, as an example; `None` for types of a library, whose members are its own matter.
fn example(of: &Type) -> Option<&str> {
    let Kind::Aggregate { members, .. } = &of.kind else { return None };
    let is_library = of.name.as_deref().is_some_and(|name| name.starts_with("std::") || is_matrix(name));
    let mut members = members.iter().filter(|member| !member.is_static && !member.base && !is_library);
    members.find_map(|member| member.name.as_deref())
}

fn number<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.first_chunk().copied().unwrap_or([0; N])
}

fn each<const N: usize>(raw: &[u8], into: &mut [f64; TILE], convert: impl Fn([u8; N]) -> f64) {
    into.iter_mut().zip(raw.chunks_exact(N)).for_each(|(to, bytes)| *to = convert(number(bytes)));
}

impl ElementType {
    /// Returns the type of numbers; fails for everything else.
    pub(super) fn of(ty: &TypeRef, context: &EvalContext<'_>) -> Result<Self, EvalError> {
        let (_, found) = stripped(ty, context);
        let refused = |why: &str| Err(error(format!("{} {why}.", context.type_name(ty))));
        let kind = match &found.kind {
            Kind::Base(Encoding::Float) => match (float_layout(&found), found.size) {
                (Some(layout), Some(4)) if Some(layout) == FloatLayout::ieee(4) => ElementKind::Single,
                (Some(layout), Some(8)) if Some(layout) == FloatLayout::ieee(8) => ElementKind::Double,
                (Some(layout), _) => ElementKind::Float(layout),
                (None, _) => return refused("is no floating-point type of this processor"),
            },
            Kind::Base(Encoding::Complex) => return refused("is complex: complex numbers have no order"),
            Kind::Base(Encoding::Signed | Encoding::SignedChar) => ElementKind::Integer { signed: true },
            Kind::Base(Encoding::Unsigned | Encoding::UnsignedChar | Encoding::Utf | Encoding::Boolean)
            | Kind::Pointer(_) => ElementKind::Integer { signed: false },
            Kind::Enumeration { signed, .. } => ElementKind::Integer { signed: *signed },
            Kind::Aggregate { .. } | Kind::Variants(_) => {
                let sign = if context.language().has_columns() { '%' } else { '.' };
                return match example(&found) {
                    Some(member) => refused(&format!("is not a number: name one of its members, as in {sign}{member}")),
                    None => refused("is not a number: take one element"),
                };
            }
            _ => return refused("is not a number"),
        };
        let size = match found.kind {
            Kind::Pointer(_) => found.size.unwrap_or(8),
            _ => found.size.unwrap_or(0),
        };
        match (kind, size) {
            (ElementKind::Integer { .. }, 1 | 2 | 4 | 8 | 16) => {}
            (ElementKind::Float(layout), 1..=16) if u64::from(layout.size) <= size => {}
            (ElementKind::Single | ElementKind::Double, _) => {}
            _ => return refused("is not a number of a known size"),
        }
        Ok(Self { kind, size: size as usize })
    }

    /// True if a double represents each of its finite numbers exactly.
    pub(super) fn fits_double(self) -> bool {
        match self.kind {
            ElementKind::Single | ElementKind::Double => true,
            ElementKind::Float(layout) => layout.size <= 8,
            ElementKind::Integer { .. } => self.size <= 4,
        }
    }

    /// The smallest normal number; `None` for integers, and for numbers too small for a double.
    pub(super) fn smallest_normal(self) -> Option<f64> {
        match self.kind {
            ElementKind::Single => Some(f64::from(f32::MIN_POSITIVE)),
            ElementKind::Double => Some(f64::MIN_POSITIVE),
            ElementKind::Float(layout) if layout == FloatLayout::brain() => Some(f64::from(f32::MIN_POSITIVE)),
            ElementKind::Float(layout) if layout.size == 2 => Some(2_f64.powi(-14)),
            ElementKind::Float(_) | ElementKind::Integer { .. } => None,
        }
    }

    /// Returns one element as it is.
    pub(super) fn exact(self, element: &[u8]) -> Number {
        let mut bytes = [0; 16];
        bytes.iter_mut().zip(element).for_each(|(to, from)| *to = *from);
        let bits = u128::from_le_bytes(bytes);
        let float =
            |layout: FloatLayout| Number::Float(layout, bits & (u128::MAX >> (128 - 8 * layout.size.clamp(1, 16))));
        match self.kind {
            ElementKind::Single => FloatLayout::ieee(4).map_or(Number::Unsigned(bits), float),
            ElementKind::Double => FloatLayout::ieee(8).map_or(Number::Unsigned(bits), float),
            ElementKind::Float(layout) => float(layout),
            ElementKind::Integer { signed: true } => Number::Signed(extended(bits, 8 * self.size as u32, true)),
            ElementKind::Integer { signed: false } => Number::Unsigned(bits),
        }
    }

    /// Converts the elements of a tile to the nearest doubles. A finite number stays finite.
    pub(super) fn doubles<'a>(self, raw: &[u8], into: &'a mut [f64; TILE]) -> &'a [f64] {
        use ElementKind::{Double, Float, Integer, Single};
        match (self.kind, self.size) {
            (Double, _) => each(raw, into, f64::from_le_bytes),
            (Single, _) => each(raw, into, |bytes| f64::from(f32::from_le_bytes(bytes))),
            (Integer { signed: true }, 1) => each(raw, into, |bytes| f64::from(i8::from_le_bytes(bytes))),
            (Integer { signed: true }, 2) => each(raw, into, |bytes| f64::from(i16::from_le_bytes(bytes))),
            (Integer { signed: true }, 4) => each(raw, into, |bytes| f64::from(i32::from_le_bytes(bytes))),
            (Integer { signed: true }, 8) => each(raw, into, |bytes| i64::from_le_bytes(bytes) as f64),
            (Integer { signed: true }, _) => each(raw, into, |bytes| i128::from_le_bytes(bytes) as f64),
            (Integer { .. }, 1) => each(raw, into, |bytes| f64::from(u8::from_le_bytes(bytes))),
            (Integer { .. }, 2) => each(raw, into, |bytes| f64::from(u16::from_le_bytes(bytes))),
            (Integer { .. }, 4) => each(raw, into, |bytes| f64::from(u32::from_le_bytes(bytes))),
            (Integer { .. }, 8) => each(raw, into, |bytes| u64::from_le_bytes(bytes) as f64),
            (Integer { .. }, _) => each(raw, into, |bytes| u128::from_le_bytes(bytes) as f64),
            (Float(_), size) => {
                into.iter_mut().zip(raw.chunks_exact(size)).for_each(|(to, element)| *to = self.double(element));
            }
        }
        into.get(..raw.len() / self.size).unwrap_or_default()
    }

    fn double(self, element: &[u8]) -> f64 {
        let number = self.exact(element);
        let value = number.as_f64();
        match number {
            Number::Float(layout, bits) if value.is_infinite() && !layout.is_infinite(bits) => f64::MAX.copysign(value),
            _ => value,
        }
    }
}
