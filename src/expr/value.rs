//! The result of an expression: a type, and where the value is.

use debuginfo::types::{Place, TypeRef};
use model::VirtualAddress;

/// Values longer than this are not read whole; gdb's `max-value-size`.
pub(super) const LONGEST: u64 = 65536;

/// A value with its type: where it is, or its bytes. Memory is read when the value is asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    ty: TypeRef,
    place: Place,
    /// Bytes from the start of a place that is not memory.
    offset: u64,
    /// Of a bit-field: bits from the start of the place and offset, and width.
    bits: Option<(u64, u32)>,
}

/// gdb's words for a pointer to something without an address.
pub(super) const SYNTHETIC: &str = "synthetic pointer";

impl Value {
    /// A value at a place.
    pub fn new(ty: TypeRef, place: Place) -> Self {
        Self { ty, place, offset: 0, bits: None }
    }

    /// A value that is nowhere but known, little endian.
    pub(super) fn known(ty: TypeRef, bytes: Vec<u8>) -> Self {
        Self::new(ty, Place::Bytes(bytes))
    }

    /// The type that it has, which no typedef is taken off.
    pub fn ty(&self) -> &TypeRef {
        &self.ty
    }

    /// Where it is; for a part of a value that is not in memory, where the whole is.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// The bit-field it is: bits from its place, and width.
    pub fn bit_field(&self) -> Option<(u64, u32)> {
        self.bits
    }

    /// The same bytes as another type.
    pub(super) fn retyped(&self, ty: TypeRef) -> Self {
        Self { ty, ..self.clone() }
    }

    /// The same in memory, when (parts of) it were optimised out: where only the type is wanted, memory reads as zero.
    pub(super) fn with_zeros_for_holes(self) -> Self {
        match self.place {
            Place::OptimizedOut | Place::Pieces(_) | Place::Synthetic(..) => {
                Self { place: Place::Memory(VirtualAddress(0)), ..self }
            }
            _ => self,
        }
    }

    /// A part of it.
    pub(super) fn part(&self, ty: TypeRef, offset: u64, bits: Option<(u64, u32)>) -> Self {
        match &self.place {
            Place::Memory(address) => {
                let place = Place::Memory(VirtualAddress(address.0.wrapping_add(offset)));
                Self { ty, place, offset: 0, bits }
            }
            place => Self { ty, place: place.clone(), offset: self.offset.saturating_add(offset), bits },
        }
    }

    /// Its address, when it is in memory; a bit-field's is that of the unit of its type it is in.
    pub fn address(&self) -> Option<VirtualAddress> {
        match &self.place {
            Place::Memory(address) => Some(*address),
            Place::Past(_, address) => Some(VirtualAddress(address.0.wrapping_add(self.offset))),
            _ => None,
        }
    }

    /// Bytes from the start of a place that is not memory.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// The bytes that hold a bit-field, the bits before it in them, and their number.
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
    /// Its type is what is asked for.
    Value(TypeRef),
    /// The text is a type itself.
    Type(TypeRef),
}
