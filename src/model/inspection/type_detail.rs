//! How much of a type is shown.

use serde::{Deserialize, Serialize};

/// gdb's heading of the columns that `ptype/o` shows before a type.
pub const LAYOUT_HEADING: &str = "/* offset      |    size */";

/// How much of a type is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TypeDetail {
    /// The name; gdb's `whatis`.
    Name,
    /// The name, of a template without short names; gdb's `whatis/r`.
    RawName,
    /// The members, too; gdb's `ptype`.
    Members,
    /// Only some of the members; gdb's `ptype/m`, `/t` and `/r`.
    Part(TypePart),
    /// The members with their offsets, sizes and the holes between them; gdb's `ptype/o`.
    Layout {
        /// True to show offsets and sizes in hexadecimal; gdb's `ptype/ox`.
        hexadecimal: bool,
    },
}

/// The parts of a class that are left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TypePart {
    /// Leaves out the methods; gdb's flag `m`.
    pub no_methods: bool,
    /// Leaves out the typedefs; gdb's flag `t`.
    pub no_typedefs: bool,
    /// Writes types as they are declared, without the short names valid in a class; gdb's flag `r`.
    pub raw: bool,
}

impl TypeDetail {
    /// The parts of a class that are left out.
    pub fn part(self) -> TypePart {
        match self {
            Self::Part(part) => part,
            Self::RawName => TypePart { raw: true, ..TypePart::default() },
            Self::Name | Self::Members | Self::Layout { .. } => TypePart::default(),
        }
    }

    /// True if the members are shown.
    pub fn has_members(self) -> bool {
        !matches!(self, Self::Name | Self::RawName)
    }
}
