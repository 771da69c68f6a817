//! Access to a stopped thread. The tracer implements these; tests do with a table.

use super::registers::Registers;
use crate::types::description::MemoryFault;
use model::VirtualAddress;

/// Memory of a process as the program sees it: breakpoints of the debugger are not in it.
pub trait ReadMemory {
    /// Fills `into`, or fails at the first address that cannot be read.
    fn read(&self, address: VirtualAddress, into: &mut [u8]) -> Result<(), MemoryFault>;

    /// The registers that a function goes back to which the debugger called, by where it returns to and the stack
    /// pointer that it leaves.
    fn called_from(&self, _back: VirtualAddress, _stack_pointer: VirtualAddress) -> Option<Registers> {
        None
    }

    /// Eight bytes, little endian.
    fn word(&self, address: VirtualAddress) -> Result<u64, MemoryFault> {
        let mut bytes = [0; 8];
        self.read(address, &mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }
}

/// A closure is memory enough.
impl<F: Fn(VirtualAddress, &mut [u8]) -> Result<(), MemoryFault>> ReadMemory for F {
    fn read(&self, address: VirtualAddress, into: &mut [u8]) -> Result<(), MemoryFault> {
        self(address, into)
    }
}

/// A stopped thread: memory, and the registers that no frame keeps.
pub trait ThreadAccess: ReadMemory {
    /// Writes all or nothing.
    fn write(&self, address: VirtualAddress, data: &[u8]) -> Result<(), MemoryFault>;

    /// A register of the thread itself by DWARF number, little endian, as long as the table of registers says; asked
    /// for vector, x87 and control registers, and others that [`Registers`](crate::Registers) has no value of.
    fn register(&self, number: u16) -> Option<Vec<u8>>;

    /// Changes a register of the thread itself; `false` when it cannot.
    fn set_register(&self, number: u16, data: &[u8]) -> bool;

    /// The `siginfo_t` of the signal that it stopped for.
    fn signal_information(&self) -> Option<Vec<u8>> {
        None
    }

    /// The number of the thread.
    fn thread_number(&self) -> Option<u32> {
        None
    }
}
