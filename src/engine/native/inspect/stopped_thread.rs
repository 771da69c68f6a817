//! A stopped thread and its frames.

use crate::source_file::SourcePlaces;
use debuginfo::{CodeScope, LoadedImages, Registers, Stack, StackFrame, stack_from};
use expr::{FrameContext, StoppedAccess};
use model::{CodePlace, ErrorCode, Failure, Frame, VirtualAddress};
use std::path::PathBuf;
use std::sync::Arc;

/// The maximum number of inlined functions searched for the one that has the frame.
const DEEPEST_INLINED: u32 = 1_000;

/// A stopped thread: the images its process has mapped, its registers and its memory.
pub struct StoppedThread<'a> {
    /// The executable and libraries that its process has mapped.
    pub images: &'a LoadedImages,
    /// The registers of the innermost frame.
    pub registers: Registers,
    /// The number of inlined functions beginning at its program counter that it has not entered yet.
    pub outside: u32,
    /// Access to its memory and to rarely used registers.
    pub access: &'a dyn StoppedAccess,
    /// The user's rules for finding source files.
    pub sources: &'a SourcePlaces,
}

impl StoppedThread<'_> {
    /// Returns the path at which a source file is now.
    pub fn source_path(&self, file: &str) -> PathBuf {
        self.sources.clone().search(self.images).path(file).into()
    }

    /// Returns the frames from level `low` to `high` inclusive, or to the outermost if `high` is `None`.
    pub fn stack(&self, low: u32, high: Option<u32>) -> Stack {
        stack_from(self.images, &self.registers, self.outside, self.access, low, high)
    }

    /// Reads the debug information that a frame and its caller need.
    pub fn warm_frame(&self, level: u32) {
        let Stack { frames, .. } = self.stack(0, Some(level.saturating_add(1)));
        let at = frames.iter().find(|frame| frame.frame.level == level).and_then(StackFrame::lookup_address);
        if let Some((loaded, at)) = at.and_then(|at| self.images.locate(at)) {
            loaded.image.warm_at(at);
        }
    }

    /// Returns the innermost frames, at most this number of them.
    pub fn frames(&self, most: u32) -> Vec<Frame> {
        self.stack(0, most.checked_sub(1)).frames.into_iter().map(|found| found.frame).collect()
    }

    /// Returns the frame at a level; fails with [`ErrorCode::NO_STACK`] if the stack is shorter.
    pub fn frame(&self, level: u32) -> Result<StackFrame, Failure> {
        let found = self.stack(level, Some(level));
        let fault = found.fault.map_or_else(String::new, |fault| format!(": {fault}"));
        let nothing = || Failure::new(ErrorCode::NO_STACK, format!("No frame at level {level}{fault}."));
        found.frames.into_iter().find(|frame| frame.frame.level == level).ok_or_else(nothing)
    }

    /// Returns the innermost frame, or one made from the program counter if the stack cannot be unwound.
    pub fn innermost(&self) -> Frame {
        match self.frame(0) {
            Ok(found) => found.frame,
            Err(_) => self.bare_frame(self.registers.pc().unwrap_or_default()),
        }
    }

    /// Returns the function that has the innermost physical frame, not one inlined into it.
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

    /// Returns the context in which names are resolved in a frame of the thread.
    pub fn in_frame<'b>(&'b self, frame: Option<&'b StackFrame>) -> FrameContext<'b> {
        FrameContext::new(self.images, frame, self.access)
    }

    /// Returns the context of a frame in which names mean what they do in other code; `None` if that is not loaded.
    pub fn bound<'b>(&'b self, scope: &CodeScope, frame: &'b StackFrame) -> Option<FrameContext<'b>> {
        FrameContext::bound(self.images, scope, frame, self.access)
    }

    /// Calls `look` with the registers and memory of the thread, without a frame.
    pub fn at_no_frame<T>(&self, look: impl FnOnce(&FrameContext<'_>) -> Result<T, Failure>) -> Result<T, Failure> {
        look(&self.in_frame(None))
    }

    /// Calls `look` with the context of the frame at a level. At level 0, globals are available even without a frame.
    pub fn at<T>(&self, level: u32, look: impl FnOnce(&FrameContext<'_>) -> Result<T, Failure>) -> Result<T, Failure> {
        let frame = match self.frame(level) {
            Ok(frame) => Some(frame),
            Err(_) if level == 0 => None,
            Err(failure) => return Err(failure),
        };
        look(&self.in_frame(frame.as_ref()))
    }
}
