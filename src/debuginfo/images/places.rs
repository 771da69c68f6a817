//! Places in the code of an image: lines, functions.

use model::{FileAddress, SourcePlace};
use std::ops::Range;
use std::sync::Arc;

/// A code address that a user's location resolves to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedSite {
    /// The address to stop at; for functions, after the prologue.
    pub address: FileAddress,
    /// For functions, the first instruction; else the same address.
    pub entry: FileAddress,
    /// The function that contains it, demangled.
    pub function: Option<Arc<str>>,
    /// The line at the address.
    pub source: Option<SourcePlace>,
}

/// A row of the line table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineRow {
    /// The source line of the row.
    pub place: SourcePlace,
    /// True if the row's first address begins a statement.
    pub is_stmt: bool,
    /// The instructions of the row; other rows may have the same line.
    pub range: Range<FileAddress>,
}

/// A function that covers an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionAt {
    /// Demangled.
    pub name: Arc<str>,
    /// The address of the entry.
    pub entry: FileAddress,
    /// The contiguous part of the function that covers the address.
    pub range: Range<FileAddress>,
    /// True if debug information describes it, not just the symbol table.
    pub described: bool,
}

/// A function at an address, inlined or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlineFrame {
    /// Demangled.
    pub function: Arc<str>,
    /// The place of the call, if the function is inlined.
    pub call: Option<SourcePlace>,
    /// The contiguous part of the function that covers the address.
    pub range: Range<FileAddress>,
    /// The address of the entry.
    pub entry: FileAddress,
}

/// A definition in the symbol table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Defined {
    /// The address in the file.
    pub address: FileAddress,
    /// True for a resolver function that selects the implementation (`STT_GNU_IFUNC`).
    pub is_indirect: bool,
}
