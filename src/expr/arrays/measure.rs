//! Measures and searches the array that an expression stands for.

use super::histogram::Histogram;
use super::numeric_array::NumericArray;
use super::search::{Firsts, Search, Wanted};
use super::summary::{Peak, Summary, TileRange};
use super::tally::{Sample, to_sample};
use super::tiles::TILE;
use super::walk::{has_no_gaps, may_begin, walk, walk_parts};
use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::value::Value;
use model::aif::Number;
use model::{ArrayFindings, ArrayStatistics, Double, Extreme, FiniteNumbers, ScanCondition};
use std::ops::Range;
use std::time::Instant;

/// Returns statistics of the numbers of an array.
pub fn measure_array(array: &Value, context: &EvalContext<'_>) -> Result<ArrayStatistics, EvalError> {
    let since = Instant::now();
    let array = NumericArray::of(array, context)?;
    may_begin(&array, context)?;
    let mut sample = Sample::new(array.element);
    let sampled = to_sample(array.count).filter(|_| has_no_gaps(&array));
    // What cannot be read is reported where the whole array is read.
    let is_sampled = sampled.is_some_and(|parts| walk_parts(&array, context, since, &mut sample, &parts).is_ok());
    let mut summary = Summary::new(array.element, sample.tally().filter(|_| is_sampled));
    walk(&array, context, since, &mut summary)?;
    let finite = match summary.peaks {
        None => None,
        Some((min, max)) => {
            let mut histogram = Histogram::new(array.element, min.value, max.value);
            let ranges = summary.ranges().filter(|_| has_no_gaps(&array));
            match ranges {
                _ if summary.tally().is_some_and(|tally| histogram.takes_counted(tally, min.value, max.value)) => {}
                Some(ranges) => {
                    let parts = to_read_again(ranges, &mut histogram, array.count);
                    walk_parts(&array, context, since, &mut histogram, &parts)?;
                }
                None => walk(&array, context, since, &mut histogram)?,
            }
            let (mean, deviation) = summary.mean_and_deviation();
            let extreme = |peak: Peak| Extreme {
                value: Double::new(peak.value),
                digits: peak.integer.map(|integer| match integer {
                    Number::Signed(value) => value.to_string(),
                    Number::Unsigned(value) => value.to_string(),
                    Number::Float(layout, bits) => layout.text(bits),
                }),
                at: array.index(peak.at),
            };
            // Rounding must not move the mean out of the range.
            let mean = mean.max(min.value).min(max.value);
            Some(FiniteNumbers {
                min: extreme(min),
                max: extreme(max),
                mean: Double::new(mean),
                deviation: Double::new(deviation),
                histogram: histogram.counts(),
            })
        }
    };
    Ok(ArrayStatistics { count: array.count, nan: summary.nan, infinite: summary.infinite, finite })
}

/// Returns the elements, of `count`, in tiles whose numbers are in several parts of a histogram; counts the others.
pub(super) fn to_read_again(ranges: &[TileRange], histogram: &mut Histogram, count: u64) -> Vec<Range<u64>> {
    let mut parts: Vec<Range<u64>> = Vec::new();
    let starts = (0..count).step_by(TILE);
    for (start, _) in starts.zip(ranges).filter(|(_, range)| !histogram.takes_whole(range)) {
        let end = count.min(start + TILE as u64);
        match parts.last_mut() {
            Some(last) if last.end == start => last.end = end,
            _ => parts.push(start..end),
        }
    }
    parts
}

/// Returns what a condition means; `value` is that of the expression in it.
pub(super) fn wanted(
    condition: &ScanCondition,
    value: Option<&Value>,
    context: &EvalContext<'_>,
) -> Result<Wanted, EvalError> {
    let number = value.map(|value| Ok::<_, EvalError>(value.to_datum(context)?.number())).transpose()?.flatten();
    Wanted::new(condition, number)
        .ok_or_else(|| error(format!("The value in the condition {condition} is not a number.")))
}

/// Finds the elements of an array that meet a condition; `value` is that of the expression in the condition.
pub fn find_in_array(
    array: &Value,
    condition: &ScanCondition,
    value: Option<&Value>,
    context: &EvalContext<'_>,
) -> Result<ArrayFindings, EvalError> {
    let since = Instant::now();
    let wanted = wanted(condition, value, context)?;
    let array = NumericArray::of(array, context)?;
    may_begin(&array, context)?;
    let mut search = Search::new(array.element, wanted, Firsts::default());
    walk(&array, context, since, &mut search)?;
    let first = search.kept.first.iter().map(|number| array.index(*number)).collect();
    Ok(ArrayFindings { count: array.count, found: search.kept.found, first })
}
