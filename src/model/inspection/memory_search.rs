//! Searching memory for bytes.

use crate::VirtualAddress;
use serde::{Deserialize, Serialize};

/// What to search memory for: gdb's `find`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MemorySearch {
    /// An expression for the first address.
    pub start: String,
    /// An expression for the last address, or for the number of bytes.
    pub end: String,
    /// True if `end` is a number of bytes.
    pub is_length: bool,
    /// Expressions whose values, one behind the other, are sought.
    pub values: Vec<String>,
    /// The bytes of each number; `None`: those of its type.
    pub unit: Option<u32>,
    /// The largest number of matches.
    pub limit: u32,
}

/// A place where bytes were found.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ByteMatch {
    /// Its address.
    pub address: VirtualAddress,
    /// The symbol there: `table+8`.
    pub symbol: Option<String>,
}

/// What a search has found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BytesFound {
    /// In ascending order.
    pub matches: Vec<ByteMatch>,
    /// The bytes from this address on that could not be read, where the search ended.
    pub unreadable: Option<(VirtualAddress, u64)>,
    /// The address up to which memory was searched, if the search ended early: it was interrupted, or had found enough.
    pub searched_to: Option<VirtualAddress>,
}
