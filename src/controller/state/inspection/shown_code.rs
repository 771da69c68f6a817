//! The code that the screen shows.

use super::lookup::Lookup;
use model::{Instruction, VirtualAddress};

/// A request of the screen for instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeWish {
    /// The address around which instructions are shown; `None`: that of the selected frame.
    pub at: Option<VirtualAddress>,
    /// The number of instructions before it.
    pub before: u32,
    /// The number of instructions from it on.
    pub count: u32,
}

/// The instructions that have been read for the screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShownCode {
    /// The instructions, in the order of their addresses; while others are read, those before.
    pub page: Lookup<Vec<Instruction>>,
    /// The wish that they answer.
    pub answered: Option<CodeWish>,
    /// Counts the pages: another one has other rows.
    pub pages: u64,
}
