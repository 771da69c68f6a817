//! A stopped thread at one frame, as expressions use it.

use crate::EvalError;
use crate::call_request::CallRequest;
use debuginfo::FrameView;
use debuginfo::types::MemoryFault;
use model::{ErrorCode, VirtualAddress};

/// A stopped thread at one frame: its memory, its registers, and functions called in it. This is the only trait to wrap
/// for recording or replaying an expression.
pub trait Machine {
    /// Fills `into` or fails at the first unreadable address. Our own breakpoints are not visible.
    fn read(&self, address: VirtualAddress, into: &mut [u8]) -> Result<(), MemoryFault>;
    /// Writes all bytes or none.
    fn write(&self, address: VirtualAddress, data: &[u8]) -> Result<(), MemoryFault>;
    /// Reads a register of the frame by DWARF number: little endian, 8 bytes (16 for vector registers, 10 for x87).
    fn register(&self, number: u16) -> Option<Vec<u8>>;
    /// Changes a register of the frame; returns `false` if it cannot be changed.
    fn set_register(&self, number: u16, data: &[u8]) -> bool;
    /// Calls a function of the program and returns the bytes of its result.
    fn call(&self, request: &CallRequest) -> Result<Vec<u8>, EvalError>;
    /// The `siginfo_t` of the signal that the thread stopped for.
    fn signal_information(&self) -> Option<Vec<u8>>;
    /// The number of the thread, as `$_thread` gives it.
    fn thread_number(&self) -> Option<u32>;
}

/// The error of [`Machine::call`] on a machine that cannot call functions.
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
