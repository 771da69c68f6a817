//! Access to a stopped thread, implemented by the tracer, and by tests with a table.

use super::registers::Registers;
use crate::types::description::MemoryFault;
use model::VirtualAddress;

/// Memory of a process as the program sees it, without the debugger's breakpoints.
pub trait ReadMemory {
    /// Fills `into`; fails at the first address that cannot be read.
    fn read(&self, address: VirtualAddress, into: &mut [u8]) -> Result<(), MemoryFault>;

    /// Returns the caller's registers for a function that the debugger called, by its return address and the stack
    /// pointer after the return.
    fn called_from(&self, _back: VirtualAddress, _stack_pointer: VirtualAddress) -> Option<Registers> {
        None
    }

    /// Reads eight bytes, little endian.
    fn word(&self, address: VirtualAddress) -> Result<u64, MemoryFault> {
        let mut bytes = [0; 8];
        self.read(address, &mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }
}

/// Any reading closure can serve as memory.
impl<F: Fn(VirtualAddress, &mut [u8]) -> Result<(), MemoryFault>> ReadMemory for F {
    fn read(&self, address: VirtualAddress, into: &mut [u8]) -> Result<(), MemoryFault> {
        self(address, into)
    }
}

/// A stopped thread: its memory, and the registers that frames do not keep.
pub trait ThreadAccess: ReadMemory {
    /// Writes all of `data`, or fails.
    fn write(&self, address: VirtualAddress, data: &[u8]) -> Result<(), MemoryFault>;

    /// Returns a register of the thread itself by DWARF number, little endian, with the size in
    /// [`REGISTERS`](crate::REGISTERS). Called for vector, x87 and control registers, and others without a value in
    /// [`Registers`](crate::Registers).
    fn register(&self, number: u16) -> Option<Vec<u8>>;

    /// Changes a register of the thread itself; `false` if it cannot.
    fn set_register(&self, number: u16, data: &[u8]) -> bool;

    /// Returns the `siginfo_t` of the signal that stopped the thread.
    fn signal_information(&self) -> Option<Vec<u8>> {
        None
    }

    /// Returns the number of the thread, if it has one.
    fn thread_number(&self) -> Option<u32> {
        None
    }
}
