//! A thread of a core file, as the evaluation of symbols and expressions uses it.

use super::notes::CoreThread;
use super::open_core::OpenCore;
use super::refusal::Refusal;
use crate::native::inspect::{StoppedThread, frame_registers};
use crate::source_file::SourcePlaces;
use debuginfo::types::MemoryFault;
use debuginfo::{LoadedImages, ReadMemory, ThreadAccess};
use expr::budget::Budget;
use expr::value_history::ValueHistory;
use expr::{EvalError, Expression, ParseCache, PrinterTable, RankPrinters, StoppedAccess};
use model::VirtualAddress;
use std::cell::Cell;
use std::sync::Arc;

/// A thread of a core file.
pub(super) struct ThreadView<'a> {
    pub(super) core: &'a OpenCore,
    pub(super) images: &'a LoadedImages,
    pub(super) thread: &'a CoreThread,
    /// The user's number of the thread.
    pub(super) number: u32,
    pub(super) value_history: &'a ValueHistory,
    pub(super) expressions: &'a ParseCache,
    pub(super) printers: RankPrinters<'a>,
    pub(super) budget: Budget,
    /// The first thing that was wanted and is impossible.
    pub(super) refused: Cell<Option<Refusal>>,
}

impl ThreadView<'_> {
    /// Looks at the thread; fails if it was to be changed.
    pub(super) fn look<T>(
        &self,
        sources: &SourcePlaces,
        look: impl FnOnce(&StoppedThread<'_>) -> T,
    ) -> Result<T, Refusal> {
        let registers = frame_registers(self.thread.registers());
        let seen = look(&StoppedThread { images: self.images, registers, outside: 0, access: self, sources });
        self.refused.get().map_or(Ok(seen), Err)
    }

    fn refuse(&self, refusal: Refusal) {
        self.refused.set(self.refused.get().or(Some(refusal)));
    }
}

/// Reads memory as the program had it: from the core file, else from the files that were mapped and not changed.
pub(super) fn read_memory(
    core: &OpenCore,
    images: &LoadedImages,
    address: VirtualAddress,
    into: &mut [u8],
) -> Result<(), MemoryFault> {
    let mut done = 0;
    while let Some(rest) = into.get_mut(done..).filter(|rest| !rest.is_empty()) {
        let at = VirtualAddress(address.0.checked_add(done as u64).ok_or(MemoryFault(address))?);
        let stored = core.read_some(at.0, rest);
        done += if stored > 0 { stored } else { read_file(core, images, at, rest).ok_or(MemoryFault(at))? };
    }
    Ok(())
}

/// Reads as many bytes as a mapped file has from an address.
fn read_file(core: &OpenCore, images: &LoadedImages, at: VirtualAddress, into: &mut [u8]) -> Option<usize> {
    // Memory that the program had not mapped there, or had made of its own, is not that of the file.
    let end = core.segment(at.0)?.end;
    let (loaded, inside) = images.locate(at)?;
    let bytes = loaded.image.file().bytes_at(inside)?;
    let length = usize::try_from(end - at.0).unwrap_or(usize::MAX).min(bytes.len()).min(into.len());
    into.get_mut(..length)?.copy_from_slice(bytes.get(..length)?);
    (length > 0).then_some(length)
}

impl ReadMemory for ThreadView<'_> {
    fn read(&self, address: VirtualAddress, into: &mut [u8]) -> Result<(), MemoryFault> {
        read_memory(self.core, self.images, address, into)
    }
}

impl ThreadAccess for ThreadView<'_> {
    fn write(&self, address: VirtualAddress, _: &[u8]) -> Result<(), MemoryFault> {
        self.refuse(Refusal::Change);
        Err(MemoryFault(address))
    }

    fn register(&self, number: u16) -> Option<Vec<u8>> {
        self.thread.register(number)
    }

    fn set_register(&self, _: u16, _: &[u8]) -> bool {
        self.refuse(Refusal::Change);
        false
    }

    fn signal_information(&self) -> Option<Vec<u8>> {
        Some(self.thread.information.clone()).filter(|bytes| !bytes.is_empty())
    }

    fn thread_number(&self) -> Option<u32> {
        Some(self.number)
    }
}

impl StoppedAccess for ThreadView<'_> {
    fn value_history(&self) -> Option<&ValueHistory> {
        Some(self.value_history)
    }

    fn budget(&self) -> Option<&Budget> {
        Some(&self.budget)
    }

    fn printers(&self) -> Option<&PrinterTable> {
        self.printers.table()
    }

    fn parse(&self, text: &str) -> Result<Arc<Expression>, EvalError> {
        self.expressions.parse(text)
    }

    fn wants_call(&self) {
        self.refuse(Refusal::Call);
    }
}
