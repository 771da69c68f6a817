//! One frame of a stack, and the places it names.

use super::{ThreadId, VirtualAddress};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A place in the text of the program.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SourcePlace {
    /// The file as the debug information names it, made absolute with the compilation directory.
    pub file: Arc<str>,
    /// Counted from 1.
    pub line: u32,
}

/// A place in the code of the program. Two ranks are at the same place when module and offset agree: load addresses
/// may be randomised.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CodePlace {
    /// The path of the executable or library; `None` for code outside every file (a JIT, the vdso).
    pub module: Option<Arc<str>>,
    /// The address in the file; the virtual address itself when there is no module.
    pub offset: u64,
    /// Where it is in memory; `None` when the ranks spoken for differ in it.
    pub address: Option<VirtualAddress>,
}

impl CodePlace {
    /// The same place with nothing said of where it was loaded.
    pub fn without_address(&self) -> Self {
        Self { address: None, ..self.clone() }
    }
}

/// One frame of a stack.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Frame {
    /// 0 is the innermost. Inlined functions have levels of their own.
    pub level: u32,
    /// Demangled; `None` when neither debug information nor the symbol table knows one.
    pub function: Option<Arc<str>>,
    /// The line being executed (for callers: the line of the call).
    pub source: Option<SourcePlace>,
    /// The program counter of the frame.
    pub code: CodePlace,
    /// The function was inlined into the next frame.
    pub inlined: bool,
    /// No call frame information led here, only what compilers usually do: it may be wrong, and so may those behind it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub guessed: bool,
    /// The names and values of the parameters are asked for separately.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<ThreadId>,
}

/// Where a frame is, as people tell places apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FramePlace<'a> {
    /// A line of a function.
    Line(Option<&'a str>, &'a SourcePlace),
    /// A function of a module, without lines.
    Function(&'a str, Option<&'a str>),
    /// An instruction: nothing is known of it but where it is.
    Instruction(Option<&'a str>, u64),
}

impl Frame {
    /// Where it is. Ranks that wait in a loop of a library without lines are at one place, whichever instruction of it
    /// each of them was halted at.
    pub fn place(&self) -> FramePlace<'_> {
        let module = self.code.module.as_deref();
        match (&self.source, self.function.as_deref()) {
            (Some(source), function) => FramePlace::Line(function, source),
            (None, Some(function)) => FramePlace::Function(function, module),
            (None, None) => FramePlace::Instruction(module, self.code.offset),
        }
    }

    /// The same frame with nothing said of where it was loaded.
    pub fn without_address(&self) -> Self {
        Self { code: self.code.without_address(), ..self.clone() }
    }
}
