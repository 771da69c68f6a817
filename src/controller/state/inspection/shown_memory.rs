//! The memory that the screen shows: what the screen wants of it, and what is known.

use super::lookup::Lookup;
use model::{MemoryPage, ProcessSet};
use std::collections::BTreeMap;

/// Bytes of the shown page that are compared with those of the other ranks of the focus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComparedBytes {
    /// The first of them, from the address on.
    pub offset: i64,
    /// Their number.
    pub length: u32,
    /// The digest of the lead's.
    pub digest: u64,
}

/// A request of the screen for a page of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryWish {
    /// The address, in the language of the frame.
    pub expression: String,
    /// The first byte of the page, from the address on.
    pub offset: i64,
    /// The number of bytes.
    pub length: u32,
    /// The bytes that are compared; `None` until they are known.
    pub compared: Option<ComparedBytes>,
    /// True to look up the symbols at the addresses in the compared bytes.
    pub symbols: bool,
}

/// A page, and which of its bytes differ from the last stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownPage {
    /// The page.
    pub page: MemoryPage,
    /// For each byte, whether it differs; empty if none does.
    pub changed: Vec<bool>,
}

impl ShownPage {
    /// True if one of these bytes differs from the last stop.
    pub fn has_changed(&self, offset: i64, count: usize) -> bool {
        let Some(from) = self.page.place_of(offset) else { return false };
        self.changed.get(from..from.saturating_add(count)).is_some_and(|changed| changed.contains(&true))
    }
}

/// The page of memory that has been read for the screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShownMemory {
    /// The address, as it was asked for.
    pub expression: String,
    /// The page; while another one is read, the one before.
    pub page: Lookup<ShownPage>,
    /// The bytes that the other ranks were asked about.
    pub compared: Option<ComparedBytes>,
    /// Other ranks of the focus with the same bytes there.
    pub alike: ProcessSet,
    /// Those with other bytes.
    pub different: ProcessSet,
    /// Those that have no such address.
    pub without: ProcessSet,
    /// The bytes of some of the ranks with other bytes, to mark those that differ.
    pub others: Vec<(ProcessSet, MemoryPage)>,
    /// The bytes that `others` are compared with.
    pub others_of: Option<ComparedBytes>,
    /// The symbols at addresses in the shown bytes: `main+4`; empty where there is none.
    pub symbols: BTreeMap<u64, String>,
    /// The stop at which they were looked up.
    pub symbols_stop: u64,
}

impl ShownMemory {
    /// Forgets what is known of other ranks.
    pub fn forget_others(&mut self) {
        self.compared = None;
        (self.alike, self.different, self.without) = Default::default();
        self.others.clear();
        self.others_of = None;
    }

    /// Forgets what is known of ranks other than these, and the bytes of those that no longer differ.
    pub fn keep_others(&mut self, ranks: &ProcessSet) {
        for known in [&mut self.alike, &mut self.different, &mut self.without] {
            *known = known.intersection(ranks);
        }
        for (ranks, _) in &mut self.others {
            *ranks = ranks.intersection(&self.different);
        }
        self.others.retain(|(ranks, _)| !ranks.is_empty());
    }

    /// Forgets the bytes of ranks.
    pub fn forget_bytes_of(&mut self, ranks: &ProcessSet) {
        for (known, _) in &mut self.others {
            known.remove_all(ranks);
        }
        self.others.retain(|(known, _)| !known.is_empty());
    }

    /// True if another rank that has been read has something else in these bytes.
    pub fn differs(&self, offset: i64, count: usize) -> bool {
        let Some(own) = self.page.value().map(|shown| shown.page.at(offset, count)) else { return false };
        self.others.iter().any(|(_, page)| page.covers(offset, count) && page.at(offset, count) != own)
    }
}
