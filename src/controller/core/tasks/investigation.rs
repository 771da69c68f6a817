//! The state of a `why` between its requests.

use crate::why::{CallValues, Doing, Place};
use model::{Observation, ProcessSet, ThreadId};
use std::collections::HashMap;
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
    /// Reads these files.
    Texts(Vec<Stay>, Vec<Arc<str>>),
    /// Reads these.
    Values(Vec<Stay>, Vec<Wanted>),
    /// Looks where the threads are for which ranks wait.
    Threads(Vec<Stay>, Facts),
}

/// The questions to ranks.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::core) enum Wanted {
    /// The value of an expression, for a stay.
    Value(usize, String),
    /// An observation of threads.
    Observation,
}

/// Ranks with the same stack.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::core) struct Stay {
    pub(in crate::core) ranks: ProcessSet,
    pub(in crate::core) place: Place,
    pub(in crate::core) at: At,
    /// The user's frame.
    pub(in crate::core) level: u32,
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
    /// The values of expressions by stay, name and rank.
    values: HashMap<usize, HashMap<String, HashMap<u32, i64>>>,
    observed: HashMap<u32, Observation>,
    /// The places of the threads for which ranks wait.
    places: HashMap<u32, Arc<str>>,
}

impl Facts {
    pub(in crate::core) fn add_value(&mut self, stay: usize, name: &str, ranks: &ProcessSet, value: i64) {
        let of_name = self.values.entry(stay).or_default().entry(name.to_owned()).or_default();
        of_name.extend(ranks.iter().map(|rank| (rank.0, value)));
    }

    pub(in crate::core) fn value(&self, stay: usize, name: &str, rank: u32) -> Option<i64> {
        self.values.get(&stay)?.get(name)?.get(&rank).copied()
    }

    pub(in crate::core) fn add_observation(&mut self, ranks: &ProcessSet, observation: &Observation) {
        self.observed.extend(ranks.iter().map(|rank| (rank.0, observation.clone())));
    }

    pub(in crate::core) fn observed(&self) -> &HashMap<u32, Observation> {
        &self.observed
    }

    pub(in crate::core) fn add_place(&mut self, ranks: &ProcessSet, place: &Arc<str>) {
        self.places.extend(ranks.iter().map(|rank| (rank.0, place.clone())));
    }

    pub(in crate::core) fn place(&self, rank: u32) -> Option<&str> {
        self.places.get(&rank).map(|place| &**place)
    }
}
