//! The stack of a thread as the user sees it: inlined functions are frames, `main` is the last.

use super::loaded::LoadedImages;
use super::registers::Registers;
use super::thread_access::ReadMemory;
use super::unwind::UnwindFault;
use crate::model::{Frame, VirtualAddress};

/// A frame with what is needed to look into it.
#[derive(Clone, Debug)]
pub struct StackFrame {
    /// What is shown.
    pub frame: Frame,
    /// The registers in the function (inlined frames share those of the frame they are in).
    pub registers: Registers,
    /// The canonical frame address: equal as long as the function has not returned. `None` when it cannot be computed.
    pub cfa: Option<VirtualAddress>,
    /// The program counter is an instruction about to run: the innermost frame, or one that a signal interrupted.
    pub interrupted: bool,
    /// How many frames at this program counter are further in: 0 for the innermost inlined function.
    pub inline_depth: u32,
}

/// Frames of a stack.
#[derive(Clone, Debug, Default)]
pub struct Stack {
    /// Those asked for, innermost first.
    pub frames: Vec<StackFrame>,
    /// Why there are no more though the outermost function was not reached.
    pub fault: Option<UnwindFault>,
}

/// Levels `low` to `high` (included; `None`: to the end) of the stack of a thread that has these registers.
pub fn stack(
    _images: &LoadedImages,
    _registers: &Registers,
    _memory: &dyn ReadMemory,
    _low: u32,
    _high: Option<u32>,
) -> Stack {
    Stack::default()
}
