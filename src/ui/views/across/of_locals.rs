//! The numbers among the variables of the frame, each on the ranks of the focus: a mode of the variables view.

use super::{limited, together};
use crate::screen::set_text;
use crate::views::variable_row::Row;
use controller::State;
use controller::state::{AcrossKey, AcrossWish, RankValue, ShownVariable};
use model::aif::format;
use model::{ProcessSet, VariableValue};

/// Variables that are asked for: those behind have no values here.
const MOST_VARIABLES: usize = 32;

/// Ranks that are asked: of more, evenly chosen ones stand for all.
const MOST_RANKS: usize = 1024;

/// The columns of the line that shows the values in the order of the ranks.
const COLUMNS: usize = 12;

/// Different values that are shown each with its ranks.
const FEW: usize = 3;

/// The heights of a column, from the lowest value to the highest.
const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const ASCII_HEIGHTS: [char; 8] = ['1', '2', '3', '4', '5', '6', '7', '8'];

/// The parameters and local variables of the lead rank's frame, without those that are hidden by another of their name.
fn variables(state: &State) -> Vec<&ShownVariable> {
    let lists = [&state.inspection.arguments, &state.inspection.locals];
    let mut found: Vec<&ShownVariable> = Vec::new();
    for variable in lists.into_iter().flat_map(|list| list.value().into_iter().flatten()) {
        if !found.iter().any(|known| known.name == variable.name) {
            found.push(variable);
        }
    }
    found
}

fn is_number(variable: &ShownVariable) -> bool {
    matches!(&variable.value, VariableValue::Known(datum) if datum.number().is_some())
}

fn key(variable: &ShownVariable) -> AcrossKey {
    AcrossKey { expression: variable.name.clone(), thread: None }
}

/// The ranks that are asked.
fn asked(state: &State) -> ProcessSet {
    let ranks = state.focus.set.intersection(&state.ranks.at_rest());
    match ranks.len().div_ceil(MOST_RANKS) {
        0 | 1 => ranks,
        step => ranks.iter().step_by(step).collect(),
    }
}

/// The values that the view needs.
pub(crate) fn wishes(state: &State) -> Vec<AcrossWish> {
    let numbers = variables(state).into_iter().filter(|variable| is_number(variable)).take(MOST_VARIABLES);
    let ranks = asked(state);
    numbers.map(|variable| AcrossWish { key: key(variable), ranks: Some(ranks.clone()) }).collect()
}

/// The rows of the view: a line of the values, and what they are.
pub(crate) fn rows(state: &State, ascii: bool) -> Vec<Row> {
    let ranks = asked(state);
    let mut left = MOST_VARIABLES;
    let row = |variable: &ShownVariable| {
        let is_shown = is_number(variable) && left > 0;
        left -= usize::from(is_shown);
        let plain = Row::leaf(&variable.name);
        match &variable.value {
            VariableValue::Known(_) if is_shown => {
                let values = state.inspection.across.of(&key(variable));
                Row { value: words(state, values, &ranks, ascii), changed: is_odd(state, values), ..plain }
            }
            VariableValue::Known(_) => Row { value: Err(format!("\"compare {}\"", variable.name)), ..plain },
            VariableValue::Unknown { why, .. } => Row { value: Err(format!("<{why}>")), ..plain },
        }
    };
    variables(state).into_iter().map(row).collect()
}

/// True if more than half of the ranks have another value than the lead.
fn is_odd(state: &State, values: &[RankValue]) -> bool {
    let all: usize = values.iter().map(|value| value.ranks.len()).sum();
    let most = values.iter().filter(|value| value.value.is_ok()).max_by_key(|value| value.ranks.len());
    most.is_some_and(|most| 2 * most.ranks.len() > all && !most.ranks.contains(state.lead))
}

fn words(state: &State, values: &[RankValue], ranks: &ProcessSet, ascii: bool) -> Result<String, String> {
    let text = |value: &RankValue| match &value.value {
        Ok(datum) => format(datum, &limited(state, None)).map_err(|fault| format!("<{fault}>")),
        Err(failure) => Err(format!("<{}>", failure.message)),
    };
    let mut here: Vec<(ProcessSet, Result<String, String>)> = Vec::new();
    let mut numbers: Vec<(ProcessSet, f64)> = Vec::new();
    for value in values {
        let of = value.ranks.intersection(ranks);
        if of.is_empty() {
            continue;
        }
        numbers.extend(value.value.as_ref().ok().and_then(|datum| Some((of.clone(), datum.as_f64()?))));
        let text = text(value);
        match here.iter_mut().find(|(_, known)| *known == text) {
            Some((known, _)) => known.extend_with(&of),
            None => here.push((of, text)),
        }
    }
    here.sort_by_key(|(ranks, _)| ranks.first());
    match here.as_slice() {
        [] => Err("…".to_owned()),
        [(of, text)] => match text {
            Ok(text) => Ok(format!("{text}  the same on {}", set_text(of, 24))),
            Err(why) => Err(why.clone()),
        },
        parts => {
            let line = line(ranks, &numbers, ascii);
            Ok(if parts.len() <= FEW {
                format!("{line} {}", together(parts))
            } else {
                let by = |one: &&(ProcessSet, f64), other: &&(ProcessSet, f64)| one.1.total_cmp(&other.1);
                let extreme = |found: Option<&(ProcessSet, f64)>| {
                    let first = found.and_then(|(of, _)| of.first());
                    let shown = first.and_then(|rank| here.iter().find(|(of, _)| of.contains(rank)));
                    shown.map_or_else(String::new, |(of, text)| {
                        let (Ok(text) | Err(text)) = text;
                        format!("{text} [{}]", set_text(of, 12))
                    })
                };
                let (least, greatest) = (extreme(numbers.iter().min_by(by)), extreme(numbers.iter().max_by(by)));
                format!("{line} {least} … {greatest}, {} different", parts.len())
            })
        }
    }
}

/// The values in the order of the ranks, each column the mean of some; a space where ranks have none.
fn line(ranks: &ProcessSet, numbers: &[(ProcessSet, f64)], ascii: bool) -> String {
    let finite = || numbers.iter().map(|(_, number)| *number).filter(|number| number.is_finite());
    let (least, greatest) = (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
    let columns = COLUMNS.min(ranks.len()).max(1);
    let mut sums = vec![(0.0, 0_u32); columns];
    for (at, rank) in ranks.iter().enumerate() {
        let number = numbers.iter().find(|(of, _)| of.contains(rank)).map(|(_, number)| *number);
        if let (Some((sum, count)), Some(number)) =
            (sums.get_mut(at * columns / ranks.len()), number.filter(|number| number.is_finite()))
        {
            // Halves: the range of doubles is larger than a double.
            *sum += number / 2.0;
            *count += 1;
        }
    }
    let heights = if ascii { ASCII_HEIGHTS } else { HEIGHTS };
    let height = |(sum, count): (f64, u32)| {
        if count == 0 {
            return ' ';
        }
        let above = sum / f64::from(count) - least / 2.0;
        let range = greatest / 2.0 - least / 2.0;
        let share = if range > 0.0 { above / range } else { 0.0 };
        heights.get((share * 7.0).round().clamp(0.0, 7.0) as usize).copied().unwrap_or(' ')
    };
    sums.into_iter().map(height).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> ProcessSet {
        ProcessSet::parse(text).unwrap()
    }

    #[test]
    fn values_are_a_line_from_the_lowest_to_the_highest() {
        let each: Vec<(ProcessSet, f64)> = (0..8).map(|rank| (set(&rank.to_string()), f64::from(rank))).collect();
        assert_eq!(line(&set("0-7"), &each, false), "▁▂▃▄▅▆▇█");
        assert_eq!(line(&set("0-7"), &each, true), "12345678");
        let two = [(set("0-62:2"), 1.0), (set("1-63:2"), 3.0)];
        assert_eq!(line(&set("0-63"), &two, false).chars().count(), COLUMNS);
        let odd = [(set("0-2,4-7"), 5.0), (set("3"), f64::MAX)];
        assert_eq!(line(&set("0-7"), &odd, false), "▁▁▁█▁▁▁▁");
    }

    #[test]
    fn ranks_without_a_number_are_gaps() {
        let some = [(set("0"), -f64::MAX), (set("2"), f64::MAX), (set("3"), f64::NAN)];
        assert_eq!(line(&set("0-3"), &some, false), "▁ █ ");
        assert_eq!(line(&set("0-3"), &[], false), "    ");
    }
}
