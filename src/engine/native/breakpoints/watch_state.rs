//! A watchpoint that is looked after, and what came of looking.

use super::watch_plan::Seen;
use crate::native::ptrace::{Region, Tid};
use debuginfo::StackFrame;
use expr::Expression;
use model::{Armed, StopReason, WatchAccess};
use std::sync::Arc;

/// A watchpoint that is looked after.
#[derive(Debug)]
pub(in crate::native) struct WatchState {
    pub expression: Arc<Expression>,
    pub access: WatchAccess,
    /// The thread whose names are meant.
    pub tid: Tid,
    /// The frame whose names are meant, as it was.
    pub frame: Option<StackFrame>,
    /// When names of the frame are part of it: where the frame returns to, and the stack pointer there.
    pub scope: Option<(u64, u64)>,
    pub how: How,
    /// What it was when it was looked at last; `None`: it could not be read.
    pub last: Option<Seen>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::native) enum How {
    /// By the debug registers.
    Registers(Vec<Region>),
    /// By looking after every instruction; why, and whether that of its own thread is enough.
    Steps { why: String, own_thread: bool },
}

impl How {
    pub(in crate::native) fn armed(&self) -> Armed {
        match self {
            Self::Registers(_) => Armed::Hardware,
            Self::Steps { why, .. } => Armed::Software(why.clone()),
        }
    }

    /// Whether the value has to be looked at after an instruction of a thread.
    pub(in crate::native) fn looks_after(&self, own: bool) -> bool {
        matches!(self, Self::Steps { own_thread, .. } if own || !own_thread)
    }
}

/// What came of looking at watchpoints that have trapped.
#[derive(Debug, Default)]
pub(in crate::native) struct Examined {
    /// Whose thread stops, why, and what is to be said of it.
    pub stop: Option<(Tid, StopReason, Option<String>)>,
    /// Other places are watched now: threads that run learn of it when they have been stopped.
    pub rearms: bool,
}
