//! Sets of ranks, and whom each of several ranks waits for, in words.

use model::ProcessSet;
use std::collections::HashMap;

/// Longer sets are counted instead of listed.
const LONGEST_SET: usize = 24;

/// More pairs are not listed.
const MOST_PAIRS: usize = 3;

/// The ranks that wait in one place, and whom they wait for.
#[derive(Debug, Default)]
pub(super) struct Whom {
    pairs: Vec<(ProcessSet, ProcessSet)>,
    /// The pair of each set that is waited for.
    known: HashMap<ProcessSet, usize>,
}

impl Whom {
    pub(super) fn add(&mut self, from: &ProcessSet, to: &ProcessSet) {
        let index = *self.known.entry(to.clone()).or_insert(self.pairs.len());
        match self.pairs.get_mut(index) {
            Some((known, _)) => known.extend_with(from),
            None => self.pairs.push((from.clone(), to.clone())),
        }
    }

    /// ` for rank 10`, `, each for the rank before it (rank 0 for rank 7)`, or `: rank 2 for ranks 1,3, rank 3 for rank 2`
    pub(super) fn words(&self) -> String {
        let all = |sets: fn(&(ProcessSet, ProcessSet)) -> &ProcessSet| {
            self.pairs.iter().map(sets).fold(ProcessSet::new(), |sum, set| sum.union(set))
        };
        let (from, to) = (all(|pair| &pair.0), all(|pair| &pair.1));
        if self.pairs.len() < 2 {
            return format!(" for {}", ranks(&to));
        }
        if self.pairs.len() <= MOST_PAIRS {
            return format!(": {}", listed(self.pairs.iter()));
        }
        match self.shifted() {
            Some(words) => words,
            None if from == to => " for each other".to_owned(),
            None => format!(" for {}", ranks(&to)),
        }
    }

    /// ` for one or more of ranks 1-3,7`: the others may have done their part, and be elsewhere since.
    pub(super) fn words_of_some(&self) -> String {
        match self.pairs.as_slice() {
            [(_, to)] if to.len() > 1 => format!(" for one or more of {}", ranks(to)),
            _ => self.words(),
        }
    }

    /// `, each for the rank after it`, if that is so but for a few ranks, as at the ends of a ring.
    fn shifted(&self) -> Option<String> {
        let single = |set: &ProcessSet| set.first().filter(|_| set.len() == 1).map(|rank| i64::from(rank.0));
        let shift = |(from, to): &(ProcessSet, ProcessSet)| Some(single(to)? - single(from)?);
        let shifts: Vec<Option<i64>> = self.pairs.iter().map(shift).collect();
        // With few exceptions, one of the first pairs follows the rule.
        let is_rule = |by: &i64| shifts.iter().filter(|shift| **shift != Some(*by)).count() < MOST_PAIRS;
        let by = shifts.iter().take(MOST_PAIRS).flatten().copied().find(is_rule).filter(|by| *by != 0)?;
        let side = if by < 0 { "before" } else { "after" };
        let distance = if by.abs() == 1 { String::new() } else { format!("{} ", by.abs()) };
        let others: Vec<_> = self.pairs.iter().filter(|pair| shift(pair) != Some(by)).collect();
        let others = match others.as_slice() {
            [] => String::new(),
            others => format!(" ({})", listed(others.iter().copied()).trim_start_matches(", ")),
        };
        Some(format!(", each for the rank {distance}{side} it{others}"))
    }
}

/// `rank 2 for ranks 1,3, rank 3 for rank 2`
fn listed<'a>(pairs: impl Iterator<Item = &'a (ProcessSet, ProcessSet)>) -> String {
    let words: Vec<String> = pairs.map(|(from, to)| format!("{} for {}", ranks(from), ranks(to))).collect();
    words.join(", ")
}

pub(super) fn ranks(set: &ProcessSet) -> String {
    let text = set.to_string();
    match set.len() {
        1 => format!("rank {text}"),
        _ if text.len() <= LONGEST_SET => format!("ranks {text}"),
        count => format!("{count} ranks"),
    }
}

pub(super) fn verb<'a>(set: &ProcessSet, one: &'a str, several: &'a str) -> &'a str {
    if set.len() == 1 { one } else { several }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(pairs: &[(&str, &str)]) -> String {
        let set = |text: &str| ProcessSet::parse(text).unwrap();
        let mut whom = Whom::default();
        pairs.iter().for_each(|(from, to)| whom.add(&set(from), &set(to)));
        whom.words()
    }

    #[test]
    fn a_few_pairs_are_listed() {
        assert_eq!(words(&[("0", "10"), ("1-9", "10")]), " for rank 10");
        assert_eq!(words(&[("2", "1,3"), ("3", "2")]), ": rank 2 for ranks 1,3, rank 3 for rank 2");
    }

    #[test]
    fn a_ring_is_one_rule_with_its_ends() {
        let ring = [("0", "5"), ("1", "0"), ("2", "1"), ("3", "2"), ("4", "3"), ("5", "4")];
        assert_eq!(words(&ring), ", each for the rank before it (rank 0 for rank 5)");
        let rows = [("0", "4"), ("1", "5"), ("2", "6"), ("3", "7")];
        assert_eq!(words(&rows), ", each for the rank 4 after it");
    }

    #[test]
    fn without_a_rule_all_are_named() {
        let reduction = [("0", "1-3"), ("1", "0,2-3"), ("2", "0-1,3"), ("3", "0-2")];
        assert_eq!(words(&reduction), " for each other");
        assert_eq!(words(&[("0", "9"), ("1", "7"), ("2", "4"), ("3", "8")]), " for ranks 4,7-9");
    }
}
