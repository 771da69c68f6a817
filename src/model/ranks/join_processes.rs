//! Joins messages that differ only in the processes they name.

use std::fmt::Write as _;

/// Stands before a single number.
const WORD: &str = "process ";
/// Stands before several numbers.
const WORDS: &str = "processes ";
/// Limit on the runs of numbers listed; the rest are counted.
const MOST_RUNS: usize = 6;

/// The processes named at one place in a message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Named {
    /// The first and last number of each run, ascending.
    runs: Vec<(u32, u32)>,
    /// The number of processes beyond those listed.
    more: u32,
}

/// Adds the processes that a message names to those of a known one if both are otherwise equal: "cannot trace process
/// 7: it no longer exists" and the same for process 8 become "cannot trace processes 7-8: it no longer exists". Returns
/// false if they are not.
pub fn join_processes(known: &mut String, new: &str) -> bool {
    if known == new {
        return true;
    }
    let ((words, own), (others_words, others)) = (parts(known), parts(new));
    if own.is_empty() || words != others_words {
        return false;
    }
    let mut joined = String::with_capacity(known.len() + 8);
    for (index, word) in words.iter().enumerate() {
        joined.push_str(word);
        if let (Some(own), Some(others)) = (own.get(index), others.get(index)) {
            own.with(others).write(&mut joined);
        }
    }
    *known = joined;
    true
}

/// Splits a message into the words around the processes it names, and these processes.
fn parts(text: &str) -> (Vec<&str>, Vec<Named>) {
    let (mut words, mut named) = (Vec::new(), Vec::new());
    let (mut begin, mut from) = (0, 0);
    while let Some(at) = text.get(from..).and_then(|rest| rest.find("process")).map(|at| at + from) {
        let rest = text.get(at..).unwrap_or_default();
        let inside = text.get(..at).is_some_and(|before| before.ends_with(|c: char| c.is_alphanumeric()));
        let list = rest.strip_prefix(WORD).or_else(|| rest.strip_prefix(WORDS)).filter(|_| !inside);
        match list.and_then(|list| Named::read(list).map(|(found, left)| (found, list.len() - left))) {
            Some((found, length)) => {
                words.push(text.get(begin..at).unwrap_or_default());
                named.push(found);
                let word = if rest.starts_with(WORD) { WORD } else { WORDS };
                begin = at + word.len() + length;
                from = begin;
            }
            None => from = at + "process".len(),
        }
    }
    words.push(text.get(begin..).unwrap_or_default());
    (words, named)
}

impl Named {
    /// Reads processes at the beginning of a text; returns them and the length of the rest.
    fn read(text: &str) -> Option<(Self, usize)> {
        let mut found = Self::default();
        let mut rest = text;
        loop {
            let (first, behind) = number(rest)?;
            let last = behind.strip_prefix('-').and_then(number);
            let (last, behind) = last.unwrap_or((first, behind));
            found.runs.push((first, last.max(first)));
            match behind.strip_prefix(", ").filter(|next| number(next).is_some()) {
                Some(next) => rest = next,
                None => {
                    rest = behind;
                    break;
                }
            }
        }
        let counted = rest.strip_prefix(" and ").and_then(number);
        if let Some((more, behind)) = counted
            && let Some(behind) = behind.strip_prefix(" more")
        {
            found.more = more;
            rest = behind;
        }
        Some((found, rest.len()))
    }

    fn with(&self, others: &Self) -> Self {
        let mut runs: Vec<_> = self.runs.iter().chain(&others.runs).copied().collect();
        runs.sort_unstable();
        let mut joined: Vec<(u32, u32)> = Vec::new();
        for (first, last) in runs {
            match joined.last_mut() {
                Some(run) if first <= run.1.saturating_add(1) => run.1 = run.1.max(last),
                _ => joined.push((first, last)),
            }
        }
        let surplus = joined.split_off(joined.len().min(MOST_RUNS));
        let counted =
            surplus.iter().fold(0u32, |sum, (first, last)| sum.saturating_add(last - first).saturating_add(1));
        Self { runs: joined, more: self.more.saturating_add(others.more).saturating_add(counted) }
    }

    fn write(&self, out: &mut String) {
        let one = matches!(self.runs[..], [(first, last)] if first == last) && self.more == 0;
        out.push_str(if one { WORD } else { WORDS });
        for (index, (first, last)) in self.runs.iter().enumerate() {
            out.push_str(if index == 0 { "" } else { ", " });
            // Writing into a string cannot fail.
            let _ = if first == last { write!(out, "{first}") } else { write!(out, "{first}-{last}") };
        }
        if self.more > 0 {
            let _ = write!(out, " and {} more", self.more);
        }
    }
}

/// Reads a number at the beginning of a text; returns it and the rest.
fn number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    Some((digits.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(sentences: &[&str]) -> Option<String> {
        let mut known = sentences[0].to_owned();
        sentences[1..].iter().all(|new| join_processes(&mut known, new)).then_some(known)
    }

    #[test]
    fn sentences_that_differ_in_the_processes_they_name_become_one() {
        let gone = |pid: u32| format!("cannot trace process {pid}: it no longer exists");
        assert_eq!(joined(&[&gone(7), &gone(7)]).unwrap(), gone(7));
        assert_eq!(joined(&[&gone(9), &gone(7)]).unwrap(), "cannot trace processes 7, 9: it no longer exists");
        assert_eq!(joined(&[&gone(9), &gone(7), &gone(8)]).unwrap(), "cannot trace processes 7-9: it no longer exists");
        let many: Vec<String> = (1..=10).map(|i| gone(10 * i)).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(
            joined(&many).unwrap(),
            "cannot trace processes 10, 20, 30, 40, 50, 60 and 4 more: it no longer exists"
        );
        let two = ["process 3 is traced by process 5", "process 4 is traced by process 5"];
        assert_eq!(joined(&two).unwrap(), "processes 3-4 is traced by process 5");
    }

    #[test]
    fn sentences_that_say_something_else_stay_apart() {
        assert_eq!(joined(&["process 7 is gone", "process 8 is there"]), None);
        assert_eq!(joined(&["line 7", "line 8"]), None);
        assert_eq!(joined(&["subprocess 7", "subprocess 8"]), None);
        assert_eq!(joined(&["process 7", "process 7: process 8"]), None);
        assert_eq!(joined(&["process x7", "process x8"]), None);
    }
}
