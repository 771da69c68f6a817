//! The state of a rank, and the reasons of its stops.

use crate::{
    BreakpointId, Caught, Cause, Frame, ProcessSet, Returned, SignalName, Termination, ThreadId, UserFrame, Watched,
};
use serde::{Deserialize, Serialize};

/// The reason a rank stopped.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum StopReason {
    /// A breakpoint hit.
    Breakpoint(BreakpointId),
    /// A watchpoint hit, or the value can no longer be watched.
    Watchpoint(BreakpointId, Watched),
    /// A catchpoint hit.
    Caught(BreakpointId, Caught),
    /// A step, next, stepi, nexti, until, advance or return ended.
    Step,
    /// `finish` ended; holds the return value, `None` if there is none or it is unknown.
    Finished(Option<Returned>),
    /// A signal whose disposition says stop.
    Signal(SignalName),
    /// A run-time library reports an error of the program, and most often ends it.
    Error,
    /// The user interrupted the rank.
    Interrupted,
    /// The stop before the program's own code, after launch or join.
    Start,
    /// The first stop of a process that was running before: it is wherever it was.
    Attached,
    /// A barrier hit.
    Barrier(BreakpointId),
}

impl StopReason {
    /// The breakpoint, watchpoint or catchpoint that caused the stop.
    pub fn point(&self) -> Option<BreakpointId> {
        match self {
            Self::Breakpoint(id) | Self::Barrier(id) | Self::Watchpoint(id, _) | Self::Caught(id, _) => Some(*id),
            _ => None,
        }
    }

    /// True if it stopped a rank at a place the user did not choose. Breakpoints and steps lead to chosen places.
    fn is_by_chance(&self) -> bool {
        match self {
            Self::Interrupted | Self::Signal(_) | Self::Error | Self::Caught(..) | Self::Watchpoint(..) => true,
            Self::Breakpoint(_) | Self::Barrier(_) | Self::Step | Self::Finished(_) | Self::Start | Self::Attached => {
                false
            }
        }
    }

    /// True for the stop with which a rank comes under the debugger.
    pub fn is_first(&self) -> bool {
        matches!(self, Self::Start | Self::Attached)
    }

    /// True if ranks that stopped for both can be reported together, except for the values of operands and arguments and
    /// of what is watched, and for the numbers of returned values.
    pub fn is_alike(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Caught(id, caught), Self::Caught(same, also)) => id == same && caught.is_alike(also),
            (Self::Watchpoint(id, watched), Self::Watchpoint(same, also)) => id == same && watched.is_alike(also),
            (Self::Finished(Some(_)), Self::Finished(Some(_))) => self.without_number() == other.without_number(),
            _ => self == other,
        }
    }

    /// Makes it stand for the stops of its `own` ranks and for those of others: it keeps what both share, and the values
    /// of a watchpoint with their ranks.
    pub fn join(&mut self, own: &ProcessSet, other: &Self, ranks: &ProcessSet) {
        match (self, other) {
            (Self::Caught(_, caught), Self::Caught(_, also)) => caught.keep_shared(also),
            (Self::Watchpoint(_, watched), Self::Watchpoint(_, also)) => watched.join(own, also, ranks),
            (Self::Finished(Some(returned)), Self::Finished(Some(also))) if returned.number != also.number => {
                returned.number = None;
            }
            _ => {}
        }
    }

    /// The same reason without the number of the returned value, which ranks may have different ones of.
    fn without_number(&self) -> Self {
        match self {
            Self::Finished(Some(returned)) => Self::Finished(Some(Returned { number: None, ..returned.clone() })),
            other => other.clone(),
        }
    }

    /// The word for it in batch output.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Breakpoint(_) => "breakpoint",
            Self::Watchpoint(..) => "watchpoint",
            Self::Caught(_, caught) => caught.word(),
            Self::Step => "step",
            Self::Finished(_) => "finished",
            Self::Signal(_) => "signal",
            Self::Error => "error",
            Self::Interrupted => "interrupted",
            Self::Start | Self::Attached => "start",
            Self::Barrier(_) => "barrier",
        }
    }
}

/// A stop: its reason, thread and frame.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Stop {
    /// The reason for the stop.
    pub reason: StopReason,
    /// The thread that caused the stop; the other threads of the rank are stopped, too.
    pub thread: ThreadId,
    /// The innermost frame of that thread.
    pub frame: Frame,
    /// A note for the user, such as an error in a condition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Why the program received the signal, or the error that a library reports, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Box<Cause>>,
    /// The innermost frame of the user's code, if there is one and it is not `frame`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<Box<UserFrame>>,
}

impl Stop {
    /// The same stop without load addresses, and without the number of the returned value.
    pub fn without_addresses(&self) -> Self {
        let user = self.user.as_ref().map(|user| Box::new(user.without_address()));
        Self { reason: self.reason.without_number(), frame: self.frame.without_address(), user, ..self.clone() }
    }

    /// True if the rank stopped at a place the user did not choose: where its reason says so, and where an attached rank
    /// was in a library. One that was launched starts in the user's code.
    pub fn is_by_chance(&self) -> bool {
        self.reason.is_by_chance() || (self.reason.is_first() && self.user.is_some())
    }

    /// The frame of the user's code that stands for the stop: the user did not choose the place in the library, or it
    /// has no source to show.
    pub fn shown_user(&self) -> Option<&UserFrame> {
        self.user.as_deref().filter(|_| self.is_by_chance() || self.frame.source.is_none())
    }

    /// The frame that stands for the stop.
    pub fn shown_frame(&self) -> &Frame {
        self.shown_user().map_or(&self.frame, |user| &user.frame)
    }

    /// True if ranks with these two stops are shown at one place, wherever they are in the library that the user's code
    /// has called.
    pub fn is_shown_at_place_of(&self, other: &Self) -> bool {
        match (self.shown_user(), other.shown_user()) {
            (Some(user), Some(also)) => user.is_at_place_of(also),
            (None, None) => self.frame.place() == other.frame.place(),
            _ => false,
        }
    }

    /// Drops what another stop does not share of the place, so that it stands for both.
    pub fn keep_shared_place(&mut self, other: &Self) {
        if (&self.frame, &self.user) == (&other.frame, &other.user) {
            return;
        }
        self.frame.keep_shared(&other.frame);
        let both = self.user.take().zip(other.user.as_ref()).filter(|(user, also)| user.is_at_place_of(also));
        self.user = both.map(|(mut user, also)| {
            user.keep_shared(also);
            user
        });
    }

    /// True if it stopped only because a condition could not be evaluated.
    pub fn is_for_unclear_condition(&self) -> bool {
        // Stops at points have no other notes.
        self.note.is_some() && matches!(self.reason, StopReason::Breakpoint(_) | StopReason::Watchpoint(..))
    }
}

/// The state of one rank.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ProcessState {
    /// Expected, but not yet under the debugger.
    Starting,
    /// At least one thread is running.
    Running,
    /// Every thread is stopped.
    Stopped(Box<Stop>),
    /// The process exited with this code.
    Exited(i32),
    /// A signal killed the process.
    Killed(Termination),
    /// Runs on without the debugger.
    Detached,
    /// Failed to start or attach; holds the reason.
    Failed(String),
    /// The rank is unreachable: its server is gone; holds the reason.
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

    /// True if the process has ended or left the debugger (until a restart).
    pub fn is_ended(&self) -> bool {
        matches!(self, Self::Exited(_) | Self::Killed(_) | Self::Detached | Self::Failed(_) | Self::Lost(_))
    }

    /// The same state without load addresses.
    pub fn without_addresses(&self) -> Self {
        match self {
            Self::Stopped(stop) => Self::Stopped(Box::new(stop.without_addresses())),
            other => other.clone(),
        }
    }

    /// True if a rank may change from this state to `next`. A lost or ended rank comes back only by a restart, which
    /// begins with `Starting`.
    pub fn may_become(&self, next: &Self) -> bool {
        match (self, next) {
            (_, Self::Starting) => true,
            (from, _) if from.is_ended() => false,
            _ => true,
        }
    }
}
