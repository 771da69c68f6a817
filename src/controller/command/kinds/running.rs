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
    Go {
        /// The breakpoint at which a rank stopped stops it again at its n-th hit.
        past: Option<u64>,
        /// True if a script waits until they stop again, as after gdb's `continue`.
        waits: bool,
    },
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
    /// Runs the program from its start to the first breakpoint; with arguments if any are given.
    Run(Option<GivenArguments>),
    /// Restarts the job, with the first stop at the first instruction.
    RestartAtFirstInstruction(Option<GivenArguments>),
    /// Writes a text, with its newline if any, to the standard input.
    Send(String),
    /// Ends the standard input.
    SendEnd,
    /// Detaches from the processes.
    Detach,
}
