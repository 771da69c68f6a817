//! When the lead has nothing to show and others have: which rank is looked at instead, and when.

use crate::views::ranks::places;
use controller::State;
use controller::state::StateKind;
use model::{ProcessSet, ProcessState, Rank};
use std::time::{Duration, Instant};

/// Ranks that come to a breakpoint together arrive within this time; the lead is given so long to arrive too.
const TOGETHER: Duration = Duration::from_millis(400);

/// Notes the stops, to choose a lead rank that has something to show.
#[derive(Debug, Default)]
pub(super) struct LeadWatch {
    stopped: ProcessSet,
    lead_ended: bool,
    began_it: ProcessSet,
    since: Option<Instant>,
}

impl LeadWatch {
    /// The user has chosen whom to look at: he is not taken away before something happens again.
    pub(super) fn chosen(&mut self) {
        self.since = None;
    }

    /// Who should be looked at from now on, or when to ask again. It is the rank that needs attention most: at once
    /// when the lead has ended, when nobody runs any more, or when somebody stops by a signal; else when the lead has
    /// not stopped a moment later. Of a job that came down it is who began it, not those that were ended for it.
    pub(super) fn better_lead(&mut self, state: &State, now: Instant) -> (Option<Rank>, Option<Instant>) {
        let began_it = state.downfall.began_it().intersection(&state.focus.set);
        if began_it != self.began_it {
            self.began_it = began_it;
            if let Some(first) = self.began_it.first()
                && !self.began_it.contains(state.lead)
            {
                self.since = None;
                return (Some(first), None);
            }
        }
        let stopped = state.ranks.stopped().intersection(&state.focus.set);
        let lead = state.ranks.state(state.lead);
        let ended = lead.is_some_and(ProcessState::is_ended);
        let grown = !stopped.is_subset(&self.stopped);
        let has_just_ended = ended && !self.lead_ended;
        // A job comes up rank by rank: the first to be there is not the one to look at.
        let is_coming = lead.is_none_or(|state| *state == ProcessState::Starting);
        let content = stopped.contains(state.lead) || stopped.is_empty() || is_coming;
        let content = content || self.began_it.contains(state.lead);
        self.lead_ended = ended;
        self.stopped = stopped;
        if content {
            self.since = None;
        } else if grown || has_just_ended {
            self.since.get_or_insert(now);
        }
        let Some(since) = self.since else { return (None, None) };
        let Some(place) = places(state, &self.stopped).into_iter().next() else { return (None, None) };
        let running = state.ranks.of_kind(StateKind::Running).meets(&state.focus.set);
        if running && !ended && place.look.letter != '!' && now < since + TOGETHER {
            return (None, Some(since + TOGETHER));
        }
        self.since = None;
        (place.ranks.first(), None)
    }
}
