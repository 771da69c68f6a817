//! The formats of values and memory.

use model::aif::FormatLetter;
use model::{CodeEnd, LocationSpec, PrintChanges};
use serde::{Deserialize, Serialize};

/// The format of an `x`: number and size of units, and how they are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryFormat {
    /// The number of units, for `s` of strings.
    pub count: u32,
    /// The bytes of a unit: 1, 2, 4 or 8.
    pub unit: u32,
    /// The format of a unit.
    pub format: FormatLetter,
    /// The most characters of a string that are shown at once.
    pub limit: u32,
    /// True if the units lie before the address, and the next ones before them.
    pub back: bool,
}

/// The form in which memory is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Form {
    /// As units of this format.
    Values(FormatLetter),
    /// As instructions.
    Instructions,
}

/// How a listing of instructions is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CodeForm {
    /// True to show the bytes of each before its text.
    pub bytes: bool,
    /// True to show the text of source lines.
    pub lines: bool,
}

/// The code that is disassembled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CodeRange {
    /// The function at a place; `None`: that of the frame.
    Function(Option<LocationSpec>),
    /// From an address to before another one, both expressions.
    Addresses(String, CodeEnd),
}

/// The format and options of a `print`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PrintForm {
    /// The format letter; `None`: the format of the type.
    pub letter: Option<FormatLetter>,
    /// The options of the command, such as `-elements N`.
    pub changes: PrintChanges,
}
