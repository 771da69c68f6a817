//! Ranks by what they look like, and by their places.

use crate::rank_state::RankLook;
use controller::State;
use model::{EngineName, ProcessSet, ProcessState};

/// Ranks by letter, most urgent first.
pub(crate) fn by_letter(state: &State) -> Vec<(RankLook, ProcessSet)> {
    let mut letters: Vec<(RankLook, ProcessSet)> = Vec::new();
    for (ranks, of) in state.ranks.groups().filter(|group| !group.0.is_empty()) {
        for (look, ranks) in looks(state, of, ranks) {
            match letters.iter_mut().find(|known| known.0 == look) {
                Some(known) => known.1.extend_with(&ranks),
                None => letters.push((look, ranks)),
            }
        }
    }
    letters.sort_by_key(|known| known.0.urgency());
    letters
}

/// Ranks at one place in one state, with the look of that state.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) look: RankLook,
    pub(crate) ranks: ProcessSet,
    pub(crate) state: ProcessState,
    /// `None`: the session's own engine.
    pub(crate) engine: Option<EngineName>,
}

/// Splits ranks of one state into held and not held ones, if these look different.
pub(crate) fn looks(state: &State, of: &ProcessState, ranks: &ProcessSet) -> Vec<(RankLook, ProcessSet)> {
    if !state.held.meets(ranks) {
        return vec![(RankLook::of(of, false), ranks.clone())];
    }
    let (held, free) = (RankLook::of(of, true), RankLook::of(of, false));
    let parts = if held == free {
        vec![(free, ranks.clone())]
    } else {
        vec![(held, ranks.intersection(&state.held)), (free, ranks.difference(&state.held))]
    };
    parts.into_iter().filter(|part| !part.1.is_empty()).collect()
}

/// The places of ranks, most urgent first.
pub(crate) fn places(state: &State, among: &ProcessSet) -> Vec<Place> {
    let mut places = Vec::new();
    for group in state.status_groups(among) {
        for (look, ranks) in looks(state, &group.state, &group.ranks) {
            places.push(Place { look, ranks, state: group.state.clone(), engine: group.engine });
        }
    }
    places.sort_by_key(|place| (place.look.urgency(), place.ranks.first()));
    places
}
