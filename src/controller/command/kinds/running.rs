//! Commands that make ranks go and stop.

use crate::sets::SetExpr;
use model::{LocationSpec, StepKind};

/// What `wait` waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WaitFor {
    /// All ranks of the scope are stopped or ended.
    Stopped,
    /// The first of those of the scope that run is stopped or ended.
    Any,
    /// All ranks of the scope have ended.
    Exited,
    /// All ranks of this set are stopped or ended.
    Set(SetExpr),
}

/// Going and stopping.
#[derive(Clone, Debug, PartialEq)]
pub enum RunCommand {
    /// Resume.
    Go,
    /// Resume, and stop at the n-th arrival at the breakpoint that was come to.
    GoPast(u64),
    /// Stop.
    Halt,
    /// Step.
    Step(StepKind, u32),
    /// Run to a place in the frame.
    Until(LocationSpec),
    /// Run to a place.
    Advance(LocationSpec),
    /// Go on at a place.
    Jump(LocationSpec),
    /// Leave the frame, perhaps with a value.
    Return(Option<String>),
    /// Hold or no longer hold.
    Hold(bool),
    /// Wait, perhaps no longer than some seconds.
    Wait(WaitFor, Option<f64>),
    /// End the processes.
    Kill,
    /// Start the job again.
    Restart,
    /// Let the processes go.
    Detach,
}
