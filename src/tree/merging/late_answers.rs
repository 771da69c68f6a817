//! Answers that come after their request was closed. The first goes up at once; those that follow are put together like
//! other answers, and go up ever less often: a million ranks that are only slow are a few messages, not a million.

use super::gathered::{Gathered, Reduction};
use model::{Answer, ProcessSet, TransactionId};
use protocol::Reply;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// Closed requests whose late answers are recognised; older ones are dropped, with any answers to them.
const MOST: usize = 4096;

/// Time between the first two messages of late answers to a request; it doubles with each.
const SHORTEST: Duration = Duration::from_millis(20);

/// Maximum time that a node holds late answers.
const LONGEST: Duration = Duration::from_secs(1);

/// Closed requests that some ranks have not answered.
#[derive(Debug, Default)]
pub(super) struct LateAnswers {
    requests: BTreeMap<TransactionId, Closed>,
    /// Those that hold answers, by the time until which they are held.
    held: BTreeSet<(Instant, TransactionId)>,
}

#[derive(Debug)]
struct Closed {
    awaited: ProcessSet,
    reduction: Reduction,
    answers: Gathered,
    /// Nothing goes up before; `None` as long as no rank has answered late.
    next: Option<Instant>,
    pause: Duration,
}

impl LateAnswers {
    /// Awaits the answers of these ranks to a request that is closed without them.
    pub(super) fn expect(&mut self, tid: TransactionId, awaited: ProcessSet, reduction: Reduction) {
        if self.requests.len() >= MOST
            && let Some((oldest, Closed { next: Some(next), .. })) = self.requests.pop_first()
        {
            self.held.remove(&(next, oldest));
        }
        let answers = Gathered::new(reduction);
        self.requests.insert(tid, Closed { awaited, reduction, answers, next: None, pause: SHORTEST });
    }

    /// Takes in an answer; returns what goes up now. Answers that are not awaited are dropped.
    pub(super) fn answer(
        &mut self,
        now: Instant,
        tid: TransactionId,
        ranks: &ProcessSet,
        answer: Answer,
    ) -> Vec<Reply> {
        let Some(closed) = self.requests.get_mut(&tid) else { return Vec::new() };
        let ranks = closed.awaited.intersection(ranks);
        if ranks.is_empty() {
            return Vec::new();
        }
        closed.awaited.remove_all(&ranks);
        closed.answers.add(&ranks, answer);
        match closed.next.filter(|next| now < *next && !closed.awaited.is_empty()) {
            Some(next) => {
                self.held.insert((next, tid));
                Vec::new()
            }
            None => self.tell(now, tid),
        }
    }

    /// Returns when [`Self::due`] will next have something.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.held.first().map(|(next, _)| *next)
    }

    /// Returns the answers that have been held long enough.
    pub(super) fn due(&mut self, now: Instant) -> Vec<Reply> {
        let over: Vec<TransactionId> =
            self.held.iter().take_while(|(next, _)| now >= *next).map(|(_, tid)| *tid).collect();
        over.into_iter().flat_map(|tid| self.tell(now, tid)).collect()
    }

    fn tell(&mut self, now: Instant, tid: TransactionId) -> Vec<Reply> {
        let Some(closed) = self.requests.get_mut(&tid) else { return Vec::new() };
        if let Some(next) = closed.next.replace(now + closed.pause) {
            self.held.remove(&(next, tid));
        }
        closed.pause = LONGEST.min(closed.pause * 2);
        let answers = std::mem::replace(&mut closed.answers, Gathered::new(closed.reduction));
        if closed.awaited.is_empty() {
            self.requests.remove(&tid);
        }
        let said = answers.into_entries().into_iter();
        said.map(|(ranks, answer)| Reply::Answer { tid, ranks, missing: ProcessSet::new(), late: true, answer })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{Datum, Rank};
    use proptest::prelude::*;

    const TID: TransactionId = TransactionId(5);

    fn value(number: u8) -> Answer {
        Answer::Data(Datum { descriptor: "is1".into(), data: vec![number], type_name: "char".into() })
    }

    fn awaited(ranks: u32) -> LateAnswers {
        let mut late = LateAnswers::default();
        late.expect(TID, ProcessSet::all(ranks), Reduction::default());
        late
    }

    #[test]
    fn many_slow_ranks_are_few_messages() {
        let (mut late, start) = (awaited(100_000), Instant::now());
        let mut messages = 0;
        for rank in 0..100_000 {
            let now = start + Duration::from_micros(100) * rank;
            messages += late.due(now).len();
            messages += late.answer(now, TID, &ProcessSet::one(Rank(rank)), Answer::Ok).len();
        }
        // 10 s: some doubling, then one a second.
        assert!((8..=20).contains(&messages), "{messages}");
        assert!(late.requests.is_empty() && late.deadline().is_none());
    }

    #[test]
    fn the_first_and_the_last_are_not_held() {
        let (mut late, now) = (awaited(3), Instant::now());
        let mut says = |rank: u32| late.answer(now, TID, &ProcessSet::one(Rank(rank)), Answer::Ok).len();
        assert_eq!([says(0), says(1), says(1), says(2), says(2)], [1, 0, 0, 1, 0]);
    }

    #[test]
    fn the_oldest_request_gives_way_with_the_answers_that_it_holds() {
        let (mut late, now) = (awaited(3), Instant::now());
        for rank in 0..2 {
            late.answer(now, TID, &ProcessSet::one(Rank(rank)), Answer::Ok);
        }
        assert!(late.deadline().is_some());
        for number in (100..).take(MOST) {
            late.expect(TransactionId(number), ProcessSet::all(1), Reduction::default());
        }
        assert!(late.deadline().is_none() && late.requests.len() == MOST);
        assert!(late.answer(now, TID, &ProcessSet::one(Rank(2)), Answer::Ok).is_empty());
    }

    proptest! {
        #[test]
        fn each_answer_goes_up_once_and_soon(said in proptest::collection::vec((0u32..12, 0u8..3, 0u64..400), 1..40)) {
            let (mut late, mut now) = (awaited(12), Instant::now());
            let mut first = BTreeMap::new();
            let mut heard = BTreeMap::new();
            let mut hear = |replies: Vec<Reply>| {
                for reply in replies {
                    let Reply::Answer { ranks, answer, late: true, .. } = reply else { panic!("{reply:?}") };
                    for rank in ranks.iter() {
                        assert_eq!(heard.insert(rank, answer.clone()), None);
                    }
                }
            };
            for (rank, number, pause) in said {
                now += Duration::from_millis(pause);
                hear(late.due(now));
                prop_assert!(late.deadline().is_none_or(|deadline| deadline > now && deadline <= now + LONGEST));
                first.entry(Rank(rank)).or_insert(value(number));
                hear(late.answer(now, TID, &ProcessSet::one(Rank(rank)), value(number)));
            }
            hear(late.due(now + LONGEST));
            prop_assert_eq!(heard, first);
        }
    }
}
