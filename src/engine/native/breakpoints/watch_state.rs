//! The state of an armed watchpoint, and the outcome of examining one.

use super::watch_plan::{Dependence, Seen, WatchPlan, look_again, plan};
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::{Process, Region, Tid};
use debuginfo::StackFrame;
use expr::Expression;
use model::{Armed, ErrorCode, StopReason, WatchAccess};
use std::sync::Arc;

/// The state of an armed watchpoint.
#[derive(Debug)]
pub(in crate::native) struct WatchState {
    pub expression: Arc<Expression>,
    pub access: WatchAccess,
    /// The thread in which the expression is evaluated.
    pub tid: Tid,
    /// The frame in which the expression is evaluated, as it was when the watchpoint was armed.
    pub frame: Option<StackFrame>,
    /// The frame's return address and the stack pointer there; `None` if the expression uses no names of the frame.
    pub scope: Option<(u64, u64)>,
    pub how: How,
    /// The value when it was last checked; `None` if it could not be read.
    pub last: Option<Seen>,
}

/// The registers that hold the value are in use by another function at the moment.
pub(in crate::native) struct OutOfSight;

impl WatchState {
    /// Evaluates the expression. A value in registers is known only while its frame is the innermost.
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
                // A pointer may have become invalid, which is a change. Optimized code keeps a variable only for a part
                // of its scope: elsewhere it has no value and has not changed.
                Err(failure) if failure.code != ErrorCode::MEMORY => Err(OutOfSight),
                now => Ok(now.ok()),
            }
        })
    }

    /// Watches other places if a pointer in the expression has changed. True if the places have changed.
    pub(in crate::native) fn follow_pointers(&mut self, inferior: &mut Inferior, tid: Tid) -> bool {
        let How::Registers(regions) = &self.how else { return false };
        let planned = inferior.look(tid, |thread| {
            let view = thread.in_frame(self.frame.as_ref());
            plan(&self.expression, self.access, &view)
        });
        // If a pointer is invalid, only the pointer itself can be watched.
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
    /// With debug registers.
    Registers(Vec<Region>),
    /// By checking after every instruction: the reason, and true if only instructions of its own thread matter.
    Steps { why: String, own_thread: bool },
}

impl How {
    /// Claims debug registers for the watched regions if enough of them are free.
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
        if process.can_arm(Some(tid)) {
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

    /// True if the value must be checked after an instruction of a thread; `own` if that is the watchpoint's thread.
    pub(in crate::native) fn looks_after(&self, own: bool) -> bool {
        matches!(self, Self::Steps { own_thread, .. } if own || !own_thread)
    }
}

/// The outcome of examining the watchpoints that have trapped.
#[derive(Debug, Default)]
pub(in crate::native) struct Examined {
    /// The thread that stops, the reason and an optional note.
    pub stop: Option<(Tid, StopReason, Option<String>)>,
    /// True if other places are watched now: running threads must be stopped to get the new debug registers.
    pub rearms: bool,
}
