//! The previous `why`: ranks that have run since and are where they were are stuck, not slow.

use crate::why::Situation;
use model::ProcessSet;

/// The situations found last.
#[derive(Debug, Default)]
pub(in crate::core) struct LastLook {
    situations: Vec<Situation>,
    /// The ranks that have run since.
    ran: ProcessSet,
}

impl LastLook {
    pub(in crate::core) fn moved(&mut self, ranks: &ProcessSet) {
        self.ran.extend_with(ranks);
    }

    /// Returns the ranks that have run since the previous look and are in the same situation; remembers the new ones.
    pub(in crate::core) fn again(&mut self, now: &[Situation]) -> ProcessSet {
        let mut same = ProcessSet::new();
        for situation in now {
            let alike = |known: &&Situation| known.place == situation.place && known.doing == situation.doing;
            for known in self.situations.iter().filter(alike) {
                same.extend_with(&known.ranks.intersection(&situation.ranks));
            }
        }
        let same = same.intersection(&self.ran);
        *self = Self { situations: now.to_vec(), ran: ProcessSet::new() };
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
        let mut look = LastLook::default();
        assert!(look.again(&[at("0-3", Doing::Requests)]).is_empty());
        assert!(look.again(&[at("0-3", Doing::Requests)]).is_empty(), "nothing has run");
        look.moved(&ProcessSet::range(0, 3));
        let now = [at("0,3", Doing::Requests), at("1-2", Doing::Io)];
        assert_eq!(look.again(&now).to_string(), "0");
    }
}
