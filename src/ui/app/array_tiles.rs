//! Keys and clicks of the array view while the parts of several ranks are put together.

use crate::effect::Effect;
use crate::view::View;
use crate::views::array::tiles;
use controller::State;
use controller::state::{Gaze, Tiling};
use model::Rank;
use ratatui::layout::{Position, Rect};

/// Puts the parts of the ranks together, or shows that of the lead again.
pub(super) fn put_together(view: &mut View, state: &State) -> Vec<Effect> {
    if view.array.together && view.array.picture {
        view.array.together = false;
        return view.say(&format!("the array of rank {} alone", state.lead));
    }
    if state.size() < 2 {
        return view.say("the job has one rank: there is nothing to put together");
    }
    (view.array.together, view.array.picture) = (true, true);
    match tiles::tiling(state, view) {
        Some(tiling) => view.say(&tiles::told(&tiling, state)),
        None => {
            view.array.together = false;
            view.say(&format!(
                "at most {} arrays are put together: focus on fewer ranks, or colour the ranks by an expression",
                Tiling::MOST
            ))
        }
    }
}

/// Chooses another rank as the lead.
fn lead(rank: Rank, state: &State) -> Vec<Effect> {
    if rank == state.lead {
        return Vec::new();
    }
    vec![Effect::Look(Gaze { lead: rank, thread: None, file: None, ..super::gaze_of(state) })]
}

/// Moves the lead to the part so many rows further down and columns to the right.
pub(super) fn move_by(tiling: &Tiling, rows: i64, columns: i64, state: &State) -> Vec<Effect> {
    let Some((row, column)) = tiling.place(state.lead) else { return Vec::new() };
    let moved = |at: u32, by: i64, count: u32| {
        let to = i64::from(at).saturating_add(by).clamp(0, i64::from(count) - 1);
        u32::try_from(to).unwrap_or(at)
    };
    let to = tiling.rank_at(moved(row, rows, tiling.rows), moved(column, columns, tiling.columns));
    to.map_or_else(Vec::new, |rank| lead(rank, state))
}

/// Makes the rank of the part at a place on the screen the lead.
pub(super) fn click(view: &View, tiling: &Tiling, body: Rect, position: Position, state: &State) -> Vec<Effect> {
    tiles::rank_at(state, view, tiling, body, position).map_or_else(Vec::new, |rank| lead(rank, state))
}
