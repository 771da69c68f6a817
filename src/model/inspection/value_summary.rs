//! The values of an expression on many ranks, reduced to what a reader can take in. Summaries of parts, joined in any
//! order, are the summary of the whole: each server sums up what its ranks say, and what the servers below it say.

use super::array_numbers::Double;
use super::distinct_sketch::DistinctSketch;
use super::moments::Moments;
use super::power_histogram::PowerHistogram;
use crate::aif::Number;
use crate::{Datum, ProcessSet, Rank};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// The values kept of the lowest ranks.
const FIRST: usize = 8;
/// The smallest numbers kept, and the greatest.
const EXTREMES: usize = 3;
/// The most bytes of a value that is kept; a longer one only counts.
const LONGEST: usize = 4096;

/// A value, and the lowest rank that has it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RankValue {
    /// The lowest of its ranks.
    pub rank: Rank,
    /// The nearest double, if it is a number.
    number: Option<Double>,
    /// The value.
    pub value: Datum,
}

/// The finite numbers among the values.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FiniteSummary {
    /// The number of ranks with a finite number, their mean and their deviation.
    #[serde(flatten)]
    pub moments: Moments,
    /// The smallest different numbers, ascending.
    pub least: Vec<RankValue>,
    /// The greatest different numbers, descending.
    pub greatest: Vec<RankValue>,
    /// How many ranks have a number of which size.
    pub histogram: PowerHistogram,
}

/// The values of many ranks, summed up.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ValueSummary {
    /// The number of ranks.
    pub count: u64,
    /// Different values, those of the lowest ranks, in the order of these; none that is very long.
    pub first: Vec<RankValue>,
    /// How many values are different.
    pub distinct: DistinctSketch,
    /// The number of ranks whose value is not a number (IEEE 754).
    pub nan: u64,
    /// The number of ranks whose value is infinite.
    pub infinite: u64,
    /// The others that are numbers; `None` if there are none.
    pub finite: Option<FiniteSummary>,
}

impl ValueSummary {
    /// Adds the value of some ranks.
    pub fn add(&mut self, ranks: &ProcessSet, value: &Datum) {
        let Some(rank) = ranks.first() else { return };
        let count = ranks.len() as u64;
        self.count = self.count.saturating_add(count);
        self.distinct.add(value);
        let number = value.number().map(Number::as_f64);
        let kept = || RankValue { rank, number: number.map(Double::new), value: value.clone() };
        if value.descriptor.len() + value.data.len() <= LONGEST {
            take_in(&mut self.first, rank, kept, FIRST, |known| rank.cmp(&known.rank), by_rank);
        }
        match number {
            Some(number) if number.is_nan() => self.nan = self.nan.saturating_add(count),
            Some(number) if number.is_infinite() => self.infinite = self.infinite.saturating_add(count),
            Some(number) => match &mut self.finite {
                Some(finite) => finite.add(rank, count, number, kept),
                None => self.finite = Some(FiniteSummary::of(count, number, kept())),
            },
            None => {}
        }
    }

    /// All values that are kept, in a fixed order.
    pub fn kept(&mut self) -> impl Iterator<Item = &mut RankValue> {
        let finite = self.finite.iter_mut().flat_map(|finite| finite.least.iter_mut().chain(&mut finite.greatest));
        self.first.iter_mut().chain(finite)
    }

    /// Adds the summary of other ranks.
    pub fn join(&mut self, other: &Self) {
        self.count = self.count.saturating_add(other.count);
        self.nan = self.nan.saturating_add(other.nan);
        self.infinite = self.infinite.saturating_add(other.infinite);
        self.distinct.join(&other.distinct);
        for entry in &other.first {
            take_in(&mut self.first, entry.rank, || entry.clone(), FIRST, |known| by_rank(entry, known), by_rank);
        }
        match (&mut self.finite, &other.finite) {
            (Some(own), Some(also)) => own.join(also),
            (own @ None, also) => own.clone_from(also),
            (Some(_), None) => {}
        }
    }
}

impl FiniteSummary {
    fn of(count: u64, number: f64, value: RankValue) -> Self {
        let (least, greatest) = (vec![value.clone()], vec![value]);
        let moments = Moments::of(count, number, 0.0);
        Self { moments, least, greatest, histogram: PowerHistogram::of(number, count) }
    }

    fn add(&mut self, rank: Rank, count: u64, number: f64, kept: impl Fn() -> RankValue) {
        // Nearly every number of many is neither among the least nor among the greatest: it is not copied then.
        let order = |known: &RankValue| known.number.map_or(Ordering::Less, |known| number.total_cmp(&known.get()));
        take_in(&mut self.least, rank, &kept, EXTREMES, order, by_number);
        take_in(
            &mut self.greatest,
            rank,
            &kept,
            EXTREMES,
            |known| order(known).reverse(),
            |one, two| by_number(two, one),
        );
        self.moments.join(&Moments::of(count, number, 0.0));
        self.histogram.add(number, count);
    }

    fn join(&mut self, other: &Self) {
        for entry in &other.least {
            take_in(
                &mut self.least,
                entry.rank,
                || entry.clone(),
                EXTREMES,
                |known| by_number(entry, known),
                by_number,
            );
        }
        for entry in &other.greatest {
            let falling = |one: &RankValue, two: &RankValue| by_number(two, one);
            take_in(&mut self.greatest, entry.rank, || entry.clone(), EXTREMES, |known| falling(entry, known), falling);
        }
        self.moments.join(&other.moments);
        self.histogram.join(&other.histogram);
    }
}

/// Adds to a list of different values, each with its lowest rank, and keeps the first `most` in an order. A value that
/// belongs there belongs in the list of each part that has it, so no part has forgotten a rank of it. `against` compares
/// the new value with one of the list; `made` makes the entry, only if it may belong there.
fn take_in(
    list: &mut Vec<RankValue>,
    rank: Rank,
    made: impl FnOnce() -> RankValue,
    most: usize,
    against: impl Fn(&RankValue) -> Ordering,
    order: impl Fn(&RankValue, &RankValue) -> Ordering,
) {
    if list.len() >= most && list.last().is_some_and(|last| against(last) == Ordering::Greater) {
        return;
    }
    let entry = made();
    match list.iter_mut().find(|known| known.value == entry.value) {
        Some(known) => known.rank = known.rank.min(rank),
        None => list.push(entry),
    }
    list.sort_by(|one, two| order(one, two).then(one.rank.cmp(&two.rank)));
    list.truncate(most);
}

fn by_rank(one: &RankValue, two: &RankValue) -> Ordering {
    one.rank.cmp(&two.rank)
}

/// The order of two numbers; that of integers which are the same double is exact.
fn by_number(one: &RankValue, two: &RankValue) -> Ordering {
    let rough = |entry: &RankValue| entry.number.map_or(f64::NAN, Double::get);
    rough(one).total_cmp(&rough(two)).then_with(|| match (one.value.number(), two.value.number()) {
        (Some(Number::Signed(one)), Some(Number::Signed(two))) => one.cmp(&two),
        (Some(Number::Unsigned(one)), Some(Number::Unsigned(two))) => one.cmp(&two),
        _ => Ordering::Equal,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn integer(value: i64) -> Datum {
        Datum { descriptor: "is8".to_owned(), data: value.to_be_bytes().to_vec(), type_name: "long".to_owned() }
    }

    fn double(value: f64) -> Datum {
        Datum { descriptor: "f8".to_owned(), data: value.to_be_bytes().to_vec(), type_name: "double".to_owned() }
    }

    fn summary(said: &[(u32, Datum)]) -> ValueSummary {
        let mut all = ValueSummary::default();
        for (rank, value) in said {
            all.add(&ProcessSet::one(Rank(*rank)), value);
        }
        all
    }

    /// The same summary without what rounding changes.
    fn exact(summary: &ValueSummary) -> ValueSummary {
        let mut summary = summary.clone();
        if let Some(finite) = &mut summary.finite {
            finite.moments = Moments::default();
        }
        summary
    }

    #[test]
    fn numbers_have_extremes_mean_and_deviation() {
        let all = summary(&[(4, integer(2)), (5, integer(4)), (6, integer(4)), (7, integer(6)), (9, integer(-1))]);
        let finite = all.finite.unwrap();
        let listed = |list: &[RankValue]| {
            list.iter().map(|entry| (entry.rank.0, entry.value.as_f64().unwrap())).collect::<Vec<_>>()
        };
        assert_eq!(listed(&finite.least), [(9, -1.0), (4, 2.0), (5, 4.0)]);
        assert_eq!(listed(&finite.greatest), [(7, 6.0), (5, 4.0), (4, 2.0)]);
        assert_eq!((all.count, finite.moments.mean.get()), (5, 3.0));
        assert!((finite.moments.deviation() - 5.6f64.sqrt()).abs() < 1e-12, "{}", finite.moments.deviation());
        assert_eq!(listed(&all.first), [(4, 2.0), (5, 4.0), (7, 6.0), (9, -1.0)]);
    }

    #[test]
    fn large_integers_that_are_the_same_double_are_in_their_order() {
        let big = 1i64 << 60;
        let all = summary(&[(0, integer(big + 1)), (1, integer(big)), (2, integer(big + 2))]);
        let ranks: Vec<u32> = all.finite.unwrap().least.iter().map(|entry| entry.rank.0).collect();
        assert_eq!(ranks, [1, 0, 2]);
    }

    #[test]
    fn what_is_no_number_and_what_is_infinite_is_counted_apart() {
        let text = Datum { descriptor: "s".to_owned(), data: vec![0, 2, b'h', b'i'], type_name: String::new() };
        let all = summary(&[(0, double(f64::NAN)), (1, double(f64::INFINITY)), (2, double(1.5)), (3, text)]);
        assert_eq!(
            (all.count, all.nan, all.infinite, all.finite.map(|finite| finite.moments.count)),
            (4, 1, 1, Some(1))
        );
    }

    #[test]
    fn a_long_value_counts_but_is_not_kept() {
        let long = Datum { descriptor: "[r0,9999is1]is1".to_owned(), data: vec![0; 10_000], type_name: String::new() };
        let all = summary(&[(0, long), (1, integer(3))]);
        assert_eq!((all.count, all.first.len(), all.first[0].rank), (2, 1, Rank(1)));
    }

    proptest! {
        #[test]
        fn a_tree_of_summaries_gives_the_same_as_one(
            said in proptest::collection::vec((0u32..64, prop_oneof![(-9i64..9).boxed(), any::<i64>().boxed()]), 1..60),
            cuts in proptest::collection::vec(0usize..60, 0..6),
            floats in any::<bool>(),
        ) {
            let value = |value: i64| if floats { double(value as f64 / 3.0) } else { integer(value) };
            // A rank answers once.
            let mut said: Vec<(u32, Datum)> = said.into_iter().map(|(rank, number)| (rank, value(number))).collect();
            let mut seen = std::collections::BTreeSet::new();
            said.retain(|(rank, _)| seen.insert(*rank));
            let whole = summary(&said);
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(said.len())).chain([0, said.len()]).collect();
            cuts.sort_unstable();
            let parts: Vec<ValueSummary> = cuts.windows(2).map(|cut| summary(&said[cut[0]..cut[1]])).collect();
            let mut forward = ValueSummary::default();
            parts.iter().for_each(|part| forward.join(part));
            let mut backward = ValueSummary::default();
            parts.iter().rev().for_each(|part| backward.join(part));
            for joined in [&forward, &backward] {
                prop_assert_eq!(exact(joined), exact(&whole));
                let (one, two) = (joined.finite.as_ref().unwrap(), whole.finite.as_ref().unwrap());
                let scale = one.greatest.iter().chain(&one.least).map(|entry| entry.value.as_f64().unwrap().abs());
                let scale = scale.fold(1.0, f64::max);
                prop_assert!((one.moments.mean.get() - two.moments.mean.get()).abs() <= 1e-9 * scale);
                prop_assert!((one.moments.deviation() - two.moments.deviation()).abs() <= 1e-6 * scale);
            }
        }
    }
}
