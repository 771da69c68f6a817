//! Statistics of one expression over many ranks.

use super::bars::{bars, heights, is_address};
use model::aif::Number;
use model::{Datum, ProcessSet};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

/// The result of `compare`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// The ranks that have a value.
    pub ranks: ProcessSet,
    /// The distinct values as printed, with their ranks, in the order of their lowest ranks.
    pub values: Vec<(ProcessSet, String)>,
    /// The ranks whose value is not that of the majority; empty if there is no majority.
    pub differing: ProcessSet,
    /// Statistics of the finite numbers; `None` if there are none.
    pub numbers: Option<Numbers>,
    /// The ranks with the smallest of the finite numbers.
    pub least: ProcessSet,
    /// The ranks with the largest of them.
    pub greatest: ProcessSet,
    /// The ranks whose value is not a number (IEEE 754).
    pub nan: ProcessSet,
    /// The ranks whose value is infinite.
    pub infinite: ProcessSet,
    /// True if values are arrays with more elements than are printed: only those are compared.
    pub is_partial: bool,
}

/// Statistics of the finite values.
#[derive(Clone, Debug, PartialEq)]
pub struct Numbers {
    /// The smallest value.
    pub min: f64,
    /// The largest value.
    pub max: f64,
    /// The arithmetic mean.
    pub mean: f64,
    /// The standard deviation of the population.
    pub deviation: f64,
    /// The ranks in each part of the range, from `min` to `max` in equal steps; one part if all are equal.
    pub histogram: Vec<usize>,
    /// The histogram to show: the lowest value of each bar and its number of ranks; empty if it would tell nothing.
    pub bars: Vec<(String, usize)>,
}

impl Comparison {
    /// Compares values; each comes with its printed text.
    pub fn new(values: Vec<(ProcessSet, String, Datum)>) -> Self {
        let mut comparison = Self::default();
        let mut finite: Vec<(Number, usize)> = Vec::new();
        let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
        let (mut addresses, mut places) = (false, FxHashMap::<String, usize>::default());
        for (ranks, text, datum) in values {
            comparison.ranks.extend_with(&ranks);
            addresses |= is_address(&datum);
            comparison.is_partial |= datum.descriptor.contains('[') && text.contains("...");
            match datum.number() {
                Some(number) if number.as_f64().is_finite() => {
                    finite.push((number, ranks.len()));
                    let number = number.as_f64();
                    let (below, above) = (number.total_cmp(&least), greatest.total_cmp(&number));
                    keep(&mut comparison.least, &mut least, (&ranks, number), below);
                    keep(&mut comparison.greatest, &mut greatest, (&ranks, number), above);
                }
                Some(number) if number.as_f64().is_nan() => comparison.nan.extend_with(&ranks),
                Some(_) => comparison.infinite.extend_with(&ranks),
                None => {}
            }
            // Looked up, not searched: all ranks may differ.
            match places.get(&text).and_then(|at| comparison.values.get_mut(*at)) {
                Some((set, _)) => set.extend_with(&ranks),
                None => {
                    places.insert(text.clone(), comparison.values.len());
                    comparison.values.push((ranks, text));
                }
            }
        }
        comparison.values.sort_by_key(|(ranks, _)| ranks.first());
        comparison.numbers = Numbers::of(&finite, addresses);
        let most = comparison.values.iter().map(|(ranks, _)| ranks).max_by_key(|ranks| ranks.len());
        if let Some(most) = most.filter(|most| most.len() * 2 > comparison.ranks.len()) {
            comparison.differing = comparison.ranks.difference(most);
        }
        comparison
    }
}

/// Keeps the ranks of an extreme: `order` is `Less` if the number is further out than the extreme so far.
fn keep(of_extreme: &mut ProcessSet, extreme: &mut f64, (ranks, number): (&ProcessSet, f64), order: Ordering) {
    match order {
        Ordering::Less => (*of_extreme, *extreme) = (ranks.clone(), number),
        Ordering::Equal => of_extreme.extend_with(ranks),
        Ordering::Greater => {}
    }
}

impl Numbers {
    /// Computes the statistics of values, each with its number of ranks.
    fn of(numbers: &[(Number, usize)], addresses: bool) -> Option<Self> {
        let values: Vec<(f64, usize)> = numbers.iter().map(|&(number, times)| (number.as_f64(), times)).collect();
        let count: usize = values.iter().map(|(_, times)| times).sum();
        if count == 0 {
            return None;
        }
        let total = count as f64;
        let min = values.iter().map(|(value, _)| *value).fold(f64::INFINITY, f64::min);
        let max = values.iter().map(|(value, _)| *value).fold(f64::NEG_INFINITY, f64::max);
        // Divided before it is summed: the sum of large numbers may overflow.
        let mean: f64 = values.iter().map(|(value, times)| value / total * *times as f64).sum();
        // Scaled by the greatest distance: the square of a large number may overflow, too.
        let farthest = (max - mean).max(mean - min);
        let unit = if farthest > 0.0 && farthest.is_finite() { farthest } else { 1.0 };
        let square = |value: f64, times: usize| ((value - mean) / unit).powi(2) / total * times as f64;
        let variance: f64 = values.iter().map(|(value, times)| square(*value, *times)).sum();
        let histogram = heights(&values, min, max);
        let bars = if addresses { Vec::new() } else { bars(numbers) };
        Some(Self { min, max, mean, deviation: variance.sqrt() * unit, histogram, bars })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(first: u32, end: u32, value: f64) -> (ProcessSet, String, Datum) {
        let data = value.to_be_bytes().to_vec();
        let datum = Datum { descriptor: "f8".into(), data, type_name: "double".into() };
        (ProcessSet::range(first, end), value.to_string(), datum)
    }

    #[test]
    fn finite_numbers_are_measured_and_the_others_named() {
        let values = vec![
            double(4, 5, f64::NAN),
            double(0, 2, 1.0),
            double(2, 4, 3.0),
            double(5, 6, f64::INFINITY),
            double(6, 8, 1.0),
        ];
        let comparison = Comparison::new(values);
        assert_eq!(comparison.ranks, ProcessSet::all(8));
        let values: Vec<_> = comparison.values.iter().map(|(ranks, text)| (ranks.to_string(), text.as_str())).collect();
        let pair = |ranks: &str, text: &'static str| (ranks.to_owned(), text);
        assert_eq!(values, [pair("0-1,6-7", "1"), pair("2-3", "3"), pair("4", "NaN"), pair("5", "inf")]);
        assert_eq!((comparison.nan.to_string().as_str(), comparison.infinite.to_string().as_str()), ("4", "5"));
        let numbers = comparison.numbers.unwrap();
        assert_eq!((numbers.min, numbers.max), (1.0, 3.0));
        assert!((numbers.mean - 10.0 / 6.0).abs() < 1e-12);
        assert!((numbers.deviation - (8.0f64 / 9.0).sqrt()).abs() < 1e-12);
        assert_eq!((numbers.histogram[0], numbers.histogram[9]), (4, 2));
        assert!(comparison.differing.is_empty(), "half of the ranks are no majority");
    }

    #[test]
    fn ranks_that_differ_from_the_majority_are_known() {
        let differing = |values| Comparison::new(values).differing.to_string();
        assert_eq!(differing(vec![double(0, 5, 1.0), double(5, 7, 2.0), double(7, 8, f64::NAN)]), "5-7");
        // Values that are printed alike are one.
        assert_eq!(differing(vec![double(0, 2, 1.0), double(2, 3, 4.0), double(3, 5, 1.0)]), "2");
        assert_eq!(differing(vec![double(0, 4, 1.0)]), "");
        assert_eq!(differing(vec![double(0, 1, 1.0), double(1, 2, 2.0)]), "");
    }

    #[test]
    fn equal_and_huge_values_have_a_histogram_too() {
        let same = Comparison::new(vec![double(0, 4, 2.0)]).numbers.unwrap();
        assert_eq!((same.histogram, same.deviation), (vec![4], 0.0));
        let huge = Comparison::new(vec![double(0, 1, f64::MAX), double(1, 2, f64::MIN)]).numbers.unwrap();
        assert_eq!(huge.histogram.iter().sum::<usize>(), 2);
        let text = (
            ProcessSet::all(2),
            "\"a\"".to_owned(),
            Datum { descriptor: "s".into(), data: vec![0, 1, 97], type_name: String::new() },
        );
        assert_eq!(Comparison::new(vec![text]).numbers, None);
    }
}
