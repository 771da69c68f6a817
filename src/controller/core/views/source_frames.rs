//! The frame that the screen begins with after a stop that nobody asked for at its place: the innermost one with source, so
//! that source, stack and variables are of one frame.

use super::view_refresh::{Glances, Kind};
use crate::core::Controller;
use crate::state::Lookup;
use model::{ProcessSet, ProcessState, Rank, StopReason};

impl Glances {
    /// The user has chosen for these ranks: nothing else chooses before they go on.
    pub(in crate::core) fn chosen_by_user(&mut self, ranks: &ProcessSet) {
        self.by_user.extend_with(ranks);
        self.by_source.remove_all(ranks);
    }

    /// Ranks moved: their next stop is looked at anew.
    pub(in crate::core) fn look_anew(&mut self, ranks: &ProcessSet) {
        self.by_user.remove_all(ranks);
        self.by_source.remove_all(ranks);
    }
}

/// Whether ranks stopped wherever they happened to be. Where a breakpoint or a step brings them, the user sent them.
fn is_by_chance(reason: &StopReason) -> bool {
    match reason {
        StopReason::Interrupted | StopReason::Signal(_) | StopReason::Caught(..) | StopReason::Watchpoint(..) => true,
        StopReason::Breakpoint(_)
        | StopReason::Barrier(_)
        | StopReason::Step
        | StopReason::Finished(_)
        | StopReason::Start => false,
    }
}

impl Controller {
    /// The lead looks at its innermost frame with source, and so do ranks of the focus that have none where they are.
    pub(in crate::core) fn look_at_frames_with_source(&mut self) {
        let (lead, thread) = (self.state.lead, self.state.thread);
        if !self.state.gaze.views.source
            || self.glances.by_user.contains(lead)
            || !self.at_rest().contains(lead)
            || !self.is_there_by_chance(lead)
        {
            return;
        }
        let is_of_this_stop = self
            .glances
            .asked
            .get(&Kind::Stack)
            .is_some_and(|asked| (asked.lead, asked.thread, asked.stop) == (lead, thread, self.glances.stop));
        let Lookup::Known(stack) = &self.state.inspection.stack else { return };
        let Some(found) = self.state.nearest_source().filter(|_| is_of_this_stop) else { return };
        if !matches!(self.state.inspection.sources.get(&found.place.file), Some(Lookup::Known(_))) {
            return;
        }
        if found.level != self.state.frame() {
            let Some(frame) = stack.iter().find(|frame| frame.level == found.level).cloned() else { return };
            self.state.frames.choose(&ProcessSet::one(lead), thread, &frame);
            self.listed = None;
            self.glances.by_source.insert(lead);
        }
        if !self.glances.by_source.contains(lead)
            || thread != self.state.focus.thread
            || !self.state.focus.set.contains(lead)
        {
            return;
        }
        let mut others = self.without_source();
        others.remove(lead);
        others.remove_all(&self.glances.by_user);
        others.remove_all(&self.glances.by_source);
        if !others.is_empty() {
            self.look_at_source(others);
        }
    }

    fn is_there_by_chance(&self, rank: Rank) -> bool {
        matches!(self.state.ranks.state(rank), Some(ProcessState::Stopped(stop)) if is_by_chance(&stop.reason))
    }

    /// Ranks of the focus that stopped by chance in code whose source is not there.
    fn without_source(&self) -> ProcessSet {
        let mut without = ProcessSet::new();
        for (ranks, state) in self.state.ranks.groups() {
            if let ProcessState::Stopped(stop) = state
                && is_by_chance(&stop.reason)
                && !stop.frame.source.as_ref().is_some_and(|place| self.state.may_be_read(place))
            {
                without.extend_with(ranks);
            }
        }
        without.intersection(&self.state.focus.set).intersection(&self.at_rest())
    }
}
