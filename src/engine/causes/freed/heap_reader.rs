//! Reads words of the heap within a budget: lists of free blocks may be long, damaged or without an end.

use crate::causes::memory_map::MemoryMap;
use debuginfo::ReadMemory;
use model::VirtualAddress;
use std::cell::Cell;

/// The maximum number of words read.
const WORDS: u32 = 30_000;
/// Blocks begin at multiples of this, and the lowest bits of their sizes are flags (glibc, `malloc.c`).
const ALIGNMENT: u64 = 16;
const FLAGS: u64 = 7;
const PREVIOUS_IN_USE: u64 = 1;

pub(super) struct HeapReader<'a> {
    pub(super) memory: &'a dyn ReadMemory,
    pub(super) map: &'a MemoryMap,
    left: Cell<u32>,
}

impl<'a> HeapReader<'a> {
    pub(super) fn new(memory: &'a dyn ReadMemory, map: &'a MemoryMap) -> Self {
        Self { memory, map, left: Cell::new(WORDS) }
    }

    /// Reads a word of memory that the program can write.
    pub(super) fn word(&self, at: u64) -> Option<u64> {
        self.left.set(self.left.get().checked_sub(1)?);
        self.map.mapping(at).filter(|mapping| mapping.changes)?;
        self.memory.word(VirtualAddress(at)).ok()
    }

    /// Returns the size of the block whose memory for the program begins at an address, with malloc's own part.
    pub(super) fn size(&self, start: u64) -> Option<u64> {
        Some(self.word(start.checked_sub(8)?)? & !FLAGS).filter(|_| start.is_multiple_of(ALIGNMENT))
    }

    /// True if the block after this one says that it is free.
    pub(super) fn is_said_free(&self, start: u64, size: u64) -> Option<bool> {
        let next = start.checked_add(size)?;
        let before = self.word(next.checked_sub(16)?)?;
        let flags = self.word(next - 8)?;
        Some(before == size && flags & PREVIOUS_IN_USE == 0)
    }
}
