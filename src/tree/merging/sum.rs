//! Answers of one kind, added up to one: values, statistics of arrays, findings in arrays, stacks, observations.

use model::{Answer, FindingsSum, ObservationMerger, ProcessSet, StackMerger, StatisticsSum, ValueSummary};

/// Answers of one kind, added up.
#[derive(Debug)]
pub(super) enum Sum {
    /// The values of an expression.
    Values(Box<ValueSummary>),
    /// The statistics of arrays.
    Statistics(Box<StatisticsSum>),
    /// The findings of a search in arrays.
    Findings(Box<FindingsSum>),
    /// Stacks, as the tree of their calls.
    Stacks(StackMerger),
    /// Observations, with what each rank has of its own.
    Observations(ObservationMerger),
}

/// True if the answer is itself a sum, of a node below.
pub(super) fn is_sum(answer: &Answer) -> bool {
    matches!(
        answer,
        Answer::Summary(_)
            | Answer::StatisticsSum(_)
            | Answer::FindingsSum(_)
            | Answer::MergedStacks(_)
            | Answer::ObservedRanks(_)
    )
}

impl Sum {
    /// Begins the sum to which answers of this kind are added; `None` if such answers are not added up.
    pub(super) fn for_kind_of(answer: &Answer) -> Option<Self> {
        match answer {
            Answer::Data(_) | Answer::Summary(_) => Some(Self::Values(Box::default())),
            Answer::Statistics(_) | Answer::StatisticsSum(_) => Some(Self::Statistics(Box::default())),
            Answer::Found(_) | Answer::FindingsSum(_) => Some(Self::Findings(Box::default())),
            Answer::Stack(_) | Answer::ThreadStacks(_) | Answer::MergedStacks(_) => {
                Some(Self::Stacks(StackMerger::default()))
            }
            Answer::Observed(_) | Answer::ObservedRanks(_) => Some(Self::Observations(ObservationMerger::default())),
            _ => None,
        }
    }

    /// Adds the answer of some ranks; false if it is of another kind.
    pub(super) fn add(&mut self, ranks: &ProcessSet, answer: &Answer) -> bool {
        match (self, answer) {
            (Self::Values(sum), Answer::Data(value)) => sum.add(ranks, value),
            (Self::Values(sum), Answer::Summary(part)) => sum.join(part),
            (Self::Statistics(sum), Answer::Statistics(statistics)) => sum.add(ranks, statistics),
            (Self::Statistics(sum), Answer::StatisticsSum(part)) => sum.join(part),
            (Self::Findings(sum), Answer::Found(findings)) => sum.add(ranks, findings),
            (Self::Findings(sum), Answer::FindingsSum(part)) => sum.join(part),
            (Self::Stacks(merger), Answer::Stack(frames)) => merger.add(ranks, frames),
            (Self::Stacks(merger), Answer::ThreadStacks(threads)) => merger.add_threads(ranks, threads),
            (Self::Stacks(merger), Answer::MergedStacks(part)) => merger.join(part),
            (Self::Observations(merger), Answer::Observed(observation)) => merger.add(ranks, observation),
            (Self::Observations(merger), Answer::ObservedRanks(part)) => merger.join(part),
            _ => return false,
        }
        true
    }

    /// Returns the answer that stands for all.
    pub(super) fn into_answer(self) -> Answer {
        match self {
            Self::Values(sum) => Answer::Summary(sum),
            Self::Statistics(sum) => Answer::StatisticsSum(sum),
            Self::Findings(sum) => Answer::FindingsSum(sum),
            Self::Stacks(merger) => Answer::MergedStacks(Box::new(merger.finish())),
            Self::Observations(merger) => Answer::ObservedRanks(Box::new(merger.finish())),
        }
    }
}
