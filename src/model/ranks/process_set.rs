//! Sets of ranks. Most hold few ranks, or nearly all: what a set costs follows that, not the size of the job.

use crate::Rank;
use roaring::RoaringBitmap;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A set of ranks.
#[derive(Clone, Default, PartialEq)]
pub struct ProcessSet {
    ranks: RoaringBitmap,
}

/// The ranks of a set that go into its hash, beside the last one.
const HASHED: usize = 32;

impl ProcessSet {
    /// The empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Ranks `0..size`.
    pub fn all(size: u32) -> Self {
        Self::range(0, size)
    }

    /// Ranks `first..end`.
    pub fn range(first: u32, end: u32) -> Self {
        let mut ranks = RoaringBitmap::new();
        ranks.insert_range(first..end);
        Self { ranks }
    }

    /// One rank.
    pub fn one(rank: Rank) -> Self {
        let mut set = Self::new();
        set.insert(rank);
        set
    }

    /// The memory it needs, in bytes.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.ranks.serialized_size()
    }

    /// The ranks in either set.
    pub fn union(&self, other: &Self) -> Self {
        Self { ranks: &self.ranks | &other.ranks }
    }

    /// The ranks in both sets.
    pub fn intersection(&self, other: &Self) -> Self {
        match self.single() {
            Some(rank) if other.ranks.contains(rank) => self.clone(),
            Some(_) => Self::new(),
            None => Self { ranks: &self.ranks & &other.ranks },
        }
    }

    /// The ranks in this set but not in the other.
    pub fn difference(&self, other: &Self) -> Self {
        // Where every rank answers differently, each is taken out of those that are awaited: the difference of two bitmaps
        // reads all of the other.
        match self.single() {
            Some(rank) if other.ranks.contains(rank) => Self::new(),
            Some(_) => self.clone(),
            None => Self { ranks: &self.ranks - &other.ranks },
        }
    }

    /// Adds all ranks of the other.
    pub fn extend_with(&mut self, other: &Self) {
        // One rank after the other joins while a job starts: the union of two bitmaps copies the larger one.
        match other.single() {
            Some(rank) => _ = self.ranks.insert(rank),
            None => self.ranks |= &other.ranks,
        }
    }

    /// Removes all ranks of the other.
    pub fn remove_all(&mut self, other: &Self) {
        match other.single() {
            Some(rank) => _ = self.ranks.remove(rank),
            None => self.ranks -= &other.ranks,
        }
    }

    /// The rank of a set of one.
    fn single(&self) -> Option<u32> {
        self.ranks.min().filter(|&rank| self.ranks.max() == Some(rank))
    }

    /// True if the sets share a rank.
    pub fn meets(&self, other: &Self) -> bool {
        !self.ranks.is_disjoint(&other.ranks)
    }

    /// True if every rank of this set is in the other.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.ranks.is_subset(&other.ranks)
    }

    /// Adds a rank; returns true if it was new.
    pub fn insert(&mut self, rank: Rank) -> bool {
        self.ranks.insert(rank.0)
    }

    /// Removes a rank; returns true if it was in the set.
    pub fn remove(&mut self, rank: Rank) -> bool {
        self.ranks.remove(rank.0)
    }

    /// True if the rank is in the set.
    pub fn contains(&self, rank: Rank) -> bool {
        self.ranks.contains(rank.0)
    }

    /// True if the set has no ranks.
    pub fn is_empty(&self) -> bool {
        self.ranks.is_empty()
    }

    /// The number of ranks.
    pub fn len(&self) -> usize {
        usize::try_from(self.ranks.len()).unwrap_or(usize::MAX)
    }

    /// The lowest rank; `None` if the set is empty.
    pub fn first(&self) -> Option<Rank> {
        self.ranks.min().map(Rank)
    }

    /// The highest rank; `None` if the set is empty.
    pub fn last(&self) -> Option<Rank> {
        self.ranks.max().map(Rank)
    }

    /// The rank before which so many of the set are; `None` if it has no more than these.
    pub fn nth(&self, index: u32) -> Option<Rank> {
        self.ranks.select(index).map(Rank)
    }

    /// The number of ranks of the set below a rank.
    pub fn count_below(&self, rank: Rank) -> u32 {
        rank.0.checked_sub(1).map_or(0, |last| u32::try_from(self.ranks.rank(last)).unwrap_or(u32::MAX))
    }

    /// So many ranks of the set, in ascending order, after those before them.
    pub fn slice(&self, index: u32, count: u32) -> Self {
        let Some(last) = count.checked_sub(1) else { return Self::new() };
        let Some(Rank(first)) = self.nth(index) else { return Self::new() };
        let end = self.nth(index.saturating_add(last));
        let last = end.or_else(|| self.last()).map_or(first, |rank| rank.0);
        let mut range = RoaringBitmap::new();
        range.insert_range(first..=last);
        let is_whole = end.is_some() && range.len() == u64::from(count);
        Self { ranks: if is_whole { range } else { range & &self.ranks } }
    }

    /// The ranges of consecutive ranks, each with its first and its last one, in ascending order.
    pub fn ranges(&self) -> Ranges<'_> {
        Ranges { ranks: &self.ranks, from: self.ranks.min() }
    }

    /// The ranks in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = Rank> + '_ {
        self.ranks.iter().map(Rank)
    }
}

/// The ranges of a set.
#[derive(Clone, Debug)]
pub struct Ranges<'a> {
    ranks: &'a RoaringBitmap,
    from: Option<u32>,
}

impl Iterator for Ranges<'_> {
    /// The first and the last rank.
    type Item = (u32, u32);

    fn next(&mut self) -> Option<(u32, u32)> {
        let first = self.from?;
        // The end is found in growing steps, and then in shrinking ones: a long range costs little more than a short one.
        let (mut last, mut step) = (first, 1u32);
        while let Some(next) = last.checked_add(step).filter(|&next| self.ranks.contains_range(last..=next)) {
            last = next;
            step = step.saturating_mul(2);
        }
        while step > 0 {
            if let Some(next) = last.checked_add(step).filter(|&next| self.ranks.contains_range(last..=next)) {
                last = next;
            }
            step /= 2;
        }
        self.from = last.checked_add(1).and_then(|behind| {
            let mut rest = self.ranks.iter();
            rest.advance_to(behind);
            rest.next()
        });
        Some((first, last))
    }
}

impl Eq for ProcessSet {}

/// Equal sets have the first ranks, the last one and the number in common; others rarely.
impl Hash for ProcessSet {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.len().hash(state);
        self.last().hash(state);
        self.iter().take(HASHED).for_each(|rank| rank.hash(state));
    }
}

impl PartialOrd for ProcessSet {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Sets are in the order of their lowest ranks, then of the next ones.
impl Ord for ProcessSet {
    fn cmp(&self, other: &Self) -> Ordering {
        self.iter().cmp(other.iter())
    }
}

impl FromIterator<Rank> for ProcessSet {
    fn from_iter<I: IntoIterator<Item = Rank>>(ranks: I) -> Self {
        let mut set = Self::new();
        for rank in ranks {
            set.insert(rank);
        }
        set
    }
}

impl fmt::Debug for ProcessSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

/// Serialised as text: ranges with strides, or the bitmap of the wire when that is shorter.
impl Serialize for ProcessSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.to_compact())
    }
}

impl<'de> Deserialize<'de> for ProcessSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse_compact(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// Sparse sets, and dense ones, also across the borders of the containers.
    fn sets() -> impl Strategy<Value = BTreeSet<u32>> {
        let few = proptest::collection::btree_set(0u32..300, 0..80);
        let many = (65_000u32..66_000, 0u32..9_000).prop_map(|(first, count)| (first..first + count).collect());
        prop_oneof![8 => few, 1 => many]
    }

    fn of(ranks: &BTreeSet<u32>) -> ProcessSet {
        ranks.iter().copied().map(Rank).collect()
    }

    proptest! {
        #[test]
        fn operations_agree_with_a_plain_set(a in sets(), b in sets(), r in 0u32..400) {
            let (x, y) = (of(&a), of(&b));
            prop_assert_eq!(x.union(&y), of(&(&a | &b)));
            prop_assert_eq!(x.intersection(&y), of(&(&a & &b)));
            prop_assert_eq!(x.difference(&y), of(&(&a - &b)));
            prop_assert_eq!(x.meets(&y), !a.is_disjoint(&b));
            prop_assert_eq!(x.is_subset(&y), a.is_subset(&b));
            prop_assert_eq!(x.len(), a.len());
            prop_assert_eq!(x.iter().map(|r| r.0).collect::<BTreeSet<_>>(), a.clone());
            prop_assert_eq!(x.contains(Rank(r)), a.contains(&r));
            prop_assert_eq!(x.nth(r).map(|rank| rank.0), a.iter().copied().nth(r as usize));
            prop_assert_eq!(x.count_below(Rank(r)) as usize, a.range(..r).count());
            prop_assert_eq!(x.slice(r / 8, r % 8), of(&a.iter().copied().skip(r as usize / 8).take(r as usize % 8).collect()));
            prop_assert_eq!(x.ranges().flat_map(|(first, last)| first..=last).collect::<BTreeSet<_>>(), a.clone());
            prop_assert!(x.ranges().zip(x.ranges().skip(1)).all(|(one, next)| one.1 + 1 < next.0));
            let mut z = x.clone();
            z.extend_with(&y);
            prop_assert_eq!(&z, &x.union(&y));
            z.remove_all(&y);
            prop_assert_eq!(&z, &x.difference(&y));
            let hash = |set: &ProcessSet| {
                let mut hasher = std::hash::DefaultHasher::new();
                set.hash(&mut hasher);
                hasher.finish()
            };
            prop_assert_eq!(hash(&z), hash(&of(&(&a - &b))));
            let mut one = x.clone();
            prop_assert_eq!(one.insert(Rank(r)), !a.contains(&r));
            prop_assert!(one.remove(Rank(r)));
            prop_assert_eq!(one, of(&a.iter().copied().filter(|&i| i != r).collect()));
        }

        #[test]
        fn slices_of_a_set_are_the_set(a in sets(), count in 1u32..9) {
            let (x, mut all) = (of(&a), ProcessSet::new());
            for index in (0..x.len() as u32).step_by(count as usize) {
                let part = x.slice(index, count);
                prop_assert_eq!(part.len() as u32, count.min(x.len() as u32 - index));
                prop_assert!(!all.meets(&part));
                all.extend_with(&part);
            }
            prop_assert_eq!(all, x);
        }

        #[test]
        fn text_forms_read_back(a in sets()) {
            let set = of(&a);
            prop_assert_eq!(ProcessSet::parse(&set.to_string()).unwrap(), set.clone());
            let size = set.last().map_or(0, |last| last.0 + 1);
            prop_assert_eq!(ProcessSet::parse_bitmap(&set.to_bitmap(size)).unwrap(), set.clone());
            prop_assert_eq!(ProcessSet::parse_compact(&set.to_compact()).unwrap(), set);
        }

        #[test]
        fn garbage_is_an_error_not_a_panic(text in "\\PC{0,24}", digits in "[0-9:,\\-a-f]{0,24}") {
            for text in [text, digits] {
                let _ = ProcessSet::parse(&text);
                let _ = ProcessSet::parse_bitmap(&text);
                let _ = ProcessSet::parse_compact(&text);
            }
        }
    }
}
