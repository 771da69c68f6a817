//! The result of an expression: a type and a place.

use debuginfo::types::{Place, TypeRef};
use model::VirtualAddress;

/// Longer values are not read whole; gdb's `max-value-size`.
pub(super) const LONGEST: u64 = 65536;

/// A value: its type, and its place or its bytes. Memory is read when the value is needed.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    ty: TypeRef,
    place: Place,
    /// Offset in bytes from the start of a place that is not memory.
    offset: u64,
    /// For a bit-field: its first bit, counted from place and offset, and its width.
    bits: Option<(u64, u32)>,
}

/// gdb's words for a pointer to an object without an address.
pub(super) const SYNTHETIC: &str = "synthetic pointer";

impl Value {
    /// Creates a value at a place.
    pub fn new(ty: TypeRef, place: Place) -> Self {
        Self { ty, place, offset: 0, bits: None }
    }

    /// Creates a value without an address from its bytes, little endian.
    pub(super) fn known(ty: TypeRef, bytes: Vec<u8>) -> Self {
        Self::new(ty, Place::Bytes(bytes))
    }

    /// The type, with its typedefs.
    pub fn ty(&self) -> &TypeRef {
        &self.ty
    }

    /// The place; for a part of a value that is not in memory, the place of the whole.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// First bit, counted from the place, and width; `None` if it is not a bit-field.
    pub fn bit_field(&self) -> Option<(u64, u32)> {
        self.bits
    }

    /// Returns the same bytes as another type.
    pub(super) fn retyped(&self, ty: TypeRef) -> Self {
        Self { ty, ..self.clone() }
    }

    /// Returns the value in memory if parts of it were optimised out: if only the type is needed, memory reads as zero.
    pub(super) fn with_zeros_for_holes(self) -> Self {
        match self.place {
            Place::OptimizedOut | Place::Pieces(_) | Place::Synthetic(..) => {
                Self { place: Place::Memory(VirtualAddress(0)), ..self }
            }
            _ => self,
        }
    }

    pub(super) fn part(&self, ty: TypeRef, offset: u64, bits: Option<(u64, u32)>) -> Self {
        match &self.place {
            Place::Memory(address) => {
                let place = Place::Memory(VirtualAddress(address.0.wrapping_add(offset)));
                Self { ty, place, offset: 0, bits }
            }
            place => Self { ty, place: place.clone(), offset: self.offset.saturating_add(offset), bits },
        }
    }

    /// Its address, if it is in memory; that of a bit-field is its storage unit's.
    pub fn address(&self) -> Option<VirtualAddress> {
        match &self.place {
            Place::Memory(address) => Some(*address),
            Place::Past(_, address) => Some(VirtualAddress(address.0.wrapping_add(self.offset))),
            _ => None,
        }
    }

    /// Offset in bytes from the start of a place that is not memory.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the bytes that hold a bit-field, the number of bits before it in them, and how many bytes there are.
    pub(crate) fn bit_field_bytes(&self, first: u64, width: u32) -> (Self, u32, usize) {
        let shift = (first % 8) as u32;
        let length = (u64::from(shift) + u64::from(width.min(128))).div_ceil(8).min(16);
        let part = Self { bits: None, ..self.clone() }.part(self.ty.clone(), first / 8, None);
        (part, shift, length as usize)
    }

    pub(super) fn is_assignable(&self) -> bool {
        !matches!(self.place, Place::Bytes(_) | Place::OptimizedOut | Place::Synthetic(..) | Place::Past(..))
    }
}

/// The type of an expression's value, or the type that the expression names.
#[derive(Clone, Debug)]
pub(crate) enum Subject {
    /// The expression has a value of this type.
    Value(TypeRef),
    /// The expression is itself a type.
    Type(TypeRef),
}
