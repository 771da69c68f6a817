//! Values of expressions on many ranks, kept for the screen.

use model::{Datum, Failure, ProcessSet, Rank, ThreadId};
use std::collections::BTreeMap;

/// An expression in the stacks of a thread.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AcrossKey {
    /// The expression.
    pub expression: String,
    /// `None`: in each rank the thread that stopped.
    pub thread: Option<ThreadId>,
}

/// An expression whose values on these ranks the screen shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcrossWish {
    /// The expression.
    pub key: AcrossKey,
    /// `None`: every stopped rank.
    pub ranks: Option<ProcessSet>,
}

/// A value that ranks share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RankValue {
    /// The ranks that share it.
    pub ranks: ProcessSet,
    /// The level of the frame in which they evaluated it.
    pub frame: u32,
    /// The value, or why there is none.
    pub value: Result<Datum, Failure>,
}

/// The values of expressions, by the ranks that share them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Across(BTreeMap<AcrossKey, Vec<RankValue>>);

impl Across {
    /// Returns the values of an expression.
    pub fn of(&self, key: &AcrossKey) -> &[RankValue] {
        self.0.get(key).map_or(&[], Vec::as_slice)
    }

    /// Returns the value of an expression on a rank.
    pub fn on(&self, key: &AcrossKey, rank: Rank) -> Option<&RankValue> {
        self.of(key).iter().find(|value| value.ranks.contains(rank))
    }

    /// Returns the ranks that have evaluated an expression in this frame.
    pub fn known(&self, key: &AcrossKey, frame: u32) -> ProcessSet {
        let mut known = ProcessSet::new();
        self.of(key).iter().filter(|value| value.frame == frame).for_each(|value| known.extend_with(&value.ranks));
        known
    }

    /// Records a value; it takes the place of earlier ones.
    pub fn learn(&mut self, key: &AcrossKey, ranks: &ProcessSet, frame: u32, value: Result<Datum, Failure>) {
        let values = self.0.entry(key.clone()).or_default();
        forget(values, ranks);
        if ranks.is_empty() {
            return;
        }
        match values.iter_mut().find(|known| known.frame == frame && known.value == value) {
            Some(known) => known.ranks.extend_with(ranks),
            None => values.push(RankValue { ranks: ranks.clone(), frame, value }),
        }
    }

    /// Forgets the values of ranks that have moved.
    pub fn forget(&mut self, ranks: &ProcessSet) {
        self.0.values_mut().for_each(|values| forget(values, ranks));
    }

    /// Keeps the values of these expressions only.
    pub fn keep(&mut self, is_wanted: impl Fn(&AcrossKey) -> bool) {
        self.0.retain(|key, _| is_wanted(key));
    }
}

fn forget(values: &mut Vec<RankValue>, ranks: &ProcessSet) {
    values.iter_mut().for_each(|value| value.ranks.remove_all(ranks));
    values.retain(|value| !value.ranks.is_empty());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_are_together_and_ranks_that_move_lose_theirs() {
        let set = |text: &str| ProcessSet::parse(text).unwrap();
        let value = |n: u8| Ok(Datum { descriptor: "is1".into(), data: vec![n], type_name: "char".into() });
        let key = AcrossKey { expression: "x".into(), thread: None };
        let mut across = Across::default();
        across.learn(&key, &set("0-3"), 0, value(1));
        across.learn(&key, &set("2"), 0, value(2));
        across.learn(&key, &set("2"), 0, value(1));
        assert_eq!(across.of(&key).len(), 1);
        across.learn(&key, &set("3"), 1, value(1));
        assert_eq!((across.known(&key, 0), across.known(&key, 1)), (set("0-2"), set("3")));
        across.forget(&set("0,3"));
        assert_eq!(across.known(&key, 0), set("1-2"));
        assert!(across.on(&key, Rank(3)).is_none());
        across.keep(|_| false);
        assert!(across.of(&key).is_empty());
    }
}
