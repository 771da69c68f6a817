//! A part of the program's memory, read ahead.

use crate::context::EvalContext;
use debuginfo::types::MemoryFault;
use model::VirtualAddress;

/// The most bytes read at once: the copy stays in the processor's cache.
pub(super) const BLOCK: usize = 256 << 10;

/// The last bytes that were read.
pub(super) struct Window<'a> {
    context: &'a EvalContext<'a>,
    start: u64,
    bytes: Vec<u8>,
}

impl<'a> Window<'a> {
    pub(super) fn new(context: &'a EvalContext<'a>) -> Self {
        Self { context, start: 0, bytes: Vec::new() }
    }

    fn fill(&mut self, address: u64, length: usize) -> Result<(), MemoryFault> {
        self.start = address;
        self.bytes.resize(length, 0);
        let outcome = self.context.read(VirtualAddress(address), &mut self.bytes);
        outcome.inspect_err(|_| self.bytes.clear())
    }

    /// Returns `length` bytes at an address. If they have to be read, up to `ahead` bytes are read with them.
    pub(super) fn bytes(&mut self, address: u64, length: usize, ahead: usize) -> Result<&[u8], MemoryFault> {
        let offset = usize::try_from(address.wrapping_sub(self.start)).unwrap_or(usize::MAX);
        let offset = if self.bytes.len().checked_sub(offset).is_some_and(|there| there >= length) {
            offset
        } else {
            if let Err(fault) = self.fill(address, length.max(ahead)) {
                // Memory behind the array may not be mapped.
                let there = usize::try_from(fault.0.0.wrapping_sub(address)).unwrap_or(0);
                if there < length {
                    return Err(fault);
                }
                self.fill(address, there.min(length.max(ahead)))?;
            }
            0
        };
        self.bytes.get(offset..offset + length).ok_or(MemoryFault(VirtualAddress(address)))
    }
}
