//! The bars of a histogram, each labelled with its lowest value.

use super::significant::{DIGITS, significant};
use model::Datum;
use model::aif::{AifType, Number};

/// The most bars of a histogram.
pub(in crate::report) const BARS: usize = 10;
/// More digits tell no two doubles apart.
const ALL_DIGITS: usize = 17;

/// Returns the labels and heights of bars for finite numbers, each with its number of ranks. There are none for two
/// distinct numbers or fewer: the values themselves say more.
pub(in crate::report) fn bars(values: &[(Number, usize)]) -> Vec<(String, usize)> {
    let integers: Option<Vec<(i128, usize)>> =
        values.iter().map(|&(number, times)| Some((integer(number)?, times))).collect();
    integers.and_then(|values| of_integers(&values)).unwrap_or_else(|| {
        let values: Vec<(f64, usize)> = values.iter().map(|&(number, times)| (number.as_f64(), times)).collect();
        of_floats(&values)
    })
}

/// Formats the parts of a histogram, each with its lowest value and its count, as a line with a bar.
pub(super) fn rows(parts: &[(f64, u64)]) -> Vec<String> {
    let highest = parts.iter().map(|(_, count)| *count).max().unwrap_or(1).max(1);
    let row = |(from, count): &(f64, u64)| {
        let length = (u128::from(*count) * 40 / u128::from(highest)) as usize;
        format!("  {:>16} {count:>12} {}", significant(*from, DIGITS), "#".repeat(length)).trim_end().to_owned()
    };
    parts.iter().map(row).collect()
}

/// True if the value is an address: the distribution of addresses tells nothing.
pub(in crate::report) fn is_address(datum: &Datum) -> bool {
    fn points(ty: &AifType) -> bool {
        match ty {
            AifType::Address { .. }
            | AifType::Pointer { .. }
            | AifType::CharPointer { .. }
            | AifType::TextPointer { .. }
            | AifType::AnnotatedAddress { .. }
            | AifType::Function { .. } => true,
            AifType::Named { ty, .. } | AifType::Spoken { ty, .. } | AifType::Located { ty, .. } => points(ty),
            AifType::Optional(ty) | AifType::Reference { target: ty, .. } => points(ty),
            _ => false,
        }
    }
    datum.parsed().is_ok_and(|(ty, _)| points(&ty))
}

fn integer(number: Number) -> Option<i128> {
    match number {
        Number::Signed(value) => Some(value),
        Number::Unsigned(value) => i128::try_from(value).ok(),
        Number::Float(..) => None,
    }
}

/// Divides integers into bars of as many integers each; `None` if their range is too large to compute with.
fn of_integers(values: &[(i128, usize)]) -> Option<Vec<(String, usize)>> {
    let mut distinct: Vec<i128> = values.iter().map(|(value, _)| *value).collect();
    distinct.sort_unstable();
    distinct.dedup();
    let [low, .., high] = distinct.as_slice() else { return Some(Vec::new()) };
    if distinct.len() <= 2 {
        return Some(Vec::new());
    }
    let span = high.checked_sub(*low)?;
    let width = span / BARS.min(distinct.len()) as i128 + 1;
    let mut bars: Vec<(String, usize)> = (0..=span / width).map(|bar| ((low + bar * width).to_string(), 0)).collect();
    for (value, times) in values {
        if let Some((_, height)) = bars.get_mut(((value - low) / width) as usize) {
            *height += times;
        }
    }
    Some(bars)
}

fn of_floats(values: &[(f64, usize)]) -> Vec<(String, usize)> {
    let mut distinct: Vec<f64> = values.iter().map(|(value, _)| *value).collect();
    distinct.sort_unstable_by(f64::total_cmp);
    distinct.dedup();
    let [min, .., max] = distinct.as_slice() else { return Vec::new() };
    if distinct.len() <= 2 {
        return Vec::new();
    }
    // Halved: the difference of huge numbers may overflow.
    let step = (max / 2.0 - min / 2.0) / BARS as f64 * 2.0;
    let labels = |digits| (0..BARS).map(move |bar| significant(min + step * bar as f64, digits)).collect::<Vec<_>>();
    let number = |label: &String| label.parse::<f64>().unwrap_or(f64::NAN);
    let ascend = |labels: &Vec<String>| labels.windows(2).all(|pair| number(&pair[0]) < number(&pair[1]));
    let labels = (DIGITS..ALL_DIGITS).map(labels).find(ascend).unwrap_or_else(|| labels(ALL_DIGITS));
    let mut bars: Vec<(String, usize)> = Vec::new();
    for (label, height) in labels.into_iter().zip(heights(values, *min, *max)) {
        match bars.last_mut().filter(|(last, _)| *last == label) {
            Some((_, last)) => *last += height,
            None => bars.push((label, height)),
        }
    }
    bars
}

/// Returns the number of ranks in each of equal parts of the range, of which the last includes the maximum.
pub(in crate::report) fn heights(values: &[(f64, usize)], min: f64, max: f64) -> Vec<usize> {
    let mut heights = vec![0; if max > min { BARS } else { 1 }];
    let last = heights.len() - 1;
    for (value, times) in values {
        let place = if last == 0 { 0.0 } else { (value / 2.0 - min / 2.0) / (max / 2.0 - min / 2.0) };
        if let Some(height) = heights.get_mut(((place * BARS as f64) as usize).min(last)) {
            *height += times;
        }
    }
    heights
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn integers(values: &[i128]) -> Vec<(String, usize)> {
        bars(&values.iter().map(|value| (Number::Signed(*value), 1)).collect::<Vec<_>>())
    }

    fn doubles(values: &[f64]) -> Vec<(String, usize)> {
        of_floats(&values.iter().map(|value| (*value, 1)).collect::<Vec<_>>())
    }

    fn are_ascending(bars: &[(String, usize)]) -> bool {
        let labels: Vec<f64> = bars.iter().map(|(label, _)| label.parse().unwrap()).collect();
        labels.windows(2).all(|pair| pair[0] < pair[1])
    }

    #[test]
    fn integers_have_bars_of_integers() {
        let pairs = |bars: &[(&str, usize)]| -> Vec<(String, usize)> {
            bars.iter().map(|(label, height)| ((*label).to_owned(), *height)).collect()
        };
        assert_eq!(integers(&[125, 126, 126]), []);
        assert_eq!(integers(&[125, 126, 127, 127]), pairs(&[("125", 1), ("126", 1), ("127", 2)]));
        assert_eq!(integers(&[0, 5, 1000]), pairs(&[("0", 2), ("334", 0), ("668", 1)]));
        assert_eq!(integers(&(0..26).collect::<Vec<_>>()).len(), 9);
        assert_eq!(integers(&[-1, 0, 1, 2]).len(), 4);
        let edges = integers(&[i128::from(i64::MIN), 0, i128::from(u64::MAX)]);
        assert_eq!((edges.len(), edges[0].0.as_str()), (3, "-9223372036854775808"));
        assert_eq!(
            bars(&[(Number::Signed(i128::MIN), 1), (Number::Signed(0), 1), (Number::Signed(i128::MAX), 1)]).len(),
            10
        );
    }

    #[test]
    fn labels_have_the_digits_in_which_they_differ() {
        let close = [93_824_994_026_480.5, 93_824_994_026_481.0, 93_824_994_026_490.25];
        let shown = doubles(&close);
        assert!(shown.len() == 10 && are_ascending(&shown), "{shown:?}");
        // Three neighbours: there are no ten numbers between them.
        let next = f64::from_bits(1f64.to_bits() + 1);
        let shown = doubles(&[1.0, next, f64::from_bits(1f64.to_bits() + 2)]);
        assert!(shown.len() <= 3 && are_ascending(&shown), "{shown:?}");
        assert_eq!(shown.iter().map(|(_, height)| height).sum::<usize>(), 3);
        assert_eq!(doubles(&[0.5, 0.25, 0.5]), []);
        assert!(are_ascending(&doubles(&[f64::MIN, 0.0, f64::MAX])));
    }

    proptest! {
        #[test]
        fn labels_ascend_and_no_rank_is_lost(values in proptest::collection::vec(any::<i64>(), 0..20)) {
            let (whole, broken): (Vec<i128>, Vec<f64>) =
                values.iter().map(|value| (i128::from(*value), *value as f64 / 7.0)).unzip();
            for shown in [integers(&whole), doubles(&broken)] {
                prop_assert!(are_ascending(&shown) && shown.len() <= BARS, "{shown:?}");
                let sum: usize = shown.iter().map(|(_, height)| height).sum();
                prop_assert!(sum == values.len() || shown.is_empty());
            }
        }
    }
}
