//! The order of queries: a query of a rank waits for earlier ones that run outside the tracer thread.

use crate::Query;
use expr::budget::Allowance;
use model::{Operation, ProcessSet, Rank};
use rustc_hash::FxHashMap;

/// The kind of work done for a rank outside the tracer thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::native) enum Task {
    /// A search for a location. The rank may be inspected meanwhile.
    Search,
    /// An inspection of the rank, which must stay as it is.
    Look,
    /// A long inspection: others may inspect meanwhile.
    Linger,
}

#[derive(Clone, Copy, Debug, Default)]
struct Busy {
    searches: u32,
    looks: u32,
    lingering: u32,
}

impl Busy {
    fn count(&mut self, task: Task) -> &mut u32 {
        match task {
            Task::Search => &mut self.searches,
            Task::Look => &mut self.looks,
            Task::Linger => &mut self.lingering,
        }
    }
}

/// Busy ranks, and the queries that wait because they would overtake earlier ones.
#[derive(Debug, Default)]
pub(in crate::native) struct QueryQueue {
    busy: FxHashMap<Rank, Busy>,
    held: Vec<Query>,
    /// The evaluation budgets of ranks that are being inspected, kept until they are renewed.
    allowances: FxHashMap<Rank, Allowance>,
}

impl QueryQueue {
    /// Returns the budget for an inspection of a rank.
    pub(in crate::native) fn allowance(&mut self, rank: Rank) -> Allowance {
        self.allowances.entry(rank).or_default().clone()
    }

    /// Ends the inspections of ranks, and those that wait for them, with partial results.
    pub(in crate::native) fn stop_looks(&self, ranks: &ProcessSet) {
        ranks.iter().filter_map(|rank| self.allowances.get(&rank)).for_each(Allowance::stop);
    }

    /// Ends the inspections of all ranks with partial results.
    pub(in crate::native) fn stop_all_looks(&self) {
        self.allowances.values().for_each(Allowance::stop);
    }

    /// Gives later inspections of ranks new budgets.
    pub(in crate::native) fn renew_allowances(&mut self, ranks: &ProcessSet) {
        ranks.iter().for_each(|rank| drop(self.allowances.remove(&rank)));
    }

    /// Returns the part of a query that may run now; the rest waits. An interrupt waits only behind other waiting
    /// queries, a termination behind nothing.
    pub(in crate::native) fn admit(&mut self, query: Query) -> Option<Query> {
        if query.operation == Operation::Terminate || (self.busy.is_empty() && self.held.is_empty()) {
            return Some(query);
        }
        let mut behind = self.held.iter().fold(ProcessSet::default(), |ranks, held| ranks.union(&held.ranks));
        if query.operation != Operation::Interrupt {
            // Breakpoints are placed in the order in which they were set.
            let searches = query.operation.is_run_control()
                || matches!(query.operation, Operation::SetBreakpoint(_) | Operation::UseEngine(_));
            let changes = !only_looks(&query.operation) || matches!(query.operation, Operation::WriteMemory { .. });
            let blocks =
                |busy: &Busy| busy.looks > 0 || (changes && busy.lingering > 0) || (searches && busy.searches > 0);
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

    /// Takes the waiting detaches out of the queue.
    pub(in crate::native) fn take_detaches(&mut self) -> Vec<Query> {
        self.held.extract_if(.., |held| held.operation == Operation::Detach).collect()
    }

    /// True if a rank is being inspected.
    pub(super) fn is_inspected(&self, rank: Rank) -> bool {
        self.busy.get(&rank).is_some_and(|busy| busy.looks + busy.lingering > 0)
    }

    pub(in crate::native) fn begin(&mut self, task: Task, ranks: &ProcessSet) {
        for rank in ranks.iter() {
            *self.busy.entry(rank).or_default().count(task) += 1;
        }
    }

    /// Ends a task. Returns the waiting queries, to be admitted again in their order.
    pub(in crate::native) fn end(&mut self, task: Task, ranks: &ProcessSet) -> Vec<Query> {
        for rank in ranks.iter() {
            let Some(busy) = self.busy.get_mut(&rank) else { continue };
            let count = busy.count(task);
            *count = count.saturating_sub(1);
            if busy.searches + busy.looks + busy.lingering == 0 {
                self.busy.remove(&rank);
            }
        }
        let held = std::mem::take(&mut self.held);
        for rank in ranks.iter() {
            if !self.busy.contains_key(&rank) && !held.iter().any(|held| held.ranks.contains(rank)) {
                self.allowances.remove(&rank);
            }
        }
        held
    }
}

/// True if an operation only inspects, unless one of its expressions changes something.
pub(crate) fn only_looks(operation: &Operation) -> bool {
    matches!(
        operation,
        Operation::Stack { .. }
            | Operation::FrameArguments { .. }
            | Operation::FrameAt(..)
            | Operation::StackDepth(_)
            | Operation::Evaluate { .. }
            | Operation::Print { .. }
            | Operation::Statistics { .. }
            | Operation::Scan { .. }
            | Operation::Array { .. }
            | Operation::ReadData { .. }
            | Operation::TypeOf { .. }
            | Operation::Locals(_)
            | Operation::Arguments(_)
            | Operation::Globals(_)
            | Operation::ThreadLocals(..)
            | Operation::Registers(..)
            | Operation::ReadMemory { .. }
            | Operation::MemoryPage { .. }
            | Operation::CodePage { .. }
            | Operation::WriteMemory { .. }
            | Operation::Disassemble { .. }
            | Operation::DisassembleRange { .. }
            | Operation::InstructionsBefore { .. }
            | Operation::Symbols(_)
            | Operation::ListSymbols(..)
            | Operation::FindBytes(..)
            | Operation::Tell(..)
            | Operation::Observe(_)
            | Operation::MessageQueues
            | Operation::Resolve(..)
            | Operation::Threads
            | Operation::ThreadStacks { .. }
            | Operation::Sample(_)
            | Operation::Libraries
            | Operation::Limits
            | Operation::ProcessFacts(_)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{BreakpointId, TransactionId};

    fn query(tid: u32, ranks: &[u32], operation: Operation) -> Query {
        Query { tid: TransactionId(tid), ranks: ranks.iter().map(|rank| Rank(*rank)).collect(), operation }
    }

    fn ranks(query: Option<Query>) -> String {
        query.map_or_else(String::new, |query| query.ranks.to_string())
    }

    #[test]
    fn what_is_asked_of_a_busy_rank_waits_and_keeps_its_order() {
        let one = ProcessSet::one(Rank(1));
        let mut queries = QueryQueue::default();
        queries.begin(Task::Look, &one);
        assert_eq!(ranks(queries.admit(query(1, &[0, 1, 2], Operation::Go))), "0,2");
        assert_eq!(ranks(queries.admit(query(2, &[1], Operation::Threads))), "");
        assert_eq!(ranks(queries.admit(query(3, &[1], Operation::Interrupt))), "");
        assert_eq!(ranks(queries.admit(query(4, &[1], Operation::Terminate))), "1");
        let again: Vec<_> = queries.end(Task::Look, &one).into_iter().map(|query| query.tid.0).collect();
        assert_eq!(again, [1, 2, 3]);
        assert_eq!(ranks(queries.admit(query(5, &[1], Operation::Go))), "1");
    }

    #[test]
    fn what_lingers_keeps_only_what_changes_something() {
        let one = ProcessSet::one(Rank(1));
        let mut queries = QueryQueue::default();
        queries.begin(Task::Look, &one);
        assert_eq!(ranks(queries.admit(query(1, &[1], Operation::Threads))), "");
        queries.begin(Task::Linger, &one);
        assert_eq!(queries.end(Task::Look, &one).len(), 1);
        assert_eq!(ranks(queries.admit(query(1, &[1], Operation::Threads))), "1");
        assert_eq!(ranks(queries.admit(query(2, &[1], Operation::Go))), "");
        assert_eq!(queries.end(Task::Linger, &one).len(), 1);
        assert_eq!(ranks(queries.admit(query(2, &[1], Operation::Go))), "1");
    }

    #[test]
    fn a_search_keeps_only_what_would_overtake_it() {
        let one = ProcessSet::one(Rank(1));
        let mut queries = QueryQueue::default();
        queries.begin(Task::Search, &one);
        assert_eq!(ranks(queries.admit(query(1, &[1], Operation::Threads))), "1");
        assert_eq!(ranks(queries.admit(query(2, &[1], Operation::DeleteBreakpoint(BreakpointId(1))))), "1");
        assert_eq!(ranks(queries.admit(query(3, &[1], Operation::Interrupt))), "1");
        assert_eq!(ranks(queries.admit(query(4, &[1], Operation::Go))), "");
        // Everything waits behind a waiting query.
        assert_eq!(ranks(queries.admit(query(5, &[1], Operation::Threads))), "");
        assert_eq!(queries.end(Task::Search, &one).len(), 2);
    }
}
