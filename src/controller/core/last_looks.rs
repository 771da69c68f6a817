//! The previous looks of `why`: ranks that have run since and are where they were are stuck, not slow.

use crate::why::{Doing, Place, Situation};
use model::{Observation, ProcessSet, Rank};
use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Looks that are remembered. On a busy host it may take several until each rank has had a processor.
const MOST_LOOKS: usize = 8;

/// The time on a processor, in microseconds, in which a rank that polls for messages takes those that are there. One
/// that got less has not been observed: it was only woken to be stopped.
const OBSERVED: u64 = 1000;

/// The looks so far, the newest last.
#[derive(Debug, Default)]
pub(in crate::core) struct LastLooks(VecDeque<Look>);

#[derive(Debug, Default)]
struct Look {
    ranks: HashMap<u32, Seen>,
    /// The ranks that have run since.
    resumed: ProcessSet,
}

/// A rank in a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seen {
    /// Its place and what it did there.
    situation: u64,
    fingerprint: Option<u64>,
    ran: Option<u64>,
    sleeps: bool,
}

impl Seen {
    /// True if the rank was at the same place before, and has not got any further.
    fn is_as(&self, before: &Self) -> bool {
        (self.situation, self.fingerprint) == (before.situation, before.fingerprint)
    }

    /// True if the rank would have got further since if it could: it polled, or the kernel would have woken it.
    fn is_observed_since(&self, before: &Self) -> bool {
        let ran = self.ran.zip(before.ran).map(|(now, before)| now.saturating_sub(before));
        self.sleeps || ran.is_none_or(|ran| ran >= OBSERVED)
    }
}

impl LastLooks {
    pub(in crate::core) fn moved(&mut self, ranks: &ProcessSet) {
        if let Some(look) = self.0.back_mut() {
            look.resumed.extend_with(ranks);
        }
    }

    /// Adds a look.
    pub(in crate::core) fn add(&mut self, now: &[Situation], observed: &HashMap<u32, Observation>) {
        let mut ranks = HashMap::new();
        for situation in now {
            let waits =
                matches!(situation.doing, Doing::Collective { .. } | Doing::Messages { .. } | Doing::Requests { .. });
            let key = key(&situation.place, &situation.doing);
            for rank in situation.ranks.iter() {
                let observed = observed.get(&rank.0);
                let fingerprint = observed.filter(|_| waits).and_then(|observed| observed.fingerprint);
                let (ran, sleeps) = observed.map_or((None, false), |seen| (seen.ran, seen.wait.is_some()));
                ranks.insert(rank.0, Seen { situation: key, fingerprint, ran, sleeps });
            }
        }
        self.0.push_back(Look { ranks, resumed: ProcessSet::new() });
        if self.0.len() > MOST_LOOKS {
            self.0.pop_front();
        }
    }

    /// Returns the ranks that have not got any further since the previous look, though they have run since.
    pub(in crate::core) fn unmoved(&self) -> ProcessSet {
        let mut looks = self.0.iter().rev();
        let (Some(now), Some(before)) = (looks.next(), looks.next()) else { return ProcessSet::new() };
        let is_same = |rank: u32, seen: &Seen| {
            let earlier = before.ranks.get(&rank).filter(|earlier| seen.is_as(earlier));
            before.resumed.contains(Rank(rank)) && earlier.is_some_and(|earlier| seen.is_observed_since(earlier))
        };
        now.ranks.iter().filter(|(rank, seen)| is_same(**rank, seen)).map(|(rank, _)| Rank(*rank)).collect()
    }

    /// True if none of these ranks has got any further since one of the earlier looks, though each has run since.
    pub(in crate::core) fn are_stuck(&self, ranks: &ProcessSet) -> bool {
        let mut looks = self.0.iter().rev();
        let Some(now) = looks.next() else { return false };
        let mut resumed = ProcessSet::new();
        for look in looks {
            resumed.extend_with(&look.resumed);
            let pairs = ranks.iter().map(|rank| now.ranks.get(&rank.0).zip(look.ranks.get(&rank.0)));
            let Some(pairs) = pairs.collect::<Option<Vec<_>>>() else { return false };
            if !pairs.iter().all(|(now, before)| now.is_as(before)) {
                return false;
            }
            if ranks.is_subset(&resumed) && pairs.iter().all(|(now, before)| now.is_observed_since(before)) {
                return true;
            }
        }
        false
    }
}

fn key(place: &Place, doing: &Doing) -> u64 {
    let mut hasher = DefaultHasher::new();
    (place, doing).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::why::{Source, Text};
    use model::SystemWait;

    fn at(ranks: &str, doing: Doing) -> Situation {
        let ranks = ProcessSet::parse(ranks).unwrap();
        Situation { ranks, place: Place::default(), doing, source: Source::Text, text: Text::Read }
    }

    fn waiting() -> Doing {
        Doing::Requests { text: None, messages: Vec::new() }
    }

    /// Observations by rank, fingerprint and time on a processor.
    fn observed(ranks: &[(u32, u64, u64)]) -> HashMap<u32, Observation> {
        let of = |(rank, fingerprint, ran): &(u32, u64, u64)| {
            (*rank, Observation { fingerprint: Some(*fingerprint), ran: Some(*ran), ..Observation::default() })
        };
        ranks.iter().map(of).collect()
    }

    fn are_stuck(looks: &LastLooks, ranks: &str) -> bool {
        looks.are_stuck(&ProcessSet::parse(ranks).unwrap())
    }

    #[test]
    fn only_ranks_that_ran_and_came_back_are_seen_again() {
        let mut looks = LastLooks::default();
        let none = HashMap::new();
        looks.add(&[at("0-3", waiting())], &none);
        looks.add(&[at("0-3", waiting())], &none);
        assert!(!are_stuck(&looks, "0-3"), "nothing has run");
        looks.moved(&ProcessSet::range(0, 3));
        let now = [at("0,3", waiting()), at("1-2", Doing::Io(None))];
        looks.add(&now, &none);
        assert!(are_stuck(&looks, "0") && !are_stuck(&looks, "3") && !are_stuck(&looks, "0-1"));
    }

    #[test]
    fn a_rank_in_another_round_of_its_loop_has_moved() {
        let mut looks = LastLooks::default();
        looks.add(&[at("0-1", waiting())], &observed(&[(0, 7, 0), (1, 8, 0)]));
        looks.moved(&ProcessSet::range(0, 2));
        looks.add(&[at("0-1", waiting())], &observed(&[(0, 7, 5000), (1, 9, 5000)]));
        assert!(are_stuck(&looks, "0") && !are_stuck(&looks, "0-1"));
        assert_eq!(looks.unmoved().to_string(), "0");
    }

    #[test]
    fn a_rank_without_a_processor_has_not_been_observed() {
        let mut looks = LastLooks::default();
        let look = |looks: &mut LastLooks, ran| {
            looks.add(&[at("0-1", waiting())], &observed(&[(0, 7, ran), (1, 8, 90_000 + ran * 50)]));
            looks.moved(&ProcessSet::range(0, 2));
        };
        look(&mut looks, 100);
        look(&mut looks, 180);
        assert!(!are_stuck(&looks, "0-1") && are_stuck(&looks, "1"));
        // The times of several looks count if nobody has moved in between.
        look(&mut looks, 1150);
        assert!(are_stuck(&looks, "0-1"));
        looks.add(&[at("0-1", waiting())], &observed(&[(0, 7, 1200), (1, 1, 150_000)]));
        assert!(!are_stuck(&looks, "0-1"), "rank 1 may have sent something to rank 0");
    }

    #[test]
    fn a_rank_that_sleeps_would_have_been_woken() {
        let mut looks = LastLooks::default();
        let mut asleep = observed(&[(0, 7, 100)]);
        asleep.get_mut(&0).unwrap().wait = Some(SystemWait::Other);
        for _ in 0..2 {
            looks.add(&[at("0", waiting())], &asleep);
            looks.moved(&ProcessSet::one(model::Rank(0)));
        }
        assert!(are_stuck(&looks, "0"));
    }

    #[test]
    fn old_looks_are_forgotten() {
        let mut looks = LastLooks::default();
        for _ in 0..100 {
            looks.add(&[at("0", waiting())], &HashMap::new());
        }
        assert_eq!(looks.0.len(), MOST_LOOKS);
    }
}
