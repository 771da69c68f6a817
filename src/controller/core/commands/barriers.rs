//! Barriers: who has come is held until the others have.

use crate::core::Controller;
use model::{BreakpointId, PointAction, ProcessSet, Severity, Stop, StopReason};

impl Controller {
    /// Ranks stopped; those that came to a barrier are held there.
    pub(in crate::core) fn arrive(&mut self, ranks: &ProcessSet, stop: &mut Stop) {
        let StopReason::Breakpoint(id) = stop.reason else { return };
        let Some(breakpoint) = self.state.breakpoints.get(&id) else { return };
        if breakpoint.request.action != PointAction::Barrier {
            return;
        }
        stop.reason = StopReason::Barrier(id);
        self.state.barriers.entry(id).or_default().extend_with(ranks);
        self.state.held.extend_with(ranks);
        self.may_have_changed = true;
    }

    /// Frees those that nobody has to be waited for any more: all have come or ended, or the barrier is gone or off.
    pub(in crate::core) fn settle_barriers(&mut self) {
        if self.state.barriers.is_empty() {
            return;
        }
        let ended = self.state.ranks.ended();
        let mut free: Vec<(BreakpointId, ProcessSet, bool)> = Vec::new();
        for (&id, waiting) in &self.state.barriers {
            let barrier = self.state.breakpoints.get(&id).filter(|breakpoint| breakpoint.request.enabled);
            let expected = barrier.map(|breakpoint| breakpoint.ranks.difference(&ended));
            let complete = expected.as_ref().is_some_and(|expected| expected.is_subset(waiting));
            if expected.is_none() || complete {
                free.push((id, waiting.clone(), complete));
            }
        }
        for (id, waiting, complete) in free {
            self.state.barriers.remove(&id);
            self.state.held.remove_all(&waiting);
            self.may_have_changed = true;
            let here = waiting.difference(&ended);
            if complete && !here.is_empty() {
                self.tell(Severity::Note, here, &format!("all have come to barrier {id}"));
            }
        }
    }

    /// Ranks that the user lets go do not wait.
    pub(in crate::core) fn no_longer_waiting(&mut self, ranks: &ProcessSet) {
        for waiting in self.state.barriers.values_mut() {
            waiting.remove_all(ranks);
        }
        self.state.barriers.retain(|_, waiting| !waiting.is_empty());
    }

    /// Another job: nobody has come yet.
    pub(in crate::core) fn forget_barriers(&mut self) {
        for waiting in std::mem::take(&mut self.state.barriers).into_values() {
            self.state.held.remove_all(&waiting);
        }
    }
}
