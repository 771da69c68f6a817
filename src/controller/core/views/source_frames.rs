//! Selects the screen's first frame after a stop whose place the user did not choose: the innermost one with source, so
//! that source, stack and variables belong to one frame.

use super::glance::Kind;
use super::together::Step;
use super::view_refresh::ViewRefresh;
use crate::state::{Lookup, State};
use model::{ProcessSet, ProcessState, Rank};

impl ViewRefresh {
    /// Records that the user selected a frame in these ranks: nothing else selects one before they continue.
    pub(in crate::core) fn chosen_by_user(&mut self, ranks: &ProcessSet) {
        self.by_user.extend_with(ranks);
        self.by_source.remove_all(ranks);
    }

    /// Forgets the selections in ranks that moved.
    pub(in crate::core) fn look_anew(&mut self, ranks: &ProcessSet) {
        self.by_user.remove_all(ranks);
        self.by_source.remove_all(ranks);
    }
}

impl ViewRefresh {
    /// Selects the lead's innermost frame with source, and that of the focus's ranks without source at their stop; and of
    /// all ranks whose values are on the screen.
    pub(in crate::core) fn look_at_frames_with_source(&mut self, state: &mut State) -> Step {
        match self.look_at_those_of_focus(state) {
            Step::Nothing => self.look_at_those_of_shown(state),
            step => step,
        }
    }

    /// Selects the innermost frame with source of the ranks that colours or the parts of an array are of.
    fn look_at_those_of_shown(&mut self, state: &mut State) -> Step {
        let tiles = state.gaze.array.as_ref().and_then(|wish| wish.tiles.as_ref());
        let mut shown = tiles.map(|tiles| tiles.tiling.ranks.clone()).unwrap_or_default();
        if state.colour.is_some() && state.gaze.colours.is_some() {
            shown.extend_with(&state.ranks.at_rest());
        }
        if shown.is_empty() || state.thread.is_some() {
            return Step::Nothing;
        }
        let mut others = without_source(state, &shown);
        others.remove_all(&self.by_user);
        others.remove_all(&self.by_source);
        if others.is_empty() { Step::Nothing } else { self.look_at_source(state, others) }
    }

    fn look_at_those_of_focus(&mut self, state: &mut State) -> Step {
        let (lead, thread) = (state.lead, state.thread);
        if !state.gaze.views.source
            || self.by_user.contains(lead)
            || !state.ranks.at_rest().contains(lead)
            || !is_there_by_chance(state, lead)
        {
            return Step::Nothing;
        }
        let is_of_this_stop = self
            .asked
            .get(&Kind::Stack)
            .is_some_and(|asked| (asked.lead, asked.thread, asked.stop) == (lead, thread, self.stop));
        let Lookup::Known(stack) = &state.inspection.stack else { return Step::Nothing };
        let Some(found) = state.nearest_source().filter(|_| is_of_this_stop) else { return Step::Nothing };
        if !matches!(state.inspection.sources.get(&found.place.file), Some(Lookup::Known(_))) {
            return Step::Nothing;
        }
        if found.level != state.frame() {
            let Some(frame) = stack.iter().find(|frame| frame.level == found.level).cloned() else {
                return Step::Nothing;
            };
            state.frames.choose(&ProcessSet::one(lead), thread, &frame);
            state.listed = None;
            self.by_source.insert(lead);
        }
        if !self.by_source.contains(lead) || thread != state.focus.thread || !state.focus.set.contains(lead) {
            return Step::Nothing;
        }
        let mut others = without_source(state, &state.focus.set);
        others.remove(lead);
        others.remove_all(&self.by_user);
        others.remove_all(&self.by_source);
        if others.is_empty() { Step::Nothing } else { self.look_at_source(state, others) }
    }

    /// Selects the lead's frame of this level in its stack as shown.
    pub(in crate::core) fn choose_on_screen(&mut self, state: &mut State, level: u32) -> Step {
        let (lead, thread) = (ProcessSet::one(state.lead), state.thread);
        let Some(stack) = state.inspection.stack.value() else { return Step::Nothing };
        let Some(frame) = stack.iter().find(|frame| frame.level == level).cloned() else { return Step::Nothing };
        let farther_out = stack.iter().filter(|other| other.level > level && other.function == frame.function);
        let outer = farther_out.count();
        state.frames.choose(&lead, thread, &frame);
        self.chosen_by_user(&lead);
        state.listed = None;
        self.together.forget_wish();
        self.together.in_thread(thread);
        // Threads of different ranks are unrelated.
        if thread != state.focus.thread || !state.focus.set.contains(state.lead) {
            return Step::Nothing;
        }
        let others = state.focus.set.intersection(&state.ranks.at_rest()).difference(&lead);
        self.chosen_by_user(&others);
        if level == 0 {
            state.frames.forget(&others);
            return Step::Nothing;
        }
        let Some(name) = frame.function.clone().filter(|_| !others.is_empty()) else { return Step::Nothing };
        self.together.follow(others, name, outer, state)
    }

    /// Selects the innermost frame with source in these ranks, as in the lead.
    fn look_at_source(&mut self, state: &mut State, ranks: ProcessSet) -> Step {
        let thread = state.thread;
        self.together.in_thread(thread);
        if self.together.has_wish() {
            return Step::Nothing;
        }
        self.by_source.extend_with(&ranks);
        self.together.follow_to_source(ranks, state)
    }

    /// Drops the stacks of ranks that moved.
    pub(in crate::core) fn part_from(&mut self, ranks: &ProcessSet) {
        self.look_anew(ranks);
        self.together.part_from(ranks);
    }
}

fn is_there_by_chance(state: &State, rank: Rank) -> bool {
    matches!(state.ranks.state(rank), Some(ProcessState::Stopped(stop)) if stop.is_by_chance())
}

/// Returns those of the ranks that stopped at a place not chosen, in code without source.
fn without_source(state: &State, among: &ProcessSet) -> ProcessSet {
    let mut without = ProcessSet::new();
    for (ranks, known) in state.ranks.groups() {
        if let ProcessState::Stopped(stop) = known
            && stop.is_by_chance()
            && (stop.user.is_some() || !stop.frame.source.as_ref().is_some_and(|place| state.may_be_read(place)))
        {
            without.extend_with(ranks);
        }
    }
    without.intersection(among).intersection(&state.ranks.at_rest())
}
