//! Reports stops, with the partial expressions that have changed.

use super::changes::Complete;
use super::{BaseSession, Outcome};
use crate::ptp::partial::evaluates_alike;
use crate::ptp::translate_answer::suspended;
use crate::ptp::translate_command::Expect;
use model::{Answer, Context, Datum, Operation, ProcessSet, Stop, TransactionId};

/// Expressions compared at a stop; the client refetches others by itself.
const MOST_COMPARED: usize = 64;

impl BaseSession {
    /// Reports a stop whose depth is known, once the partial expressions have been evaluated again.
    pub(super) fn suspend_with_changes(
        &mut self,
        client: TransactionId,
        ranks: ProcessSet,
        stop: Stop,
        depth: u32,
        outcome: &mut Outcome,
    ) {
        let compared: Vec<(String, String)> = self
            .partials
            .iter()
            .filter(|(_, expression)| evaluates_alike(expression))
            .take(MOST_COMPARED)
            .map(|(key, expression)| (key.clone(), expression.clone()))
            .collect();
        if compared.is_empty() {
            return self.say_suspended(Complete { client, ranks, stop, depth, keys: Vec::new() }, outcome);
        }
        let context = Context { thread: Some(stop.thread), frame: 0 };
        let number = self.changes.begin(client, &ranks, stop, depth, compared.len());
        for (key, expression) in compared {
            let expect = Expect::Compared { stop: number, key };
            self.ask(client, ranks.clone(), Operation::Evaluate { context, expression }, expect, outcome);
        }
    }

    /// Takes the answer about a partial expression at a stop. One that cannot be evaluated there has not changed: the
    /// client asks again when it needs the value.
    pub(super) fn compared(
        &mut self,
        stop: u32,
        key: &str,
        ranks: &ProcessSet,
        answer: &Answer,
        outcome: &mut Outcome,
    ) {
        let parts = match answer {
            Answer::Data(datum) if self.partials.contains_key(key) => self.changes.note(ranks, key, datum),
            _ => vec![(ranks.clone(), false)],
        };
        for (ranks, changed) in parts {
            for complete in self.changes.counted(stop, &ranks, Some(key).filter(|_| changed)) {
                self.say_suspended(complete, outcome);
            }
        }
    }

    /// Remembers the value that the client gets for a key.
    pub(super) fn fetched(&mut self, key: &str, ranks: &ProcessSet, datum: &Datum) {
        if self.partials.contains_key(key) {
            self.changes.note(ranks, key, datum);
        }
    }

    fn say_suspended(&self, complete: Complete, outcome: &mut Outcome) {
        let Complete { client, ranks, stop, depth, keys } = complete;
        let temporary = |id| self.breakpoints.get(&id).is_some_and(|(request, _)| request.temporary);
        let event = suspended(&stop, depth, keys, temporary, &self.signals);
        outcome.events.push((client, self.of_ranks(ranks, event)));
    }
}
