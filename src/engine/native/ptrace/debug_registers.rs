//! The debug registers of the processor: up to four places in memory at which an access or an execution traps (Intel
//! manual, volume 3, 18.2). All threads of a process get the same ones.

use super::requests::{self, Tid};
use crate::process::memory::Memory;
use nix::errno::Errno;

/// The number of places at which the processor can trap.
const PLACES: usize = 4;
const STATUS: usize = 6;
const CONTROL: usize = 7;

/// The accesses that trap. The processor cannot trap on reads alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Writes.
    Write,
    /// Reads and writes.
    Any,
    /// Execution of the instruction there, before it has any effect.
    Execute,
}

/// A place that one register watches: 1, 2, 4 or 8 bytes, aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Region {
    /// Address of the first byte.
    pub address: u64,
    /// Length in bytes: 1, 2, 4 or 8.
    pub length: u8,
    /// The accesses that trap.
    pub access: Access,
}

/// Divides a place in memory into aligned regions; `None` if it needs more than there are registers.
pub fn regions(address: u64, length: u64, access: Access) -> Option<Vec<Region>> {
    let (mut at, end) = (address, address.checked_add(length)?);
    let mut found = Vec::new();
    while at < end {
        let length = [8u8, 4, 2, 1].into_iter().find(|size| at % u64::from(*size) == 0 && u64::from(*size) <= end - at);
        let length = length?;
        found.push(Region { address: at, length, access });
        if found.len() > PLACES {
            return None;
        }
        at += u64::from(length);
    }
    Some(found)
}

/// Clears the debug registers of a stopped thread, whoever used them before. Does nothing if the system has none.
pub(super) fn reset(tid: Tid) {
    for register in [CONTROL, STATUS] {
        let _ = requests::set_debug_register(tid, register, 0);
    }
}

/// The intended debug registers of a process.
#[derive(Clone, Debug, Default)]
pub struct DebugRegisters {
    places: [Option<(Region, u32)>; PLACES],
    /// Counts the changes; a thread with an older version gets the registers when it is resumed. 0: never used.
    version: u32,
    /// The version that the last [`DebugRegisters::take_change`] saw.
    seen: u32,
}

impl Region {
    /// The instruction at an address.
    pub fn instruction(address: u64) -> Self {
        Self { address, length: 1, access: Access::Execute }
    }

    /// True if the kernel lets a register watch it: it is not at the kernel's addresses.
    pub fn may_be_watched(&self, memory: &Memory) -> bool {
        /// The end of a program's addresses, unless it has asked for higher ones on a processor with five levels of
        /// page tables: then the memory there can be read.
        const END: u64 = (1 << 47) - 4096;
        const START_OF_KERNEL: u64 = 1 << 63;
        self.address < END || self.address < START_OF_KERNEL && memory.read(self.address, &mut [0]).is_ok()
    }
}

impl DebugRegisters {
    /// Returns the number of changes so far.
    pub(super) fn version(&self) -> u32 {
        self.version
    }

    /// True if they have changed since the last call.
    pub(super) fn take_change(&mut self) -> bool {
        std::mem::replace(&mut self.seen, self.version) != self.version
    }

    /// Returns the number of unused registers.
    pub fn free(&self) -> usize {
        self.places.iter().filter(|place| place.is_none()).count()
    }

    /// Watches all of the regions, or none if there are too few registers. True if it does.
    pub fn claim(&mut self, regions: &[Region]) -> bool {
        let mut places = self.places;
        for region in regions {
            if let Some((_, wanted)) = places.iter_mut().flatten().find(|(known, _)| known == region) {
                *wanted += 1;
            } else if let Some(free) = places.iter_mut().find(|place| place.is_none()) {
                *free = Some((*region, 1));
            } else {
                return false;
            }
        }
        self.places = places;
        self.version += 1;
        true
    }

    /// Stops watching regions, except those that another claim needs.
    pub fn release(&mut self, regions: &[Region]) {
        for region in regions {
            for place in &mut self.places {
                if let Some((known, wanted)) = place
                    && known == region
                {
                    *wanted -= 1;
                    if *wanted == 0 {
                        *place = None;
                    }
                    break;
                }
            }
        }
        self.version += 1;
    }

    /// Returns the regions of trapped places; `bits` has a bit for each place.
    pub fn of_bits(&self, bits: u64) -> impl Iterator<Item = Region> {
        let trapped = self.places.iter().enumerate().filter(move |(place, _)| bits >> place & 1 == 1);
        trapped.filter_map(|(_, place)| place.map(|(region, _)| region))
    }

    /// True if executing the instruction at this address traps.
    pub(super) fn executes_at(&self, address: u64) -> bool {
        self.places.iter().flatten().any(|(region, _)| *region == Region::instruction(address))
    }

    /// Returns the control register: two enable bits per place, and four for access and length.
    fn control(&self) -> u64 {
        let mut control = 0;
        for (place, (region, _)) in self.places.iter().enumerate().filter_map(|(i, place)| Some((i, (*place)?))) {
            let access = match region.access {
                Access::Write => 0b01,
                Access::Any => 0b11,
                Access::Execute => 0b00,
            };
            let length = match region.length {
                1 => 0b00,
                2 => 0b01,
                4 => 0b11,
                _ => 0b10,
            };
            control |= 1 << (place * 2) | (length << 2 | access) << (16 + place * 4);
        }
        control
    }

    /// Writes the registers of a stopped thread.
    pub(super) fn apply(&self, tid: Tid) -> Result<(), Errno> {
        requests::set_debug_register(tid, CONTROL, 0)?;
        for (place, region) in self.places.iter().enumerate() {
            if let Some((region, _)) = region {
                requests::set_debug_register(tid, place, region.address)?;
            }
        }
        requests::set_debug_register(tid, CONTROL, self.control())
    }

    /// Disables the registers of a stopped thread before it is detached.
    pub(super) fn clear(&self, tid: Tid) {
        if self.version > 0 {
            // Fails if the thread has ended.
            let _ = requests::set_debug_register(tid, CONTROL, 0);
        }
    }

    /// Returns the places at which a stopped thread has just trapped, a bit for each, and clears them.
    pub(super) fn take_trapped(&self, tid: Tid) -> u64 {
        if self.version == 0 {
            return 0;
        }
        let trapped = requests::debug_register(tid, STATUS).unwrap_or(0) & 0xf;
        if trapped != 0 {
            let _ = requests::set_debug_register(tid, STATUS, 0);
        }
        trapped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(address: u64, length: u64) -> Option<Vec<u8>> {
        Some(regions(address, length, Access::Write)?.iter().map(|region| region.length).collect())
    }

    #[test]
    fn a_place_is_cut_into_aligned_pieces() {
        assert_eq!(lengths(0x1000, 4), Some(vec![4]));
        assert_eq!(lengths(0x1001, 4), Some(vec![1, 2, 1]));
        assert_eq!(lengths(0x1004, 16), Some(vec![4, 8, 4]));
        assert_eq!(lengths(0x1000, 32), Some(vec![8; 4]));
        assert_eq!(lengths(0x1000, 33), None);
        assert_eq!(lengths(u64::MAX, 4), None);
    }

    #[test]
    fn the_control_register_is_that_of_the_manual() {
        let mut registers = DebugRegisters::default();
        let region = |address, length, access| Region { address, length, access };
        assert!(registers.claim(&[region(0x1000, 4, Access::Write)]));
        assert_eq!(registers.control(), 0x000d_0001);
        assert!(registers.claim(&[region(0x1000, 4, Access::Write), region(0x2000, 8, Access::Any)]));
        assert_eq!(registers.control(), 0x00bd_0005);
        registers.release(&[region(0x1000, 4, Access::Write)]);
        assert_eq!(registers.of_bits(0b11).count(), 2);
        registers.release(&[region(0x1000, 4, Access::Write)]);
        assert_eq!((registers.control(), registers.free()), (0x00b0_0004, 3));
        assert!(registers.claim(&[Region::instruction(0x3001)]));
        assert_eq!(registers.control(), 0x00b0_0005);
        assert!(registers.executes_at(0x3001) && !registers.executes_at(0x2000));
    }

    #[test]
    fn what_does_not_fit_takes_nothing() {
        let mut registers = DebugRegisters::default();
        assert!(registers.claim(&regions(0x1000, 24, Access::Write).unwrap()));
        assert!(!registers.claim(&regions(0x2000, 16, Access::Write).unwrap()));
        assert_eq!(registers.free(), 1);
    }
}
