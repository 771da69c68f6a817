//! Reports about the numbers of an array, as text and JSON.

use super::bars::rows;
use super::significant::{DIGITS, significant};
use crate::report::json_object::{Object, number};
use crate::report::text_words::of;
use model::{ArrayFindings, ArrayStatistics, ElementIndex, Extreme, FiniteNumbers, ProcessSet, ScanCondition};
use serde_json::value::RawValue;

pub(super) fn elements(count: u64) -> String {
    if count == 1 { "1 element".to_owned() } else { format!("{count} elements") }
}

pub(super) fn extreme(what: &str, extreme: &Extreme) -> String {
    let value = extreme.digits.clone().unwrap_or_else(|| significant(extreme.value.get(), DIGITS));
    if extreme.at.subscripts.is_empty() {
        format!("{what} {value}")
    } else {
        format!("{what} {value} at {}", extreme.at)
    }
}

/// Formats statistics; `histogram` adds a line for each of its parts.
pub(in crate::report) fn statistics_text(
    ranks: &ProcessSet,
    expression: &str,
    statistics: &ArrayStatistics,
    histogram: bool,
) -> Vec<String> {
    let mut first = format!("{expression}: {}", elements(statistics.count));
    for (count, what) in [(statistics.nan, "NaN"), (statistics.infinite, "infinite")] {
        if count > 0 {
            first.push_str(&format!(", {count} {what}"));
        }
    }
    let mut lines = vec![of(ranks, first)];
    let Some(finite) = &statistics.finite else { return lines };
    let [mean, deviation] = [finite.mean, finite.deviation].map(|value| significant(value.get(), DIGITS));
    let (min, max) = (extreme("min", &finite.min), extreme("max", &finite.max));
    lines.push(of(ranks, format!("{min}, {max}, mean {mean}, deviation {deviation}")));
    if histogram && finite.histogram.len() > 1 {
        lines.extend(bars(finite));
    }
    lines
}

/// Formats a histogram, each part with its lowest value, as that of `compare`.
fn bars(finite: &FiniteNumbers) -> Vec<String> {
    let (min, max) = (finite.min.value.get(), finite.max.value.get());
    let parts = finite.histogram.len();
    // Halved: the difference of huge numbers may overflow.
    let step = (max / 2.0 - min / 2.0) / parts as f64 * 2.0;
    let part = |(part, count): (usize, &u64)| (min + step * part as f64, *count);
    rows(&finite.histogram.iter().enumerate().map(part).collect::<Vec<_>>())
}

/// Formats what a search found.
pub(in crate::report) fn findings_text(
    ranks: &ProcessSet,
    expression: &str,
    condition: &ScanCondition,
    findings: &ArrayFindings,
) -> Vec<String> {
    let ArrayFindings { count, found, first } = findings;
    let mut line = format!("{expression} {condition}: {found} of {}", elements(*count));
    let places: Vec<String> = first.iter().map(ElementIndex::to_string).filter(|place| !place.is_empty()).collect();
    if !places.is_empty() {
        let more = if first.len() as u64 == *found { "" } else { " …" };
        line.push_str(&format!(": {}{more}", places.join(" ")));
    }
    vec![of(ranks, line)]
}

/// Converts to JSON with all digits.
pub(super) fn exact(extreme: &Extreme) -> Option<Box<RawValue>> {
    let digits = extreme.digits.clone().unwrap_or_else(|| number(extreme.value.get()).to_string());
    RawValue::from_string(digits).ok()
}

/// Converts statistics to JSON.
pub(in crate::report) fn statistics_json(ranks: &ProcessSet, expression: &str, statistics: &ArrayStatistics) -> Object {
    let object = Object::of_type("stats").ranks(ranks).with("expression", expression).with("count", statistics.count);
    let finite = statistics.finite.as_ref();
    let object = object.maybe("min", finite.and_then(|finite| exact(&finite.min)));
    let object = object.maybe("max", finite.and_then(|finite| exact(&finite.max)));
    let object = object.maybe("mean", finite.map(|finite| number(finite.mean.get())));
    let object = object.maybe("deviation", finite.map(|finite| number(finite.deviation.get())));
    let object = object.with("nan", statistics.nan).with("inf", statistics.infinite);
    let places = |extreme: &Extreme| [extreme.at.subscripts.clone()];
    let object = object.maybe("min_at", finite.map(|finite| places(&finite.min)));
    let object = object.maybe("max_at", finite.map(|finite| places(&finite.max)));
    object.maybe("histogram", finite.map(|finite| &finite.histogram))
}

/// Converts what a search found to JSON.
pub(in crate::report) fn findings_json(
    ranks: &ProcessSet,
    expression: &str,
    condition: &ScanCondition,
    findings: &ArrayFindings,
) -> Object {
    let first: Vec<&[i64]> = findings.first.iter().map(|index| index.subscripts.as_slice()).collect();
    let object = Object::of_type("scan").ranks(ranks).with("expression", expression);
    let object = object.with("condition", condition.to_string()).with("count", findings.count);
    object.with("found", findings.found).with("first", first)
}
