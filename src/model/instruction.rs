//! Disassembled instructions.

use super::{CodePlace, SourcePlace};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A machine instruction.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Instruction {
    /// Its place in the code.
    pub code: CodePlace,
    /// The function that contains it, and the offset in bytes.
    pub function: Option<(Arc<str>, u64)>,
    /// The source line it was compiled from.
    pub source: Option<SourcePlace>,
    /// The text as gdb prints it, in AT&T syntax.
    pub text: String,
    /// True if the frame is at this instruction.
    pub current: bool,
}

impl Instruction {
    /// The same instruction without its load address.
    pub fn without_address(&self) -> Self {
        Self { code: self.code.without_address(), ..self.clone() }
    }
}
