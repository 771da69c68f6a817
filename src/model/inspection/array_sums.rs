//! What `stats` and `scan` find in the arrays of many ranks, reduced to what a reader can take in. Sums of parts, joined in
//! any order, are the sum of the whole: each server adds up what its ranks say, and what the servers below it say.

use super::array_numbers::{ArrayFindings, ArrayStatistics, Extreme};
use super::moments::Moments;
use crate::{ProcessSet, Rank};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// The smallest numbers kept, and the greatest.
const EXTREMES: usize = 3;
/// The findings kept of the lowest ranks.
const FIRST: usize = 8;

/// The smallest or the largest number of a rank's array.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RankExtreme {
    /// The lowest of the ranks that have it.
    pub rank: Rank,
    /// The number, and its place in the array of that rank.
    pub extreme: Extreme,
}

/// The statistics of the arrays of many ranks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct StatisticsSum {
    /// The number of ranks.
    pub ranks: u64,
    /// The number of elements of all.
    pub elements: u64,
    /// The elements that are not a number (IEEE 754).
    pub nan: u64,
    /// The ranks that have such.
    pub nan_ranks: ProcessSet,
    /// The infinite elements.
    pub infinite: u64,
    /// The ranks that have such.
    pub infinite_ranks: ProcessSet,
    /// The smallest different minima of ranks, ascending; none if no rank has a finite number.
    pub least: Vec<RankExtreme>,
    /// The greatest different maxima of ranks, descending.
    pub greatest: Vec<RankExtreme>,
    /// The mean and the deviation of the finite elements of all ranks.
    pub finite: Moments,
}

impl StatisticsSum {
    /// Adds the statistics of some ranks, which each of them has.
    pub fn add(&mut self, ranks: &ProcessSet, statistics: &ArrayStatistics) {
        let Some(rank) = ranks.first() else { return };
        let times = ranks.len() as u64;
        let all = |count: u64| count.saturating_mul(times);
        self.ranks = self.ranks.saturating_add(times);
        self.elements = self.elements.saturating_add(all(statistics.count));
        for (count, sum, with) in [
            (statistics.nan, &mut self.nan, &mut self.nan_ranks),
            (statistics.infinite, &mut self.infinite, &mut self.infinite_ranks),
        ] {
            if count > 0 {
                *sum = sum.saturating_add(all(count));
                with.extend_with(ranks);
            }
        }
        if let Some(finite) = &statistics.finite {
            take_in(&mut self.least, RankExtreme { rank, extreme: finite.min.clone() }, ascending);
            take_in(&mut self.greatest, RankExtreme { rank, extreme: finite.max.clone() }, descending);
            let numbers = statistics.count.saturating_sub(statistics.nan).saturating_sub(statistics.infinite);
            self.finite.join(&Moments::of(all(numbers), finite.mean.get(), finite.deviation.get()));
        }
    }

    /// Adds the sum of other ranks.
    pub fn join(&mut self, other: &Self) {
        self.ranks = self.ranks.saturating_add(other.ranks);
        self.elements = self.elements.saturating_add(other.elements);
        self.nan = self.nan.saturating_add(other.nan);
        self.nan_ranks.extend_with(&other.nan_ranks);
        self.infinite = self.infinite.saturating_add(other.infinite);
        self.infinite_ranks.extend_with(&other.infinite_ranks);
        other.least.iter().for_each(|entry| take_in(&mut self.least, entry.clone(), ascending));
        other.greatest.iter().for_each(|entry| take_in(&mut self.greatest, entry.clone(), descending));
        self.finite.join(&other.finite);
    }
}

/// The elements that a search found on a rank.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RankFindings {
    /// The rank.
    pub rank: Rank,
    /// The elements.
    pub findings: ArrayFindings,
}

/// The findings of many ranks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FindingsSum {
    /// The number of ranks.
    pub ranks: u64,
    /// The number of elements of all.
    pub elements: u64,
    /// The number of those that meet the condition.
    pub found: u64,
    /// The ranks that have such elements.
    pub with: ProcessSet,
    /// Different findings, those of the lowest ranks that have such elements, in the order of these.
    pub first: Vec<RankFindings>,
    /// The greatest different counts of a rank, descending, each with the lowest rank that has it.
    pub most: Vec<(u64, Rank)>,
}

impl FindingsSum {
    /// Adds the findings of some ranks, which each of them has.
    pub fn add(&mut self, ranks: &ProcessSet, findings: &ArrayFindings) {
        let Some(rank) = ranks.first() else { return };
        let times = ranks.len() as u64;
        self.ranks = self.ranks.saturating_add(times);
        self.elements = self.elements.saturating_add(findings.count.saturating_mul(times));
        if findings.found > 0 {
            self.found = self.found.saturating_add(findings.found.saturating_mul(times));
            self.with.extend_with(ranks);
            self.keep(RankFindings { rank, findings: findings.clone() });
            self.rate(findings.found, rank);
        }
    }

    /// Adds the sum of other ranks.
    pub fn join(&mut self, other: &Self) {
        self.ranks = self.ranks.saturating_add(other.ranks);
        self.elements = self.elements.saturating_add(other.elements);
        self.found = self.found.saturating_add(other.found);
        self.with.extend_with(&other.with);
        other.first.iter().for_each(|entry| self.keep(entry.clone()));
        other.most.iter().for_each(|(count, rank)| self.rate(*count, *rank));
    }

    fn keep(&mut self, entry: RankFindings) {
        match self.first.iter_mut().find(|known| known.findings == entry.findings) {
            Some(known) => known.rank = known.rank.min(entry.rank),
            None => self.first.push(entry),
        }
        self.first.sort_by_key(|known| known.rank);
        self.first.truncate(FIRST);
    }

    fn rate(&mut self, count: u64, rank: Rank) {
        match self.most.iter_mut().find(|known| known.0 == count) {
            Some(known) => known.1 = known.1.min(rank),
            None => self.most.push((count, rank)),
        }
        self.most.sort_by_key(|known| std::cmp::Reverse(known.0));
        self.most.truncate(EXTREMES);
    }
}

/// Adds to a list of different numbers, each with its lowest rank, and keeps the first of them. A number that belongs there
/// belongs in the list of each part that has it, so no part has forgotten a rank of it.
fn take_in(list: &mut Vec<RankExtreme>, entry: RankExtreme, order: impl Fn(&Extreme, &Extreme) -> Ordering) {
    match list.iter_mut().find(|known| order(&known.extreme, &entry.extreme) == Ordering::Equal) {
        Some(known) if entry.rank < known.rank => *known = entry,
        Some(_) => {}
        None => list.push(entry),
    }
    list.sort_by(|one, two| order(&one.extreme, &two.extreme));
    list.truncate(EXTREMES);
}

/// The order of two numbers; that of integers which are the same double is exact.
fn ascending(one: &Extreme, two: &Extreme) -> Ordering {
    let digits = |extreme: &Extreme| extreme.digits.as_ref().and_then(|digits| digits.parse::<i128>().ok());
    one.value.get().total_cmp(&two.value.get()).then_with(|| digits(one).cmp(&digits(two)))
}

fn descending(one: &Extreme, two: &Extreme) -> Ordering {
    ascending(two, one)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inspection::{Double, ElementIndex, FiniteNumbers};
    use proptest::prelude::*;

    fn extreme(value: i64) -> Extreme {
        let digits = (value.unsigned_abs() > 1 << 53).then(|| value.to_string());
        Extreme { value: Double::new(value as f64), digits, at: ElementIndex::default() }
    }

    fn statistics(min: i64, more: u8, nan: u64) -> ArrayStatistics {
        let max = min.saturating_add(more.into());
        let finite = (more < 200).then(|| FiniteNumbers {
            min: extreme(min),
            max: extreme(max),
            mean: Double::new(min as f64 / 2.0 + max as f64 / 2.0),
            deviation: Double::new(f64::from(more) / 2.0),
            histogram: vec![1],
        });
        ArrayStatistics { count: nan + u64::from(more < 200) * 2, nan, infinite: 0, finite }
    }

    fn findings(found: u64) -> ArrayFindings {
        ArrayFindings {
            count: 10,
            found,
            first: vec![ElementIndex { subscripts: vec![found as i64], parentheses: false }],
        }
    }

    /// Splits, adds each part up, and joins the parts forward and backward.
    fn parts<T, S: Clone + Default>(
        said: &[(ProcessSet, T)],
        cuts: &[usize],
        add: impl Fn(&mut S, &ProcessSet, &T),
        join: impl Fn(&mut S, &S),
    ) -> [S; 3] {
        let sum = |part: &[(ProcessSet, T)]| {
            let mut sum = S::default();
            part.iter().for_each(|(ranks, one)| add(&mut sum, ranks, one));
            sum
        };
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| *cut.min(&said.len())).chain([0, said.len()]).collect();
        cuts.sort_unstable();
        let parts: Vec<S> = cuts.windows(2).map(|cut| sum(&said[cut[0]..cut[1]])).collect();
        let mut joined = [S::default(), S::default()];
        parts.iter().for_each(|part| join(&mut joined[0], part));
        parts.iter().rev().for_each(|part| join(&mut joined[1], part));
        let [forward, backward] = joined;
        [sum(said), forward, backward]
    }

    #[test]
    fn the_extremes_of_all_ranks_are_found_with_their_ranks() {
        let mut sum = StatisticsSum::default();
        sum.add(&ProcessSet::parse("4,8").unwrap(), &statistics(5, 10, 0));
        sum.add(&ProcessSet::parse("6").unwrap(), &statistics(-2, 1, 7));
        sum.add(&ProcessSet::parse("7").unwrap(), &statistics(0, 255, 3));
        let listed =
            |list: &[RankExtreme]| list.iter().map(|one| (one.rank.0, one.extreme.value.get())).collect::<Vec<_>>();
        assert_eq!(listed(&sum.least), [(6, -2.0), (4, 5.0)]);
        assert_eq!(listed(&sum.greatest), [(4, 15.0), (6, -1.0)]);
        assert_eq!((sum.ranks, sum.elements, sum.nan, sum.nan_ranks.to_string()), (4, 16, 10, "6-7".to_owned()));
        // 5, 15, 5, 15, -2, -1.
        assert_eq!((sum.finite.count, sum.finite.mean.get()), (6, 37.0 / 6.0));
        let squares: f64 = [5.0, 15.0, 5.0, 15.0, -2.0, -1.0].iter().map(|x: &f64| (x - 37.0 / 6.0).powi(2)).sum();
        assert!((sum.finite.deviation() - (squares / 6.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn the_findings_of_all_ranks_are_counted_and_those_of_the_lowest_are_kept() {
        let mut sum = FindingsSum::default();
        for rank in (0..40).rev() {
            sum.add(&ProcessSet::one(Rank(rank)), &findings(u64::from(rank % 20)));
        }
        assert_eq!((sum.ranks, sum.elements, sum.found, sum.with.to_string()), (40, 400, 380, "1-19,21-39".to_owned()));
        assert_eq!(sum.first.iter().map(|one| one.rank.0).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(sum.most, [(19, Rank(19)), (18, Rank(18)), (17, Rank(17))]);
    }

    proptest! {
        #[test]
        fn a_tree_of_sums_gives_the_same_as_one(
            said in proptest::collection::vec((prop_oneof![-9i64..9, any::<i64>()], any::<u8>(), 0u64..3), 1..40),
            cuts in proptest::collection::vec(0usize..40, 0..6),
        ) {
            let rank = |(rank, value)| (ProcessSet::one(Rank(rank)), value);
            let measured: Vec<_> = (0u32..).zip(said.iter().map(|said| statistics(said.0, said.1, said.2))).map(rank).collect();
            let [whole, forward, backward] = parts(&measured, &cuts, StatisticsSum::add, StatisticsSum::join);
            let exact = |sum: &StatisticsSum| StatisticsSum { finite: Moments::default(), ..sum.clone() };
            for joined in [forward, backward] {
                prop_assert_eq!(exact(&joined), exact(&whole));
                let scale = said.iter().map(|said| said.0.unsigned_abs() as f64 + 256.0).fold(1.0, f64::max);
                prop_assert_eq!(joined.finite.count, whole.finite.count);
                prop_assert!((joined.finite.mean.get() - whole.finite.mean.get()).abs() <= 1e-9 * scale);
                prop_assert!((joined.finite.deviation() - whole.finite.deviation()).abs() <= 1e-6 * scale);
            }
            let rank = |(rank, value)| (ProcessSet::one(Rank(rank)), value);
            let found: Vec<_> = (0u32..).zip(said.iter().map(|said| findings(u64::from(said.1 / 16)))).map(rank).collect();
            let [whole, forward, backward] = parts(&found, &cuts, FindingsSum::add, FindingsSum::join);
            prop_assert_eq!(&forward, &whole);
            prop_assert_eq!(&backward, &whole);
        }
    }
}
