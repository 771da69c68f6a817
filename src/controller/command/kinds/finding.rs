//! Commands that find things by name, content or address, parsed.

use model::{MemorySearch, ProcessPart, SymbolQuery};

/// A command that finds something.
#[derive(Clone, Debug, PartialEq)]
pub enum FindingCommand {
    /// Lists functions, variables, types or source files.
    Symbols {
        /// What to list.
        query: Box<SymbolQuery>,
        /// True to leave out headings, and to say nothing if nothing is found.
        quiet: bool,
    },
    /// Searches memory.
    Memory {
        /// What to search for, and where.
        search: Box<MemorySearch>,
        /// True if the user gave the number of matches.
        limited: bool,
    },
    /// Shows what the kernel knows of the processes.
    Process(ProcessPart),
    /// Says where a variable or function is.
    Address(String),
    /// Shows the virtual function tables of an object.
    VirtualTables(String),
}
