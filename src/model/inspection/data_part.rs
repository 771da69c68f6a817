//! Data of the program as bytes, for files: whole values, packed arrays of numbers, ranges of memory; read part by part.

use crate::aif::FloatLayout;
use crate::{ErrorCode, Failure, VirtualAddress};
use serde::{Deserialize, Serialize};

/// The data to be read.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum DataSource {
    /// The bytes of a value as they are stored; gdb's `dump value`.
    Value(String),
    /// The elements of an array or container without gaps, or, if its elements are no numbers, the bytes of the value.
    Contents(String),
    /// The numbers or structs of an array without gaps.
    Numbers {
        /// The array, in the language of the frame.
        expression: String,
        /// True to read the last subscript fastest, whatever the order in memory.
        by_rows: bool,
    },
    /// The memory between two addresses, the second one excluded; gdb's `dump memory`.
    Memory {
        /// An expression whose value is the first address.
        start: String,
        /// An expression whose value is the address after the last byte.
        end: String,
    },
}

impl DataSource {
    /// The text that the user typed for it, or its first part.
    pub fn text(&self) -> &str {
        match self {
            Self::Value(text) | Self::Contents(text) | Self::Memory { start: text, .. } => text,
            Self::Numbers { expression, .. } => expression,
        }
    }
}

/// A floating-point format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum FloatFormat {
    /// IEEE 754 binary16.
    Half,
    /// The upper half of a single.
    Brain,
    /// IEEE 754 binary32.
    Single,
    /// IEEE 754 binary64.
    Double,
    /// IEEE 754 binary128.
    Quadruple,
    /// The 80-bit format of the x87.
    Extended,
}

impl FloatFormat {
    const ALL: [Self; 6] = [Self::Half, Self::Brain, Self::Single, Self::Double, Self::Quadruple, Self::Extended];

    /// The format with this layout; `None` if there is none.
    pub fn of(layout: FloatLayout) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.layout() == Some(layout))
    }

    /// The layout of its bits.
    pub fn layout(self) -> Option<FloatLayout> {
        match self {
            Self::Half => FloatLayout::ieee(2),
            Self::Brain => Some(FloatLayout::brain()),
            Self::Single => FloatLayout::ieee(4),
            Self::Double => FloatLayout::ieee(8),
            Self::Quadruple => FloatLayout::ieee(16),
            Self::Extended => Some(FloatLayout::x87()),
        }
    }
}

/// The kind of the numbers of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum NumberKind {
    /// Two's complement integers.
    Signed,
    /// Unsigned integers, characters and addresses.
    Unsigned,
    /// Truth values.
    Boolean,
    /// Floating-point numbers.
    Float(FloatFormat),
    /// Pairs of floating-point numbers.
    Complex(FloatFormat),
}

/// The order in which memory has the elements of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ElementOrder {
    /// The last subscript changes fastest, as in C.
    Rows,
    /// The first subscript changes fastest, as in Fortran.
    Columns,
    /// Neither: arrays in the elements of arrays of Fortran.
    Mixed,
}

/// What the elements of an array are.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ElementForm {
    /// Numbers.
    Number(NumberKind),
    /// Structs with these members, in the order of their offsets; there may be gaps between them.
    Record(Vec<RecordField>),
    /// Bytes that have several meanings, as in a union.
    Bytes,
}

/// A member of a struct, or an array of elements that is one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RecordField {
    /// The member's name.
    pub name: String,
    /// The bytes before it in the struct.
    pub offset: u64,
    /// What it is, or what its elements are.
    pub element: ElementForm,
    /// The bytes of an element, with padding.
    pub size: u32,
    /// The elements along each subscript, the last one fastest in memory; none for a single element.
    pub counts: Vec<u64>,
}

impl RecordField {
    /// The bytes of all its elements; saturates.
    pub fn length(&self) -> u64 {
        self.counts.iter().fold(u64::from(self.size), |length, count| length.saturating_mul(*count))
    }
}

/// An array of numbers or structs: the kind and count of its elements.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct NumberGrid {
    /// What its elements are.
    pub element: ElementForm,
    /// The bytes of an element, with padding.
    pub size: u32,
    /// The elements along each subscript, in the order of the source; none for a single number.
    pub counts: Vec<u64>,
    /// Their order in memory.
    pub order: ElementOrder,
}

/// The whole of the data of which a part was read.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DataShape {
    /// Its length in bytes.
    pub size: u64,
    /// Its numbers or structs, if these were asked for.
    pub grid: Option<NumberGrid>,
    /// The first address, if memory was asked for.
    pub address: Option<VirtualAddress>,
}

impl DataShape {
    /// The memory between two addresses.
    pub fn of_memory(start: VirtualAddress, end: VirtualAddress) -> Result<Self, Failure> {
        if end.0 < start.0 {
            let why = format!("the end of the memory, {end}, is before its start, {start}");
            return Err(Failure::new(ErrorCode::MEMORY, why));
        }
        Ok(Self { size: end.0 - start.0, grid: None, address: Some(start) })
    }

    /// The number of bytes, of at most `length`, from byte `from` on.
    pub fn part(&self, from: u64, length: u32) -> usize {
        self.size.saturating_sub(from).min(u64::from(length)) as usize
    }
}

/// A part of data of the program.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DataPart {
    /// The whole.
    pub shape: DataShape,
    /// Bytes from the place that was asked for; fewer only at the end.
    pub bytes: Vec<u8>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_floating_point_format_is_found_by_its_layout() {
        for format in FloatFormat::ALL {
            assert_eq!(format.layout().and_then(FloatFormat::of), Some(format));
        }
    }
}
