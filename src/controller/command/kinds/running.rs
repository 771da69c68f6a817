//! Commands that continue and stop ranks, parsed.

use super::program_start::GivenArguments;
use crate::sets::SetExpr;
use model::{LocationSpec, StepKind};

/// The condition that `wait` waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WaitFor {
    /// All ranks of the scope are stopped or ended.
    Stopped,
    /// The first running rank of the scope has stopped or ended.
    Any,
    /// All ranks of the scope have ended.
    Exited,
    /// All ranks of this set are stopped or ended.
    Set(SetExpr),
}

/// A command that continues or stops ranks.
#[derive(Clone, Debug, PartialEq)]
pub enum RunCommand {
    /// Continues the ranks.
    Go,
    /// Continues, and stops at the n-th hit of the breakpoint at which the rank stopped.
    GoPast(u64),
    /// Interrupts the ranks.
    Halt,
    /// Steps this many times.
    Step(StepKind, u32),
    /// Runs to a place in the same frame.
    Until(LocationSpec),
    /// Runs to a place.
    Advance(LocationSpec),
    /// Continues at another place.
    Jump(LocationSpec),
    /// Returns from the frame, optionally with a value.
    Return(Option<String>),
    /// Holds (`true`) or unholds the ranks.
    Hold(bool),
    /// Waits, at most this many seconds.
    Wait(WaitFor, Option<f64>),
    /// Kills the processes.
    Kill,
    /// Restarts the job; with arguments if any are given.
    Restart(Option<GivenArguments>),
    /// The same, with the first stop at the first instruction.
    RestartAtFirstInstruction(Option<GivenArguments>),
    /// Writes a text, with its newline if any, to the standard input.
    Send(String),
    /// Ends the standard input.
    SendEnd,
    /// Detaches from the processes.
    Detach,
}
