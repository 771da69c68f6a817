//! Disassembled instructions.

use crate::{CodePlace, SourcePlace};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The syntax of disassembled instructions; gdb's `disassembly-flavor`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum DisassemblyFlavor {
    /// `mov    %rsp,%rbp`
    #[default]
    Att,
    /// `mov    rbp,rsp`
    Intel,
}

impl DisassemblyFlavor {
    /// gdb's words for all of them.
    pub const WORDS: &[&str] = &["att", "intel"];

    /// Parses a word.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "att" => Some(Self::Att),
            "intel" => Some(Self::Intel),
            _ => None,
        }
    }

    /// gdb's word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Att => "att",
            Self::Intel => "intel",
        }
    }
}

/// The end of a range of code; expressions.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum CodeEnd {
    /// The address behind the range.
    Before(String),
    /// The number of bytes.
    Length(String),
}

/// A machine instruction.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Instruction {
    /// Its place in the code.
    pub code: CodePlace,
    /// The function that contains it, and the offset in bytes.
    pub function: Option<(Arc<str>, u64)>,
    /// The source line it was compiled from.
    pub source: Option<SourcePlace>,
    /// Its bytes, as far as they are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bytes: Vec<u8>,
    /// The text as gdb prints it, in the syntax that was asked for.
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
