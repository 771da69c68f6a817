//! Shared by all lists: the row under the cursor, the reason why a list is empty, and the names of threads.

use crate::screen::{Pen, set_text};
use crate::theme::Role;
use crate::words::state_words;
use controller::State;
use controller::sets::scope_of;
use controller::state::Lookup;
use model::{ProcessState, RankThreads};
use ratatui::layout::Rect;

/// The reason why there is nothing to show.
pub(crate) fn absence<T>(state: &State, lookup: &Lookup<T>) -> Option<String> {
    match lookup {
        Lookup::Known(_) | Lookup::Loading(Some(_)) => None,
        Lookup::Failed(failure) => Some(failure.message.clone()),
        Lookup::Loading(None) => Some("asking …".to_owned()),
        Lookup::Absent => Some(match state.ranks.state(state.lead) {
            Some(ProcessState::Running) => format!("rank {} is running", state.lead),
            Some(ProcessState::Stopped(_)) => "asking …".to_owned(),
            Some(ProcessState::Failed(_)) => {
                format!("rank {} failed to start or attach", state.lead)
            }
            Some(ProcessState::Lost(_)) => format!("rank {} is lost", state.lead),
            Some(other) => format!("rank {}: {}", state.lead, state_words(other, state.variables.print_options())),
            None => "no job".to_owned(),
        }),
    }
}

/// The threads in so many columns: `0-3`, `0-3.{2-4}`, or `0-3, 9 threads` if the ranks have different ones.
pub(crate) fn threads_text(threads: &RankThreads, width: usize) -> String {
    let (ranks, end) = match scope_of(threads) {
        Some((ranks, None)) => return set_text(&ranks, width),
        Some((ranks, Some(group))) => (ranks, format!(".{}", group.spelled())),
        None => (threads.ranks(), format!(", {} threads", threads.count())),
    };
    let text = ranks.to_text_within(width.saturating_sub(end.len())).map(|ranks| ranks + &end);
    text.unwrap_or_else(|| format!("{} threads", threads.count()))
}

/// Highlights the row under the cursor.
pub(crate) fn select(pen: &mut Pen<'_>, body: Rect, row: u16, chosen: bool, has_keyboard: bool) {
    if chosen && row < body.height {
        let role = if has_keyboard { Role::Selection } else { return };
        pen.select(Rect { y: body.y + row, height: 1, ..body }, role);
    }
}
