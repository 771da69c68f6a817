//! Children of a rank: the one that it follows, and the handling of the others.

use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::Tid;
use crate::native::tracer::phase::{Halt, Phase};
use model::{Follow, Rank};

/// A process that a rank created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::native) enum Companion {
    /// Has its own memory: detached at once.
    Free,
    /// Has its own memory: kept stopped for another debugger.
    Kept,
    /// Runs in the memory of this rank, and may arrive at its breakpoints.
    Within(Rank),
    /// This rank will follow it.
    Awaited(Rank),
}

/// A child that the rank will follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::native) struct Fork {
    /// The thread that created it.
    pub(in crate::native) thread: Tid,
    pub(in crate::native) child: Tid,
    pub(in crate::native) shares_memory: bool,
    /// True once it has reached its first stop.
    pub(in crate::native) is_here: bool,
}

/// The child that a rank will follow, if any.
#[derive(Debug, Default)]
pub(in crate::native) struct Following {
    fork: Option<Fork>,
}

impl Following {
    /// Decides what to do with a process that a thread has created.
    pub(in crate::native) fn created(
        &mut self,
        inferior: &Inferior,
        phase: &Phase,
        rank: Rank,
        thread: Tid,
        child: Tid,
        shares_memory: bool,
    ) -> Companion {
        let follows = inferior.spec.settings.follow == Follow::Child
            && !matches!(phase, Phase::Waiting | Phase::Calling | Phase::Halting(Halt::Detach))
            && self.fork.is_none();
        if follows {
            self.fork = Some(Fork { thread, child, shares_memory, is_here: false });
            return Companion::Awaited(rank);
        }
        match shares_memory {
            true => Companion::Within(rank),
            false if keeps_children(inferior, phase) => Companion::Kept,
            false => Companion::Free,
        }
    }

    /// Notes that the child to follow has stopped or ended.
    pub(in crate::native) fn came(&mut self, child: Tid, has_ended: bool) {
        if has_ended {
            self.fork = None;
        } else if let Some(fork) = self.fork.as_mut().filter(|fork| fork.child == child) {
            fork.is_here = true;
        }
    }

    /// True if the rank will follow a child.
    pub(in crate::native) fn is_any(&self) -> bool {
        self.fork.is_some()
    }

    /// True if the child to follow has not reached its first stop.
    pub(in crate::native) fn awaits_child(&self) -> bool {
        self.fork.is_some_and(|fork| !fork.is_here)
    }

    pub(in crate::native) fn take(&mut self) -> Option<Fork> {
        self.fork.take()
    }
}

/// True if children of forks are kept stopped for another debugger.
pub(in crate::native) fn keeps_children(inferior: &Inferior, phase: &Phase) -> bool {
    inferior.spec.settings.follow == Follow::Both && !matches!(phase, Phase::Waiting | Phase::Calling)
}
