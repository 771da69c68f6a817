//! A watchpoint that is looked after, and what came of looking.

use super::watch_plan::{Dependence, Seen, WatchPlan, look_again, plan};
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::{Process, Region, Tid};
use debuginfo::StackFrame;
use expr::Expression;
use model::{Armed, ErrorCode, StopReason, WatchAccess};
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

/// The registers that hold a value are another function's for the moment.
pub(in crate::native) struct OutOfSight;

impl WatchState {
    /// The value of the expression now. What is in registers is known only while its frame is the innermost.
    pub(in crate::native) fn value_now(&self, inferior: &mut Inferior, tid: Tid) -> Result<Option<Seen>, OutOfSight> {
        if !matches!(self.how, How::Steps { own_thread: true, .. }) {
            return Ok(inferior.look(tid, |thread| {
                let view = thread.in_frame(self.frame.as_ref());
                look_again(&self.expression, &view).ok()
            }));
        }
        if tid != self.tid {
            return Err(OutOfSight);
        }
        inferior.look(tid, |thread| {
            let innermost = thread.frame(0).map_err(|_| OutOfSight)?;
            let same = self.scope.is_none() || innermost.cfa.map(|cfa| cfa.0) == self.scope.map(|(_, cfa)| cfa);
            if !same {
                return Err(OutOfSight);
            }
            let view = thread.in_frame(Some(&innermost));
            match look_again(&self.expression, &view) {
                Ok(seen) if seen.lost => Err(OutOfSight),
                // Behind a pointer there may be nothing any more. Optimised code keeps a variable for a part of its scope only:
                // elsewhere it has no value, and has not changed.
                Err(failure) if failure.code != ErrorCode::MEMORY => Err(OutOfSight),
                now => Ok(now.ok()),
            }
        })
    }

    /// The places that the value depends on may be others now; whether others are watched.
    pub(in crate::native) fn follow_pointers(&mut self, inferior: &mut Inferior, tid: Tid) -> bool {
        let How::Registers(regions) = &self.how else { return false };
        let planned = inferior.look(tid, |thread| {
            let view = thread.in_frame(self.frame.as_ref());
            plan(&self.expression, self.access, &view)
        });
        // Behind a pointer that leads nowhere there is nothing to be watched but the pointer.
        let Ok(WatchPlan { dependence: Dependence::Memory(wanted), .. }) = planned else { return false };
        if wanted == *regions {
            return false;
        }
        inferior.process.debug_registers_mut().release(regions);
        self.how = How::claim(&mut inferior.process, tid, Dependence::Memory(wanted));
        true
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::native) enum How {
    /// By the debug registers.
    Registers(Vec<Region>),
    /// By looking after every instruction; why, and whether that of its own thread is enough.
    Steps { why: String, own_thread: bool },
}

impl How {
    /// Notices the changes of a value by debug registers if there are enough of them.
    pub(in crate::native) fn claim(process: &mut Process, tid: Tid, dependence: Dependence) -> Self {
        let regions = match dependence {
            Dependence::Steps(why) => return Self::Steps { why, own_thread: false },
            Dependence::Registers(why) => return Self::Steps { why, own_thread: true },
            Dependence::Memory(regions) => regions,
        };
        let free = process.debug_registers().free();
        if !process.debug_registers_mut().claim(&regions) {
            let why = format!("it needs {} debug registers, {free} are free", regions.len());
            return Self::Steps { why, own_thread: false };
        }
        if process.can_arm(tid) {
            return Self::Registers(regions);
        }
        process.debug_registers_mut().release(&regions);
        Self::Steps { why: "the system provides no debug registers".to_owned(), own_thread: false }
    }

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
