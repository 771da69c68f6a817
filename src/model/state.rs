//! What a rank is doing.

use super::{BreakpointId, Caught, Datum, Frame, SignalName, ThreadId, Watched};
use serde::{Deserialize, Serialize};

/// Why a rank stopped.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum StopReason {
    /// Arrived at a breakpoint of the user.
    Breakpoint(BreakpointId),
    /// A watched value was accessed, or cannot be watched any longer.
    Watchpoint(BreakpointId, Watched),
    /// The process did what a catchpoint waits for.
    Caught(BreakpointId, Caught),
    /// A step, next, stepi, nexti or until ended.
    Step,
    /// The function that was to be finished returned: this value, where it has one that can be told.
    Finished(Option<Datum>),
    /// A signal whose disposition says stop.
    Signal(SignalName),
    /// The user asked for it.
    Interrupted,
    /// The stop before the program's own code, after launch, join or attach.
    Start,
    /// Arrived at a barrier of the user.
    Barrier(BreakpointId),
}

impl StopReason {
    /// The point of the user that caused it.
    pub fn point(&self) -> Option<BreakpointId> {
        match self {
            Self::Breakpoint(id) | Self::Barrier(id) | Self::Watchpoint(id, _) | Self::Caught(id, _) => Some(*id),
            _ => None,
        }
    }

    /// The word of the batch output.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Breakpoint(_) => "breakpoint",
            Self::Watchpoint(..) => "watchpoint",
            Self::Caught(_, caught) => caught.word(),
            Self::Step => "step",
            Self::Finished(_) => "finished",
            Self::Signal(_) => "signal",
            Self::Interrupted => "interrupted",
            Self::Start => "start",
            Self::Barrier(_) => "barrier",
        }
    }
}

/// A stop: why, which thread, where.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Stop {
    /// Why.
    pub reason: StopReason,
    /// The thread the reason speaks of; the others of the rank are stopped too.
    pub thread: ThreadId,
    /// Where that thread is.
    pub frame: Frame,
    /// Words for the user beyond the reason: an error in a condition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Stop {
    /// Whether it stopped only because the condition of a point could not be computed.
    pub fn is_for_unclear_condition(&self) -> bool {
        // Of points nothing else is noted.
        self.note.is_some() && matches!(self.reason, StopReason::Breakpoint(_) | StopReason::Watchpoint(..))
    }
}

/// The state of one rank.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ProcessState {
    /// Expected, but not yet under the debugger.
    Starting,
    /// Executing.
    Running,
    /// Every thread is stopped.
    Stopped(Box<Stop>),
    /// Ended by itself with this exit code.
    Exited(i32),
    /// Ended by this signal.
    Killed(SignalName),
    /// Runs on without the debugger.
    Detached,
    /// It could not be started, or not be come by; why.
    Failed(String),
    /// Its server is gone; nothing is known of it any more.
    Lost(String),
}

impl ProcessState {
    /// The word used in set predicates, status groups and batch output.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Running => "running",
            Self::Stopped(_) => "stopped",
            Self::Exited(_) => "exited",
            Self::Killed(_) => "killed",
            Self::Detached => "detached",
            Self::Failed(_) => "failed",
            Self::Lost(_) => "lost",
        }
    }

    /// Whether the process is gone from the debugger for good (until a restart).
    pub fn is_ended(&self) -> bool {
        matches!(self, Self::Exited(_) | Self::Killed(_) | Self::Detached | Self::Failed(_) | Self::Lost(_))
    }

    /// The same state with nothing said of load addresses.
    pub fn without_addresses(&self) -> Self {
        match self {
            Self::Stopped(stop) => {
                Self::Stopped(Box::new(Stop { frame: stop.frame.without_address(), ..(**stop).clone() }))
            }
            other => other.clone(),
        }
    }

    /// Whether a rank may go from this state to `next`. A lost or ended rank comes back only by a restart, which
    /// begins with `Starting`.
    pub fn may_become(&self, next: &Self) -> bool {
        match (self, next) {
            (_, Self::Starting) => true,
            (from, _) if from.is_ended() => false,
            _ => true,
        }
    }
}
