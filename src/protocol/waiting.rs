//! The bookkeeping of one request at one node: who was asked, who has answered, when to stop waiting (wire, section 5).

use super::WaitPolicy;
use crate::model::ProcessSet;
use std::time::{Duration, Instant};

/// One request that waits for its answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    missing: ProcessSet,
    policy: WaitPolicy,
    deadline: Option<Instant>,
    given_up: bool,
}

/// What an answer means to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The ranks of it that had not answered yet: for them it is to be passed on. Others were never asked or have
    /// answered before.
    pub news: ProcessSet,
    /// The request had been given up on before: pass it on marked late.
    pub late: bool,
    /// This answer completes the request: what is collected is to be sent now, with what is still missing.
    pub completes: bool,
}

impl Waiting {
    /// A request to these ranks, made now. Nobody asked is complete from the start.
    pub fn new(ranks: ProcessSet, policy: WaitPolicy, now: Instant) -> Self {
        let deadline = match policy {
            WaitPolicy::All | WaitPolicy::First => None,
            WaitPolicy::Within(milliseconds) => now.checked_add(Duration::from_millis(milliseconds.into())),
        };
        let given_up = ranks.is_empty();
        Self { missing: ranks, policy, deadline, given_up }
    }

    /// Takes an answer of these ranks.
    pub fn answered(&mut self, ranks: &ProcessSet) -> Taken {
        let news = self.missing.intersection(ranks);
        let late = self.given_up;
        self.missing.remove_all(&news);
        let enough = self.missing.is_empty() || self.policy == WaitPolicy::First;
        let completes = !late && !news.is_empty() && enough;
        self.given_up |= completes;
        Taken { news, late, completes }
    }

    /// These ranks will never answer: their server is gone. `true` when nobody else is waited for now.
    pub fn lost(&mut self, ranks: &ProcessSet) -> bool {
        let met = self.missing.meets(ranks);
        self.missing.remove_all(ranks);
        let completes = met && !self.given_up && self.missing.is_empty();
        self.given_up |= completes;
        completes
    }

    /// When to ask [`Self::expired`]; `None`: never, or no longer.
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline.filter(|_| !self.given_up)
    }

    /// Whether the time has just run out: `true` once, then what is collected is to be sent with what is missing.
    pub fn expired(&mut self, now: Instant) -> bool {
        let expired = self.deadline().is_some_and(|deadline| deadline <= now);
        self.given_up |= expired;
        expired
    }

    /// Ranks asked that have not answered.
    pub fn missing(&self) -> &ProcessSet {
        &self.missing
    }

    /// Whether the answer has been given: complete, or time has run out. Later answers are late.
    pub fn is_complete(&self) -> bool {
        self.given_up
    }

    /// Whether nothing more can come: the request may be forgotten.
    pub fn is_over(&self) -> bool {
        self.missing.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Rank;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn set(text: &str) -> ProcessSet {
        ProcessSet::parse(text).unwrap()
    }

    fn taken(news: &str, late: bool, completes: bool) -> Taken {
        Taken { news: set(news), late, completes }
    }

    #[test]
    fn all_waits_for_the_last() {
        let mut waiting = Waiting::new(set("0-3"), WaitPolicy::All, Instant::now());
        assert_eq!(waiting.deadline(), None);
        assert_eq!(waiting.answered(&set("0-1")), taken("0-1", false, false));
        assert_eq!(waiting.answered(&set("1-2,9")), taken("2", false, false));
        assert_eq!(waiting.missing(), &set("3"));
        assert_eq!(waiting.answered(&set("3")), taken("3", false, true));
        assert_eq!(waiting.answered(&set("3")), taken("", true, false));
        assert!(waiting.is_over());
    }

    #[test]
    fn first_is_content_with_one_and_the_rest_is_late() {
        let mut waiting = Waiting::new(set("0-3"), WaitPolicy::First, Instant::now());
        assert_eq!(waiting.answered(&set("7")), taken("", false, false));
        assert_eq!(waiting.answered(&set("2")), taken("2", false, true));
        assert_eq!(waiting.answered(&set("0-2")), taken("0-1", true, false));
        assert!(waiting.is_complete() && !waiting.is_over());
    }

    #[test]
    fn time_runs_out_once() {
        let start = Instant::now();
        let mut waiting = Waiting::new(set("0-3"), WaitPolicy::Within(50), start);
        assert_eq!(waiting.deadline(), Some(start + Duration::from_millis(50)));
        assert!(!waiting.expired(start + Duration::from_millis(49)));
        assert_eq!(waiting.answered(&set("0-2")), taken("0-2", false, false));
        assert!(waiting.expired(start + Duration::from_millis(50)));
        assert!(!waiting.expired(start + Duration::from_millis(51)));
        assert_eq!(waiting.deadline(), None);
        assert_eq!(waiting.answered(&set("3")), taken("3", true, false));
        assert!(waiting.is_over());
    }

    #[test]
    fn a_lost_server_is_not_waited_for() {
        let mut waiting = Waiting::new(set("0-3"), WaitPolicy::All, Instant::now());
        assert!(!waiting.lost(&set("8-9")));
        assert!(!waiting.lost(&set("2-3,8")));
        assert_eq!(waiting.answered(&set("0-1")), taken("0-1", false, true));
        let mut waiting = Waiting::new(set("0-3"), WaitPolicy::All, Instant::now());
        waiting.answered(&set("0-1"));
        assert!(waiting.lost(&set("2-9")));
        assert!(!waiting.lost(&set("2-9")));
        assert!(Waiting::new(set(""), WaitPolicy::All, Instant::now()).is_complete());
    }

    proptest! {
        #[test]
        fn every_rank_is_passed_on_once_and_completion_comes_once(
            asked in proptest::collection::btree_set(0u32..40, 1..40),
            answers in proptest::collection::vec(proptest::collection::btree_set(0u32..50, 0..20), 0..12),
            time_out_before in 0usize..12,
            policy in prop_oneof![Just(WaitPolicy::All), Just(WaitPolicy::First), Just(WaitPolicy::Within(9))],
        ) {
            let of = |ranks: &BTreeSet<u32>| ranks.iter().map(|&r| Rank(r)).collect::<ProcessSet>();
            let start = Instant::now();
            let mut waiting = Waiting::new(of(&asked), policy, start);
            let (mut left, mut completions) = (asked.clone(), 0);
            for (i, answer) in answers.iter().enumerate() {
                if i == time_out_before {
                    completions += usize::from(waiting.expired(start + Duration::from_millis(9)));
                }
                let news: BTreeSet<u32> = left.intersection(answer).copied().collect();
                let taken = waiting.answered(&of(answer));
                prop_assert_eq!(&taken.news, &of(&news));
                prop_assert_eq!(taken.late, completions > 0);
                left = &left - &news;
                prop_assert_eq!(waiting.missing(), &of(&left));
                completions += usize::from(taken.completes);
                prop_assert_eq!(waiting.is_complete(), completions > 0);
                prop_assert!(completions <= 1);
                prop_assert!(!left.is_empty() || waiting.is_over());
            }
            let time_ran_out = policy == WaitPolicy::Within(9) && time_out_before < answers.len();
            let answered = left != asked;
            let expected = left.is_empty() || time_ran_out || (policy == WaitPolicy::First && answered);
            prop_assert_eq!(completions > 0, expected);
        }
    }
}
