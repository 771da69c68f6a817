//! The functions of a unit by address.

use crate::dwarf::entry::EntryId;
use gimli::UnitOffset;
use model::FileAddress;
use std::sync::OnceLock;

/// A contiguous part of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) start: u64,
    pub(crate) end: u64,
    /// The entry of the function: the beginning of its first part.
    pub(crate) entry: u64,
    pub(crate) offset: UnitOffset,
}

/// An inlined instance of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inlined {
    pub(crate) origin: EntryId,
    /// The first address of the first part.
    pub(crate) entry: u64,
}

pub(crate) struct UnitFunctions {
    spans: Vec<Span>,
    pub(super) inlined: OnceLock<Vec<Inlined>>,
}

impl UnitFunctions {
    /// Makes the table from parts sorted by address.
    pub(crate) fn new(spans: Vec<Span>) -> Self {
        Self { spans, inlined: OnceLock::new() }
    }

    pub(crate) fn spans(&self) -> impl Iterator<Item = &Span> {
        self.spans.iter()
    }

    /// Returns the part of a function that covers an address. Functions overlap only if they are aliases.
    pub(crate) fn covering(&self, address: FileAddress) -> Option<&Span> {
        let end = self.spans.partition_point(|span| span.start <= address.0);
        self.spans.get(..end)?.iter().rev().take(8).find(|span| address.0 < span.end)
    }
}
