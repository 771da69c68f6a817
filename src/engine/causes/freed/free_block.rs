//! A free block of the heap, and the words that malloc has written into it.

/// A block of memory that is free.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FreeBlock {
    /// The address that malloc has returned for it.
    pub(super) start: u64,
    /// The address after the memory that was the program's.
    pub(super) end: u64,
    /// The first word, if it is a link to another block that malloc has made unusable as a pointer.
    pub(super) link: Option<u64>,
    /// The second word, if malloc marks free blocks with it.
    pub(super) mark: Option<u64>,
}

impl FreeBlock {
    /// True if malloc has written this value into the block.
    pub(super) fn has(&self, value: u64) -> bool {
        [self.link, self.mark].contains(&Some(value))
    }
}
