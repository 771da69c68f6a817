//! Joins equal bodies into one, with the union of the ranks that sent them.

use model::{Answer, Event, ProcessSet};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::{BuildHasher, Hash};

/// The content of a reply or event, which several ranks may share.
pub trait Body: Clone + PartialEq + Hash {
    /// Returns a copy without load addresses, and whatever else may differ between bodies that are joined.
    fn without_addresses(&self) -> Self;

    /// Returns the body that stands for both, if there is one: the body itself if the two are equal, and one without
    /// what they do not share if they differ in load addresses or in the values of arguments.
    fn joined(&self, other: &Self) -> Option<Self>;
}

impl Body for Answer {
    fn without_addresses(&self) -> Self {
        Answer::without_addresses(self)
    }

    fn joined(&self, other: &Self) -> Option<Self> {
        Answer::joined(self, other)
    }
}

impl Body for Event {
    fn without_addresses(&self) -> Self {
        Event::without_addresses(self)
    }

    fn joined(&self, other: &Self) -> Option<Self> {
        Event::joined(self, other)
    }
}

/// Returns a hash that is equal for bodies that differ in load addresses only.
pub(crate) fn fingerprint<T: Body>(body: &T) -> u64 {
    FxBuildHasher.hash_one(body.without_addresses())
}

/// Collects bodies and joins equal ones; distinct ones stay in the order in which they first came.
#[derive(Clone, Debug)]
pub struct Merger<T> {
    entries: Vec<(ProcessSet, T)>,
    candidates: FxHashMap<u64, Vec<usize>>,
    latest: usize,
}

impl<T> Default for Merger<T> {
    fn default() -> Self {
        Self { entries: Vec::new(), candidates: FxHashMap::default(), latest: 0 }
    }
}

impl<T: Body> Merger<T> {
    /// Adds a body sent by some ranks; returns true if it is a new one.
    pub fn add(&mut self, ranks: &ProcessSet, body: T) -> bool {
        // Nearly always equal to the one before: one comparison, and nothing is hashed.
        if let Some((speakers, known)) = self.entries.get_mut(self.latest)
            && *known == body
        {
            speakers.extend_with(ranks);
            return false;
        }
        let hash = fingerprint(&body);
        let candidates = self.candidates.entry(hash).or_default();
        for &i in candidates.iter() {
            if let Some((speakers, known)) = self.entries.get_mut(i)
                && let Some(both) = known.joined(&body)
            {
                speakers.extend_with(ranks);
                *known = both;
                self.latest = i;
                return false;
            }
        }
        self.latest = self.entries.len();
        candidates.push(self.latest);
        self.entries.push((ranks.clone(), body));
        true
    }

    /// True if nothing has been added.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the distinct bodies, each with its ranks.
    pub fn into_entries(self) -> Vec<(ProcessSet, T)> {
        self.entries
    }
}

/// Joins equal bodies, keeping the order.
pub fn merge<T: Body>(said: Vec<(ProcessSet, T)>) -> Vec<(ProcessSet, T)> {
    let mut merger = Merger::default();
    for (ranks, body) in said {
        merger.add(&ranks, body);
    }
    merger.into_entries()
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{CodePlace, Frame, Rank, ThreadId, ThreadsAnswer, VirtualAddress};
    use proptest::prelude::*;

    fn stack(offset: u64, address: Option<u64>) -> Answer {
        Answer::Stack(vec![Frame {
            level: 0,
            function: Some("main".into()),
            source: None,
            code: CodePlace { module: Some("/bin/app".into()), offset, address: address.map(VirtualAddress) },
            inlined: false,
            guessed: false,
            thread: None,
        }])
    }

    fn set(text: &str) -> ProcessSet {
        ProcessSet::parse(text).unwrap()
    }

    #[test]
    fn equal_bodies_become_one_and_keep_their_addresses() {
        let said = vec![(set("0"), stack(1, Some(9))), (set("3"), Answer::Ok), (set("1-2"), stack(1, Some(9)))];
        assert_eq!(merge(said), [(set("0-2"), stack(1, Some(9))), (set("3"), Answer::Ok)]);
    }

    #[test]
    fn bodies_that_differ_in_addresses_alone_lose_them() {
        let said = vec![
            (set("0"), stack(1, Some(9))),
            (set("1"), stack(1, Some(8))),
            (set("2"), stack(2, Some(9))),
            (set("3"), stack(1, Some(9))),
            (set("4"), stack(1, None)),
        ];
        assert_eq!(merge(said), [(set("0-1,3-4"), stack(1, None)), (set("2"), stack(2, Some(9)))]);
    }

    #[test]
    fn stacks_of_many_threads_become_one_where_each_thread_says_the_same() {
        let said = |threads: &[u32], answer| ThreadsAnswer {
            threads: threads.iter().copied().map(ThreadId).collect(),
            answer,
        };
        let many = |offset, address| {
            let rest = said(&[2, 3], stack(offset, address));
            Answer::EachThread(vec![said(&[1], Answer::Depth(3)), rest])
        };
        let other = Answer::EachThread(vec![said(&[1], Answer::Depth(3)), said(&[2], stack(1, None))]);
        let all = vec![
            (set("0"), many(1, Some(9))),
            (set("1"), many(1, Some(9))),
            (set("2"), many(2, Some(9))),
            (set("3"), other.clone()),
            (set("4"), many(2, Some(8))),
        ];
        let merged = [(set("0-1"), many(1, Some(9))), (set("2,4"), many(2, None)), (set("3"), other)];
        assert_eq!(merge(all), merged);
    }

    proptest! {
        #[test]
        fn merging_keeps_every_rank_with_what_it_said(said in proptest::collection::vec((0u64..4, 0u64..3), 0..40)) {
            let bodies: Vec<(ProcessSet, Answer)> = said
                .iter()
                .enumerate()
                .map(|(rank, &(offset, address))| (ProcessSet::one(Rank(rank as u32)), stack(offset, Some(address))))
                .collect();
            let merged = merge(bodies.clone());
            prop_assert_eq!(merged.iter().map(|(ranks, _)| ranks.len()).sum::<usize>(), said.len());
            for (ranks, body) in &bodies {
                let mine = merged.iter().find(|(speakers, _)| ranks.is_subset(speakers)).unwrap();
                prop_assert_eq!(mine.1.without_addresses(), body.without_addresses());
            }
            for (i, (_, one)) in merged.iter().enumerate() {
                prop_assert!(merged[i + 1..].iter().all(|(_, two)| one.without_addresses() != two.without_addresses()));
            }
            // A tree of mergers gives the same as one merger, whatever was merged below.
            let half = bodies.len() / 2;
            let mut tree = merge(bodies[..half].to_vec());
            tree.extend(merge(bodies[half..].to_vec()));
            prop_assert_eq!(merge(tree), merged);
        }
    }
}
