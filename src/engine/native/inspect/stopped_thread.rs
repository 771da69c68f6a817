//! A stopped thread and its frames.

use debuginfo::{LoadedImages, Registers, Stack, StackFrame, stack_from};
use expr::{FrameContext, StoppedAccess};
use model::{CodePlace, ErrorCode, Failure, Frame, VirtualAddress};
use std::sync::Arc;

/// Functions inlined into each other; more are not looked through for the one that has the frame.
const DEEPEST_INLINED: u32 = 1_000;

/// A thread that is stopped: what its process has mapped, its registers, its memory.
pub struct StoppedThread<'a> {
    /// What its process has mapped.
    pub images: &'a LoadedImages,
    /// Its registers as they are.
    pub registers: Registers,
    /// How many of the inlined functions that begin at its program counter it has not entered yet.
    pub outside: u32,
    /// Its memory, and the registers that are rarely asked for.
    pub access: &'a dyn StoppedAccess,
}

impl StoppedThread<'_> {
    /// Levels `low` to `high` (included; `None`: to the end).
    pub fn stack(&self, low: u32, high: Option<u32>) -> Stack {
        stack_from(self.images, &self.registers, self.outside, self.access, low, high)
    }

    /// The frame at a level; [`ErrorCode::NO_STACK`] when the stack does not reach it.
    pub fn frame(&self, level: u32) -> Result<StackFrame, Failure> {
        let found = self.stack(level, Some(level));
        let fault = found.fault.map_or_else(String::new, |fault| format!(": {fault}"));
        let nothing = || Failure::new(ErrorCode::NO_STACK, format!("No frame at level {level}{fault}."));
        found.frames.into_iter().find(|frame| frame.frame.level == level).ok_or_else(nothing)
    }

    /// Where the thread is: its innermost frame, or what the program counter says when there is no frame to be had.
    pub fn innermost(&self) -> Frame {
        match self.frame(0) {
            Ok(found) => found.frame,
            Err(_) => self.bare_frame(self.registers.pc().unwrap_or_default()),
        }
    }

    /// The function whose frame is the innermost, whatever has been inlined into it.
    pub fn physical_function(&self) -> Option<Arc<str>> {
        let frames = self.stack(0, Some(DEEPEST_INLINED)).frames;
        frames.into_iter().find(|frame| !frame.frame.inlined)?.frame.function
    }

    fn bare_frame(&self, pc: VirtualAddress) -> Frame {
        let located = self.images.locate(pc);
        let module = located.as_ref().map(|(loaded, _)| loaded.name.clone());
        let offset = located.as_ref().map_or(pc.0, |(_, address)| address.0);
        let function = located.and_then(|(loaded, address)| Some(loaded.image.symbol_at(address)?.0));
        Frame {
            level: 0,
            function,
            source: None,
            code: CodePlace { module, offset, address: Some(pc) },
            inlined: false,
            guessed: false,
            thread: None,
        }
    }

    /// What names mean in a frame of the thread.
    pub fn in_frame<'b>(&'b self, frame: Option<&'b StackFrame>) -> FrameContext<'b> {
        FrameContext::new(self.images, frame, self.access)
    }

    /// Calls `look` with the registers and the memory of the thread, whatever its frames are.
    pub fn at_no_frame<T>(&self, look: impl FnOnce(&FrameContext<'_>) -> Result<T, Failure>) -> Result<T, Failure> {
        look(&self.in_frame(None))
    }

    /// Calls `look` with what names mean at a level. At level 0 a thread without a frame still has its globals.
    pub fn at<T>(&self, level: u32, look: impl FnOnce(&FrameContext<'_>) -> Result<T, Failure>) -> Result<T, Failure> {
        let frame = match self.frame(level) {
            Ok(frame) => Some(frame),
            Err(_) if level == 0 => None,
            Err(failure) => return Err(failure),
        };
        look(&self.in_frame(frame.as_ref()))
    }
}
