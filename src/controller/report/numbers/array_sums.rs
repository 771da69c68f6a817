//! Reports about the arrays of many ranks together: their statistics, and what a search found in them, as text and JSON.

use super::array_numbers::{elements, exact, extreme};
use super::significant::{DIGITS, significant};
use crate::report::json_object::{Object, number};
use crate::report::text_words::of;
use model::{ElementIndex, FindingsSum, ProcessSet, RankExtreme, RankFindings, ScanCondition, StatisticsSum};
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// The longest set that is shown whole, in characters.
const LONGEST_SET: usize = 40;

/// The arrays of many ranks together.
#[derive(Clone, Debug, PartialEq)]
pub enum ArraySum {
    /// Their statistics.
    Statistics(Box<StatisticsSum>),
    /// The elements that meet a condition.
    Findings(ScanCondition, Box<FindingsSum>),
}

/// Formats the arrays of ranks together.
pub(in crate::report) fn text(ranks: &ProcessSet, expression: &str, sum: &ArraySum) -> Vec<String> {
    match sum {
        ArraySum::Statistics(sum) => statistics_text(ranks, expression, sum),
        ArraySum::Findings(condition, sum) => findings_text(ranks, expression, condition, sum),
    }
}

/// Converts the arrays of ranks together to JSON.
pub(in crate::report) fn json(ranks: &ProcessSet, expression: &str, sum: &ArraySum) -> Object {
    match sum {
        ArraySum::Statistics(sum) => statistics_json(ranks, expression, sum),
        ArraySum::Findings(condition, sum) => findings_json(ranks, expression, condition, sum),
    }
}

fn ranks_of(set: &ProcessSet) -> String {
    let text = set.to_string();
    match set.len() {
        1 => format!("rank {text}"),
        _ if text.len() <= LONGEST_SET => format!("ranks {text}"),
        many => format!("{many} ranks, the first {}", set.first().unwrap_or_default()),
    }
}

fn on_ranks(count: u64) -> String {
    if count == 1 { "1 rank".to_owned() } else { format!("{count} ranks") }
}

fn extremes(what: &str, list: &[RankExtreme]) -> String {
    let each = list.iter().map(|one| format!("{} (rank {})", extreme("", &one.extreme).trim_start(), one.rank));
    format!("  {what} {}", each.collect::<Vec<_>>().join(", "))
}

fn statistics_text(ranks: &ProcessSet, expression: &str, sum: &StatisticsSum) -> Vec<String> {
    let mut first = format!("{expression}: {} on {}", elements(sum.elements), on_ranks(sum.ranks));
    for (count, what, with) in [(sum.nan, "NaN", &sum.nan_ranks), (sum.infinite, "infinite", &sum.infinite_ranks)] {
        if count > 0 {
            first.push_str(&format!(", {count} {what} ({})", ranks_of(with)));
        }
    }
    let mut lines = vec![of(ranks, first)];
    if !sum.least.is_empty() {
        let [mean, deviation] = [sum.finite.mean.get(), sum.finite.deviation()].map(|value| significant(value, DIGITS));
        lines.push(extremes("min", &sum.least));
        lines.push(extremes("max", &sum.greatest));
        lines.push(format!("  mean {mean}, deviation {deviation}"));
    }
    lines
}

fn findings_text(ranks: &ProcessSet, expression: &str, condition: &ScanCondition, sum: &FindingsSum) -> Vec<String> {
    let mut first =
        format!("{expression} {condition}: {} of {} on {}", sum.found, elements(sum.elements), on_ranks(sum.ranks));
    if sum.found > 0 {
        first.push_str(&format!(" ({})", ranks_of(&sum.with)));
    }
    let mut lines = vec![of(ranks, first)];
    if sum.most.len() > 1 {
        let each = sum.most.iter().map(|(count, rank)| format!("{count} (rank {rank})"));
        lines.push(format!("  most {}", each.collect::<Vec<_>>().join(", ")));
    }
    lines.extend(sum.first.iter().map(|one| {
        let places = one.findings.first.iter().map(ElementIndex::to_string).filter(|place| !place.is_empty());
        let places = places.collect::<Vec<_>>().join(" ");
        let more = if one.findings.first.len() as u64 == one.findings.found { "" } else { " …" };
        let places = if places.is_empty() { String::new() } else { format!(": {places}{more}") };
        format!("  rank {}: {}{places}", one.rank, one.findings.found)
    }));
    lines
}

/// A number with all its digits, and where it is.
#[derive(serde::Serialize)]
struct Place {
    rank: u32,
    value: Option<Box<RawValue>>,
    at: Vec<i64>,
}

fn places(list: &[RankExtreme]) -> Vec<Place> {
    let place = |one: &RankExtreme| Place {
        rank: one.rank.0,
        value: exact(&one.extreme),
        at: one.extreme.at.subscripts.clone(),
    };
    list.iter().map(place).collect()
}

fn statistics_json(ranks: &ProcessSet, expression: &str, sum: &StatisticsSum) -> Object {
    let object = Object::of_type("stats_summary").ranks(ranks).with("expression", expression);
    let object = object.with("count", sum.elements).with("nan", sum.nan).with("inf", sum.infinite);
    let object = object.with("nan_ranks", sum.nan_ranks.to_string()).with("inf_ranks", sum.infinite_ranks.to_string());
    let finite = (!sum.least.is_empty()).then_some(sum);
    let rounded = |value: f64| significant(value, DIGITS).parse().unwrap_or(value);
    let object = object.maybe("min", finite.map(|sum| places(&sum.least)));
    let object = object.maybe("max", finite.map(|sum| places(&sum.greatest)));
    let object = object.maybe("mean", finite.map(|sum| number(rounded(sum.finite.mean.get()))));
    object.maybe("deviation", finite.map(|sum| number(rounded(sum.finite.deviation()))))
}

fn findings_json(ranks: &ProcessSet, expression: &str, condition: &ScanCondition, sum: &FindingsSum) -> Object {
    let first = |one: &RankFindings| {
        let first: Vec<&[i64]> = one.findings.first.iter().map(|index| index.subscripts.as_slice()).collect();
        json!({"rank": one.rank.0, "found": one.findings.found, "first": first})
    };
    let object = Object::of_type("scan_summary").ranks(ranks).with("expression", expression);
    let object = object.with("condition", condition.to_string()).with("count", sum.elements).with("found", sum.found);
    let object = object.with("found_ranks", sum.with.to_string());
    let most = |(count, rank): &(u64, model::Rank)| json!({"rank": rank.0, "found": count});
    let object = object.with("most", sum.most.iter().map(most).collect::<Vec<Value>>());
    object.with("first", sum.first.iter().map(first).collect::<Vec<Value>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{ArrayFindings, ArrayStatistics, Double, Extreme, FiniteNumbers, Rank};

    fn at(value: i64, subscript: i64) -> Extreme {
        let at = ElementIndex { subscripts: vec![subscript], parentheses: false };
        Extreme { value: Double::new(value as f64), digits: Some(value.to_string()), at }
    }

    #[test]
    fn the_extremes_name_rank_and_place() {
        let mut sum = StatisticsSum::default();
        for rank in 0..100 {
            let finite = FiniteNumbers {
                min: at(1000 - i64::from(rank), 3),
                max: at(2000, i64::from(rank)),
                mean: Double::new(1500.0),
                deviation: Double::new(0.0),
                histogram: Vec::new(),
            };
            let nan = u64::from(rank % 7 % 3 == 1);
            let statistics = ArrayStatistics { count: 10 + nan, nan, infinite: 0, finite: Some(finite) };
            sum.add(&ProcessSet::one(Rank(rank)), &statistics);
        }
        let all = ProcessSet::all(100);
        let expected = [
            "[0-99] u: 1029 elements on 100 ranks, 29 NaN (29 ranks, the first 1)",
            "  min 901 at [3] (rank 99), 902 at [3] (rank 98), 903 at [3] (rank 97)",
            "  max 2000 at [0] (rank 0)",
            "  mean 1500, deviation 0",
        ];
        assert_eq!(statistics_text(&all, "u", &sum), expected);
        let json = serde_json::to_value(statistics_json(&all, "u", &sum)).unwrap();
        assert_eq!(json["min"][1], json!({"rank": 98, "value": 902, "at": [3]}));
        assert_eq!((&json["count"], &json["mean"]), (&json!(1029), &json!(1500)));
    }

    #[test]
    fn without_numbers_there_is_one_line() {
        let mut sum = StatisticsSum::default();
        sum.add(&ProcessSet::all(2), &ArrayStatistics { count: 4, nan: 4, infinite: 0, finite: None });
        assert_eq!(
            statistics_text(&ProcessSet::all(2), "u", &sum),
            ["[0-1] u: 8 elements on 2 ranks, 8 NaN (ranks 0-1)"]
        );
    }

    #[test]
    fn findings_name_the_ranks_that_have_most_and_those_that_come_first() {
        let mut sum = FindingsSum::default();
        for rank in 0..4 {
            let first = (0..i64::from(rank.min(2)))
                .map(|subscript| ElementIndex { subscripts: vec![subscript], parentheses: false })
                .collect();
            let findings = ArrayFindings { count: 5, found: u64::from(rank), first };
            sum.add(&ProcessSet::one(Rank(rank)), &findings);
        }
        let all = ProcessSet::all(4);
        let expected = [
            "[0-3] u nan: 6 of 20 elements on 4 ranks (ranks 1-3)",
            "  most 3 (rank 3), 2 (rank 2), 1 (rank 1)",
            "  rank 1: 1: [0]",
            "  rank 2: 2: [0] [1]",
            "  rank 3: 3: [0] [1] …",
        ];
        assert_eq!(findings_text(&all, "u", &ScanCondition::NotANumber, &sum), expected);
        let json = serde_json::to_value(findings_json(&all, "u", &ScanCondition::NotANumber, &sum)).unwrap();
        assert_eq!(json["first"][2], json!({"rank": 3, "found": 3, "first": [[0], [1]]}));
        assert_eq!((&json["found"], &json["found_ranks"]), (&json!(6), &json!("1-3")));
    }
}
