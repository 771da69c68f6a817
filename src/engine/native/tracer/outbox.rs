//! Outgoing reports: equal ones of several ranks are merged.

use crate::{Report, ReportSink};
use model::{Answer, Event, ProcessSet, Rank, TransactionId};

/// Outgoing reports that have not been sent yet.
#[derive(Debug)]
pub struct Outbox {
    sink: ReportSink,
    waiting: Vec<Report>,
}

/// The number of reports searched for an equal one: ranks that agree mostly report one after the other.
const LOOK_BACK: usize = 24;

impl Outbox {
    pub fn new(sink: ReportSink) -> Self {
        Self { sink, waiting: Vec::new() }
    }

    /// Adds an event of one rank, merging it with an equal one unless another report of the rank follows that one.
    pub fn event(&mut self, tid: TransactionId, rank: Rank, event: Event) {
        for report in self.waiting.iter_mut().rev().take(LOOK_BACK) {
            match report {
                Report::Event { tid: other, ranks, event: same } => {
                    if *other == tid && *same == event && !ranks.contains(rank) {
                        ranks.insert(rank);
                        return;
                    }
                    if ranks.contains(rank) {
                        break;
                    }
                }
                Report::Answer { ranks, .. } => {
                    if ranks.contains(rank) {
                        break;
                    }
                }
            }
        }
        self.waiting.push(Report::Event { tid, ranks: ProcessSet::one(rank), event });
    }

    /// The reports of one rank under one query.
    pub fn of(&mut self, tid: TransactionId, rank: Rank) -> RankReports<'_> {
        RankReports { outbox: self, tid, rank }
    }

    pub fn answer(&mut self, tid: TransactionId, ranks: ProcessSet, answer: Answer) {
        if !ranks.is_empty() {
            self.waiting.push(Report::Answer { tid, ranks, answer });
        }
    }

    pub fn answers(&mut self, tid: TransactionId, answers: Answers) {
        for (answer, ranks) in answers.groups {
            self.answer(tid, ranks, answer);
        }
    }

    /// Adds a report of its own.
    pub fn report(&mut self, report: Report) {
        self.waiting.push(report);
    }

    pub fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Sends all reports. A closed sink is no error: the engine is being shut down then.
    pub fn flush(&mut self) {
        for report in self.waiting.drain(..) {
            let _ = self.sink.send(report);
        }
    }
}

/// The reports of one rank under one query.
#[derive(Debug)]
pub struct RankReports<'a> {
    outbox: &'a mut Outbox,
    tid: TransactionId,
    rank: Rank,
}

impl RankReports<'_> {
    pub fn event(&mut self, event: Event) {
        self.outbox.event(self.tid, self.rank, event);
    }
}

/// Answers to one query, grouped by equal answers.
#[derive(Debug, Default)]
pub struct Answers {
    groups: Vec<(Answer, ProcessSet)>,
}

impl Answers {
    /// Adds the answer of one rank to its group.
    pub fn add(&mut self, rank: Rank, answer: Answer) {
        let equal = self.groups.iter_mut().rev().take(LOOK_BACK).find(|(other, _)| *other == answer);
        match equal {
            Some((_, ranks)) => drop(ranks.insert(rank)),
            None => self.groups.push((answer, ProcessSet::one(rank))),
        }
    }

    /// Returns the answers, each with its ranks.
    pub fn into_groups(self) -> Vec<(Answer, ProcessSet)> {
        self.groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::sync::mpsc::unbounded_channel;

    #[test]
    fn equal_events_leave_together_and_those_of_a_rank_in_order() {
        let (sink, mut reports) = unbounded_channel();
        let mut outbox = Outbox::new(sink);
        let tid = TransactionId(1);
        for rank in [0, 1, 2] {
            outbox.event(tid, Rank(rank), Event::Running);
        }
        outbox.event(tid, Rank(0), Event::Exited(0));
        outbox.event(tid, Rank(1), Event::Exited(0));
        outbox.event(tid, Rank(1), Event::Running);
        outbox.event(tid, Rank(0), Event::Running);
        outbox.flush();
        let mut seen = Vec::new();
        while let Ok(Report::Event { ranks, event, .. }) = reports.try_recv() {
            seen.push((ranks.to_string(), event));
        }
        let expected = [("0-2", Event::Running), ("0-1", Event::Exited(0)), ("0-1", Event::Running)];
        assert_eq!(seen, expected.map(|(ranks, event)| (ranks.to_owned(), event)));
    }

    #[test]
    fn equal_answers_are_one() {
        let mut answers = Answers::default();
        answers.add(Rank(0), Answer::Depth(2));
        answers.add(Rank(1), Answer::Depth(3));
        answers.add(Rank(2), Answer::Depth(2));
        assert_eq!(answers.groups.len(), 2);
        assert_eq!(answers.groups[0].1.to_string(), "0,2");
    }
}
