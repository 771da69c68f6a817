//! Actions about the focus and the lead rank.

use super::super::{App, gaze_of};
use super::zooming;
use crate::action::Action;
use crate::effect::{Effect, execute};
use controller::{Gaze, State};
use model::{ProcessSet, ProcessState, Rank};

pub(super) fn act(app: &mut App, action: Action, state: &State) -> Option<Vec<Effect>> {
    let view = &mut app.view;
    Some(match action {
        Action::FocusMarked if zooming::into_cell(view, state) => Vec::new(),
        Action::FocusMarked => {
            let arrangement = view.arrangement(state);
            let set = view.ranks.take_marked(&state.layout, &|rank| arrangement.cell_of(rank));
            execute(&format!("focus {set}"))
        }
        Action::Mark => {
            let arrangement = view.arrangement(state);
            view.ranks.mark(&state.layout, &|rank| arrangement.cell_of(rank));
            Vec::new()
        }
        Action::Range => {
            let arrangement = view.arrangement(state);
            view.ranks.begin_or_mark_range(&state.layout, &|rank| arrangement.cell_of(rank));
            Vec::new()
        }
        Action::FocusPrompt => view.type_command("focus "),
        Action::FocusAll => execute("focus all"),
        Action::FocusStopped => execute("focus stopped"),
        Action::FocusRunning => execute("focus running"),
        Action::FocusLead => execute(&format!("focus {}", state.lead)),
        Action::FocusHere => {
            let groups = state.status_groups(&ProcessSet::all(state.size()));
            match groups.into_iter().find(|group| group.ranks.contains(state.lead)) {
                Some(group) => execute(&format!("focus {}", group.ranks)),
                None => view.say("no job yet"),
            }
        }
        Action::LeadNext => lead_beside(app, state, true),
        Action::LeadPrevious => lead_beside(app, state, false),
        Action::LeadOtherPlace => lead_elsewhere(app, state),
        _ => return None,
    })
}

fn look_at(app: &mut App, lead: Rank, state: &State) -> Vec<Effect> {
    app.view.ranks.cursor = lead.0;
    app.watch.chosen();
    vec![Effect::Look(Gaze { lead, thread: None, file: None, ..gaze_of(state) })]
}

fn lead_beside(app: &mut App, state: &State, forward: bool) -> Vec<Effect> {
    let set = &state.focus.set;
    let found = if forward {
        set.iter().find(|rank| *rank > state.lead).or_else(|| set.first())
    } else {
        set.iter().take_while(|rank| *rank < state.lead).last().or_else(|| set.last())
    };
    match found {
        Some(rank) => look_at(app, rank, state),
        None => Vec::new(),
    }
}

fn lead_elsewhere(app: &mut App, state: &State) -> Vec<Effect> {
    let groups = state.status_groups(&state.focus.set);
    let stopped: Vec<_> = groups.iter().filter(|group| matches!(group.state, ProcessState::Stopped(_))).collect();
    let now = stopped.iter().position(|group| group.ranks.contains(state.lead));
    let next = now.map_or(0, |now| (now + 1) % stopped.len().max(1));
    match stopped.get(next).and_then(|group| group.ranks.first()) {
        Some(rank) if stopped.len() > 1 || now.is_none() => look_at(app, rank, state),
        _ => app.view.say("all stopped ranks of the focus are at this location"),
    }
}
