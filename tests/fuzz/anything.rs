//! A thread with readable memory and registers nearly everywhere, for damaged programs.

use rankscope::debuginfo::types::MemoryFault;
use rankscope::debuginfo::{ReadMemory, ThreadAccess};
use rankscope::model::VirtualAddress;

/// Memory that is readable nearly everywhere, and registers that hold addresses.
pub struct Anything;

impl ReadMemory for Anything {
    fn read(&self, address: VirtualAddress, into: &mut [u8]) -> Result<(), MemoryFault> {
        if address.0 % 7 == 3 {
            return Err(MemoryFault(address));
        }
        for (index, byte) in into.iter_mut().enumerate() {
            *byte = [0x40, 0x11, 0, 0, 0, 0, 0, 0][(address.0 as usize).wrapping_add(index) % 8];
        }
        Ok(())
    }
}

impl ThreadAccess for Anything {
    fn write(&self, _: VirtualAddress, _: &[u8]) -> Result<(), MemoryFault> {
        Ok(())
    }

    fn register(&self, _: u16) -> Option<Vec<u8>> {
        Some(vec![1; 16])
    }

    fn set_register(&self, _: u16, _: &[u8]) -> bool {
        false
    }
}
