//! The functions of a unit by address.

use crate::dwarf::entry::EntryId;
use gimli::UnitOffset;
use model::FileAddress;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// A contiguous part of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) start: u64,
    pub(crate) end: u64,
    /// The address at which the function is entered.
    pub(crate) entry: u64,
    pub(crate) offset: UnitOffset,
}

/// An inlined instance of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inlined {
    pub(crate) origin: EntryId,
    /// The address at which it is entered.
    pub(crate) entry: u64,
}

pub(crate) struct UnitFunctions {
    spans: Vec<Span>,
    /// The functions that are nested in others, and these.
    hosts: FxHashMap<UnitOffset, UnitOffset>,
    pub(super) inlined: OnceLock<Vec<Inlined>>,
}

impl UnitFunctions {
    /// Makes the table from parts sorted by address, and the functions nested in others.
    pub(crate) fn new(spans: Vec<Span>, hosts: FxHashMap<UnitOffset, UnitOffset>) -> Self {
        Self { spans, hosts, inlined: OnceLock::new() }
    }

    /// Returns the function in which one is nested; in C++ and Rust, whose functions see no variables of others, `None`.
    pub(crate) fn host_of(&self, function: UnitOffset) -> Option<UnitOffset> {
        self.hosts.get(&function).copied()
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
