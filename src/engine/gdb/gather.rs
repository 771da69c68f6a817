//! Merges answers of ranks into answers to queries: equal ones become one, and a slow rank delays others only briefly.

use crate::Report;
use model::{Answer, Event, Operation, ProcessSet, Rank, TransactionId};
use std::time::{Duration, Instant};

/// Time that the first answer to a query waits for the others. Ranks that agree answer within milliseconds; a later one
/// is answered separately, and not waited for again before it has answered all its queries.
const WINDOW: Duration = Duration::from_secs(1);

#[derive(Debug)]
struct Open {
    tid: TransactionId,
    operation: Operation,
    missing: ProcessSet,
    waiting: Vec<(Answer, ProcessSet)>,
    first: Option<Instant>,
}

/// Queries that some ranks have not answered, and events that must not overtake answers.
#[derive(Debug, Default)]
pub(super) struct Gather {
    open: Vec<Open>,
    held: Vec<(TransactionId, Rank, Event)>,
    /// Ranks that exceeded [`WINDOW`] and still owe an answer.
    slow: ProcessSet,
}

impl Gather {
    pub(super) fn open(&mut self, tid: TransactionId, operation: Operation, ranks: ProcessSet) {
        if !ranks.is_empty() {
            self.open.push(Open { tid, operation, missing: ranks, waiting: Vec::new(), first: None });
        }
    }

    /// Adds a rank's answer; returns the reports that are now due.
    pub(super) fn answer(&mut self, now: Instant, tid: TransactionId, rank: Rank, answer: Answer) -> Vec<Report> {
        let Some(open) = self.open.iter_mut().find(|open| open.tid == tid && open.missing.contains(rank)) else {
            return Vec::new();
        };
        open.missing.remove(rank);
        open.first.get_or_insert(now);
        match open.waiting.iter_mut().find(|(same, _)| *same == answer) {
            Some((_, ranks)) => drop(ranks.insert(rank)),
            None => open.waiting.push((answer, ProcessSet::one(rank))),
        }
        if !self.open.iter().any(|open| open.missing.contains(rank)) {
            self.slow.remove(rank);
        }
        self.due(now)
    }

    /// Adds a rank's event; returns the reports that are now due.
    pub(super) fn event(&mut self, tid: TransactionId, rank: Rank, event: Event) -> Vec<Report> {
        self.held.push((tid, rank, event));
        self.released()
    }

    /// Returns the queries that a rank which is gone has not answered, with what they ask.
    pub(super) fn owed_by(&self, rank: Rank) -> Vec<(TransactionId, Operation)> {
        let owed = self.open.iter().filter(|open| open.missing.contains(rank));
        owed.map(|open| (open.tid, open.operation.clone())).collect()
    }

    /// Takes the reports that have waited long enough, or for which no rank is missing.
    pub(super) fn due(&mut self, now: Instant) -> Vec<Report> {
        let mut reports = Vec::new();
        for open in &mut self.open {
            let late = open.first.is_some_and(|first| now >= first + WINDOW);
            if late {
                self.slow.extend_with(&open.missing);
            }
            if late || open.missing.is_subset(&self.slow) {
                let tid = open.tid;
                reports.extend(open.waiting.drain(..).map(|(answer, ranks)| Report::Answer { tid, ranks, answer }));
                open.first = None;
            }
        }
        self.open.retain(|open| !open.missing.is_empty());
        reports.extend(self.released());
        reports
    }

    /// Returns the time at which [`Self::due`] will have reports.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.open.iter().filter_map(|open| open.first).min().map(|first| first + WINDOW)
    }

    /// Takes the events that wait for no answer, and merges equal neighbours.
    fn released(&mut self) -> Vec<Report> {
        let mut blocked = ProcessSet::new();
        for (_, ranks) in self.open.iter().flat_map(|open| &open.waiting) {
            blocked.extend_with(ranks);
        }
        let mut reports: Vec<Report> = Vec::new();
        let mut kept = Vec::new();
        for (tid, rank, event) in self.held.drain(..) {
            if blocked.contains(rank) {
                kept.push((tid, rank, event));
                continue;
            }
            match reports.last_mut() {
                Some(Report::Event { tid: same, ranks, event: equal })
                    if *same == tid && *equal == event && !ranks.contains(rank) =>
                {
                    ranks.insert(rank);
                }
                _ => reports.push(Report::Event { tid, ranks: ProcessSet::one(rank), event }),
            }
        }
        self.held = kept;
        reports
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TID: TransactionId = TransactionId(5);

    #[test]
    fn equal_answers_are_one_and_events_stay_behind_them() {
        let (mut gather, now) = (Gather::default(), Instant::now());
        gather.open(TID, Operation::StackDepth(None), ProcessSet::all(2));
        assert!(gather.answer(now, TID, Rank(0), Answer::Ok).is_empty());
        assert!(gather.event(TID, Rank(0), Event::Running).is_empty());
        let reports = gather.answer(now, TID, Rank(1), Answer::Ok);
        let answer = Report::Answer { tid: TID, ranks: ProcessSet::all(2), answer: Answer::Ok };
        let event = |rank| Report::Event { tid: TID, ranks: ProcessSet::one(Rank(rank)), event: Event::Running };
        assert_eq!(reports, [answer, event(0)]);
        assert_eq!(gather.event(TID, Rank(1), Event::Running), [event(1)]);
        assert_eq!(gather.deadline(), None);
    }

    #[test]
    fn who_is_late_once_is_not_waited_for_again() {
        let (mut gather, now) = (Gather::default(), Instant::now());
        let next = TransactionId(6);
        gather.open(TID, Operation::StackDepth(None), ProcessSet::all(2));
        gather.answer(now, TID, Rank(1), Answer::Ok);
        let end = gather.deadline().unwrap();
        gather.due(end);
        gather.open(next, Operation::StackDepth(None), ProcessSet::all(2));
        let answer =
            |ranks: &str| Report::Answer { tid: next, ranks: ProcessSet::parse(ranks).unwrap(), answer: Answer::Ok };
        assert_eq!(gather.answer(end, next, Rank(1), Answer::Ok), [answer("1")]);
        assert_eq!(gather.deadline(), None);
        // Once it has answered everything, it is no longer slow.
        gather.answer(end, TID, Rank(0), Answer::Ok);
        assert_eq!(gather.answer(end, next, Rank(0), Answer::Ok), [answer("0")]);
        gather.open(next, Operation::StackDepth(None), ProcessSet::all(2));
        assert!(gather.answer(end, next, Rank(1), Answer::Ok).is_empty());
        assert_eq!(gather.answer(end, next, Rank(0), Answer::Ok), [answer("0-1")]);
    }

    #[test]
    fn who_does_not_answer_holds_nobody_up_for_long() {
        let (mut gather, now) = (Gather::default(), Instant::now());
        gather.open(TID, Operation::StackDepth(None), ProcessSet::all(2));
        gather.answer(now, TID, Rank(1), Answer::Depth(3));
        gather.event(TID, Rank(1), Event::Running);
        let end = gather.deadline().unwrap();
        assert!(gather.due(now).is_empty());
        assert_eq!(gather.due(end).len(), 2);
        assert_eq!((gather.deadline(), gather.owed_by(Rank(0))), (None, vec![(TID, Operation::StackDepth(None))]));
        assert_eq!(gather.answer(end, TID, Rank(0), Answer::Depth(3)).len(), 1);
        assert!(gather.owed_by(Rank(0)).is_empty());
        // A repeated or unexpected answer is dropped.
        assert!(gather.answer(end, TID, Rank(0), Answer::Depth(3)).is_empty());
    }
}
