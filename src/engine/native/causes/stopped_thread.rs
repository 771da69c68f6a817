//! A thread under the native engine, as the search for the cause of its signal sees it.

use crate::causes::failed_thread::FailedThread;
use crate::native::inspect::StoppedThread;
use debuginfo::{ReadMemory, Registers};
use model::{Frame, VirtualAddress};
use std::path::PathBuf;

/// The number of frames searched for the innermost function that has a return address.
const FRAMES: u32 = 64;

impl FailedThread for StoppedThread<'_> {
    fn memory(&self) -> &dyn ReadMemory {
        self.access
    }

    fn registers(&self) -> Registers {
        self.registers
    }

    fn frames(&self, most: u32) -> Vec<Frame> {
        self.frames(most)
    }

    fn executes_own_line(&self) -> bool {
        let located = self.registers.pc().and_then(|pc| self.images.locate(pc));
        located.is_none_or(|(loaded, at)| loaded.image.executes_own_line(at))
    }

    fn frame_address(&self) -> Option<u64> {
        Some(self.stack(0, Some(FRAMES)).frames.iter().find_map(|frame| frame.cfa)?.0)
    }

    fn value(&self, expression: &str) -> Option<u64> {
        let value = self.at(0, |view| Ok(view.parse(expression)?.evaluate(&view.eval())?.as_address(&view.eval())?.0));
        value.ok()
    }

    fn symbol(&self, libraries: &[&str], name: &str) -> Option<VirtualAddress> {
        self.images.program_and(libraries).find_map(|loaded| loaded.symbol(name))
    }

    fn function_at(&self, address: VirtualAddress) -> Option<String> {
        let (loaded, at) = self.images.locate(address)?;
        let (name, within) = loaded.image.symbol_at(at)?;
        (within == 0).then(|| name.to_string())
    }

    fn source_path(&self, file: &str) -> PathBuf {
        self.source_path(file)
    }
}
