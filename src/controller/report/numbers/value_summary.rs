//! Reports about the values of very many ranks, which the servers have summed up, as text and JSON.

use super::bars::{BARS, is_address, rows};
use super::significant::{DIGITS, significant};
use crate::report::json_object::{Object, number};
use crate::report::text_words::of;
use model::{Datum, ProcessSet, Rank, RankValue, ValueSummary};
use serde_json::{Value, json};

/// A value as printed, with its lowest rank.
type Shown = (Rank, String);

/// The values of very many ranks, as printed.
#[derive(Clone, Debug, PartialEq)]
pub struct PrintedSummary {
    count: u64,
    /// About how many values differ.
    distinct: u64,
    /// True if they were counted, false if their number is an estimate.
    is_counted: bool,
    nan: u64,
    infinite: u64,
    first: Vec<Shown>,
    finite: Option<PrintedNumbers>,
}

#[derive(Clone, Debug, PartialEq)]
struct PrintedNumbers {
    least: Vec<Shown>,
    greatest: Vec<Shown>,
    mean: f64,
    deviation: f64,
    /// The lowest number of each part and the ranks in it; empty for addresses, whose distribution tells nothing.
    histogram: Vec<(f64, u64)>,
}

impl PrintedSummary {
    /// Prints the values of a summary.
    pub(crate) fn new(summary: &ValueSummary, printed: impl Fn(&Datum) -> String) -> Self {
        let shown =
            |kept: &[RankValue]| kept.iter().map(|kept| (kept.rank, printed(&kept.value))).collect::<Vec<Shown>>();
        let finite = summary.finite.as_ref().map(|finite| {
            let addresses = finite.least.first().is_some_and(|kept| is_address(&kept.value));
            PrintedNumbers {
                least: shown(&finite.least),
                greatest: shown(&finite.greatest),
                mean: rounded_to(finite.moments.mean.get(), DIGITS),
                deviation: rounded_to(finite.moments.deviation(), DIGITS),
                histogram: if addresses { Vec::new() } else { finite.histogram.parts(BARS) },
            }
        });
        let ValueSummary { count, nan, infinite, .. } = *summary;
        let counted = summary.distinct.count().map(|count| count as u64);
        let is_counted = counted.is_some();
        let distinct = counted.unwrap_or_else(|| rounded(summary.distinct.estimate().min(count as f64) as u64));
        Self { count, distinct, is_counted, nan, infinite, first: shown(&summary.first), finite }
    }

    /// Formats the summary.
    pub(in crate::report) fn text(&self, ranks: &ProcessSet, expression: &str) -> Vec<String> {
        let mut lines = self.lines(ranks, expression);
        let some = format!("[{}] print {expression}", self.first.first().map_or(Rank(0), |(rank, _)| *rank));
        lines.push(format!("  `{some}` prints that of a rank; `set print values unlimited`: all"));
        lines
    }

    /// Formats the summary of the numbers by which ranks are coloured.
    pub(in crate::report) fn text_of_colours(&self, ranks: &ProcessSet, expression: &str) -> Vec<String> {
        self.lines(ranks, &format!("colour by {expression}"))
    }

    fn lines(&self, ranks: &ProcessSet, expression: &str) -> Vec<String> {
        let values = if self.count == 1 { "value" } else { "values" };
        let about = if self.is_counted { "" } else { "about " };
        let mut heading = format!("{expression}: {} {values}, {about}{} distinct", self.count, self.distinct);
        for (count, what) in [(self.nan, "NaN"), (self.infinite, "infinite")] {
            if count > 0 {
                heading.push_str(&format!(", {count} {what}"));
            }
        }
        let mut lines = vec![of(ranks, heading)];
        match &self.finite {
            None => lines.extend(self.first.iter().map(|(rank, value)| format!("  rank {rank}: {value}"))),
            Some(numbers) => {
                let [mean, deviation] = [numbers.mean, numbers.deviation].map(|number| significant(number, DIGITS));
                lines.push(format!("  min {}", listed(&numbers.least)));
                lines.push(format!("  max {}", listed(&numbers.greatest)));
                lines.push(format!("  mean {mean}, deviation {deviation}"));
                lines.extend(bars(&numbers.histogram));
            }
        }
        lines
    }

    /// Converts the summary to JSON.
    pub(in crate::report) fn json(&self, ranks: &ProcessSet, expression: &str) -> Object {
        self.object("value_summary", ranks, expression)
    }

    /// Converts the summary of the numbers by which ranks are coloured to JSON.
    pub(in crate::report) fn json_of_colours(&self, ranks: &ProcessSet, expression: &str) -> Object {
        self.object("colour", ranks, expression)
    }

    fn object(&self, name: &'static str, ranks: &ProcessSet, expression: &str) -> Object {
        let numbers = self.finite.as_ref();
        let object = Object::of_type(name).ranks(ranks).with("expression", expression);
        let object = object.with("count", self.count).with("distinct_about", self.distinct);
        let object = object.with("nan", self.nan).with("inf", self.infinite).with("first", entries(&self.first));
        let object = object.maybe("min", numbers.map(|numbers| entries(&numbers.least)));
        let object = object.maybe("max", numbers.map(|numbers| entries(&numbers.greatest)));
        let object = object.maybe("mean", numbers.map(|numbers| number(numbers.mean)));
        let object = object.maybe("deviation", numbers.map(|numbers| number(numbers.deviation)));
        let parts = |(low, count): &(f64, u64)| json!({"from": number(*low), "count": count});
        object.maybe("histogram", numbers.map(|numbers| numbers.histogram.iter().map(parts).collect::<Vec<Value>>()))
    }
}

fn entries(shown: &[Shown]) -> Vec<Value> {
    shown.iter().map(|(rank, value)| json!({"rank": rank.0, "value": value})).collect()
}

fn listed(shown: &[Shown]) -> String {
    let each: Vec<String> = shown.iter().map(|(rank, value)| format!("{value} (rank {rank})")).collect();
    each.join(", ")
}

/// Rounds to significant digits: the last bits depend on which servers added which numbers.
fn rounded_to(value: f64, digits: usize) -> f64 {
    significant(value, digits).parse().unwrap_or(value)
}

/// The digits of an estimate that mean something.
fn rounded(estimate: u64) -> u64 {
    let unit = 10u64.saturating_pow(estimate.checked_ilog10().unwrap_or(0).saturating_sub(1));
    estimate.saturating_add(unit / 2) / unit * unit
}

fn bars(histogram: &[(f64, u64)]) -> Vec<String> {
    if histogram.len() > 1 { rows(histogram) } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(value: &Datum) -> String {
        value.as_f64().map_or_else(|| "?".to_owned(), |number| number.to_string())
    }

    #[test]
    fn numbers_are_summed_up_in_a_few_lines() {
        let mut summary = ValueSummary::default();
        for rank in 0..4096u32 {
            let data = rank.to_be_bytes().to_vec();
            let value = Datum { descriptor: "is4".into(), data, type_name: "int".into() };
            summary.add(&ProcessSet::one(Rank(rank)), &value);
        }
        let shown = PrintedSummary::new(&summary, printed);
        let lines = shown.text(&ProcessSet::all(4096), "rank");
        assert!(lines[0].starts_with("[0-4095] rank: 4096 values, about "), "{}", lines[0]);
        assert_eq!(lines[1], "  min 0 (rank 0), 1 (rank 1), 2 (rank 2)");
        assert_eq!(lines[2], "  max 4095 (rank 4095), 4094 (rank 4094), 4093 (rank 4093)");
        assert_eq!(lines[3], "  mean 2047.5, deviation 1182.413316");
        assert_eq!(lines[4].split_whitespace().take(2).collect::<Vec<_>>(), ["0", "512"]);
        assert_eq!(lines.len(), 4 + 8 + 1);
        let json = serde_json::to_value(shown.json(&ProcessSet::all(4096), "rank")).unwrap();
        assert_eq!((&json["count"], &json["min"][1]), (&json!(4096), &json!({"rank": 1, "value": "1"})));
        assert_eq!(json["histogram"][7], json!({"from": 3584, "count": 512}));
    }

    #[test]
    fn other_values_are_those_of_the_lowest_ranks() {
        let mut summary = ValueSummary::default();
        for rank in 0..2000u16 {
            let data = [vec![0, 2], rank.to_be_bytes().to_vec()].concat();
            let value = Datum { descriptor: "s".into(), data, type_name: "char [2]".into() };
            summary.add(&ProcessSet::one(Rank(rank.into())), &value);
        }
        let lines = PrintedSummary::new(&summary, printed).text(&ProcessSet::all(2000), "name");
        assert_eq!((lines.len(), lines[1].as_str(), lines[8].as_str()), (10, "  rank 0: ?", "  rank 7: ?"));
    }

    #[test]
    fn an_estimate_has_two_digits() {
        assert_eq!([0, 7, 88, 1049, 65_300, 1_048_576].map(rounded), [0, 7, 88, 1000, 65_000, 1_000_000]);
    }
}
