//! The free blocks of a process, and the words that malloc writes into them.

use super::arenas::blocks_of_arenas;
use super::free_block::FreeBlock;
use super::heap_reader::HeapReader;
use super::thread_caches::blocks_of_caches;
use crate::causes::failed_thread::FailedThread;
use crate::causes::memory_map::MemoryMap;

/// A word that malloc writes into free blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    Link,
    Mark,
}

impl Written {
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Link => "glibc's link between free blocks",
            Self::Mark => "glibc's mark of a free block",
        }
    }
}

/// The free blocks of a process, as far as they could be found.
pub(super) struct FreeBlocks(Vec<FreeBlock>);

impl FreeBlocks {
    pub(super) fn of(thread: &dyn FailedThread, map: &MemoryMap) -> Self {
        let heap = HeapReader::new(thread.memory(), map);
        let mut found = blocks_of_caches(&heap, &thread.registers());
        found.extend(blocks_of_arenas(&heap));
        Self(found)
    }

    /// Returns the block that an address is in.
    pub(super) fn around(&self, address: u64) -> Option<&FreeBlock> {
        self.0.iter().find(|block| (block.start..block.end).contains(&address))
    }

    /// Finds out whether a value is one that malloc has written into a free block.
    pub(super) fn written(&self, value: u64) -> Option<Written> {
        self.all_written().find(|(word, _)| *word == value).map(|(_, written)| written)
    }

    /// Finds a word that malloc has written into a free block and that is less than `distance` before a value.
    pub(super) fn written_before(&self, value: u64, distance: u64) -> Option<(u64, Written)> {
        self.all_written().find(|(word, _)| value.wrapping_sub(*word) < distance)
    }

    fn all_written(&self) -> impl Iterator<Item = (u64, Written)> {
        let links = self.0.iter().filter_map(|block| Some((block.link?, Written::Link)));
        let marks = self.0.iter().filter_map(|block| Some((block.mark?, Written::Mark)));
        links.chain(marks).filter(|(word, _)| *word != 0)
    }
}
