//! Collective operations of all ranks of the job, and who is in each.

use super::mpi_calls::mpi_name;
use super::situation::{Communicator, Doing, Situation};
use model::ProcessSet;
use std::collections::HashMap;

/// The ranks in each operation on `MPI_COMM_WORLD`.
#[derive(Default)]
pub(super) struct Operations(HashMap<String, Roots>);

/// The ranks in an operation by its root.
#[derive(Default)]
struct Roots {
    known: HashMap<i64, ProcessSet>,
    unknown: ProcessSet,
    all: ProcessSet,
}

impl Operations {
    pub(super) fn new(situations: &[Situation]) -> Self {
        let mut found = Self::default();
        for situation in situations {
            let Some((name, root)) = operation(situation) else { continue };
            let roots = found.0.entry(name).or_default();
            roots.all.extend_with(&situation.ranks);
            match root {
                Some(root) => roots.known.entry(root).or_default().extend_with(&situation.ranks),
                None => roots.unknown.extend_with(&situation.ranks),
            }
        }
        found
    }

    /// Returns the ranks that take part in the operation of a situation, as far as the roots are known.
    pub(super) fn with(&self, situation: &Situation) -> ProcessSet {
        let Some((name, root)) = operation(situation) else { return ProcessSet::new() };
        let Some(roots) = self.0.get(&name) else { return ProcessSet::new() };
        match root.and_then(|root| roots.known.get(&root)) {
            Some(known) => known.union(&roots.unknown),
            None => roots.all.clone(),
        }
    }

    /// Returns the ranks of each operation among some ranks.
    pub(super) fn among(&self, ranks: &ProcessSet) -> Vec<ProcessSet> {
        let mut found = Vec::new();
        for roots in self.0.values() {
            match roots.known.len() {
                0 | 1 => found.push(&roots.all),
                _ => found.extend(roots.known.values().chain([&roots.unknown])),
            }
        }
        found.into_iter().map(|set| set.intersection(ranks)).filter(|set| !set.is_empty()).collect()
    }

    /// Returns the ranks that name other roots than most in the same operation, among some ranks.
    pub(super) fn other_roots(&self, among: &ProcessSet) -> ProcessSet {
        let mut found = ProcessSet::new();
        for roots in self.0.values().filter(|roots| roots.known.len() > 1) {
            let sets = roots.known.values().map(|set| set.intersection(among));
            let sets: Vec<ProcessSet> = sets.filter(|set| !set.is_empty()).collect();
            if sets.len() > 1 {
                found.extend_with(&outside_the_largest(sets));
            }
        }
        found
    }
}

/// Returns the ranks that are not in the largest of some sets; all of them if two are the largest.
pub(super) fn outside_the_largest(mut sets: Vec<ProcessSet>) -> ProcessSet {
    sets.sort_by_key(|ranks| (std::cmp::Reverse(ranks.len()), ranks.first()));
    let skipped = match sets.as_slice() {
        [largest, second, ..] if largest.len() > second.len() => 1,
        _ => 0,
    };
    sets.iter().skip(skipped).fold(ProcessSet::new(), |sum, ranks| sum.union(ranks))
}

/// The name of an operation on `MPI_COMM_WORLD`, which is the same in C and in Fortran, and its root.
fn operation(situation: &Situation) -> Option<(String, Option<i64>)> {
    let Doing::Collective { communicator: Communicator::World, root } = &situation.doing else { return None };
    let call = situation.place.call.as_deref().unwrap_or("");
    let name = mpi_name(call).unwrap_or_else(|| call.to_owned());
    Some((if name == "init_thread" { "init".to_owned() } else { name }, *root))
}
