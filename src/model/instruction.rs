//! Instructions as text.

use super::{CodePlace, SourcePlace};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// One instruction of the processor.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Instruction {
    /// Where it is.
    pub code: CodePlace,
    /// The function it is in, and how far into it.
    pub function: Option<(Arc<str>, u64)>,
    /// The line it is of.
    pub source: Option<SourcePlace>,
    /// As gdb writes it, in AT&T syntax.
    pub text: String,
    /// The frame is at it.
    pub current: bool,
}

impl Instruction {
    /// The same with nothing said of where it was loaded.
    pub fn without_address(&self) -> Self {
        Self { code: self.code.without_address(), ..self.clone() }
    }
}
