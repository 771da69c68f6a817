//! Commands about what the program holds.

use super::format::{Form, PrintForm};
use crate::state::Displayed;
use model::LocationSpec;

/// What the line of an `x` says; the rest is as it was the last time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Examined {
    /// Units, strings or instructions; `None`: nothing is said at all.
    pub count: Option<u32>,
    /// Bytes of a unit: 1, 2, 4 or 8.
    pub unit: Option<u32>,
    /// How they are shown.
    pub form: Option<Form>,
    /// They lie before the address.
    pub back: bool,
}

/// Lines that `list` shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListRange {
    /// On from what was listed last, or around the shown frame.
    Next,
    /// Around a place.
    Around(LocationSpec),
    /// From a place on, perhaps to a line of its file.
    FromPlace(LocationSpec, Option<u32>),
    /// These lines of the shown file.
    Lines(u32, u32),
    /// Those before what was listed last.
    Before,
    /// From this line of the shown file on.
    From(u32),
    /// Up to this line of the shown file.
    To(u32),
}

/// What variables, registers and memory hold.
#[derive(Clone, Debug, PartialEq)]
pub enum DataCommand {
    /// A value.
    Print(PrintForm, String),
    /// Keep an expression in sight; `None`: show all that are.
    Display(Option<Displayed>),
    /// No longer; none named: all.
    Undisplay(Vec<u32>),
    /// A value over all ranks, in numbers.
    Compare(String),
    /// Local variables.
    Locals,
    /// Parameters.
    Arguments,
    /// Global variables whose names fit.
    Globals(String),
    /// The type of an expression.
    Whatis(String),
    /// A type spelled out.
    Ptype(String),
    /// `left = right`.
    Assign(String),
    /// Memory; without an address, on from what was shown last.
    Examine(Examined, Option<String>),
    /// Instructions of the function that a place is in.
    Disassemble(Option<LocationSpec>),
    /// What is at the address of an expression.
    SymbolAt(String),
    /// Where the code of a line is.
    CodeOf(Option<LocationSpec>),
    /// Change memory: address expression, bytes.
    Write(String, Vec<u8>),
    /// Registers; none named: all.
    Registers(Vec<String>),
    /// Source lines.
    List(ListRange),
    /// Loaded files.
    Libraries,
}
