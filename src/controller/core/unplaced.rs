//! Ranks of a restarted job that have not reported the places of breakpoints yet: the master requests these.

use model::{Breakpoint, BreakpointId, ProcessSet};
use std::collections::BTreeMap;

#[derive(Debug, Default)]
pub(in crate::core) struct Unplaced(BTreeMap<BreakpointId, ProcessSet>);

impl Unplaced {
    pub(in crate::core) fn begin(breakpoints: &BTreeMap<BreakpointId, Breakpoint>) -> Self {
        Self(breakpoints.iter().map(|(&id, breakpoint)| (id, breakpoint.ranks.clone())).collect())
    }

    /// Records that ranks have reported the place of a breakpoint.
    pub(in crate::core) fn placed(&mut self, id: BreakpointId, ranks: &ProcessSet) {
        if let Some(left) = self.0.get_mut(&id) {
            left.remove_all(ranks);
            if left.is_empty() {
                self.0.remove(&id);
            }
        }
    }

    /// Returns those of these ranks that have not reported the places of all breakpoints.
    pub(in crate::core) fn among(&self, ranks: &ProcessSet) -> ProcessSet {
        self.0.values().fold(ProcessSet::new(), |sum, unplaced| sum.union(&unplaced.intersection(ranks)))
    }
}
