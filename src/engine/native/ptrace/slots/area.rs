//! Slots, and the executable memory that has room for them.

use crate::native::ptrace::displaced_stepping::SLOT_SIZE;
use crate::process::memory::Memory;
use debuginfo::types::MemoryFault;

/// A place where threads pass a site. It outlives the site, because a signal handler may return to it.
#[derive(Clone, Debug)]
pub(in crate::native::ptrace) struct Slot {
    /// The site it was made for.
    pub(in crate::native::ptrace) site: u64,
    /// Address of the jump back; a thread found there has executed the instruction.
    pub(in crate::native::ptrace) done: u64,
    /// Target of the jump back.
    pub(in crate::native::ptrace) next: u64,
    /// The code written there, to notice that a library has been replaced by another.
    pub(in crate::native::ptrace) code: Vec<u8>,
}

impl Slot {
    pub(in crate::native::ptrace) fn is_there(&self, memory: &Memory, start: u64) -> bool {
        let mut now = vec![0; self.code.len()];
        memory.read_some(start, &mut now) == now.len() && now == self.code
    }
}

/// Executable memory for slots.
#[derive(Clone, Copy, Debug)]
pub(in crate::native::ptrace) struct Area {
    pub(in crate::native::ptrace) start: u64,
    pub(in crate::native::ptrace) end: u64,
    pub(in crate::native::ptrace) used: u64,
    /// The site in whose file it lies; `None` for memory mapped for slots.
    pub(in crate::native::ptrace) part_of: Option<u64>,
}

/// Marks a part of a file that was taken for slots; the number of bytes in use follows. A later debugger of the process
/// must leave these alone: a signal handler may return to one.
const TAKEN: [u8; 8] = *b"rankslot";
/// Length in bytes of the mark and the number after it.
const TAKEN_LENGTH: u64 = 16;

impl Area {
    /// Creates the area in the rest of a site's file; empty if earlier debuggers have used it all.
    pub(in crate::native::ptrace) fn of_part(memory: &Memory, site: u64, start: u64, end: u64) -> Option<Self> {
        let first = start.checked_add(TAKEN_LENGTH)?;
        let mut found = [0; TAKEN_LENGTH as usize];
        memory.read(start, &mut found).ok()?;
        let used = match found.split_first_chunk() {
            Some((&TAKEN, used)) => used.try_into().map_or(0, u64::from_le_bytes),
            _ => 0,
        };
        let mut area = Self { start: first, end, used: first.saturating_add(used), part_of: Some(site) };
        if area.has_room() && area.note(memory).is_err() {
            area.used = end;
        }
        Some(area)
    }

    /// True if there is room for one more slot.
    pub(in crate::native::ptrace) fn has_room(&self) -> bool {
        self.used.checked_add(SLOT_SIZE as u64).is_some_and(|end| end <= self.end)
    }

    /// True if it is the part of a file that begins there.
    pub(in crate::native::ptrace) fn is_at(&self, start: u64) -> bool {
        self.part_of.is_some() && self.start == start + TAKEN_LENGTH
    }

    pub(in crate::native::ptrace) fn contains(&self, slot: u64) -> bool {
        (self.start..self.end).contains(&slot)
    }

    /// Writes the number of bytes in use into a part of a file, for later debuggers.
    pub(in crate::native::ptrace) fn note(&self, memory: &Memory) -> Result<(), MemoryFault> {
        if self.part_of.is_none() {
            return Ok(());
        }
        let mut words = TAKEN.to_vec();
        words.extend((self.used - self.start).to_le_bytes());
        memory.write(self.start - TAKEN_LENGTH, &words)
    }
}
