//! The state of a `why` between its requests.

use crate::why::{CallValues, Caller, Doing, Place, Texts};
use model::{MessageQueues, Observation, ProcessSet, TeamWait, ThreadId};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// An unfinished answer.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::core) struct Investigation {
    /// The ranks of the question; those for whom they may wait are looked at, too.
    pub(in crate::core) asked: ProcessSet,
    pub(in crate::core) thread: Option<ThreadId>,
    pub(in crate::core) next: Step,
}

#[derive(Clone, Debug, PartialEq)]
pub(in crate::core) enum Step {
    Stacks,
    /// Looks where the first threads of the ranks are whose current threads make no call of MPI.
    FirstThreads(Vec<Stay>),
    /// Reads these files, after others.
    Texts(Vec<Stay>, Vec<Arc<str>>, Texts),
    /// Reads these.
    Values(Vec<Stay>, Vec<Wanted>),
    /// Looks where the threads are for which ranks wait.
    Threads(Vec<Stay>, Facts),
}

/// The questions to ranks.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::core) enum Wanted {
    /// The value of an expression, for a stay and one of its callers.
    Value(usize, usize, String),
    /// An observation of a caller's frame.
    Caller(usize, usize),
    /// An observation of threads.
    Observation,
    /// The message queues of ranks.
    Queues,
}

/// Ranks with the same stack.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::core) struct Stay {
    pub(in crate::core) ranks: ProcessSet,
    /// `None`: the current thread.
    pub(in crate::core) thread: Option<ThreadId>,
    pub(in crate::core) place: Place,
    pub(in crate::core) at: At,
    /// The user's frame.
    pub(in crate::core) level: u32,
    /// That frame and those outside of it, if it calls MPI.
    pub(in crate::core) callers: Vec<Caller>,
}

#[derive(Clone, Debug, PartialEq)]
pub(in crate::core) enum At {
    /// In a call of MPI.
    Call(CallValues),
    /// Anywhere else.
    Other(Doing),
}

/// The answers of ranks.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::core) struct Facts {
    /// The values of expressions by stay and caller, name and rank.
    values: HashMap<(usize, usize), HashMap<String, HashMap<u32, i64>>>,
    /// Callers of stays, by rank, whose source is newer than the program.
    newer: HashSet<(usize, usize, u32)>,
    observed: HashMap<u32, Observation>,
    /// The places of the threads for which ranks wait.
    places: HashMap<u32, Arc<str>>,
    queues: HashMap<u32, Arc<MessageQueues>>,
}

impl Facts {
    pub(in crate::core) fn add_value(&mut self, caller: (usize, usize), name: &str, ranks: &ProcessSet, value: i64) {
        let of_name = self.values.entry(caller).or_default().entry(name.to_owned()).or_default();
        of_name.extend(ranks.iter().map(|rank| (rank.0, value)));
    }

    pub(in crate::core) fn value(&self, caller: (usize, usize), name: &str, rank: u32) -> Option<i64> {
        self.values.get(&caller)?.get(name)?.get(&rank).copied()
    }

    pub(in crate::core) fn add_newer(&mut self, (stay, caller): (usize, usize), ranks: &ProcessSet) {
        self.newer.extend(ranks.iter().map(|rank| (stay, caller, rank.0)));
    }

    /// True if the source of a caller may not be what was compiled.
    pub(in crate::core) fn is_newer(&self, (stay, caller): (usize, usize), rank: u32) -> bool {
        let is_own = caller == 0 && self.observed.get(&rank).is_some_and(|observed| observed.is_source_newer);
        is_own || self.newer.contains(&(stay, caller, rank))
    }

    pub(in crate::core) fn add_observation(&mut self, ranks: &ProcessSet, observation: &Observation) {
        self.observed.extend(ranks.iter().map(|rank| (rank.0, observation.clone())));
    }

    pub(in crate::core) fn observed(&self) -> &HashMap<u32, Observation> {
        &self.observed
    }

    /// Returns the wait of a rank in OpenMP.
    pub(in crate::core) fn team(&self, rank: u32) -> Option<&TeamWait> {
        self.observed.get(&rank)?.team.as_deref()
    }

    pub(in crate::core) fn add_queues(&mut self, ranks: &ProcessSet, queues: &MessageQueues) {
        let queues = Arc::new(queues.clone());
        self.queues.extend(ranks.iter().map(|rank| (rank.0, queues.clone())));
    }

    pub(in crate::core) fn queues(&self, rank: u32) -> Option<&MessageQueues> {
        self.queues.get(&rank).map(|queues| &**queues)
    }

    pub(in crate::core) fn add_place(&mut self, ranks: &ProcessSet, place: &Arc<str>) {
        self.places.extend(ranks.iter().map(|rank| (rank.0, place.clone())));
    }

    pub(in crate::core) fn place(&self, rank: u32) -> Option<&str> {
        self.places.get(&rank).map(|place| &**place)
    }
}
