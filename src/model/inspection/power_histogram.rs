//! A histogram whose range need not be known beforehand, and which joins exactly.

use serde::{Deserialize, Serialize};

/// The most parts of a histogram.
const MOST: i64 = 64;
/// The exponent of the smallest double above zero.
const SMALLEST: i32 = -1074;
/// The exponent above all doubles.
const LARGEST: i32 = 1024;

/// Counts of numbers in parts of equal width. The width is a power of two, and a part begins at a multiple of it, so two
/// histograms have the same parts once the finer one is made as coarse as the other.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct PowerHistogram {
    /// The binary logarithm of the width.
    exponent: i32,
    /// The first part's lowest number, in widths.
    first: i64,
    counts: Vec<u64>,
}

/// A histogram as a message brings it.
#[derive(Deserialize)]
struct Unchecked {
    exponent: i32,
    first: i64,
    counts: Vec<u64>,
}

impl TryFrom<Unchecked> for PowerHistogram {
    type Error = &'static str;

    fn try_from(Unchecked { exponent, first, counts }: Unchecked) -> Result<Self, Self::Error> {
        let parts = i64::try_from(counts.len()).unwrap_or(i64::MAX);
        if !(1..=MOST).contains(&parts) || first.checked_add(parts).is_none() {
            return Err("expected a histogram of 1 to 64 parts");
        }
        if !(SMALLEST..=LARGEST).contains(&exponent) {
            return Err("expected the exponent of a double");
        }
        Ok(Self { exponent, first, counts })
    }
}

impl PowerHistogram {
    /// Counts a finite number `count` times.
    pub fn of(number: f64, count: u64) -> Self {
        let (exponent, first) = narrowest(number);
        Self { exponent, first, counts: vec![count] }
    }

    /// Counts another finite number `count` times.
    pub fn add(&mut self, number: f64, count: u64) {
        let (exponent, at) = narrowest(number);
        // Nearly every number of many is in a part that is there.
        let part = u32::try_from(self.exponent.saturating_sub(exponent)).ok().map(|by| at >> by.min(63));
        let part = part.and_then(|at| usize::try_from(at.checked_sub(self.first)?).ok());
        match part.and_then(|part| self.counts.get_mut(part)) {
            Some(sum) => *sum = sum.saturating_add(count),
            None => self.join(&Self::of(number, count)),
        }
    }

    /// Adds the numbers of another histogram.
    pub fn join(&mut self, other: &Self) {
        let mut other = other.clone();
        let exponent = self.exponent.max(other.exponent);
        self.widen(exponent);
        other.widen(exponent);
        while self.last().max(other.last()).saturating_sub(self.first.min(other.first)) >= MOST {
            let wider = self.exponent + 1;
            self.widen(wider);
            other.widen(wider);
        }
        let first = self.first.min(other.first);
        let parts = usize::try_from(self.last().max(other.last()) - first + 1).unwrap_or(1);
        let mut counts = vec![0u64; parts];
        for part in [&*self, &other] {
            let from = usize::try_from(part.first - first).unwrap_or(0);
            counts.iter_mut().skip(from).zip(&part.counts).for_each(|(sum, count)| *sum = sum.saturating_add(*count));
        }
        (self.first, self.counts) = (first, counts);
    }

    /// Returns the parts: the lowest number of each, and how many are in it. There are at most `most`, at least 2.
    pub fn parts(&self, most: usize) -> Vec<(f64, u64)> {
        let mut coarse = self.clone();
        while coarse.counts.len() > most.max(2) {
            let wider = coarse.exponent + 1;
            coarse.widen(wider);
        }
        let low =
            |at: usize| scaled(coarse.first.saturating_add(i64::try_from(at).unwrap_or(i64::MAX)), coarse.exponent);
        coarse.counts.iter().enumerate().map(|(at, count)| (low(at), *count)).collect()
    }

    fn last(&self) -> i64 {
        self.first.saturating_add(i64::try_from(self.counts.len()).unwrap_or(1)).saturating_sub(1)
    }

    fn widen(&mut self, exponent: i32) {
        let Ok(by @ 1..) = u32::try_from(exponent.saturating_sub(self.exponent)) else { return };
        // A shift to the right rounds down, as the parts of negative numbers need.
        let wide = |index: i64| index >> by.min(63);
        let first = wide(self.first);
        let mut counts = vec![0u64; usize::try_from(wide(self.last()) - first + 1).unwrap_or(1)];
        for (index, count) in (self.first..).zip(&self.counts) {
            let at = usize::try_from(wide(index) - first).unwrap_or(0);
            if let Some(sum) = counts.get_mut(at) {
                *sum = sum.saturating_add(*count);
            }
        }
        (self.exponent, self.first, self.counts) = (exponent, first, counts);
    }
}

/// The narrowest part that a finite number is in: its exponent and its index.
fn narrowest(number: f64) -> (i32, i64) {
    let bits = number.abs().to_bits();
    let (raw, fraction) = (i32::try_from(bits >> 52).unwrap_or(0), bits & ((1 << 52) - 1));
    // IEEE 754, 3.4: subnormal numbers have the exponent of the smallest normal one, and no hidden bit.
    let (mantissa, exponent) = if raw == 0 { (fraction, SMALLEST) } else { (fraction | 1 << 52, raw - 1075) };
    let mantissa = i64::try_from(mantissa).unwrap_or(i64::MAX);
    (exponent, if number < 0.0 { -mantissa } else { mantissa })
}

/// `index` times two to the power of `exponent`, in two steps: one power alone may be too small for a double.
fn scaled(index: i64, exponent: i32) -> f64 {
    let half = exponent / 2;
    index as f64 * 2f64.powi(half) * 2f64.powi(exponent - half)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn histogram(numbers: &[f64]) -> PowerHistogram {
        let mut all = PowerHistogram::of(numbers[0], 1);
        numbers[1..].iter().for_each(|number| all.join(&PowerHistogram::of(*number, 1)));
        all
    }

    #[test]
    fn ranks_of_a_job_are_spread_evenly() {
        let ranks: Vec<f64> = (0..1024).map(f64::from).collect();
        assert_eq!(histogram(&ranks).parts(4), [(0.0, 256), (256.0, 256), (512.0, 256), (768.0, 256)]);
        assert_eq!(histogram(&ranks).counts.len(), 64);
    }

    #[test]
    fn extreme_numbers_have_a_part_too() {
        let all = histogram(&[f64::MAX, f64::MIN, 0.0, f64::MIN_POSITIVE / 4.0, -1.0]);
        assert_eq!(all.parts(64).iter().map(|(_, count)| count).sum::<u64>(), 5);
        assert!(all.parts(2).len() <= 2);
    }

    #[test]
    fn messages_with_impossible_parts_are_refused() {
        let all = histogram(&[1.0, -3.5]);
        let text = serde_json::to_string(&all).unwrap();
        assert_eq!(serde_json::from_str::<PowerHistogram>(&text).unwrap(), all);
        for bad in ["1,\"counts\":[]", "9223372036854775807,\"counts\":[1,1]"] {
            let text = format!(r#"{{"exponent":0,"first":{bad}}}"#);
            assert!(serde_json::from_str::<PowerHistogram>(&text).is_err(), "{text}");
        }
        assert!(serde_json::from_str::<PowerHistogram>(r#"{"exponent":2147483647,"first":1,"counts":[1]}"#).is_err());
    }

    proptest! {
        #[test]
        fn each_number_is_in_its_part(numbers in proptest::collection::vec(any::<i32>().prop_map(f64::from), 1..50)) {
            let all = histogram(&numbers);
            let parts = all.parts(64);
            for (at, (low, count)) in parts.iter().enumerate() {
                let high = parts.get(at + 1).map_or(f64::INFINITY, |part| part.0);
                let inside = numbers.iter().filter(|number| **number >= *low && **number < high).count();
                prop_assert_eq!(*count, inside as u64);
            }
        }

        #[test]
        fn joined_parts_are_those_of_all_numbers(
            numbers in proptest::collection::vec(proptest::num::f64::NORMAL | proptest::num::f64::ZERO, 2..40),
            cut in 1usize..39,
        ) {
            let cut = cut.min(numbers.len() - 1);
            let mut joined = histogram(&numbers[cut..]);
            joined.join(&histogram(&numbers[..cut]));
            prop_assert_eq!(&joined, &histogram(&numbers));
            let mut added = PowerHistogram::of(numbers[0], 1);
            numbers[1..].iter().for_each(|number| added.add(*number, 1));
            prop_assert_eq!(added, joined);
        }
    }
}
