//! The work of every node on messages that pass through: requests are split among the ways down, answers and events are
//! joined on the way up. No clock, no socket: time comes in as a value, messages to send come out.

use super::gathered::Reduction;
use super::late_answers::LateAnswers;
use super::transaction::{Transaction, patience_below};
use super::window::{Spoken, Window};
use crate::routing::ways::Routing;
use model::{Answer, Event, Operation, ProcessSet, TransactionId};
use protocol::{Reply, Request, ServerIndex, WaitPolicy};
use std::collections::BTreeMap;
use std::time::Instant;

/// A request as split at one node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dispatch {
    /// The part of each child; to be sent before anything is done at this node.
    pub down: Vec<(ServerIndex, Request)>,
    /// This node's own ranks in it.
    pub own: ProcessSet,
    /// Ranks of detached servers; to be asked when these are back.
    pub away: ProcessSet,
    /// Replies that are known at once.
    pub up: Vec<Reply>,
}

/// Requests, answers and events that pass through a node.
#[derive(Debug, Default)]
pub struct Relay {
    /// The way to each rank.
    pub routing: Routing,
    own: ProcessSet,
    open: BTreeMap<TransactionId, Transaction>,
    late: LateAnswers,
    window: Window,
}

impl Relay {
    /// Returns the ranks of this node itself.
    pub fn own(&self) -> &ProcessSet {
        &self.own
    }

    /// Adds ranks of this node itself.
    pub fn add_own(&mut self, ranks: &ProcessSet) {
        self.own.extend_with(ranks);
    }

    /// Splits a request. Ranks to which no way leads, now or soon, are missing at once.
    pub fn request(
        &mut self,
        now: Instant,
        tid: TransactionId,
        ranks: &ProcessSet,
        wait: WaitPolicy,
        operation: &Operation,
        awaited: &ProcessSet,
    ) -> Dispatch {
        let (parts, rest) = self.routing.split(ranks);
        let own = rest.intersection(&self.own);
        let rest = rest.difference(&own);
        let away = rest.intersection(awaited);
        let unknown = rest.difference(&away);
        if operation.is_run_control() {
            self.window.expect(tid, &ranks.difference(&unknown));
        }
        // Ranks that were away are asked under the same number, perhaps before others have answered.
        let transaction = self
            .open
            .entry(tid)
            .or_insert_with(|| Transaction::new(now, ProcessSet::new(), wait, Reduction::of(operation)));
        transaction.ask_also(ranks);
        transaction.give_up(&unknown);
        let wait = patience_below(wait);
        let down = parts
            .into_iter()
            .map(|(child, ranks)| (child, Request::Ranks { tid, ranks, wait, operation: operation.clone() }));
        Dispatch { down: down.collect(), own, away, up: self.close_if_complete(tid) }
    }

    /// Takes in an answer of a child or of the ranks here.
    pub fn answer(
        &mut self,
        now: Instant,
        tid: TransactionId,
        ranks: &ProcessSet,
        missing: &ProcessSet,
        answer: Answer,
    ) -> Vec<Reply> {
        if matches!(answer, Answer::Failed(_)) {
            self.window.excuse(tid, ranks);
        }
        if let Some(open) = self.open.get_mut(&tid) {
            open.answer(ranks, answer);
            open.give_up(missing);
            return self.close_if_complete(tid);
        }
        self.late.answer(now, tid, ranks, answer)
    }

    /// Takes in ranks that a child has given up.
    pub fn missing(&mut self, tid: TransactionId, ranks: &ProcessSet) -> Vec<Reply> {
        if let Some(open) = self.open.get_mut(&tid) {
            open.give_up(ranks);
        }
        self.close_if_complete(tid)
    }

    /// Takes in an event of a child or of the ranks here.
    pub fn event(&mut self, now: Instant, tid: TransactionId, ranks: ProcessSet, event: Event) -> Vec<Reply> {
        self.window.push(now, Spoken { tid, ranks, event });
        told(self.window.take_due(now))
    }

    /// Ranks are unreachable: open requests are answered without them.
    pub fn lose(&mut self, ranks: &ProcessSet) -> Vec<Reply> {
        self.own.remove_all(ranks);
        self.window.forget(ranks);
        self.open.values_mut().for_each(|open| open.give_up(ranks));
        let complete: Vec<TransactionId> =
            self.open.iter().filter(|(_, open)| open.is_complete()).map(|(&tid, _)| tid).collect();
        complete.into_iter().flat_map(|tid| self.close_if_complete(tid)).collect()
    }

    /// Returns when [`Self::due`] will next have something.
    pub fn deadline(&self) -> Option<Instant> {
        let open = self.open.values().filter_map(Transaction::deadline);
        open.chain(self.window.deadline()).chain(self.late.deadline()).min()
    }

    /// Returns what has waited long enough.
    pub fn due(&mut self, now: Instant) -> Vec<Reply> {
        let mut replies = told(self.window.take_due(now));
        let over: Vec<TransactionId> = self
            .open
            .iter()
            .filter(|(_, open)| open.deadline().is_some_and(|deadline| now >= deadline))
            .map(|(&tid, _)| tid)
            .collect();
        for tid in over {
            replies.extend(self.close(tid));
        }
        replies.extend(self.late.due(now));
        replies
    }

    /// Returns all held events now: a report follows that must not overtake them.
    pub fn flush(&mut self) -> Vec<Reply> {
        told(self.window.take_all())
    }

    /// True if a request is still open.
    pub fn is_open(&self, tid: TransactionId) -> bool {
        self.open.contains_key(&tid)
    }

    fn close_if_complete(&mut self, tid: TransactionId) -> Vec<Reply> {
        if self.open.get(&tid).is_some_and(Transaction::is_complete) { self.close(tid) } else { Vec::new() }
    }

    fn close(&mut self, tid: TransactionId) -> Vec<Reply> {
        let Some(open) = self.open.remove(&tid) else { return Vec::new() };
        let reduction = open.reduction();
        let (replies, absent) = open.close(tid);
        if !absent.is_empty() {
            self.late.expect(tid, absent, reduction);
        }
        replies
    }
}

fn told(spoken: Vec<Spoken>) -> Vec<Reply> {
    spoken.into_iter().map(Spoken::into_reply).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    const TID: TransactionId = TransactionId(1);

    fn set(text: &str) -> ProcessSet {
        ProcessSet::parse(text).unwrap()
    }

    /// Own ranks 0-1; child 1 has 2-3, and child 2 has 4-5.
    fn relay() -> Relay {
        let mut relay = Relay::default();
        relay.add_own(&set("0-1"));
        for (child, ranks) in [(1, "2-3"), (2, "4-5")] {
            relay.routing.announce(ServerIndex(child), ServerIndex(child), "n", "n:1", &set(ranks));
        }
        relay
    }

    fn answer(ranks: &str, missing: &str, late: bool) -> Reply {
        Reply::Answer { tid: TID, ranks: set(ranks), missing: set(missing), late, answer: Answer::Ok }
    }

    #[test]
    fn a_request_goes_where_its_ranks_are() {
        let dispatch =
            relay().request(Instant::now(), TID, &set("1-2"), WaitPolicy::All, &Operation::Threads, &set(""));
        assert_eq!(dispatch.own, set("1"));
        assert_eq!(dispatch.down.len(), 1);
        let (child, Request::Ranks { ranks, .. }) = &dispatch.down[0] else { panic!("{dispatch:?}") };
        assert_eq!((*child, ranks), (ServerIndex(1), &set("2")));
        assert!(dispatch.up.is_empty());
    }

    #[test]
    fn answers_of_children_and_own_ranks_become_one() {
        let mut relay = relay();
        relay.request(Instant::now(), TID, &set("0-5"), WaitPolicy::All, &Operation::Threads, &set(""));
        assert!(relay.answer(Instant::now(), TID, &set("2-3"), &set(""), Answer::Ok).is_empty());
        assert!(relay.answer(Instant::now(), TID, &set("0-1"), &set(""), Answer::Ok).is_empty());
        assert_eq!(relay.answer(Instant::now(), TID, &set("4-5"), &set(""), Answer::Ok), [answer("0-5", "", false)]);
    }

    #[test]
    fn the_slow_are_missing_and_then_late() {
        let (mut relay, now) = (relay(), Instant::now());
        relay.request(now, TID, &set("0-5"), WaitPolicy::Within(100), &Operation::Threads, &set(""));
        relay.answer(Instant::now(), TID, &set("0-1,4-5"), &set(""), Answer::Ok);
        assert_eq!(relay.deadline(), Some(now + Duration::from_millis(100)));
        assert!(relay.due(now + Duration::from_millis(99)).is_empty());
        assert_eq!(relay.due(now + Duration::from_millis(100)), [answer("0-1,4-5", "2-3", false)]);
        assert_eq!(relay.answer(Instant::now(), TID, &set("2"), &set("3"), Answer::Ok), [answer("2", "", true)]);
        assert_eq!(relay.answer(Instant::now(), TID, &set("3"), &set(""), Answer::Ok), [answer("3", "", true)]);
        assert!(relay.answer(Instant::now(), TID, &set("3"), &set(""), Answer::Ok).is_empty());
    }

    #[test]
    fn the_awaited_are_not_given_up_before_they_are_lost() {
        let (mut relay, now) = (relay(), Instant::now());
        relay.routing.cut(ServerIndex(1));
        let dispatch = relay.request(now, TID, &set("0,2-3"), WaitPolicy::All, &Operation::Threads, &set("3"));
        assert_eq!((dispatch.own, dispatch.away, dispatch.up), (set("0"), set("3"), Vec::new()));
        assert!(relay.answer(Instant::now(), TID, &set("0"), &set(""), Answer::Ok).is_empty());
        assert_eq!(relay.lose(&set("3")), [answer("0", "2-3", false)]);
    }

    #[test]
    fn a_request_that_comes_in_parts_is_answered_in_whole() {
        let (mut relay, now) = (relay(), Instant::now());
        for part in ["0", "2-3"] {
            relay.request(now, TID, &set(part), WaitPolicy::All, &Operation::Threads, &set(""));
        }
        assert!(relay.answer(Instant::now(), TID, &set("2-3"), &set(""), Answer::Ok).is_empty());
        assert_eq!(relay.answer(Instant::now(), TID, &set("0"), &set(""), Answer::Ok), [answer("0,2-3", "", false)]);
    }

    #[test]
    fn a_lost_child_holds_nothing_up() {
        let mut relay = relay();
        relay.request(Instant::now(), TID, &set("0-3"), WaitPolicy::All, &Operation::Threads, &set(""));
        relay.answer(Instant::now(), TID, &set("0-1"), &set(""), Answer::Ok);
        let gone = relay.routing.cut(ServerIndex(1));
        assert_eq!(relay.lose(&gone[0].1.ranks), [answer("0-1", "2-3", false)]);
        let dispatch =
            relay.request(Instant::now(), TransactionId(2), &set("2"), WaitPolicy::All, &Operation::Go, &set(""));
        assert_eq!(dispatch.up, [Reply::Missing { tid: TransactionId(2), ranks: set("2") }]);
    }
}
