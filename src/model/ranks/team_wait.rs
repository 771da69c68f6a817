//! The waits of threads in a run-time library of OpenMP.

use super::rank::ThreadId;
use serde::{Deserialize, Serialize};

/// A thread that waits in a run-time library of OpenMP, and the threads for which it waits there.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TeamWait {
    /// The call that waits.
    pub call: TeamCall,
    /// The name of the lock or critical region, if it has one that is known.
    pub name: Option<String>,
    /// The file name of the run-time library, without its version: `libgomp`.
    pub library: String,
    /// The threads for which it waits.
    pub awaited: Awaited,
}

/// A call of OpenMP in which threads wait for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TeamCall {
    /// `omp_set_lock`.
    SetLock,
    /// `omp_set_nest_lock`.
    SetNestLock,
    /// The beginning of a critical region.
    Critical,
    /// A barrier, also one that ends a loop, a single or a parallel region.
    Barrier,
    /// `taskwait`.
    TaskWait,
    /// The end of a `taskgroup`.
    TaskGroup,
    /// The beginning of an ordered region.
    Ordered,
}

/// The threads for which a thread waits in OpenMP.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Awaited {
    /// The owner of the lock, as the library records it.
    Owner(TeamThread),
    /// The thread itself is the owner.
    Itself,
    /// The library records no owner. This is the only thread with code of the user that does not wait for the lock.
    PerhapsOwner(TeamThread),
    /// The library records no owner, and every thread with code of the user waits for the lock: so many.
    OwnWaiters(u32),
    /// The library records no owner, and several threads may be it.
    UnrecordedOwner,
    /// The threads of a team that have not reached a barrier.
    Arrivals {
        /// The size of the team.
        size: u32,
        /// The number of threads that have reached it.
        arrived: u32,
        /// The others, at most [`TeamWait::MOST_THREADS`] of them.
        missing: Vec<TeamThread>,
    },
    /// The threads of a team that do not wait in the library.
    Active {
        /// The size of the team.
        size: u32,
        /// These threads, at most [`TeamWait::MOST_THREADS`] of them.
        threads: Vec<TeamThread>,
    },
    /// Nothing is known of them.
    Unknown,
}

/// A thread of a rank that OpenMP runs.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TeamThread {
    /// The thread.
    pub id: ThreadId,
    /// Its number in its team.
    pub number: Option<u32>,
    /// The call of OpenMP in which it waits, too, and the name of the lock or critical region.
    pub waits: Option<(TeamCall, Option<String>)>,
}

impl TeamWait {
    /// The most threads that one answer names.
    pub const MOST_THREADS: usize = 64;

    /// The thread for which it waits, or the first of several.
    pub fn first_awaited(&self) -> Option<&TeamThread> {
        match &self.awaited {
            Awaited::Owner(thread) | Awaited::PerhapsOwner(thread) => Some(thread),
            Awaited::Arrivals { missing: threads, .. } | Awaited::Active { threads, .. } => threads.first(),
            Awaited::Itself | Awaited::OwnWaiters(_) | Awaited::UnrecordedOwner | Awaited::Unknown => None,
        }
    }
}
