//! Questions that are answered with a text, as gdb's `info` commands do.

use crate::LocationSpec;
use serde::{Deserialize, Serialize};

/// A description that [`Tell`](crate::Operation::Tell) asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Inquiry {
    /// The frame: address, caller, saved registers; gdb's `info frame`.
    Frame,
    /// The source file of the frame; gdb's `info source`.
    Source,
    /// The source file of the code at a location, as `Source` describes it.
    SourceAt(LocationSpec),
    /// The variables in scope at a location; gdb's `info scope`.
    Scope(LocationSpec),
    /// The place of a variable or function; gdb's `info address`.
    Address(String),
    /// The virtual function tables of an object; gdb's `info vtbl`.
    VirtualTables(String),
}
