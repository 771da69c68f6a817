//! Chooses another lead rank when the lead has nothing to show and other ranks have.

use crate::views::ranks::places;
use controller::State;
use controller::state::StateKind;
use model::{ProcessSet, ProcessState, Rank, StopReason};
use std::time::{Duration, Instant};

/// Ranks that reach a breakpoint together arrive within this time; the lead is given as long to arrive too.
const TOGETHER: Duration = Duration::from_millis(400);

/// Watches the stops, to choose a lead rank that has something to show.
#[derive(Debug, Default)]
pub(super) struct LeadWatch {
    stopped: ProcessSet,
    lead_ended: bool,
    began_it: ProcessSet,
    since: Option<Instant>,
}

impl LeadWatch {
    /// The user has chosen a lead: keep it until something happens again.
    pub(super) fn chosen(&mut self) {
        self.since = None;
    }

    /// Returns the rank that should become the lead, or when to ask again. It is the most urgent rank: at once if the
    /// lead has ended, no rank is running or a rank stopped by a signal; else after `TOGETHER`, if the lead has not
    /// stopped by then. In an aborted job it is the rank that began the abort, not one killed because of it.
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
        // A rank that was continued counts as running before it says so: it may stop again in the same turn.
        let stopped = state.ranks.at_rest().intersection(&state.focus.set);
        let lead = state.ranks.state(state.lead);
        let ended = lead.is_some_and(ProcessState::is_ended);
        let grown = !stopped.is_subset(&self.stopped);
        let has_just_ended = ended && !self.lead_ended;
        // Ranks start one by one: the first to appear is not necessarily the one to look at, nor the first to stop at its
        // start.
        let starts = |state: &ProcessState| match state {
            ProcessState::Stopped(stop) => stop.reason == StopReason::Start,
            state => matches!(state, ProcessState::Starting | ProcessState::Running),
        };
        let all_start = !ended && state.ranks.groups().all(|(_, state)| starts(state));
        let is_coming = lead.is_none_or(|state| *state == ProcessState::Starting) || all_start;
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
