//! Places in the code of an image: lines, functions.

use model::{FileAddress, SourcePlace};
use std::ops::Range;
use std::sync::Arc;

/// A place where a location of the user's is in the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedSite {
    /// Where to stop: after the prologue, for functions.
    pub address: FileAddress,
    /// The function it is in, demangled.
    pub function: Option<Arc<str>>,
    /// The line at the address.
    pub source: Option<SourcePlace>,
}

/// A row of the line table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineRow {
    /// The line that the row is of.
    pub place: SourcePlace,
    /// Its first address begins a statement.
    pub is_stmt: bool,
    /// The instructions of the row; the same line may have others.
    pub range: Range<FileAddress>,
}

/// A function that covers an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionAt {
    /// Its name, demangled.
    pub name: Arc<str>,
    /// Where it is entered.
    pub entry: FileAddress,
    /// The contiguous part of it that covers the address.
    pub range: Range<FileAddress>,
    /// Known from debug information, not from the symbol table alone.
    pub described: bool,
}

/// A function at an address, inlined or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlineFrame {
    /// The name of the function, demangled.
    pub function: Arc<str>,
    /// Where it was called, when it was inlined.
    pub call: Option<SourcePlace>,
    /// The contiguous part of it that covers the address.
    pub range: Range<FileAddress>,
    /// The first of its addresses.
    pub entry: FileAddress,
}

/// A definition in the symbol table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Defined {
    /// Where it is in the file.
    pub address: FileAddress,
    /// It is a function that says which one is meant (`STT_GNU_IFUNC`).
    pub is_indirect: bool,
}
