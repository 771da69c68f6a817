//! Breakpoint instructions in one address space, and the slots in which threads pass them.

use super::displaced_stepping::{LONGEST, Passage, decode, passage};
use super::slots::area::{Area, Slot};
use crate::process::memory::Memory;
use debuginfo::types::MemoryFault;
use std::collections::{BTreeMap, BTreeSet};

/// The one-byte breakpoint instruction, `int3`.
pub const TRAP: u8 = 0xcc;

#[derive(Clone, Debug)]
struct Site {
    /// The byte the trap replaced.
    original: u8,
    /// Use count.
    wanted: u32,
}

/// The way to pass a site.
#[derive(Debug)]
struct Known {
    /// The instruction bytes it was made from.
    code: Vec<u8>,
    slot: u64,
    passage: Passage,
    /// True if the byte after the trap is inside the instruction: only the trap can stop a thread there.
    telling: bool,
}

/// Breakpoint instructions and slots of one address space.
#[derive(Debug, Default)]
pub struct InsertedBreakpoints {
    sites: BTreeMap<u64, Site>,
    slots: BTreeMap<u64, Slot>,
    /// By site.
    passages: BTreeMap<u64, Known>,
    areas: Vec<Area>,
    /// Sites for which no room for a slot was found.
    roomless: BTreeSet<u64>,
    /// True while the traps are removed because nothing executes the memory.
    resting: bool,
    /// Changes with the set of traps.
    version: u64,
}

/// The range of an instruction's data addresses, less a margin for the code in between.
pub(super) const REACH: u64 = (1 << 31) - (1 << 24);

/// Puts the original byte back in place of a trap. Where the program has rewritten its code (as UCX rewrites libc's
/// `mmap`), the trap is gone and the byte no longer belongs there; where the memory is no longer mapped, neither.
pub fn take_out_trap(memory: &Memory, address: u64, original: u8) {
    let mut byte = [0];
    if memory.read(address, &mut byte).is_ok() && byte == [TRAP] {
        let _ = memory.write(address, &[original]);
    }
}

impl InsertedBreakpoints {
    /// Inserts a trap, or adds one to its use count.
    pub fn insert(&mut self, memory: &Memory, address: u64) -> Result<(), MemoryFault> {
        if let Some(site) = self.sites.get_mut(&address) {
            site.wanted += 1;
            return Ok(());
        }
        let mut original = [0];
        memory.read(address, &mut original)?;
        // Written even while resting: an address that is not writable must fail now, not later.
        memory.write(address, if self.resting { &original } else { &[TRAP] })?;
        let [original] = original;
        self.version += 1;
        self.sites.insert(address, Site { original, wanted: 1 });
        Ok(())
    }

    /// Subtracts one from a trap's use count, and removes it at 0.
    pub fn remove(&mut self, memory: &Memory, address: u64) {
        let Some(site) = self.sites.get_mut(&address) else { return };
        site.wanted -= 1;
        if site.wanted == 0 {
            take_out_trap(memory, address, site.original);
            self.sites.remove(&address);
            self.version += 1;
        }
    }

    /// Removes all traps until [`Self::wake`].
    pub fn rest(&mut self, memory: &Memory) {
        if !self.resting && !self.sites.is_empty() {
            self.clean(memory);
            self.resting = true;
        }
    }

    /// Inserts the traps again.
    pub fn wake(&mut self, memory: &Memory) {
        if std::mem::take(&mut self.resting) {
            let all: Vec<u64> = self.sites.keys().copied().collect();
            self.replant(memory, &all);
        }
    }

    /// Returns a number that changes with the set of traps.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Forgets traps in unmapped memory (an unloaded library).
    pub fn forget(&mut self, gone: impl Fn(u64) -> bool) {
        self.sites.retain(|address, _| !gone(*address));
        self.version += 1;
        self.passages.retain(|address, _| !gone(*address));
        self.roomless.retain(|address| !gone(*address));
        self.slots.retain(|_, slot| !gone(slot.site));
        self.areas.retain(|area| !area.part_of.is_some_and(&gone));
    }

    /// Inserts traps again where the memory has been replaced.
    pub fn replant(&mut self, memory: &Memory, addresses: &[u64]) {
        for address in addresses {
            let Some(site) = self.sites.get_mut(address) else { continue };
            let mut byte = [0];
            let found = memory.read(*address, &mut byte).is_ok() && byte != [TRAP];
            if found && (self.resting || memory.write(*address, &[TRAP]).is_ok()) && [site.original] != byte {
                [site.original] = byte;
                self.version += 1;
            }
        }
    }

    /// True if the debugger has a trap there.
    pub fn contains(&self, address: u64) -> bool {
        self.sites.contains_key(&address)
    }

    /// Removes the traps from a copy of the address space.
    pub fn clean(&self, copy: &Memory) {
        for (address, site) in &self.sites {
            take_out_trap(copy, *address, site.original);
        }
    }

    /// Returns the state for a forked copy of the address space. Threads may be in copied slots; new ones need memory.
    pub fn of_copy(&self) -> Self {
        Self { sites: self.sites.clone(), slots: self.slots.clone(), ..Self::default() }
    }

    /// Returns an empty state for the address space after an exec.
    pub fn of_next_program(&self, memory: &Memory) -> Self {
        // A process that was seized in the middle of the exec had its new memory already when traps were inserted. They
        // would be taken for the program's own, and the instruction below would be left out.
        self.clean(memory);
        Self { version: self.version + 1, ..Self::default() }
    }

    /// Inserts all traps into a copy that has none.
    pub fn plant_all(&self, copy: &Memory) {
        for address in self.sites.keys() {
            // Unmapped code cannot be executed.
            let _ = copy.write(*address, &[TRAP]);
        }
    }

    /// Removes one trap temporarily, or inserts it again.
    pub fn lift(&self, memory: &Memory, address: u64, lifted: bool) {
        if let Some(site) = self.sites.get(&address).filter(|_| !self.resting) {
            let _ = memory.write(address, &[if lifted { site.original } else { TRAP }]);
        }
    }

    /// Removes all traps and forgets them.
    pub fn lift_all(&mut self, memory: &Memory) {
        self.clean(memory);
        self.sites.clear();
        self.resting = false;
        self.version += 1;
    }

    /// Returns the bytes that the traps replace, by address.
    pub fn hidden(&self) -> impl Iterator<Item = (u64, u8)> {
        self.sites.iter().map(|(address, site)| (*address, site.original))
    }

    /// Replaces the traps in bytes read from `address` by the original code.
    pub fn hide(&self, address: u64, bytes: &mut [u8]) {
        let end = address.saturating_add(bytes.len() as u64);
        for (at, site) in self.sites.range(address..end) {
            if let Some(byte) = bytes.get_mut((at - address) as usize) {
                *byte = site.original;
            }
        }
    }

    /// Puts the traps into bytes about to be written at `address`; the bytes they replace become the new original code.
    pub fn keep(&mut self, address: u64, bytes: &mut [u8]) {
        let end = address.saturating_add(bytes.len() as u64);
        for (at, site) in self.sites.range_mut(address..end) {
            if let Some(byte) = bytes.get_mut((at - address) as usize) {
                site.original = *byte;
                if !self.resting {
                    *byte = TRAP;
                }
            }
        }
    }

    /// Returns the thread's program counter as the program sees it, if `pc` is in a slot.
    pub fn outside_of_slots(&self, memory: &Memory, pc: u64) -> Option<u64> {
        let (start, slot) = self.slots.range(..=pc).next_back()?;
        if pc - start >= slot.code.len() as u64 || !slot.is_there(memory, *start) {
            return None;
        }
        Some(if pc >= slot.done { slot.next } else { slot.site })
    }

    fn area_near(&self, site: u64) -> Option<usize> {
        self.areas.iter().position(|area| area.start.abs_diff(site) < REACH && area.has_room())
    }

    /// Adds memory that was mapped for slots.
    pub fn add_area(&mut self, start: u64, size: u64) {
        self.areas.push(Area { start, end: start + size, used: start, part_of: None });
    }

    /// Adds unused memory in the file of a site for slots. True if there is room in it.
    pub fn add_part(&mut self, memory: &Memory, site: u64, start: u64, end: u64) -> bool {
        if self.areas.iter().any(|area| area.is_at(start)) {
            return false;
        }
        let Some(area) = Area::of_part(memory, site, start, end) else { return false };
        self.areas.push(area);
        area.has_room()
    }

    /// Forgets the slots in a part of a file that has been replaced by another.
    fn lose_part(&mut self, memory: &Memory, slot: u64) {
        let lost = self.areas.iter().position(|area| area.contains(slot));
        let Some(area) = lost.map(|lost| self.areas.remove(lost)) else { return };
        self.slots.retain(|start, slot| !area.contains(*start) || slot.is_there(memory, *start));
    }

    /// Notes that there is no room for slots near a site.
    pub fn note_roomless(&mut self, site: u64) {
        self.roomless.insert(site);
    }

    /// True if a SIGTRAP one byte after the site proves an arrival, even if others may send the signal.
    pub fn is_telling(&self, site: u64) -> bool {
        self.sites.contains_key(&site) && self.passages.get(&site).is_some_and(|known| known.telling)
    }

    /// Returns the way to pass a site, and the slot if it needs one. `seen` is the code there, if just read.
    pub fn passage(&mut self, memory: &Memory, site: u64, seen: Option<Vec<u8>>) -> (Passage, u64) {
        let mut code = seen.unwrap_or_else(|| {
            let mut code = vec![0; LONGEST];
            let length = memory.read_some(site, &mut code);
            code.truncate(length);
            code
        });
        self.hide(site, &mut code);
        if let Some(known) = self.passages.get(&site).filter(|known| known.code == code) {
            let (passage, slot) = (known.passage.clone(), known.slot);
            if self.slots.get(&slot).is_none_or(|made| slot == 0 || made.is_there(memory, slot)) {
                return (passage, slot);
            }
            self.lose_part(memory, slot);
        }
        let area = self.area_near(site);
        let slot = area.and_then(|area| self.areas.get(area)).map(|area| area.used);
        let mut found = passage(&code, site, slot);
        let mut place = 0;
        if let (Passage::Slot { code: moved, done, next }, Some(slot)) = (&found, slot) {
            if memory.write(slot, moved).is_err() {
                return (Passage::InPlace, 0);
            }
            place = slot;
            self.slots.insert(slot, Slot { site, done: slot + *done as u64, next: *next, code: moved.clone() });
            if let Some(area) = area.and_then(|area| self.areas.get_mut(area)) {
                area.used += moved.len() as u64;
                // If it cannot be noted, a later debugger may reuse the slots.
                let _ = area.note(memory);
            }
        }
        if found == Passage::Roomless && self.roomless.contains(&site) {
            found = Passage::InPlace;
        }
        // Not cached without room: a slot may be found later.
        if found != Passage::Roomless {
            let telling = decode(&code, site).is_some_and(|instruction| instruction.len() > 1);
            self.passages.insert(site, Known { code, slot: place, passage: found.clone(), telling });
        }
        (found, place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::ptrace::displaced_stepping::SLOT_SIZE;

    fn own() -> Memory {
        Memory::open(std::process::id() as i32).unwrap()
    }

    #[test]
    fn traps_that_rest_are_out_of_memory_whatever_is_done_with_them() {
        let code = Box::new([0x90u8; 4]);
        let (memory, at) = (own(), std::ptr::from_ref(code.as_ref()) as u64);
        let now = || {
            let mut bytes = [0; 4];
            memory.read(at, &mut bytes).unwrap();
            bytes
        };
        let mut sites = InsertedBreakpoints::default();
        sites.insert(&memory, at).unwrap();
        sites.rest(&memory);
        let before = sites.version();
        sites.insert(&memory, at + 1).unwrap();
        assert_ne!(sites.version(), before);
        assert_eq!(now(), [0x90; 4]);
        let mut bytes = [1, 2];
        sites.keep(at + 1, &mut bytes);
        memory.write(at + 1, &bytes).unwrap();
        assert_eq!(now(), [0x90, 1, 2, 0x90]);
        sites.wake(&memory);
        assert_eq!(now(), [TRAP, TRAP, 2, 0x90]);
        sites.rest(&memory);
        sites.remove(&memory, at);
        sites.wake(&memory);
        assert_eq!(now(), [0x90, TRAP, 2, 0x90]);
        sites.lift_all(&memory);
        assert_eq!(now(), [0x90, 1, 2, 0x90]);
    }

    #[test]
    fn traps_that_were_in_the_next_program_already_are_taken_out() {
        let memory = Memory::open(std::process::id() as i32).unwrap();
        let code = Box::new([0xc3_u8, 0x90]);
        let at = code.as_ptr() as u64;
        let mut sites = InsertedBreakpoints::default();
        sites.insert(&memory, at).unwrap();
        let mut next = sites.of_next_program(&memory);
        let mut byte = [0];
        memory.read(at, &mut byte).unwrap();
        assert_eq!((byte, next.contains(at)), ([0xc3], false));
        next.insert(&memory, at).unwrap();
        next.remove(&memory, at);
        memory.read(at, &mut byte).unwrap();
        assert_eq!(byte, [0xc3]);
    }

    #[test]
    fn code_that_the_program_writes_over_a_trap_stays() {
        let own = std::process::id() as i32;
        let memory = Memory::open(own).unwrap();
        let code = Box::new([0x90_u8; 4]);
        let at = code.as_ptr() as u64;
        let now = || {
            let mut bytes = [0; 4];
            memory.read(at, &mut bytes).unwrap();
            bytes
        };
        let jump = [0xe9, 1, 2, 3];
        let mut sites = InsertedBreakpoints::default();
        for address in [at, at + 2] {
            sites.insert(&memory, address).unwrap();
        }
        memory.write(at, &jump).unwrap();
        sites.remove(&memory, at + 2);
        sites.rest(&memory);
        assert_eq!(now(), jump);
        // The breakpoint is in the new code from here on.
        sites.wake(&memory);
        assert_eq!(now(), [TRAP, 1, 2, 3]);
        sites.remove(&memory, at);
        assert_eq!(now(), jump);
    }

    #[test]
    fn traps_are_counted_hidden_and_taken_out() {
        let memory = own();
        let code = Box::new([0x55u8, 0x48, 0x89, 0xe5]);
        let address = code.as_ptr() as u64;
        let seen = || {
            let mut bytes = [0; 4];
            memory.read(address, &mut bytes).unwrap();
            bytes
        };
        let mut sites = InsertedBreakpoints::default();
        sites.insert(&memory, address + 1).unwrap();
        sites.insert(&memory, address + 1).unwrap();
        assert_eq!(seen(), [0x55, TRAP, 0x89, 0xe5]);
        let mut bytes = seen();
        sites.hide(address, &mut bytes);
        assert_eq!(bytes, [0x55, 0x48, 0x89, 0xe5]);
        let mut written = [1, 2, 3];
        sites.keep(address, &mut written);
        assert_eq!(written, [1, TRAP, 3]);
        sites.remove(&memory, address + 1);
        assert_eq!(seen()[1], TRAP);
        sites.remove(&memory, address + 1);
        assert_eq!(seen()[1], 2);
        assert!(!sites.contains(address + 1));
        drop(code);
    }

    #[test]
    fn a_program_counter_in_a_slot_is_shown_at_its_site() {
        let memory = own();
        // One allocation: two might be further apart than a jump reaches.
        let mut code = Box::new([0x55u8; 32 + 256]);
        // mov %rsp,%rbp
        code[8..11].copy_from_slice(&[0x48, 0x89, 0xe5]);
        let site = code.as_ptr() as u64;
        let start = site + 32;
        let mut sites = InsertedBreakpoints::default();
        sites.insert(&memory, site).unwrap();
        assert_eq!(sites.passage(&memory, site, None).0, Passage::Roomless);
        assert!(sites.add_part(&memory, site, site + 16, start + 200));
        let (found, slot) = sites.passage(&memory, site, None);
        assert!(matches!(found, Passage::Slot { done: 1, .. }));
        assert_eq!(slot, start);
        // `push %rbp` is one byte: a thread may be after it without having hit the trap.
        assert!(!sites.is_telling(site));
        assert_eq!(sites.outside_of_slots(&memory, slot), Some(site));
        assert_eq!(sites.outside_of_slots(&memory, slot + 1), Some(site + 1));
        assert_eq!(sites.outside_of_slots(&memory, slot + SLOT_SIZE as u64), None);
        assert_eq!(sites.outside_of_slots(&memory, slot - 1), None);
        assert_eq!(sites.passage(&memory, site, None).1, slot);
        // No thread can be after the first byte of a longer instruction.
        let longer = site + 8;
        sites.insert(&memory, longer).unwrap();
        assert!(!sites.is_telling(longer), "not known yet");
        let seen = vec![TRAP, 0x89, 0xe5, 0x55];
        assert!(matches!(sites.passage(&memory, longer, Some(seen)).0, Passage::Slot { done: 3, .. }));
        assert!(sites.is_telling(longer));
        sites.remove(&memory, longer);
        assert!(!sites.is_telling(longer), "it is out");
        sites.remove(&memory, site);
        drop(code);
    }
}
