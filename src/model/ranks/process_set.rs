//! Sets of ranks: bitmaps with word-wise operations.

use crate::Rank;
use bitvec::{order::Lsb0, vec::BitVec};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::fmt;

/// A set of ranks. Its storage never ends in a zero word, so equal sets have equal storage whatever their history.
#[derive(Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProcessSet {
    bits: BitVec<u64, Lsb0>,
}

const WORD: usize = u64::BITS as usize;

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
        let mut set = Self::new();
        if first < end {
            set.bits.resize((end as usize).div_ceil(WORD) * WORD, false);
            set.bits[first as usize..end as usize].fill(true);
            set.trim();
        }
        set
    }

    /// One rank.
    pub fn one(rank: Rank) -> Self {
        Self::range(rank.0, rank.0 + 1)
    }

    pub(crate) fn from_words(words: Vec<u64>) -> Self {
        let mut set = Self { bits: BitVec::from_vec(words) };
        set.trim();
        set
    }

    /// The bits, 64 ranks a word, rank 0 the lowest bit of the first word; the last word is never zero.
    pub fn words(&self) -> &[u64] {
        self.bits.as_raw_slice()
    }

    fn trim(&mut self) {
        let used = self.words().iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
        self.bits.truncate(used * WORD);
    }

    fn combine(&self, other: &Self, len: usize, f: impl Fn(u64, u64) -> u64) -> Self {
        let word = |set: &Self, i: usize| set.words().get(i).copied().unwrap_or(0);
        Self::from_words((0..len).map(|i| f(word(self, i), word(other, i))).collect())
    }

    /// The ranks in either set.
    pub fn union(&self, other: &Self) -> Self {
        self.combine(other, self.words().len().max(other.words().len()), |a, b| a | b)
    }

    /// The ranks in both sets.
    pub fn intersection(&self, other: &Self) -> Self {
        self.combine(other, self.words().len().min(other.words().len()), |a, b| a & b)
    }

    /// The ranks in this set but not in the other.
    pub fn difference(&self, other: &Self) -> Self {
        self.combine(other, self.words().len(), |a, b| a & !b)
    }

    /// Adds all ranks of the other.
    pub fn extend_with(&mut self, other: &Self) {
        if self.words().len() < other.words().len() {
            *self = self.union(other);
        } else {
            for (own, new) in self.bits.as_raw_mut_slice().iter_mut().zip(other.words()) {
                *own |= new;
            }
        }
    }

    /// Removes all ranks of the other.
    pub fn remove_all(&mut self, other: &Self) {
        for (own, gone) in self.bits.as_raw_mut_slice().iter_mut().zip(other.words()) {
            *own &= !gone;
        }
        self.trim();
    }

    /// True if the sets share a rank.
    pub fn meets(&self, other: &Self) -> bool {
        self.words().iter().zip(other.words()).any(|(a, b)| a & b != 0)
    }

    /// True if every rank of this set is in the other.
    pub fn is_subset(&self, other: &Self) -> bool {
        self.words().len() <= other.words().len() && self.words().iter().zip(other.words()).all(|(a, b)| a & !b == 0)
    }

    /// Adds a rank; returns true if it was new.
    pub fn insert(&mut self, rank: Rank) -> bool {
        let i = rank.index();
        if i >= self.bits.len() {
            self.bits.resize((i / WORD + 1) * WORD, false);
        }
        !self.bits.replace(i, true)
    }

    /// Removes a rank; returns true if it was in the set.
    pub fn remove(&mut self, rank: Rank) -> bool {
        let there = self.contains(rank);
        if there {
            self.bits.set(rank.index(), false);
            self.trim();
        }
        there
    }

    /// True if the rank is in the set.
    pub fn contains(&self, rank: Rank) -> bool {
        self.bits.get(rank.index()).is_some_and(|bit| *bit)
    }

    /// True if the set has no ranks.
    pub fn is_empty(&self) -> bool {
        self.words().is_empty()
    }

    /// The number of ranks.
    pub fn len(&self) -> usize {
        self.words().iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The lowest rank; `None` if the set is empty.
    pub fn first(&self) -> Option<Rank> {
        self.bits.first_one().map(|i| Rank(i as u32))
    }

    /// The highest rank; `None` if the set is empty.
    pub fn last(&self) -> Option<Rank> {
        self.bits.last_one().map(|i| Rank(i as u32))
    }

    /// The ranks in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = Rank> + '_ {
        self.bits.iter_ones().map(|i| Rank(i as u32))
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

    fn sets() -> impl Strategy<Value = BTreeSet<u32>> {
        proptest::collection::btree_set(0u32..300, 0..80)
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
            let mut z = x.clone();
            z.extend_with(&y);
            prop_assert_eq!(&z, &x.union(&y));
            z.remove_all(&y);
            prop_assert_eq!(&z, &x.difference(&y));
            let mut one = x.clone();
            prop_assert_eq!(one.insert(Rank(r)), !a.contains(&r));
            prop_assert!(one.remove(Rank(r)));
            prop_assert_eq!(one, of(&a.iter().copied().filter(|&i| i != r).collect()));
        }

        #[test]
        fn text_forms_read_back(a in sets()) {
            let set = of(&a);
            prop_assert_eq!(ProcessSet::parse(&set.to_string()).unwrap(), set.clone());
            prop_assert_eq!(ProcessSet::parse_bitmap(&set.to_bitmap(300)).unwrap(), set.clone());
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
