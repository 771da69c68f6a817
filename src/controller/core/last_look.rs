//! The previous `why`: ranks that have run since and are where they were are stuck, not slow.

use crate::why::{Doing, Place, Situation};
use model::ProcessSet;
use std::collections::HashMap;

/// Fingerprints of stacks and registers, which change when a rank gets any further, by the number of the rank.
pub(in crate::core) type Fingerprints = HashMap<u32, u64>;

/// The situations found last.
#[derive(Debug, Default)]
pub(in crate::core) struct LastLook {
    situations: HashMap<(Place, Doing), ProcessSet>,
    fingerprints: Fingerprints,
    /// The ranks that have run since.
    ran: ProcessSet,
}

impl LastLook {
    pub(in crate::core) fn moved(&mut self, ranks: &ProcessSet) {
        self.ran.extend_with(ranks);
    }

    /// Returns the ranks that have run since the previous look and have not got any further; remembers the new ones.
    pub(in crate::core) fn again(&mut self, now: &[Situation], fingerprints: Fingerprints) -> ProcessSet {
        let mut same = ProcessSet::new();
        let mut situations: HashMap<(Place, Doing), ProcessSet> = HashMap::new();
        for situation in now {
            let key = (situation.place.clone(), situation.doing.clone());
            if let Some(known) = self.situations.get(&key) {
                same.extend_with(&known.intersection(&situation.ranks));
            }
            situations.entry(key).or_default().extend_with(&situation.ranks);
        }
        let is_same = |rank: &u32| self.fingerprints.get(rank) == fingerprints.get(rank);
        let same = same.intersection(&self.ran).iter().filter(|rank| is_same(&rank.0)).collect();
        *self = Self { situations, fingerprints, ran: ProcessSet::new() };
        same
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::why::{Doing, Place};

    #[test]
    fn only_ranks_that_ran_and_came_back_are_seen_again() {
        let at = |ranks: &str, doing| {
            let ranks = ProcessSet::parse(ranks).unwrap();
            Situation { ranks, place: Place::default(), doing, from_text: true }
        };
        let none = Fingerprints::new;
        let mut look = LastLook::default();
        assert!(look.again(&[at("0-3", Doing::Requests(None))], none()).is_empty());
        assert!(look.again(&[at("0-3", Doing::Requests(None))], none()).is_empty(), "nothing has run");
        look.moved(&ProcessSet::range(0, 3));
        let now = [at("0,3", Doing::Requests(None)), at("1-2", Doing::Io)];
        assert_eq!(look.again(&now, Fingerprints::from([(0, 7), (3, 8)])).to_string(), "", "its stack is known now");
        look.moved(&ProcessSet::range(0, 4));
        let later = Fingerprints::from([(0, 7), (3, 9)]);
        assert_eq!(look.again(&now, later).to_string(), "0-2", "rank 3 is in another round of its loop");
    }
}
