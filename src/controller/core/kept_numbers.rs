//! Numbers in convenience variables outlive a restart, as in gdb: the ranks keep the variables, and end with the job. The
//! values are read from the answers to commands that change variables.

use crate::core::tasks::task::Answers;
use model::aif::{FormatOptions, format};
use model::{Answer, Datum, ProcessSet};
use std::collections::BTreeMap;

/// Users name them, so this only stops runaway loops.
const MOST: usize = 1000;

/// The numbers, by the names of their variables, and the ranks that are to get them back.
#[derive(Debug, Default)]
pub(in crate::core) struct KeptNumbers {
    numbers: BTreeMap<String, Vec<(ProcessSet, String)>>,
    due: ProcessSet,
}

/// How a whole expression changes a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// Its value is the new one of the variable.
    Assigned,
    /// Its value is the old one of the variable, which has this much more now.
    Stepped(i8),
}

/// Returns the variables that an expression changes. How is known only of one that the whole expression changes.
fn changed(expression: &str) -> Vec<(&str, Option<Change>)> {
    let mut found = Vec::new();
    for (at, _) in expression.match_indices('$') {
        let (before, after) = (expression.get(..at).unwrap_or(""), expression.get(at + 1..).unwrap_or(""));
        let end = after.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(after.len());
        let (name, rest) = after.split_at(end);
        let (before, rest) = (before.trim(), rest.trim());
        if name.is_empty() || name.starts_with(|c: char| c == '_' || c.is_ascii_digit()) {
            continue;
        }
        let step = |text: &str| match text {
            "++" => Some(1),
            "--" => Some(-1),
            _ => None,
        };
        let operator = rest.trim_start_matches(['+', '-', '*', '/', '%', '&', '|', '^', '<', '>']);
        let is_assigned = operator.starts_with('=') && !operator.starts_with("==") && !is_comparison(rest);
        let is_whole = before.is_empty() && !rest.contains(',');
        if step(rest.get(..2).unwrap_or("")).is_some() {
            found.push((name, step(rest).filter(|_| is_whole).map(Change::Stepped)));
        } else if before.ends_with("++") || before.ends_with("--") {
            found.push((name, Some(Change::Assigned).filter(|_| step(before).is_some() && rest.is_empty())));
        } else if is_assigned {
            found.push((name, Some(Change::Assigned).filter(|_| is_whole)));
        } else if rest.starts_with(['.', '[']) || before.ends_with('&') {
            // A part of it may change.
            found.push((name, None));
        }
    }
    found
}

fn is_comparison(text: &str) -> bool {
    ["<=", ">="].iter().any(|operator| text.starts_with(operator))
}

/// Returns the text of a number, from which the same number is read; `None` for any other value.
fn number(datum: &Datum, change: Change) -> Option<String> {
    let untyped = Datum { type_name: String::new(), ..datum.clone() };
    let text = format(&untyped, &FormatOptions::default()).ok()?;
    let is_real = ["double", "float", "real", "f64", "f32"].iter().any(|name| datum.type_name.contains(name));
    let step = match change {
        Change::Assigned => 0,
        Change::Stepped(step) => step,
    };
    match text.parse::<i128>() {
        Ok(whole) if is_real => Some(format!("{}.0", whole.checked_add(step.into())?)),
        Ok(whole) => Some(whole.checked_add(step.into())?.to_string()),
        Err(_) => text.parse::<f64>().ok().filter(|real| real.is_finite() && step == 0).map(|_| text),
    }
}

impl KeptNumbers {
    /// Takes the variables that an expression has changed on ranks.
    pub(in crate::core) fn note(&mut self, expression: &str, answers: &Answers) {
        for (name, change) in changed(expression) {
            for (_, ranks, answer) in answers {
                let Answer::Data(datum) = answer else { continue };
                let number = change.and_then(|change| number(datum, change));
                self.keep(name, ranks, number);
            }
        }
    }

    fn keep(&mut self, name: &str, ranks: &ProcessSet, number: Option<String>) {
        if !self.numbers.contains_key(name) && (number.is_none() || self.numbers.len() >= MOST) {
            return;
        }
        let known = self.numbers.entry(name.to_owned()).or_default();
        known.iter_mut().for_each(|(set, _)| set.remove_all(ranks));
        known.retain(|(set, _)| !set.is_empty());
        match number {
            Some(number) => match known.iter_mut().find(|(_, same)| *same == number) {
                Some((set, _)) => set.extend_with(ranks),
                None => known.push((ranks.clone(), number)),
            },
            None if known.is_empty() => _ = self.numbers.remove(name),
            None => {}
        }
    }

    /// The job starts again: its ranks have no variables yet.
    pub(in crate::core) fn begin_again(&mut self, size: u32) {
        self.due = ProcessSet::all(size);
    }

    /// Returns the assignments that give ranks their numbers back, once they can be asked.
    pub(in crate::core) fn restore(&mut self, ranks: &ProcessSet) -> Vec<(ProcessSet, String)> {
        let due = self.due.intersection(ranks);
        self.due.remove_all(&due);
        let all = self.numbers.iter().flat_map(|(name, values)| values.iter().map(move |(of, text)| (name, of, text)));
        let assignment =
            |(name, of, text): (&String, &ProcessSet, &String)| (of.intersection(&due), format!("${name} = {text}"));
        all.map(assignment).filter(|(ranks, _)| !ranks.is_empty()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variables_that_an_expression_changes_are_known() {
        use Change::{Assigned, Stepped};
        for (expression, expected) in [
            ("$x = 3", vec![("x", Some(Assigned))]),
            ("$x += $y", vec![("x", Some(Assigned))]),
            ("$x <<= 1", vec![("x", Some(Assigned))]),
            ("$i++", vec![("i", Some(Stepped(1)))]),
            ("$i--", vec![("i", Some(Stepped(-1)))]),
            ("++$i", vec![("i", Some(Assigned))]),
            ("$i++ < 3", vec![("i", None)]),
            ("$x = 1, $y = 2", vec![("x", None), ("y", None)]),
            ("count = $i++", vec![("i", None)]),
            ("$p.x = 1", vec![("p", None)]),
            ("$x == 3", vec![]),
            ("$x <= 3", vec![]),
            ("$x != 3", vec![]),
            ("$x + 1", vec![]),
            ("$ = 1", vec![]),
            ("$_ = 4", vec![]),
            ("$3", vec![]),
        ] {
            assert_eq!(changed(expression), expected, "{expression}");
        }
    }

    #[test]
    fn ranks_keep_numbers_of_their_own() {
        let mut kept = KeptNumbers::default();
        let (low, high) = (ProcessSet::range(0, 2), ProcessSet::range(2, 4));
        kept.keep("x", &ProcessSet::all(4), Some("3".to_owned()));
        kept.keep("x", &high, Some("4".to_owned()));
        kept.keep("y", &low, None);
        assert_eq!(kept.numbers["x"], [(low.clone(), "3".to_owned()), (high.clone(), "4".to_owned())]);
        kept.keep("x", &low, None);
        assert_eq!(kept.numbers["x"], [(high.clone(), "4".to_owned())]);
        kept.keep("x", &high, None);
        assert!(kept.numbers.is_empty());
    }
}
