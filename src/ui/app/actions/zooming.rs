//! Zooming in and out of the map of ranks.

use crate::effect::Effect;
use crate::view::View;
use crate::views::ranks;
use controller::State;

/// Shows a quarter of the ranks, around the cursor.
pub(super) fn closer(view: &mut View, state: &State) -> Vec<Effect> {
    match view.arrangement(state).closer(view.ranks.cursor) {
        Some(part) => {
            show(view, part, state);
            Vec::new()
        }
        None if state.size() == 0 => view.say("no ranks yet"),
        None => view.say("each cell is one rank: there is nothing to zoom into"),
    }
}

/// Shows as many ranks as before the last zoom.
pub(super) fn back(view: &mut View, state: &State) -> Vec<Effect> {
    let mut parts = ranks::parts(state, view);
    if parts.len() <= 1 {
        return view.say("all ranks are shown");
    }
    parts.pop();
    view.ranks.zoom = if parts.len() > 1 { parts } else { Vec::new() };
    Vec::new()
}

/// Shows only the ranks of the cell under the cursor; returns false if this is one rank, or if ranks are marked.
pub(super) fn into_cell(view: &mut View, state: &State) -> bool {
    if view.ranks.has_marks() {
        return false;
    }
    let part = view.arrangement(state).inside(view.ranks.cursor);
    part.map(|part| show(view, part, state)).is_some()
}

fn show(view: &mut View, part: ranks::Part, state: &State) {
    view.ranks.zoom = ranks::parts(state, view);
    view.ranks.zoom.push(part);
}
