//! Ranks of a job that started again which have not said where breakpoints are now: the master asks them.

use model::{Breakpoint, BreakpointId, ProcessSet};
use std::collections::BTreeMap;

#[derive(Debug, Default)]
pub(in crate::core) struct Unplaced(BTreeMap<BreakpointId, ProcessSet>);

impl Unplaced {
    pub(in crate::core) fn begin(breakpoints: &BTreeMap<BreakpointId, Breakpoint>) -> Self {
        Self(breakpoints.iter().map(|(&id, breakpoint)| (id, breakpoint.ranks.clone())).collect())
    }

    /// Ranks have said where a breakpoint is now.
    pub(in crate::core) fn placed(&mut self, id: BreakpointId, ranks: &ProcessSet) {
        if let Some(left) = self.0.get_mut(&id) {
            left.remove_all(ranks);
            if left.is_empty() {
                self.0.remove(&id);
            }
        }
    }

    /// The ranks among these that have not said it of all breakpoints.
    pub(in crate::core) fn among(&self, ranks: &ProcessSet) -> ProcessSet {
        self.0.values().fold(ProcessSet::new(), |sum, unplaced| sum.union(&unplaced.intersection(ranks)))
    }
}
