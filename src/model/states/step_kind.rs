//! How far a step goes.

use serde::{Deserialize, Serialize};

/// How far a step goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum StepKind {
    /// To another line, into functions that have lines.
    Into,
    /// To another line of this function or its caller.
    Over,
    /// As `Over`, but never backwards: to a later line, or to the caller; gdb's `until`.
    Onward,
    /// Out of the frame of the context.
    Finish,
    /// One instruction.
    Instruction,
    /// One instruction, stepping over calls.
    InstructionOver,
}
