//! Commands about the program's data, parsed.

use super::format::{CodeForm, CodeRange, Form, PrintForm};
use super::saving::{RestoreOrder, SaveOrder};
use crate::state::Displayed;
use model::{LocationSpec, ScanCondition, TypeDetail};

/// The arguments of an `x`; missing ones are as in the last `x`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Examined {
    /// The number of units, strings or instructions; `None`: not given.
    pub count: Option<u32>,
    /// The bytes of a unit: 1, 2, 4 or 8; `None`: not given.
    pub unit: Option<u32>,
    /// The format; `None`: not given.
    pub form: Option<Form>,
    /// True if the units lie before the address.
    pub back: bool,
}

/// The last line that `list` shows from a place on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListEnd {
    /// This line of the file.
    Line(u32),
    /// So many lines after the first.
    After(u32),
}

/// The lines that `list` shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListRange {
    /// After the last listed lines, or around the line of the shown frame.
    Next,
    /// Around a place.
    Around(LocationSpec),
    /// From a place, optionally to a line of its file.
    FromPlace(LocationSpec, Option<ListEnd>),
    /// From a place to another one.
    Between(LocationSpec, LocationSpec),
    /// Up to a place.
    ToPlace(LocationSpec),
    /// From the first to the second line of the shown file.
    Lines(u32, u32),
    /// Before the last listed lines.
    Before,
    /// From this line of the shown file.
    From(u32),
    /// Up to this line of the shown file.
    To(u32),
}

/// The variables that `info locals` and `info args` show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VariableChoice {
    /// A regular expression that is found in their names; `None`: any.
    pub pattern: Option<String>,
    /// A regular expression that is found in the names of their types; `None`: any.
    pub type_pattern: Option<String>,
    /// True to say nothing if there are none.
    pub quiet: bool,
}

/// The use of snapshots: values that are kept to be compared later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SnapshotOrder {
    /// Keeps the values; without a name, under a number.
    Keep(Option<String>),
    /// Lists the snapshots.
    List,
    /// Deletes these.
    Delete(Vec<String>),
    /// Deletes all.
    DeleteAll,
    /// Compares the values with those of a snapshot; without a name, with the newest.
    Compare(Option<String>),
    /// On the screen, compares with the last stop again.
    CompareNone,
}

/// A command about variables, registers or memory.
#[derive(Clone, Debug, PartialEq)]
pub enum DataCommand {
    /// Prints a value.
    Print(PrintForm, String),
    /// Displays an expression at every stop; `None`: shows all displayed ones. True to keep the ranks and the thread of
    /// the line.
    Display(Option<(Displayed, bool)>),
    /// Ends displays, by number; an empty list means all.
    Undisplay(Vec<u32>),
    /// Enables (`true`) or disables displays, by number; an empty list means all.
    EnableDisplays(Vec<u32>, bool),
    /// Lists the displays.
    ListDisplays,
    /// Compares a value over all ranks, with statistics.
    Compare(String),
    /// Keeps values of this stop, or compares with those of an earlier one.
    Snapshot(SnapshotOrder),
    /// Measures the numbers of an array.
    Stats(String),
    /// Finds the numbers of an array that meet a condition.
    Scan(String, ScanCondition),
    /// Shows the elements of an array of numbers.
    Array(String),
    /// Show the memory at an address.
    Memory(String),
    /// Shows the local variables.
    Locals(VariableChoice),
    /// Shows the parameters.
    Arguments(VariableChoice),
    /// Shows the global variables whose names match.
    Globals(String),
    /// Shows the thread-local variables whose names match.
    ThreadLocals(String),
    /// Shows the type of an expression, by its name or with its members.
    Ptype(TypeDetail, String),
    /// Assigns `left = right`.
    Assign(String),
    /// Examines memory; without an address, continues after the last one.
    Examine(Examined, Option<String>),
    /// Shows instructions.
    Disassemble(CodeForm, CodeRange),
    /// Shows the symbol at the address of an expression.
    SymbolAt(String),
    /// Shows the addresses of a line's code.
    CodeOf(Option<LocationSpec>),
    /// Writes bytes to the address of an expression.
    Write(String, Vec<u8>),
    /// Shows registers; an empty list means all.
    Registers(Vec<String>),
    /// Lists source lines.
    List(ListRange),
    /// Searches the listed file for a line; without an expression, for the last one again.
    Search {
        /// True to search after the last line listed, false before it.
        forward: bool,
        /// The regular expression.
        pattern: Option<String>,
    },
    /// Opens the source of a place in an editor; `None`: that of the shown frame.
    Edit(Option<LocationSpec>),
    /// Lists the loaded files; with a regular expression, those whose paths it is found in.
    Libraries(Option<String>),
    /// Shows the limits on resources.
    Limits,
    /// Writes data of the program to a file.
    Save(SaveOrder),
    /// Writes a file's bytes to memory.
    Restore(RestoreOrder),
    /// Writes core files into a directory; `None`: the current one.
    WriteCore(Option<String>),
}
