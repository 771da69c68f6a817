//! The previous looks of `why`: ranks that have run since and are where they were are stuck, not slow.

use crate::why::{Doing, Looks, Place, Since, Situation};
use model::{Observation, ProcessSet, Rank};
use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Looks that are remembered. On a busy host it may take several until each rank has had a processor.
const MOST_LOOKS: usize = 8;

/// Looks that are remembered of any number of ranks: this one and the last.
const FEWEST_LOOKS: usize = 2;

/// Ranks that are remembered in all looks, each in some 100 bytes.
const MOST_SEEN: usize = 1 << 20;

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
    /// The fingerprint of a rank that waits in MPI: the only one that cannot go on by itself.
    waiting: Option<u64>,
    fingerprint: Option<u64>,
    ran: Option<u64>,
    sleeps: bool,
    whereabouts: Whereabouts,
}

/// How a rank can have got further since an earlier look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whereabouts {
    /// It is stopped: by being continued.
    Stopped,
    /// It cannot be stopped: by itself.
    InKernel,
    /// It is running, or gone: nobody knows.
    Unseen,
}

impl Whereabouts {
    fn of(doing: &Doing) -> Self {
        match doing {
            Doing::Running(None) | Doing::Ended(_) => Self::Unseen,
            Doing::Running(Some(_)) => Self::InKernel,
            _ => Self::Stopped,
        }
    }
}

impl Seen {
    /// True if the rank was at the same place before, and has not got any further.
    fn is_as(&self, before: &Self) -> bool {
        (self.situation, self.waiting) == (before.situation, before.waiting)
    }

    /// True if the rank was there before, and in no other round of a loop.
    fn is_unmoved_since(&self, before: &Self) -> bool {
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

    /// Adds a look; `unseen`: the ranks that were not observed, of which nothing can be said then.
    pub(in crate::core) fn add(
        &mut self,
        now: &[Situation],
        observed: &HashMap<u32, Observation>,
        unseen: &ProcessSet,
    ) {
        let mut ranks = HashMap::new();
        // Where ranks are that have not replied is not known: nothing is compared with it.
        for situation in now.iter().filter(|situation| !matches!(situation.doing, Doing::Silent(_))) {
            let waits =
                matches!(situation.doing, Doing::Collective { .. } | Doing::Messages { .. } | Doing::Requests { .. });
            let key = key(&situation.place, &situation.doing);
            let whereabouts = Whereabouts::of(&situation.doing);
            for rank in situation.ranks.difference(unseen).iter() {
                let observed = observed.get(&rank.0);
                let fingerprint = observed.and_then(|observed| observed.fingerprint);
                let (ran, sleeps) = observed.map_or((None, false), |seen| (seen.ran, seen.wait.is_some()));
                ranks.insert(
                    rank.0,
                    Seen {
                        situation: key,
                        waiting: fingerprint.filter(|_| waits),
                        fingerprint,
                        ran,
                        sleeps,
                        whereabouts,
                    },
                );
            }
        }
        self.0.push_back(Look { ranks, resumed: ProcessSet::new() });
        let seen = |looks: &VecDeque<Look>| looks.iter().map(|look| look.ranks.len()).sum::<usize>();
        while self.0.len() > MOST_LOOKS || self.0.len() > FEWEST_LOOKS && seen(&self.0) > MOST_SEEN {
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

    /// Compares a rank that has run since the last look with that; with earlier ones as long as it has had no processor.
    fn since_of(&self, rank: Rank) -> Option<Progress> {
        let mut looks = self.0.iter().rev();
        let now = looks.next()?.ranks.get(&rank.0)?;
        let resumed = &self.0.iter().rev().nth(1)?.resumed;
        let has_run = match now.whereabouts {
            Whereabouts::Stopped => resumed.contains(rank),
            Whereabouts::InKernel => !resumed.is_empty(),
            Whereabouts::Unseen => false,
        };
        let mut found = None;
        for look in looks.take_while(|_| has_run) {
            match look.ranks.get(&rank.0) {
                // Where it was then, nobody has seen.
                Some(before) if before.whereabouts == Whereabouts::Unseen => break,
                Some(before) if !now.is_unmoved_since(before) => return Some(found.unwrap_or(Progress::Moved)),
                Some(before) if now.is_observed_since(before) => return Some(Progress::Unmoved),
                Some(_) => found = Some(Progress::Unobserved),
                None => break,
            }
        }
        found
    }
}

/// How far a rank has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    Moved,
    Unmoved,
    Unobserved,
}

impl Looks for LastLooks {
    fn since(&self, ranks: &ProcessSet) -> Since {
        let mut since = Since::default();
        for rank in ranks.iter() {
            let set = match self.since_of(rank) {
                Some(Progress::Moved) => &mut since.moved,
                Some(Progress::Unmoved) => &mut since.unmoved,
                Some(Progress::Unobserved) => &mut since.unobserved,
                None => continue,
            };
            set.insert(rank);
        }
        since
    }

    fn are_stuck(&self, ranks: &ProcessSet) -> bool {
        let mut looks = self.0.iter().rev();
        let Some(now) = looks.next() else { return false };
        let mut resumed = ProcessSet::new();
        for look in looks {
            resumed.extend_with(&look.resumed);
            if !look.resumed.is_empty() {
                let in_kernel = ranks.iter().filter(|rank| {
                    now.ranks.get(&rank.0).is_some_and(|seen| seen.whereabouts == Whereabouts::InKernel)
                });
                resumed.extend_with(&in_kernel.collect());
            }
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
        looks.add(&[at("0-3", waiting())], &none, &ProcessSet::new());
        looks.add(&[at("0-3", waiting())], &none, &ProcessSet::new());
        assert!(!are_stuck(&looks, "0-3"), "nothing has run");
        looks.moved(&ProcessSet::range(0, 3));
        let now = [at("0,3", waiting()), at("1-2", Doing::Io(None))];
        looks.add(&now, &none, &ProcessSet::new());
        assert!(are_stuck(&looks, "0") && !are_stuck(&looks, "3") && !are_stuck(&looks, "0-1"));
    }

    #[test]
    fn a_rank_in_another_round_of_its_loop_has_moved() {
        let mut looks = LastLooks::default();
        looks.add(&[at("0-1", waiting())], &observed(&[(0, 7, 0), (1, 8, 0)]), &ProcessSet::new());
        looks.moved(&ProcessSet::range(0, 2));
        looks.add(&[at("0-1", waiting())], &observed(&[(0, 7, 5000), (1, 9, 5000)]), &ProcessSet::new());
        assert!(are_stuck(&looks, "0") && !are_stuck(&looks, "0-1"));
        assert_eq!(looks.unmoved().to_string(), "0");
    }

    #[test]
    fn a_rank_without_a_processor_has_not_been_observed() {
        let mut looks = LastLooks::default();
        let look = |looks: &mut LastLooks, ran| {
            looks.add(
                &[at("0-1", waiting())],
                &observed(&[(0, 7, ran), (1, 8, 90_000 + ran * 50)]),
                &ProcessSet::new(),
            );
            looks.moved(&ProcessSet::range(0, 2));
        };
        look(&mut looks, 100);
        look(&mut looks, 180);
        assert!(!are_stuck(&looks, "0-1") && are_stuck(&looks, "1"));
        // The times of several looks count if nobody has moved in between.
        look(&mut looks, 1150);
        assert!(are_stuck(&looks, "0-1"));
        looks.add(&[at("0-1", waiting())], &observed(&[(0, 7, 1200), (1, 1, 150_000)]), &ProcessSet::new());
        assert!(!are_stuck(&looks, "0-1"), "rank 1 may have sent something to rank 0");
    }

    #[test]
    fn a_rank_that_sleeps_would_have_been_woken() {
        let mut looks = LastLooks::default();
        let mut asleep = observed(&[(0, 7, 100)]);
        asleep.get_mut(&0).unwrap().wait = Some(SystemWait::Other);
        for _ in 0..2 {
            looks.add(&[at("0", waiting())], &asleep, &ProcessSet::new());
            looks.moved(&ProcessSet::one(model::Rank(0)));
        }
        assert!(are_stuck(&looks, "0"));
    }

    fn since(looks: &LastLooks) -> [String; 3] {
        let since = looks.since(&ProcessSet::all(4));
        [since.moved, since.unmoved, since.unobserved].map(|ranks| ranks.to_string())
    }

    #[test]
    fn ranks_that_have_run_are_compared_with_the_last_look() {
        let mut looks = LastLooks::default();
        let job = || [at("0", waiting()), at("1", Doing::Computing), at("2", Doing::Library), at("3", waiting())];
        looks.add(&job(), &observed(&[(0, 7, 0), (1, 8, 0), (2, 9, 0), (3, 5, 0)]), &ProcessSet::new());
        assert_eq!(since(&looks), ["", "", ""], "it is the first look");
        looks.moved(&ProcessSet::range(0, 3));
        looks.add(&job(), &observed(&[(0, 7, 5000), (1, 18, 5000), (2, 9, 20), (3, 5, 0)]), &ProcessSet::new());
        assert_eq!(since(&looks), ["1", "0", "2"], "rank 3 has not run, and rank 2 hardly");
        looks.add(&job(), &observed(&[(0, 7, 5000), (1, 18, 5000), (2, 9, 20), (3, 5, 0)]), &ProcessSet::new());
        assert_eq!(since(&looks), ["", "", ""], "nothing has run");
        looks.moved(&ProcessSet::range(0, 4));
        let gone =
            [at("0", Doing::Ended("has exited".into())), at("1", Doing::Running(None)), at("2-3", Doing::Library)];
        looks.add(&gone, &observed(&[(2, 9, 2000), (3, 5, 5000)]), &ProcessSet::new());
        assert_eq!(since(&looks), ["3", "2", ""], "nobody knows how far those have got that run or have ended");
    }

    #[test]
    fn nothing_is_said_of_ranks_that_were_not_observed() {
        let mut looks = LastLooks::default();
        let unseen = ProcessSet::range(2, 4);
        for fingerprint in [7, 8] {
            let seen = observed(&[(0, fingerprint, 5000), (1, 7, 5000)]);
            looks.add(&[at("0-3", Doing::Computing)], &seen, &unseen);
            looks.moved(&ProcessSet::range(0, 4));
        }
        looks.add(&[at("0-3", Doing::Computing)], &observed(&[(0, 9, 9000), (1, 7, 9000)]), &unseen);
        assert_eq!(since(&looks), ["0", "1", ""]);
    }

    #[test]
    fn a_rank_that_ran_at_the_last_look_is_not_said_to_have_moved() {
        let mut looks = LastLooks::default();
        looks.add(&[at("0-1", Doing::Running(None))], &HashMap::new(), &ProcessSet::new());
        looks.moved(&ProcessSet::range(0, 2));
        looks.add(&[at("0-1", waiting())], &observed(&[(0, 7, 5000), (1, 8, 5000)]), &ProcessSet::new());
        assert_eq!(since(&looks), ["", "", ""]);
    }

    #[test]
    fn a_rank_in_the_kernel_has_not_moved_while_others_ran() {
        let mut looks = LastLooks::default();
        let kernel = || Doing::Running(Some("in the kernel and cannot be stopped".into()));
        let mut asleep = observed(&[(0, 7, 100)]);
        asleep.get_mut(&0).unwrap().wait = Some(SystemWait::Uninterruptible(None));
        looks.add(&[at("0", kernel())], &asleep, &ProcessSet::new());
        looks.add(&[at("0", kernel())], &asleep, &ProcessSet::new());
        assert_eq!(since(&looks), ["", "", ""], "no time has passed");
        looks.moved(&ProcessSet::range(1, 2));
        looks.add(&[at("0", kernel())], &asleep, &ProcessSet::new());
        assert_eq!(since(&looks), ["", "0", ""]);
        assert!(are_stuck(&looks, "0"));
    }

    #[test]
    fn old_looks_are_forgotten() {
        let mut looks = LastLooks::default();
        for _ in 0..100 {
            looks.add(&[at("0", waiting())], &HashMap::new(), &ProcessSet::new());
        }
        assert_eq!(looks.0.len(), MOST_LOOKS);
    }
}
