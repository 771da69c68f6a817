//! Evaluates expressions in ranks, and holds queries of ranks that are calling functions.

use crate::Query;
use crate::native::tracer::outbox::Answers;
use crate::native::tracer::tracer_shared::Member;
use crate::native::tracer::tracer_shared::Tracer;
use model::{Answer, Operation, ProcessSet, TransactionId};
use std::time::Instant;

impl Tracer {
    /// Evaluates an expression in ranks; those that call functions answer later.
    pub(in crate::native) fn evaluate(&mut self, tid: TransactionId, ranks: &ProcessSet, operation: &Operation) {
        let mut answers = Answers::default();
        for rank in ranks.iter() {
            let answer = match self.ranks.get_mut(&rank) {
                Some(Member::Live(tracee)) => {
                    let answer = tracee.evaluate(&mut self.shared, tid, operation);
                    tracee.settle(&mut self.shared);
                    answer
                }
                _ => Some(self.ask(rank, operation, |tracee, shared| {
                    tracee.perform(shared, tid, operation).unwrap_or_else(Answer::Failed)
                })),
            };
            if let Some(answer) = answer {
                answers.add(rank, answer);
            }
        }
        self.shared.outbox.answers(tid, answers);
    }

    /// Returns the part of a query that may run now; the rest waits for the function calls of its ranks to end.
    pub(in crate::native) fn hold_for_calls(&mut self, query: Query) -> Option<Query> {
        let calls = &self.shared.calls;
        if calls.is_empty() || matches!(query.operation, Operation::Interrupt | Operation::Terminate) {
            return Some(query);
        }
        let calling: ProcessSet = calls.keys().copied().collect();
        let waiting = query.ranks.intersection(&calling);
        if waiting.is_empty() {
            return Some(query);
        }
        if query.operation == Operation::Detach {
            for rank in waiting.iter() {
                if let Some(tracee) = self.ranks.get_mut(&rank).and_then(Member::tracee) {
                    tracee.calls.give_up(&mut tracee.inferior.process, "was interrupted by a detach", false);
                }
            }
        }
        let ranks = query.ranks.difference(&waiting);
        self.shared.held.push(Query { ranks: waiting, ..query.clone() });
        (!ranks.is_empty()).then_some(Query { ranks, ..query })
    }

    /// Runs the queries that waited for calls, in their order.
    pub(in crate::native) fn ask_held(&mut self) {
        for query in std::mem::take(&mut self.shared.held) {
            self.query(query);
        }
    }

    /// Returns the milliseconds until the next call times out; `None` if no call has a timeout.
    pub(in crate::native) fn until_a_call_is_overdue(&self) -> Option<u16> {
        let first = self.shared.calls.values().flatten().min()?;
        let left = first.saturating_duration_since(Instant::now()).as_millis() + 1;
        Some(u16::try_from(left).unwrap_or(u16::MAX))
    }

    /// Cancels the calls that have timed out.
    pub(in crate::native) fn give_up_overdue_calls(&mut self) {
        if self.shared.calls.is_empty() {
            return;
        }
        let now = Instant::now();
        let overdue = self.shared.calls.iter_mut().filter(|(_, deadline)| deadline.is_some_and(|at| at <= now));
        let ranks: Vec<_> = overdue.map(|(rank, deadline)| (*rank, *deadline = None).0).collect();
        for rank in ranks {
            if let Some(tracee) = self.ranks.get_mut(&rank).and_then(Member::tracee) {
                tracee.calls.give_up_overdue(&mut tracee.inferior, now);
            }
        }
    }
}
