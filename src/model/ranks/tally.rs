//! A number for each rank, stored by groups of ranks that share it.

use crate::{ProcessSet, Rank};
use serde::{Deserialize, Serialize};

/// A number for each rank; 0 for ranks that are not stored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tally(Vec<(ProcessSet, u64)>);

impl Tally {
    /// Gives some ranks the same number.
    pub fn of(ranks: ProcessSet, number: u64) -> Self {
        let mut tally = Self::default();
        tally.set(&ranks, number);
        tally
    }

    /// The groups of ranks that share a number, ordered by their lowest rank; no number is 0.
    pub fn groups(&self) -> &[(ProcessSet, u64)] {
        &self.0
    }

    /// The number of a rank; 0 if none was set.
    pub fn get(&self, rank: Rank) -> u64 {
        self.0.iter().find(|(ranks, _)| ranks.contains(rank)).map_or(0, |(_, number)| *number)
    }

    /// The sum over all ranks; saturates.
    pub fn total(&self) -> u64 {
        self.0.iter().fold(0, |sum: u64, (ranks, number)| sum.saturating_add(number.saturating_mul(ranks.len() as u64)))
    }

    /// The greatest number; 0 if none was set.
    pub fn greatest(&self) -> u64 {
        self.0.iter().map(|(_, number)| *number).max().unwrap_or(0)
    }

    /// The least number among some ranks; 0 if any of them has none.
    pub fn least(&self, among: &ProcessSet) -> u64 {
        let named = self.0.iter().fold(ProcessSet::new(), |sum, (ranks, _)| sum.union(ranks));
        if !among.is_subset(&named) {
            return 0;
        }
        self.0.iter().filter(|(ranks, _)| ranks.meets(among)).map(|(_, number)| *number).min().unwrap_or(0)
    }

    /// Sets the number of some ranks.
    pub fn set(&mut self, ranks: &ProcessSet, number: u64) {
        self.change(ranks, |_| number);
    }

    /// Adds to the numbers of some ranks; saturates.
    pub fn add(&mut self, ranks: &ProcessSet, more: u64) {
        self.change(ranks, |number| number.saturating_add(more));
    }

    /// Subtracts from the numbers of some ranks; stops at 0.
    pub fn take(&mut self, ranks: &ProcessSet, less: u64) {
        self.change(ranks, |number| number.saturating_sub(less));
    }

    fn change(&mut self, ranks: &ProcessSet, change: impl Fn(u64) -> u64) {
        let mut unnamed = ranks.clone();
        let mut parts: Vec<(ProcessSet, u64)> = Vec::new();
        for (those, number) in self.0.drain(..) {
            let part = those.intersection(ranks);
            unnamed.remove_all(&part);
            parts.push((those.difference(&part), number));
            parts.push((part, change(number)));
        }
        parts.push((unnamed, change(0)));
        for (those, number) in parts.into_iter().filter(|(those, number)| *number > 0 && !those.is_empty()) {
            match self.0.iter_mut().find(|(_, same)| *same == number) {
                Some((known, _)) => known.extend_with(&those),
                None => self.0.push((those, number)),
            }
        }
        self.0.sort_by_key(|(ranks, _)| ranks.first());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn set(text: &str) -> ProcessSet {
        ProcessSet::parse(text).unwrap()
    }

    #[test]
    fn ranks_that_share_a_number_are_together() {
        let mut tally = Tally::of(set("0-3"), 2);
        tally.add(&set("1"), 1);
        tally.add(&set("2-5"), 1);
        assert_eq!(tally.groups(), [(set("0"), 2), (set("1-3"), 3), (set("4-5"), 1)]);
        assert_eq!(
            (tally.total(), tally.greatest(), tally.least(&set("1-4")), tally.least(&set("1-9"))),
            (13, 3, 1, 0)
        );
        tally.take(&set("0-3"), 2);
        assert_eq!(tally.groups(), [(set("1-5"), 1)]);
    }

    proptest! {
        #[test]
        fn it_agrees_with_a_plain_list(
            changes in proptest::collection::vec((proptest::collection::vec(0u32..20, 0..20), 0u8..3, 0u64..4), 0..20)
        ) {
            let (mut tally, mut plain) = (Tally::default(), [0u64; 20]);
            for (ranks, what, number) in changes {
                let ranks: ProcessSet = ranks.into_iter().map(Rank).collect();
                for rank in ranks.iter() {
                    let own = &mut plain[rank.index()];
                    *own = match what {
                        0 => number,
                        1 => *own + number,
                        _ => own.saturating_sub(number),
                    };
                }
                match what {
                    0 => tally.set(&ranks, number),
                    1 => tally.add(&ranks, number),
                    _ => tally.take(&ranks, number),
                }
            }
            for (rank, number) in plain.iter().enumerate() {
                prop_assert_eq!(tally.get(Rank(rank as u32)), *number);
            }
            prop_assert_eq!(tally.total(), plain.iter().sum::<u64>());
            let numbers: Vec<u64> = tally.groups().iter().map(|group| group.1).collect();
            prop_assert!(numbers.iter().enumerate().all(|(at, number)| *number > 0 && !numbers[..at].contains(number)));
        }
    }
}
