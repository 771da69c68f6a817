//! A stopped thread at one frame, as expressions use it.

use crate::EvalError;
use crate::call_request::CallRequest;
use debuginfo::FrameView;
use debuginfo::types::MemoryFault;
use model::{ErrorCode, VirtualAddress};

/// A stopped thread at one frame: its memory, its registers, and functions that run in it. What records or replays what an
/// expression does wraps this alone.
pub trait Machine {
    /// Fills `into` or fails at the first address that cannot be read. Breakpoints of ours are not seen.
    fn read(&self, address: VirtualAddress, into: &mut [u8]) -> Result<(), MemoryFault>;
    /// Writes all or nothing.
    fn write(&self, address: VirtualAddress, data: &[u8]) -> Result<(), MemoryFault>;
    /// A register of the frame by DWARF number, little endian, 8 bytes (16 for vector registers, 10 for x87).
    fn register(&self, number: u16) -> Option<Vec<u8>>;
    /// Changes a register of the frame; `false` when it cannot.
    fn set_register(&self, number: u16, data: &[u8]) -> bool;
    /// Calls a function of the program; the bytes of what it returns.
    fn call(&self, request: &CallRequest) -> Result<Vec<u8>, EvalError>;
    /// The `siginfo_t` of the signal that the thread stopped for.
    fn signal_information(&self) -> Option<Vec<u8>>;
    /// The number of the thread.
    fn thread_number(&self) -> Option<u32>;
}

/// Why [`Machine::call`] calls nothing where it cannot.
pub fn not_called(request: &CallRequest) -> EvalError {
    let message = format!("cannot call {} here: only print, set and rank sets call functions.", request.name);
    EvalError::new(ErrorCode::NOT_IMPLEMENTED, message)
}

impl Machine for FrameView<'_> {
    fn read(&self, address: VirtualAddress, into: &mut [u8]) -> Result<(), MemoryFault> {
        FrameView::read(self, address, into)
    }

    fn write(&self, address: VirtualAddress, data: &[u8]) -> Result<(), MemoryFault> {
        FrameView::write(self, address, data)
    }

    fn register(&self, number: u16) -> Option<Vec<u8>> {
        FrameView::register(self, number)
    }

    fn set_register(&self, number: u16, data: &[u8]) -> bool {
        FrameView::set_register(self, number, data)
    }

    fn call(&self, request: &CallRequest) -> Result<Vec<u8>, EvalError> {
        Err(not_called(request))
    }

    fn signal_information(&self) -> Option<Vec<u8>> {
        FrameView::signal_information(self)
    }

    fn thread_number(&self) -> Option<u32> {
        FrameView::thread_number(self)
    }
}
