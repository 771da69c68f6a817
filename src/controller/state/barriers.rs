//! Barriers: ranks that have arrived are held until the others have.

use super::State;
use model::{BreakpointId, PointAction, ProcessSet, Stop, StopReason};

impl State {
    /// Records stopped ranks and holds those at a barrier; true if it is one.
    pub(crate) fn arrive(&mut self, ranks: &ProcessSet, stop: &mut Stop) -> bool {
        let StopReason::Breakpoint(id) = stop.reason else { return false };
        let Some(breakpoint) = self.breakpoints.get(&id) else { return false };
        if breakpoint.request.action != PointAction::Barrier {
            return false;
        }
        stop.reason = StopReason::Barrier(id);
        self.barriers.entry(id).or_default().extend_with(ranks);
        self.held.extend_with(ranks);
        true
    }

    /// Releases the ranks of barriers that are over: all have arrived or ended, or the barrier was deleted or disabled.
    /// Returns each such barrier with its ranks.
    pub(crate) fn settle_barriers(&mut self) -> Vec<(BreakpointId, ProcessSet)> {
        if self.barriers.is_empty() {
            return Vec::new();
        }
        let ended = self.ranks.ended();
        let mut free: Vec<(BreakpointId, ProcessSet, bool)> = Vec::new();
        for (&id, waiting) in &self.barriers {
            let barrier = self.breakpoints.get(&id).filter(|breakpoint| breakpoint.request.enabled);
            let expected = barrier.map(|breakpoint| breakpoint.ranks.difference(&ended));
            let complete = expected.as_ref().is_some_and(|expected| expected.is_subset(waiting));
            if expected.is_none() || complete {
                free.push((id, waiting.clone(), complete));
            }
        }
        let mut over = Vec::new();
        for (id, waiting, complete) in free {
            self.barriers.remove(&id);
            self.held.remove_all(&waiting);
            over.push((id, if complete { waiting.difference(&ended) } else { ProcessSet::new() }));
        }
        over
    }

    /// The user continues these ranks: they no longer wait at barriers.
    pub(crate) fn no_longer_waiting(&mut self, ranks: &ProcessSet) {
        for waiting in self.barriers.values_mut() {
            waiting.remove_all(ranks);
        }
        self.barriers.retain(|_, waiting| !waiting.is_empty());
    }

    /// Forgets all arrivals, for a new job.
    pub(crate) fn forget_barriers(&mut self) {
        for waiting in std::mem::take(&mut self.barriers).into_values() {
            self.held.remove_all(&waiting);
        }
    }
}
