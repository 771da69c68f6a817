//! Instructions of the simulated processor, and the compiled program.

use super::{
    builtin::Builtin,
    ctype::{CType, Scalar},
    parse::Names,
};
use std::sync::Arc;

/// Load address of the code; each instruction takes [`STEP`] bytes.
pub(super) const TEXT: u64 = 0x40_1000;
pub(super) const STEP: u64 = 4;
pub(super) const CONSTANTS: u64 = 0x60_0000;
/// Address of the global variables.
pub(super) const GLOBALS: u64 = 0x70_0000;
/// Address of arguments, environment and `malloc` blocks.
pub(super) const HEAP: u64 = 0x80_0000;
pub(super) const STACK: u64 = 0x7fff_f000_0000;

/// An instruction of the stack machine. Operands have 64 bits: integers are extended, floats are converted to doubles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Op {
    Push(u64),
    /// Pushes the address of a place in the frame.
    Local(u32),
    Load(Scalar),
    /// Takes an address and the value above it; leaves the value.
    Store(Scalar),
    /// Takes a target and the source above it; leaves the target.
    Copy(u32),
    /// Takes an address and zeroes this many bytes there.
    Clear(u32),
    Binary(Arithmetic, Scalar),
    Negate(Scalar),
    Invert(Scalar),
    Not(Scalar),
    Convert(Scalar, Scalar),
    Jump(u32),
    JumpIfZero(u32),
    Call(u16),
    Builtin(Builtin, u8),
    /// `true` returns a value.
    Return(bool),
    Pop,
    /// Adds the number to the value at an address; `true` leaves the old value, not the new one.
    Increment(Scalar, i64, bool),
    /// Marks the entry of a function, before which its frame is incomplete.
    Enter,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The offset from the start of the frame.
    Frame(u32),
    Fixed(u64),
}

#[derive(Clone, Debug)]
pub(super) struct Local {
    pub(super) name: Arc<str>,
    pub(super) ty: CType,
    pub(super) place: Place,
    pub(super) parameter: bool,
    /// The first instruction of its block, and the one after the last.
    pub(super) block: (u32, u32),
}

#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) name: Arc<str>,
    pub(super) returns: CType,
    /// Instruction indices: the first, the first with a complete frame, the one after the last.
    pub(super) entry: u32,
    pub(super) body: u32,
    pub(super) end: u32,
    /// Outer blocks come first.
    pub(super) locals: Vec<Local>,
    pub(super) frame_size: u32,
}

/// A compiled program, shared by all ranks.
#[derive(Debug)]
pub(super) struct Program {
    /// The name as requested: `fake:stencil`.
    pub(super) path: Arc<str>,
    pub(super) file: Arc<str>,
    pub(super) text: Arc<str>,
    pub(super) names: Names,
    pub(super) ops: Vec<Op>,
    /// The source line of each instruction.
    pub(super) lines: Vec<u32>,
    /// True for the first instruction of a statement.
    pub(super) starts: Vec<bool>,
    pub(super) functions: Vec<Function>,
    pub(super) globals: Vec<(Arc<str>, CType, u64)>,
    /// The initial content of the global variables.
    pub(super) data: Arc<Vec<u8>>,
    pub(super) constants: Vec<u8>,
    pub(super) main: u16,
}

/// Returns the address of an instruction before relocation.
pub(super) fn address_of(op: u32) -> u64 {
    TEXT + u64::from(op) * STEP
}

impl Program {
    /// Returns the instruction at an address before relocation.
    pub(super) fn op_at(&self, address: u64) -> Option<u32> {
        let op = address.checked_sub(TEXT)? / STEP;
        (op < self.ops.len() as u64).then_some(op as u32)
    }

    pub(super) fn line(&self, op: u32) -> u32 {
        self.lines.get(op as usize).copied().unwrap_or(0)
    }

    pub(super) fn starts_statement(&self, op: u32) -> bool {
        self.starts.get(op as usize).copied().unwrap_or(false)
    }

    pub(super) fn function(&self, index: u16) -> Option<&Function> {
        self.functions.get(usize::from(index))
    }

    pub(super) fn function_at(&self, op: u32) -> Option<&Function> {
        self.functions.iter().find(|f| (f.entry..f.end).contains(&op))
    }

    pub(super) fn function_named(&self, name: &str) -> Option<&Function> {
        self.functions.iter().find(|f| &*f.name == name)
    }

    /// Returns the first instructions of the functions that contain these.
    pub(super) fn entries_of(&self, ops: &[u32]) -> Vec<u32> {
        ops.iter().map(|op| self.function_at(*op).map_or(*op, |function| function.entry)).collect()
    }

    /// Returns the instructions for a breakpoint on a line: per function, the first statement on the line, or on the
    /// next line with code.
    pub(super) fn ops_of_line(&self, line: u32) -> Vec<u32> {
        let starts = || (0..self.ops.len() as u32).filter(|op| self.starts_statement(*op));
        let Some(line) = starts().map(|op| self.line(op)).filter(|l| *l >= line).min() else { return Vec::new() };
        let in_function = |f: &Function| {
            // The line of a function's name is its entry; the breakpoint goes to the body, as for the function.
            let op = (f.entry..f.end).find(|op| self.starts_statement(*op) && self.line(*op) == line)?;
            Some(if op == f.entry { f.body } else { op })
        };
        self.functions.iter().filter_map(in_function).collect()
    }
}
