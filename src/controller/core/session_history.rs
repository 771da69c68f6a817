//! The numbers of the value history are those of the session: `$3` is the value of the same command on all ranks. Each
//! rank counts its own values, so ranks whose histories are shorter reach the others' before a command uses them.

use crate::command::CommandId;
use model::{Answer, Event, Operation, ProcessSet, StepKind, StopReason};
use std::collections::BTreeMap;

/// A request of a command, by its index.
pub(in crate::core) type Slot = (CommandId, usize);

#[derive(Debug, Default)]
pub(in crate::core) struct SessionHistory {
    /// The number of values that commands have printed.
    count: u32,
    /// The number of values in the history of each rank, as far as is known.
    reached: Vec<u32>,
    /// The numbers of values that are not known yet.
    open: BTreeMap<Slot, Open>,
}

#[derive(Debug)]
struct Open {
    number: u32,
    /// The ranks whose functions have not returned; `None`: the value is that of an expression.
    finishing: Option<ProcessSet>,
}

impl SessionHistory {
    /// Creates a history with this number of values.
    pub(in crate::core) fn of(count: u32) -> Self {
        Self { count, ..Self::default() }
    }

    /// Returns the number of values that commands have printed.
    pub(in crate::core) fn count(&self) -> u32 {
        self.count
    }

    /// Prepares a request of a command. Returns the ranks whose histories must first reach a number of values.
    pub(in crate::core) fn begin(
        &mut self,
        slot: Slot,
        ranks: &ProcessSet,
        operation: &Operation,
    ) -> Option<(ProcessSet, u32)> {
        let needed = match operation {
            Operation::Print { unrecorded: false, .. } => self.open(slot, None) - 1,
            Operation::Step { kind: StepKind::Finish, .. } => self.open(slot, Some(ranks)) - 1,
            Operation::Print { expression, .. }
            | Operation::Evaluate { expression, .. }
            | Operation::TypeOf { expression, .. }
                if expression.contains('$') =>
            {
                self.count
            }
            _ => return None,
        };
        let behind: ProcessSet = ranks.iter().filter(|rank| self.of_rank(rank.index()) < needed).collect();
        self.reach(&behind, needed);
        (!behind.is_empty()).then_some((behind, needed))
    }

    fn open(&mut self, slot: Slot, finishing: Option<&ProcessSet>) -> u32 {
        let next = self.open.values().map(|open| open.number).fold(self.count, u32::max) + 1;
        let open = self.open.entry(slot).or_insert(Open { number: next, finishing: None });
        if let Some(ranks) = finishing {
            open.finishing.get_or_insert_default().extend_with(ranks);
        }
        open.number
    }

    fn of_rank(&self, rank: usize) -> u32 {
        self.reached.get(rank).copied().unwrap_or(0)
    }

    fn reach(&mut self, ranks: &ProcessSet, count: u32) {
        for rank in ranks.iter() {
            if self.reached.len() <= rank.index() {
                self.reached.resize(rank.index() + 1, 0);
            }
            if let Some(reached) = self.reached.get_mut(rank.index()) {
                *reached = count;
            }
        }
    }

    /// Records an answer of some ranks to a request of a command.
    pub(in crate::core) fn answered(&mut self, slot: Slot, ranks: &ProcessSet, answer: &Answer) {
        let Some(open) = self.open.get_mut(&slot) else { return };
        let number = open.number;
        match (answer, &mut open.finishing) {
            (Answer::Data(_), None) => {
                self.count = self.count.max(number);
                self.reach(ranks, number);
            }
            (Answer::Failed(_), Some(finishing)) => {
                finishing.remove_all(ranks);
                self.close_finished();
            }
            _ => {}
        }
    }

    /// Records the end of a command: numbers that no rank has used are free again.
    pub(in crate::core) fn is_over(&mut self, id: CommandId) {
        if !self.open.is_empty() {
            self.open.retain(|(of, _), open| *of != id || open.finishing.is_some());
        }
    }

    /// Records what has become of ranks: functions return values when `finish` ends.
    pub(in crate::core) fn saw(&mut self, ranks: &ProcessSet, event: &Event) {
        match event {
            Event::Stopped(stop) => {
                if let StopReason::Finished(Some(returned)) = &stop.reason
                    && let Some(number) = returned.number
                {
                    self.count = self.count.max(number);
                    self.reach(ranks, number);
                }
                self.no_longer_finish(ranks);
            }
            Event::Exited(_) | Event::Killed(_) | Event::Detached | Event::Failed(_) | Event::Lost(_) => {
                self.no_longer_finish(ranks);
            }
            // Another process, or another engine: its history may be empty.
            Event::Acquired { .. } | Event::UnderEngine(_) => self.reach(ranks, 0),
            _ => {}
        }
    }

    fn no_longer_finish(&mut self, ranks: &ProcessSet) {
        for open in self.open.values_mut() {
            if let Some(finishing) = &mut open.finishing {
                finishing.remove_all(ranks);
            }
        }
        self.close_finished();
    }

    fn close_finished(&mut self) {
        self.open.retain(|_, open| open.finishing.as_ref().is_none_or(|ranks| !ranks.is_empty()));
    }
}
