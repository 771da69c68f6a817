//! One request at one node: the ranks asked, their answers, and the ranks given up.

use super::gathered::{Gathered, Reduction};
use model::{Answer, ProcessSet, TransactionId};
use protocol::{Reply, WaitPolicy};
use std::time::{Duration, Instant};

/// A request that is open at a node.
#[derive(Debug)]
pub struct Transaction {
    asked: ProcessSet,
    wait: WaitPolicy,
    deadline: Option<Instant>,
    reduction: Reduction,
    answers: Gathered,
    answered: ProcessSet,
    missing: ProcessSet,
}

impl Transaction {
    /// Opens a request to some ranks, whose values are reduced.
    pub fn new(now: Instant, asked: ProcessSet, wait: WaitPolicy, reduction: Reduction) -> Self {
        let deadline = match wait {
            WaitPolicy::Within(ms) => Some(now + Duration::from_millis(u64::from(ms))),
            WaitPolicy::All | WaitPolicy::First => None,
        };
        let (answered, missing) = (ProcessSet::new(), ProcessSet::new());
        Self { asked, wait, deadline, reduction, answers: Gathered::new(reduction), answered, missing }
    }

    /// Adds ranks that are asked the same.
    pub fn ask_also(&mut self, ranks: &ProcessSet) {
        self.asked.extend_with(ranks);
    }

    /// Takes in an answer. Answers of ranks that were not asked or have answered before are dropped.
    pub fn answer(&mut self, ranks: &ProcessSet, answer: Answer) {
        let fresh = ranks.intersection(&self.asked).difference(&self.answered);
        if !fresh.is_empty() {
            self.answered.extend_with(&fresh);
            self.missing.remove_all(&fresh);
            self.answers.add(&fresh, answer);
        }
    }

    /// Gives up ranks that will not answer in time, or at all.
    pub fn give_up(&mut self, ranks: &ProcessSet) {
        self.missing.extend_with(&ranks.intersection(&self.asked).difference(&self.answered));
    }

    /// True if the wait policy is satisfied.
    pub fn is_complete(&self) -> bool {
        (self.wait == WaitPolicy::First && !self.answers.is_empty())
            || self.asked.len() == self.answered.len() + self.missing.len()
    }

    /// Returns when the request is answered with the answers at hand; `None` if it has no time limit.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Returns the way its values are reduced, which late answers share.
    pub(super) fn reduction(&self) -> Reduction {
        self.reduction
    }

    /// Returns the replies, and the ranks that may still answer late. All replies together cover all ranks asked.
    pub fn close(self, tid: TransactionId) -> (Vec<Reply>, ProcessSet) {
        let missing = self.asked.difference(&self.answered);
        if self.answers.is_empty() {
            return (vec![Reply::Missing { tid, ranks: missing.clone() }], missing);
        }
        let said = self.answers.into_entries().into_iter();
        let replies =
            said.map(|(ranks, answer)| Reply::Answer { tid, ranks, missing: missing.clone(), late: false, answer });
        (replies.collect(), missing)
    }
}

/// Returns the wait policy for the node below, so that its partial answer is here before our own timeout ends.
pub fn patience_below(wait: WaitPolicy) -> WaitPolicy {
    match wait {
        WaitPolicy::Within(ms) => WaitPolicy::Within(ms - (ms / 16).clamp(2, 50).min(ms / 2)),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TID: TransactionId = TransactionId(3);

    fn set(text: &str) -> ProcessSet {
        ProcessSet::parse(text).unwrap()
    }

    #[test]
    fn all_waits_for_all() {
        let mut open = Transaction::new(Instant::now(), set("0-3"), WaitPolicy::All, Reduction::default());
        open.answer(&set("0,2,9"), Answer::Ok);
        open.answer(&set("1"), Answer::Depth(4));
        assert!(!open.is_complete());
        open.give_up(&set("0,3"));
        assert!(open.is_complete());
        let (replies, late) = open.close(TID);
        let said = |ranks, answer| Reply::Answer { tid: TID, ranks, missing: set("3"), late: false, answer };
        assert_eq!(replies, [said(set("0,2"), Answer::Ok), said(set("1"), Answer::Depth(4))]);
        assert_eq!(late, set("3"));
    }

    #[test]
    fn first_is_content_with_one_and_names_the_others() {
        let mut open = Transaction::new(Instant::now(), set("0-3"), WaitPolicy::First, Reduction::default());
        open.give_up(&set("0"));
        assert!(!open.is_complete());
        open.answer(&set("1"), Answer::Ok);
        assert!(open.is_complete());
        assert_eq!(open.close(TID).1, set("0,2-3"));
    }

    #[test]
    fn nobody_is_said_in_one_word() {
        let mut open = Transaction::new(Instant::now(), set("0-3"), WaitPolicy::Within(10), Reduction::default());
        open.give_up(&set("0-3"));
        assert!(open.is_complete());
        assert_eq!(open.close(TID), (vec![Reply::Missing { tid: TID, ranks: set("0-3") }], set("0-3")));
    }

    proptest! {
        #[test]
        fn replies_cover_the_asked_exactly(
            answers in proptest::collection::vec((0u32..8, 0u32..3), 0..12),
            gone in proptest::collection::vec(0u32..8, 0..4),
        ) {
            let mut open = Transaction::new(Instant::now(), ProcessSet::all(6), WaitPolicy::All, Reduction::default());
            for &(rank, depth) in &answers {
                open.answer(&ProcessSet::range(rank, rank + 1), Answer::Depth(depth));
            }
            open.give_up(&gone.iter().map(|&rank| model::Rank(rank)).collect());
            let mut covered = 0;
            let mut absent = ProcessSet::new();
            for reply in open.close(TID).0 {
                match reply {
                    Reply::Answer { ranks, missing, .. } => {
                        covered += ranks.len();
                        absent = missing;
                    }
                    Reply::Missing { ranks, .. } => absent = ranks,
                    other => prop_assert!(false, "{:?}", other),
                }
            }
            prop_assert_eq!(covered + absent.len(), 6);
        }

        #[test]
        fn those_below_give_up_before_those_above(ms in 0u32..100_000) {
            let WaitPolicy::Within(below) = patience_below(WaitPolicy::Within(ms)) else { unreachable!() };
            prop_assert!(below < ms || ms < 2);
        }
    }
}
