//! The answers to one request at one node: equal ones are joined, and values of which too many differ are summed up.

use super::equal_bodies::Merger;
use model::{Answer, Datum, ProcessSet, ValueSummary};

/// Answers of ranks, of which as many are held as the front end has asked for.
#[derive(Debug)]
pub(super) struct Gathered {
    answers: Merger<Answer>,
    /// The different values among them.
    values: u32,
    /// The most different values that are not summed up.
    most: u32,
    /// The values once there are more, with their ranks.
    summed: Option<(ProcessSet, Box<ValueSummary>)>,
}

impl Gathered {
    /// Gathers answers; more than `most` different values are summed up.
    pub(super) fn new(most: Option<u32>) -> Self {
        Self { answers: Merger::default(), values: 0, most: most.unwrap_or(u32::MAX), summed: None }
    }

    pub(super) fn add(&mut self, ranks: &ProcessSet, answer: Answer) {
        match (answer, &mut self.summed) {
            (Answer::Data(value), Some(summed)) => include(summed, ranks, &value),
            (Answer::Summary(summary), _) => {
                let (all, sum) = self.sum_up();
                all.extend_with(ranks);
                sum.join(&summary);
            }
            (answer, _) => {
                let is_value = matches!(answer, Answer::Data(_));
                if self.answers.add(ranks, answer) && is_value {
                    self.values += 1;
                    if self.values > self.most {
                        self.sum_up();
                    }
                }
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.answers.is_empty() && self.summed.is_none()
    }

    /// Returns the different answers, each with its ranks.
    pub(super) fn into_entries(self) -> Vec<(ProcessSet, Answer)> {
        let summed = self.summed.map(|(ranks, summary)| (ranks, Answer::Summary(summary)));
        self.answers.into_entries().into_iter().chain(summed).collect()
    }

    /// Moves the values that are held into the summary.
    fn sum_up(&mut self) -> &mut (ProcessSet, Box<ValueSummary>) {
        let summed = self.summed.get_or_insert_default();
        if self.values > 0 {
            self.values = 0;
            for (ranks, answer) in std::mem::take(&mut self.answers).into_entries() {
                match answer {
                    Answer::Data(value) => include(summed, &ranks, &value),
                    other => {
                        self.answers.add(&ranks, other);
                    }
                }
            }
        }
        summed
    }
}

fn include((all, summary): &mut (ProcessSet, Box<ValueSummary>), ranks: &ProcessSet, value: &Datum) {
    all.extend_with(ranks);
    summary.add(ranks, value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{ErrorCode, Failure, Rank};
    use proptest::prelude::*;

    fn value(number: u8) -> Answer {
        Answer::Data(Datum { descriptor: "is1".into(), data: vec![number], type_name: "char".into() })
    }

    fn gather(said: &[(ProcessSet, Answer)], most: u32) -> Vec<(ProcessSet, Answer)> {
        let mut all = Gathered::new(Some(most));
        said.iter().for_each(|(ranks, answer)| all.add(ranks, answer.clone()));
        all.into_entries()
    }

    proptest! {
        #[test]
        fn a_tree_sums_up_when_one_node_would(
            said in proptest::collection::vec(0u8..12, 1..40),
            cut in 0usize..40,
            most in 1u32..8,
        ) {
            let answer = |number: u8| {
                let failed = || Answer::Failed(Failure::new(ErrorCode::RUNNING, "the rank is running"));
                if number == 11 { failed() } else { value(number) }
            };
            let said: Vec<_> = (0u32..).zip(said).map(|(rank, n)| (ProcessSet::one(Rank(rank)), answer(n))).collect();
            let whole = gather(&said, most);
            let (low, high) = said.split_at(cut.min(said.len()));
            let parts: Vec<_> = gather(low, most).into_iter().chain(gather(high, most)).collect();
            let mut joined = gather(&parts, most);
            for entries in [&mut joined, &mut whole.clone()] {
                entries.sort_by_key(|(ranks, _)| ranks.first());
            }
            let mut whole = whole;
            whole.sort_by_key(|(ranks, _)| ranks.first());
            prop_assert_eq!(joined.len(), whole.len());
            for ((ranks, one), (others, two)) in joined.iter().zip(&whole) {
                prop_assert_eq!(ranks, others);
                match (one, two) {
                    (Answer::Summary(one), Answer::Summary(two)) => {
                        prop_assert_eq!((one.count, &one.first, &one.distinct), (two.count, &two.first, &two.distinct));
                    }
                    _ => prop_assert_eq!(one, two),
                }
            }
        }
    }

    #[test]
    fn as_many_values_as_asked_for_stay_apart() {
        let said: Vec<_> = (0u8..4).map(|n| (ProcessSet::one(Rank(n.into())), value(n / 2))).collect();
        assert_eq!(gather(&said, 2).len(), 2);
        let summed = gather(&said, 1);
        let [(ranks, Answer::Summary(summary))] = summed.as_slice() else { panic!("{summed:?}") };
        assert_eq!((ranks.clone(), summary.count), (ProcessSet::all(4), 4));
    }
}
