//! The threads that a scope names in each rank: one, or a group that commands go through in turn.

use model::{ProcessSet, RankThreads, ThreadId};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::RangeInclusive;

/// The threads after the full stop of a scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ThreadChoice {
    /// `0-3.2`
    One(ThreadId),
    /// `0-3.{2,5}`, `0-3.*`
    Each(ThreadGroup),
}

impl ThreadChoice {
    /// Builds the choice of these threads; a range that holds one thread alone is that thread. `None`: there is none.
    pub fn of(ranges: impl IntoIterator<Item = RangeInclusive<u32>>) -> Option<Self> {
        let group = ThreadGroup::of(ranges);
        match group.ranges.as_slice() {
            [] => None,
            [(first, last)] if first == last => Some(Self::One(ThreadId(*first))),
            _ => Some(Self::Each(group)),
        }
    }

    /// Returns the only thread.
    pub fn one(&self) -> Option<ThreadId> {
        match self {
            Self::One(thread) => Some(*thread),
            Self::Each(_) => None,
        }
    }

    /// Returns the group, if it is one.
    pub fn group(&self) -> Option<&ThreadGroup> {
        match self {
            Self::One(_) => None,
            Self::Each(group) => Some(group),
        }
    }
}

impl fmt::Display for ThreadChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::One(thread) => write!(f, "{thread}"),
            Self::Each(group) => write!(f, "{group}"),
        }
    }
}

/// Threads of a rank by number: `{2,5}`, `{2-5}`, `*`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ThreadGroup {
    /// Ascending, with gaps between them; from 1.
    ranges: Vec<(u32, u32)>,
}

impl ThreadGroup {
    /// The threads from 1 to the greatest number: those that a rank has.
    pub fn all() -> Self {
        Self { ranges: vec![(1, u32::MAX)] }
    }

    /// Builds the group of these threads; there is no thread 0.
    pub fn of(ranges: impl IntoIterator<Item = RangeInclusive<u32>>) -> Self {
        let mut given: Vec<(u32, u32)> =
            ranges.into_iter().map(|range| (*range.start().max(&1), *range.end())).collect();
        given.retain(|(first, last)| first <= last);
        given.sort_unstable();
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for (first, last) in given {
            match ranges.last_mut() {
                Some(before) if first <= before.1.saturating_add(1) => before.1 = before.1.max(last),
                _ => ranges.push((first, last)),
            }
        }
        Self { ranges }
    }

    /// Builds the group of these threads.
    pub fn of_threads(threads: impl IntoIterator<Item = ThreadId>) -> Self {
        Self::of(threads.into_iter().map(|thread| thread.0..=thread.0))
    }

    /// True if it means every thread that a rank has.
    pub fn is_all(&self) -> bool {
        *self == Self::all()
    }

    /// True if it names no thread.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Returns the lowest thread.
    pub fn first(&self) -> Option<ThreadId> {
        self.ranges.first().map(|(first, _)| ThreadId(*first))
    }

    /// True if it names this thread.
    pub fn contains(&self, thread: ThreadId) -> bool {
        let at = self.ranges.partition_point(|(_, last)| *last < thread.0);
        self.ranges.get(at).is_some_and(|(first, _)| *first <= thread.0)
    }

    /// Returns the threads of this group that are not in the other.
    pub fn without(&self, other: &Self) -> Self {
        let mut left = Vec::new();
        let mut cuts = other.ranges.iter().peekable();
        for &(mut first, last) in &self.ranges {
            let mut is_over = false;
            while let Some((from, to)) = cuts.peek() {
                if *to < first {
                    cuts.next();
                    continue;
                }
                if *from > last {
                    break;
                }
                if first < *from {
                    left.push((first, from - 1));
                }
                match to.checked_add(1).filter(|next| *next <= last) {
                    Some(next) => first = next,
                    None => {
                        is_over = true;
                        break;
                    }
                }
                cuts.next();
            }
            if !is_over {
                left.push((first, last));
            }
        }
        Self { ranges: left }
    }

    /// Returns the numbers without signs around them: `2,5-7`; `all` for all.
    pub fn numbers(&self) -> String {
        if self.is_all() {
            return "all".to_owned();
        }
        let range = |&(first, last): &(u32, u32)| {
            if first == last { first.to_string() } else { format!("{first}-{last}") }
        };
        self.ranges.iter().map(range).collect::<Vec<_>>().join(",")
    }

    /// Returns the group as the end of a scope: `2` for one thread, else as the group reads.
    pub fn spelled(&self) -> String {
        match self.ranges.as_slice() {
            [(first, last)] if first == last => first.to_string(),
            _ => self.to_string(),
        }
    }
}

/// Returns the scope that names exactly these threads: ranks, and if they are named, the numbers that all the ranks have.
/// `None`: the ranks have different ones.
pub fn scope_of(threads: &RankThreads) -> Option<(ProcessSet, Option<ThreadGroup>)> {
    if !threads.are_named() {
        return Some((threads.ranks(), None));
    }
    match threads.alike().as_slice() {
        [(ranks, ids)] => Some(((*ranks).clone(), Some(ThreadGroup::of_threads(ids.iter().copied())))),
        _ => None,
    }
}

impl fmt::Display for ThreadGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_all() { f.write_str("*") } else { write!(f, "{{{}}}", self.numbers()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn group(members: &BTreeSet<u32>) -> ThreadGroup {
        ThreadGroup::of_threads(members.iter().copied().map(ThreadId))
    }

    #[test]
    fn threads_side_by_side_are_one_range() {
        assert_eq!(ThreadGroup::of([5..=5, 2..=3, 4..=4, 9..=9]).to_string(), "{2-5,9}");
        assert_eq!(ThreadGroup::of([1..=u32::MAX]).to_string(), "*");
        assert_eq!(ThreadChoice::of([2..=2, 2..=2]), Some(ThreadChoice::One(ThreadId(2))));
        assert_eq!(ThreadChoice::of([0..=0]), None);
        assert_eq!(ThreadGroup::all().without(&ThreadGroup::of([2..=3])).numbers(), "1,4-4294967295");
    }

    proptest! {
        #[test]
        fn groups_are_sets_of_numbers(a in proptest::collection::btree_set(1u32..40, 0..20), b in proptest::collection::btree_set(1u32..40, 0..20)) {
            let left = group(&a).without(&group(&b));
            let expected: BTreeSet<u32> = a.difference(&b).copied().collect();
            prop_assert_eq!(&left, &group(&expected));
            for number in 0..45 {
                prop_assert_eq!(left.contains(ThreadId(number)), expected.contains(&number));
            }
        }
    }
}
