//! Reads memory in a few large pieces, for a stack that is examined word by word.

use super::thread_access::ReadMemory;
use crate::types::description::MemoryFault;
use model::VirtualAddress;
use rustc_hash::FxHashMap;
use std::cell::RefCell;

const PAGE: u64 = 4096;
/// Pages read at once if all of them are readable.
const AHEAD: u64 = 4;

/// A view of memory that caches what it read. Valid while the process is stopped.
pub struct Window<'a> {
    memory: &'a dyn ReadMemory,
    pages: RefCell<FxHashMap<u64, Option<Box<[u8]>>>>,
}

impl<'a> Window<'a> {
    /// Makes an empty cache.
    pub fn new(memory: &'a dyn ReadMemory) -> Self {
        Self { memory, pages: RefCell::default() }
    }

    fn fetch(&self, page: u64) {
        let mut ahead = vec![0; (PAGE * AHEAD) as usize];
        let mut pages = self.pages.borrow_mut();
        if self.memory.read(VirtualAddress(page), &mut ahead).is_ok() {
            for (index, part) in ahead.chunks(PAGE as usize).enumerate() {
                pages.insert(page.wrapping_add(index as u64 * PAGE), Some(part.into()));
            }
            return;
        }
        let mut single = vec![0; PAGE as usize];
        let there = self.memory.read(VirtualAddress(page), &mut single).is_ok();
        pages.insert(page, there.then(|| single.into()));
    }
}

impl ReadMemory for Window<'_> {
    fn read(&self, address: VirtualAddress, into: &mut [u8]) -> Result<(), MemoryFault> {
        let mut at = address.0;
        let mut rest = into;
        while !rest.is_empty() {
            let (page, within) = (at & !(PAGE - 1), (at % PAGE) as usize);
            if !self.pages.borrow().contains_key(&page) {
                self.fetch(page);
            }
            let length = rest.len().min(PAGE as usize - within);
            let (part, behind) = rest.split_at_mut(length);
            let pages = self.pages.borrow();
            match pages.get(&page).and_then(Option::as_ref).and_then(|bytes| bytes.get(within..within + length)) {
                Some(bytes) => part.copy_from_slice(bytes),
                // A page that cannot be read in full is not cached; let the memory itself report the missing address.
                None => self.memory.read(VirtualAddress(at), part)?,
            }
            at = at.wrapping_add(length as u64);
            rest = behind;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn reads_few_times_and_fails_where_memory_ends() {
        let reads = Cell::new(0);
        let memory = |address: VirtualAddress, into: &mut [u8]| {
            reads.set(reads.get() + 1);
            let end = address.0 + into.len() as u64;
            if address.0 < 0x1000 || end > 0x9000 {
                return Err(MemoryFault(address));
            }
            for (index, byte) in into.iter_mut().enumerate() {
                *byte = ((address.0 + index as u64) / 8) as u8;
            }
            Ok(())
        };
        let window = Window::new(&memory);
        for address in (0x1004..0x8ff0).step_by(8) {
            assert_eq!(window.word(VirtualAddress(address)).unwrap().to_le_bytes()[4], (address / 8 + 1) as u8);
        }
        assert!(reads.get() < 16, "{}", reads.get());
        assert_eq!(window.word(VirtualAddress(0x8ffc)), Err(MemoryFault(VirtualAddress(0x9000))));
    }
}
