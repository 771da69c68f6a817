//! Whose turn it is: what a rank is asked waits for what it was asked before and is done beside the tracer thread.

use crate::engine::Query;
use crate::model::{Operation, ProcessSet, Rank};
use rustc_hash::FxHashMap;

/// What is done for a rank beside the tracer thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// A place is looked for. The rank may be looked into meanwhile.
    Search,
    /// The rank is looked into. It must stay as it is.
    Look,
}

#[derive(Clone, Copy, Debug, Default)]
struct Busy {
    searches: u32,
    looks: u32,
}

impl Busy {
    fn count(&mut self, task: Task) -> &mut u32 {
        match task {
            Task::Search => &mut self.searches,
            Task::Look => &mut self.looks,
        }
    }
}

/// Ranks that are busy, and what they were asked since that would overtake.
#[derive(Debug, Default)]
pub(super) struct Turns {
    busy: FxHashMap<Rank, Busy>,
    held: Vec<Query>,
}

impl Turns {
    /// What of a query may be carried out now; the rest waits. To be stopped waits only behind what else waits, and to
    /// be ended behind nothing.
    pub(super) fn admit(&mut self, query: Query) -> Option<Query> {
        if query.operation == Operation::Terminate || (self.busy.is_empty() && self.held.is_empty()) {
            return Some(query);
        }
        let mut behind = self.held.iter().fold(ProcessSet::default(), |ranks, held| ranks.union(&held.ranks));
        if query.operation != Operation::Interrupt {
            // Two breakpoints are placed in the order they were set in.
            let searches = query.operation.is_run_control()
                || matches!(query.operation, Operation::SetBreakpoint(_) | Operation::UseEngine(_));
            let blocks = |busy: &Busy| busy.looks > 0 || (searches && busy.searches > 0);
            behind.extend_with(&self.busy.iter().filter(|(_, busy)| blocks(busy)).map(|(rank, _)| *rank).collect());
        }
        let waiting = query.ranks.intersection(&behind);
        if waiting.is_empty() {
            return Some(query);
        }
        let ranks = query.ranks.difference(&waiting);
        self.held.push(Query { ranks: waiting, ..query.clone() });
        (!ranks.is_empty()).then_some(Query { ranks, ..query })
    }

    pub(super) fn begin(&mut self, task: Task, ranks: &ProcessSet) {
        for rank in ranks.iter() {
            *self.busy.entry(rank).or_default().count(task) += 1;
        }
    }

    /// A task is over; what waits is to be asked again, in its order.
    pub(super) fn end(&mut self, task: Task, ranks: &ProcessSet) -> Vec<Query> {
        for rank in ranks.iter() {
            let Some(busy) = self.busy.get_mut(&rank) else { continue };
            let count = busy.count(task);
            *count = count.saturating_sub(1);
            if busy.searches == 0 && busy.looks == 0 {
                self.busy.remove(&rank);
            }
        }
        std::mem::take(&mut self.held)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{BreakpointId, TransactionId};

    fn query(tid: u32, ranks: &[u32], operation: Operation) -> Query {
        Query { tid: TransactionId(tid), ranks: ranks.iter().map(|rank| Rank(*rank)).collect(), operation }
    }

    fn ranks(query: Option<Query>) -> String {
        query.map_or_else(String::new, |query| query.ranks.to_string())
    }

    #[test]
    fn what_is_asked_of_a_busy_rank_waits_and_keeps_its_order() {
        let one = ProcessSet::one(Rank(1));
        let mut turns = Turns::default();
        turns.begin(Task::Look, &one);
        assert_eq!(ranks(turns.admit(query(1, &[0, 1, 2], Operation::Go))), "0,2");
        assert_eq!(ranks(turns.admit(query(2, &[1], Operation::Threads))), "");
        assert_eq!(ranks(turns.admit(query(3, &[1], Operation::Interrupt))), "");
        assert_eq!(ranks(turns.admit(query(4, &[1], Operation::Terminate))), "1");
        let again: Vec<_> = turns.end(Task::Look, &one).into_iter().map(|query| query.tid.0).collect();
        assert_eq!(again, [1, 2, 3]);
        assert_eq!(ranks(turns.admit(query(5, &[1], Operation::Go))), "1");
    }

    #[test]
    fn a_search_keeps_only_what_would_overtake_it() {
        let one = ProcessSet::one(Rank(1));
        let mut turns = Turns::default();
        turns.begin(Task::Search, &one);
        assert_eq!(ranks(turns.admit(query(1, &[1], Operation::Threads))), "1");
        assert_eq!(ranks(turns.admit(query(2, &[1], Operation::DeleteBreakpoint(BreakpointId(1))))), "1");
        assert_eq!(ranks(turns.admit(query(3, &[1], Operation::Interrupt))), "1");
        assert_eq!(ranks(turns.admit(query(4, &[1], Operation::Go))), "");
        // Behind one that waits everything does.
        assert_eq!(ranks(turns.admit(query(5, &[1], Operation::Threads))), "");
        assert_eq!(turns.end(Task::Search, &one).len(), 2);
    }
}
