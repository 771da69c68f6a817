//! A frame of a stack and its places in source and code.

use crate::{ThreadId, VirtualAddress};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A line of the source.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SourcePlace {
    /// The file named by the debug information, made absolute with the compilation directory.
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
    /// The address in memory; `None` if it differs among the ranks.
    pub address: Option<VirtualAddress>,
}

impl CodePlace {
    /// The same place without its load address.
    pub fn without_address(&self) -> Self {
        Self { address: None, ..self.clone() }
    }
}

/// A frame of a stack.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Frame {
    /// 0 is the innermost. Inlined functions have levels of their own.
    pub level: u32,
    /// The demangled name; `None` if neither the debug information nor the symbol table has one.
    pub function: Option<Arc<str>>,
    /// The line being executed (for callers: the line of the call).
    pub source: Option<SourcePlace>,
    /// The program counter of the frame.
    pub code: CodePlace,
    /// True if the function was inlined into the next frame.
    pub inlined: bool,
    /// True if the frame was found without call frame information, from compilers' usual conventions: it and its
    /// callers may be wrong.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub guessed: bool,
    /// The thread of the frame; the engines leave it `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<ThreadId>,
}

/// The place of a frame at the precision users expect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FramePlace<'a> {
    /// A line of a function.
    Line(Option<&'a str>, &'a SourcePlace),
    /// A function of a module, without lines.
    Function(&'a str, Option<&'a str>),
    /// An instruction in a module, without a known function.
    Instruction(Option<&'a str>, u64),
}

impl Frame {
    /// The place of the frame. Ranks waiting in a loop of a library without lines share one place, whichever
    /// instruction each was stopped at.
    pub fn place(&self) -> FramePlace<'_> {
        let module = self.code.module.as_deref();
        match (&self.source, self.function.as_deref()) {
            (Some(source), function) => FramePlace::Line(function, source),
            (None, Some(function)) => FramePlace::Function(function, module),
            (None, None) => FramePlace::Instruction(module, self.code.offset),
        }
    }

    /// The same frame without its load address.
    pub fn without_address(&self) -> Self {
        Self { code: self.code.without_address(), ..self.clone() }
    }

    /// Drops what another frame does not share, so that it stands for both.
    pub(crate) fn keep_shared(&mut self, other: &Self) {
        if self.place() == other.place() {
            *self = self.without_address();
            return;
        }
        if self.function != other.function {
            self.function = None;
        }
        if self.source != other.source {
            self.source = None;
        }
        let module = self.code.module.take().filter(|module| other.code.module.as_ref() == Some(module));
        self.code = CodePlace { module, offset: 0, address: None };
    }
}
