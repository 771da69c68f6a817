//! The answers to one request at one node: equal ones are joined, those of which too many differ are added up, and values
//! for a picture are reduced to its cells.

use super::equal_bodies::Merger;
use super::sum::{Sum, is_sum};
use model::{Answer, Operation, ProcessSet, RankCells, RankPicture};

/// The way in which the answers of ranks are reduced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reduction {
    /// More different answers are added up.
    most: Option<u32>,
    /// They are reduced to a picture of these cells.
    picture: Option<RankCells>,
}

impl Reduction {
    /// The reduction that a request asks for.
    pub fn of(operation: &Operation) -> Self {
        Self { most: operation.most_different(), picture: operation.picture() }
    }
}

/// Answers of ranks, of which as many are held as the front end has asked for.
#[derive(Debug)]
pub(super) struct Gathered {
    answers: Merger<Answer>,
    /// The different ones among them that can be added up.
    different: u32,
    /// The most different ones that are not added up.
    most: u32,
    /// They once there are more, with their ranks.
    summed: Option<(ProcessSet, Sum)>,
    /// The cells of the picture, if one is asked for.
    cells: Option<RankCells>,
    /// The picture, with its ranks; `None` if no rank has a value yet.
    picture: Option<(ProcessSet, Box<RankPicture>)>,
}

impl Gathered {
    /// Gathers answers, and reduces them.
    pub(super) fn new(Reduction { most, picture: cells }: Reduction) -> Self {
        let most = most.unwrap_or(u32::MAX);
        Self { answers: Merger::default(), different: 0, most, summed: None, cells, picture: None }
    }

    pub(super) fn add(&mut self, ranks: &ProcessSet, answer: Answer) {
        if let Some(cells) = &self.cells {
            let (all, picture) = match &answer {
                Answer::Data(_) | Answer::Picture(_) => self.picture.get_or_insert_default(),
                _ => {
                    self.answers.add(ranks, answer);
                    return;
                }
            };
            all.extend_with(ranks);
            match &answer {
                Answer::Picture(part) => picture.join(part),
                Answer::Data(value) => picture.add(cells, ranks, value),
                _ => {}
            }
            return;
        }
        if let Some((all, sum)) = &mut self.summed
            && sum.add(ranks, &answer)
        {
            all.extend_with(ranks);
            return;
        }
        let Some(kind) = Sum::for_kind_of(&answer).filter(|_| self.summed.is_none()) else {
            self.answers.add(ranks, answer);
            return;
        };
        let came_as_sum = is_sum(&answer);
        if self.answers.add(ranks, answer) {
            self.different += 1;
            if came_as_sum || self.different > self.most {
                self.sum_up(kind);
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.answers.is_empty() && self.summed.is_none() && self.picture.is_none()
    }

    /// Returns the different answers, each with its ranks.
    pub(super) fn into_entries(self) -> Vec<(ProcessSet, Answer)> {
        let summed = self.summed.map(|(ranks, sum)| (ranks, sum.into_answer()));
        let picture = self.picture.map(|(ranks, picture)| (ranks, Answer::Picture(Box::new(picture.into_answer()))));
        self.answers.into_entries().into_iter().chain(summed).chain(picture).collect()
    }

    /// Moves the answers that are held into a sum.
    fn sum_up(&mut self, mut sum: Sum) {
        let mut all = ProcessSet::new();
        for (ranks, answer) in std::mem::take(&mut self.answers).into_entries() {
            if sum.add(&ranks, &answer) {
                all.extend_with(&ranks);
            } else {
                self.answers.add(&ranks, answer);
            }
        }
        self.different = 0;
        self.summed = Some((all, sum));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Datum, ErrorCode, Failure, Rank};
    use proptest::prelude::*;

    fn value(number: u8) -> Answer {
        Answer::Data(Datum { descriptor: "is1".into(), data: vec![number], type_name: "char".into() })
    }

    fn gather(said: &[(ProcessSet, Answer)], most: u32) -> Vec<(ProcessSet, Answer)> {
        reduce(said, Reduction { most: Some(most), picture: None })
    }

    fn reduce(said: &[(ProcessSet, Answer)], reduction: Reduction) -> Vec<(ProcessSet, Answer)> {
        let mut all = Gathered::new(reduction);
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

    proptest! {
        #[test]
        fn a_tree_gives_the_picture_that_one_node_would(
            said in proptest::collection::vec(0u8..12, 1..40),
            cuts in proptest::collection::vec(0usize..40, 0..5),
        ) {
            let answer = |number: u8| {
                let failed = || Answer::Failed(Failure::new(ErrorCode::RUNNING, "the rank is running"));
                if number == 11 { failed() } else { value(number) }
            };
            let said: Vec<_> = (0u32..).zip(said).map(|(rank, n)| (ProcessSet::one(Rank(rank)), answer(n))).collect();
            let reduction = Reduction { most: None, picture: Some(RankCells::new(0, (5, 8), (2, 3))) };
            let whole = reduce(&said, reduction);
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(said.len())).chain([0, said.len()]).collect();
            cuts.sort_unstable();
            // A chain of nodes: each passes on its own ranks and what the one below says.
            let chain = cuts.windows(2).fold(Vec::new(), |below, cut| {
                reduce(&[&below, &said[cut[0]..cut[1]]].concat(), reduction)
            });
            let parts: Vec<_> = cuts.windows(2).flat_map(|cut| reduce(&said[cut[0]..cut[1]], reduction)).collect();
            let flat = reduce(&parts, reduction);
            for joined in [chain, flat] {
                prop_assert_eq!(joined.len(), whole.len());
                for ((ranks, one), (others, two)) in joined.iter().zip(&whole) {
                    prop_assert_eq!(ranks, others);
                    match (one, two) {
                        // The mean may be rounded otherwise.
                        (Answer::Picture(one), Answer::Picture(two)) => {
                            prop_assert_eq!(&one.bytes, &two.bytes);
                            prop_assert_eq!((one.summary.count, &one.summary.first), (two.summary.count, &two.summary.first));
                        }
                        _ => prop_assert_eq!(one, two),
                    }
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
