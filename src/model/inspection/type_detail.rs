//! How much of a type is shown.

use serde::{Deserialize, Serialize};

/// gdb's heading of the columns that `ptype/o` shows before a type.
pub const LAYOUT_HEADING: &str = "/* offset      |    size */";

/// How much of a type is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TypeDetail {
    /// The name; gdb's `whatis`.
    Name,
    /// The members, too; gdb's `ptype`.
    Members,
    /// The members with their offsets, sizes and the holes between them; gdb's `ptype/o`.
    Layout {
        /// True to show offsets and sizes in hexadecimal; gdb's `ptype/ox`.
        hexadecimal: bool,
    },
}

impl TypeDetail {
    /// True if the members are shown.
    pub fn has_members(self) -> bool {
        self != Self::Name
    }
}
