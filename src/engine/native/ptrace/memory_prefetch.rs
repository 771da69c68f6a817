//! Prefetches memory that is read at the same places again and again, in one system call.

use crate::process::memory::Memory;
use debuginfo::types::MemoryFault;
use std::cell::RefCell;

/// Places at most this far apart are fetched as one: less than a page, so that no unmapped page is touched.
const NEAR: u64 = 2048;
/// Size of the stack area whose places are remembered relative to the stack pointer.
const DEPTH: u64 = 1 << 16;
/// A place is forgotten after this many fetches without use: places used in alternation are kept.
const PATIENCE: u32 = 4;
/// The maximum number of places fetched.
const MOST_PLACES: usize = 512;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    /// Address of the first byte, or its distance from the stack pointer.
    address: u64,
    length: u64,
    of_stack: bool,
    /// The number of fetches without use.
    vain: u32,
}

/// The places read in recent inspections.
#[derive(Debug, Default)]
pub struct MemoryPrefetch {
    places: Vec<Place>,
}

impl MemoryPrefetch {
    /// Fetches the places likely to be read, preceded by the code at an address unless that is 0. `stack` is the stack
    /// pointer, or 0.
    pub fn fetch<'a>(&self, memory: &'a Memory, code: (u64, usize), stack: u64) -> Fetched<'a> {
        let at = |place: &Place| if place.of_stack { stack.wrapping_add(place.address) } else { place.address };
        let mut wanted: Vec<(u64, u64)> = Vec::with_capacity(self.places.len() + 1);
        if code.0 != 0 {
            wanted.push((code.0, code.1 as u64));
        }
        wanted.extend(self.places.iter().map(|place| (at(place), place.length)));
        let mut buffer = vec![0; wanted.iter().map(|(_, length)| *length as usize).sum()];
        let there = if wanted.is_empty() { 0 } else { memory.read_parts(&wanted, &mut buffer) };
        let mut held = Vec::with_capacity(wanted.len());
        let mut offset = 0;
        for (address, length) in wanted {
            // After a place that is no longer mapped, the rest was not read either.
            if offset + length as usize > there {
                break;
            }
            held.push((address, offset..offset + length as usize));
            offset += length as usize;
        }
        Fetched { memory, buffer, held, read: RefCell::default(), code: code.0, stack }
    }

    /// Remembers the places that have been read.
    pub fn learn(&mut self, fetched: &Fetched<'_>) {
        let mut read = fetched.read.take();
        read.sort_unstable();
        let mut places: Vec<Place> = Vec::new();
        for (address, length) in read {
            let distance = address.wrapping_sub(fetched.stack).wrapping_add(DEPTH);
            let of_stack = fetched.stack != 0 && distance < 2 * DEPTH;
            let address = if of_stack { address.wrapping_sub(fetched.stack) } else { address };
            match places.last_mut() {
                Some(last) if last.of_stack == of_stack && address.wrapping_sub(last.address) <= last.length + NEAR => {
                    last.length = last.length.max(address.wrapping_sub(last.address) + length);
                }
                _ => places.push(Place { address, length, of_stack, vain: 0 }),
            }
        }
        for old in self.places.drain(..).filter(|old| old.vain < PATIENCE) {
            let known = |place: &Place| {
                place.of_stack == old.of_stack
                    && old.address.wrapping_sub(place.address).saturating_add(old.length) <= place.length
            };
            if !places.iter().any(known) {
                places.push(Place { vain: old.vain + 1, ..old });
            }
        }
        // Useful places come first, because an unmapped one ends the fetch.
        places.truncate(MOST_PLACES);
        self.places = places;
    }

    /// True if no places are remembered.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
}

/// Fetched memory as a cache in front of a process's memory, for one inspection.
#[derive(Debug)]
pub struct Fetched<'a> {
    memory: &'a Memory,
    buffer: Vec<u8>,
    /// Fetched places by address, with their ranges in the buffer.
    held: Vec<(u64, std::ops::Range<usize>)>,
    /// Addresses and lengths that have been read.
    read: RefCell<Vec<(u64, u64)>>,
    code: u64,
    stack: u64,
}

impl Fetched<'_> {
    /// Reads from the cache, or like [`Memory::read`].
    pub fn read(&self, address: u64, into: &mut [u8]) -> Result<(), MemoryFault> {
        match self.part(address, into.len()) {
            Some(bytes) => into.copy_from_slice(bytes),
            None => self.memory.read(address, into)?,
        }
        self.note(address, into.len());
        Ok(())
    }

    /// Notes a read that was done without the cache.
    pub fn note(&self, address: u64, length: usize) {
        self.read.borrow_mut().push((address, length as u64));
    }

    fn part(&self, address: u64, length: usize) -> Option<&[u8]> {
        let holds = |(start, range): &&(u64, std::ops::Range<usize>)| {
            address >= *start && (address - start).saturating_add(length as u64) <= range.len() as u64
        };
        let (start, range) = self.held.iter().find(holds)?;
        let from = range.start + (address - start) as usize;
        self.buffer.get(from..from + length)
    }

    /// Returns the fetched code with its address, if it could be read.
    pub fn code(&self) -> Option<(u64, &[u8])> {
        let (address, range) = self.held.first().filter(|(address, _)| *address == self.code)?;
        Some((*address, self.buffer.get(range.clone())?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own() -> Memory {
        Memory::open(std::process::id() as i32).unwrap()
    }

    #[test]
    fn what_was_read_once_is_there_before_it_is_asked_for() {
        let memory = own();
        let data: Vec<u64> = (0..2000).collect();
        let (code, at) = ((data.as_ptr() as u64, 15), |index: usize| (&raw const data[index]) as u64);
        let mut prefetch = MemoryPrefetch::default();
        let mut word = [0; 8];
        for round in 0..3 {
            let fetched = prefetch.fetch(&memory, code, 0);
            for index in [7, 1990, 8] {
                assert_eq!(fetched.part(at(index), 8).is_some(), round > 0, "{index}");
                fetched.read(at(index), &mut word).unwrap();
                assert_eq!(u64::from_le_bytes(word), index as u64);
            }
            assert_eq!(fetched.code().unwrap().1.len(), 15);
            prefetch.learn(&fetched);
            assert_eq!(prefetch.places.len(), 2);
        }
        // Places that are no longer read are forgotten after a while.
        for _ in 0..=PATIENCE {
            assert!(!prefetch.is_empty());
            let fetched = prefetch.fetch(&memory, code, 0);
            prefetch.learn(&fetched);
        }
        assert!(prefetch.is_empty());
    }

    #[test]
    fn places_on_the_stack_go_with_it() {
        let memory = own();
        let stack = Box::new([3u64, 4, 5, 6]);
        let at = |index: usize| (&raw const stack[index]) as u64;
        let mut prefetch = MemoryPrefetch::default();
        let mut word = [0; 8];
        let fetched = prefetch.fetch(&memory, (at(0), 8), at(0));
        fetched.read(at(1), &mut word).unwrap();
        prefetch.learn(&fetched);
        let fetched = prefetch.fetch(&memory, (at(0), 8), at(2));
        assert_eq!(fetched.part(at(3), 8), Some(&6u64.to_le_bytes()[..]));
        assert_eq!(fetched.part(at(1), 8), None);
    }

    #[test]
    fn what_is_not_there_any_more_hides_nothing() {
        let memory = own();
        let data = Box::new([1u64, 2, 3]);
        let at = |index: usize| (&raw const data[index]) as u64;
        let gone = Place { address: 8, length: 8, of_stack: false, vain: 0 };
        let here = Place { address: at(1), length: 8, of_stack: false, vain: 0 };
        let prefetch = MemoryPrefetch { places: vec![gone, here] };
        let fetched = prefetch.fetch(&memory, (at(0), 8), 0);
        let mut word = [0; 8];
        assert_eq!(fetched.code(), Some((at(0), &1u64.to_le_bytes()[..])));
        fetched.read(at(1), &mut word).unwrap();
        assert_eq!(u64::from_le_bytes(word), 2);
        assert_eq!(fetched.read(8, &mut word), Err(MemoryFault(model::VirtualAddress(8))));
    }
}
