//! The status line: the focus, the state of its ranks, and the replies awaited.

use super::pen::{Pen, columns, set_text};
use crate::theme::Role;
use crate::view::View;
use crate::views::ranks::places;
use crate::words::state_words;
use controller::State;
use controller::state::{Phase, StateKind};
use model::Severity;
use ratatui::layout::Rect;

/// Columns for the ranks of a state: beyond, their number stands.
const MOST_OF_RANKS: usize = 16;

pub(super) fn draw(pen: &mut Pen<'_>, area: Rect, state: &State, view: &View) {
    pen.clear(area, Role::Status);
    let dot = pen.glyphs.dot;
    let focus = focus_words(state, usize::from(area.width) / 3);
    let mut row = pen.row(area, 0);
    row.put(&focus, Role::StatusFocus).put(" ", Role::Status);
    let busy = busy_words(state, view.notice.is_some());
    let told = view.notice.as_ref().map_or(0, |notice| columns(&notice.text));
    // A notice is to be read now; the ranks view shows the running ranks, too.
    if !busy.is_empty() && (told == 0 || told + columns(&busy) + 3 <= row.left()) {
        let text = format!(" {busy} ");
        let width = columns(&text);
        row.right_kept(&text, Role::StatusBusy, width);
    }
    if let Some(notice) = &view.notice {
        let role = if notice.severity == Severity::Error { Role::StatusError } else { Role::Status };
        let room = row.left();
        row.short(&notice.text, room, role);
        return;
    }
    let groups = places(state, &state.focus.set);
    match (&state.phase, groups.is_empty()) {
        (Phase::Live | Phase::Ended | Phase::Failed(_), false) => {}
        (Phase::Idle, _) => {
            let listening =
                if state.requests.listening { "; listening for programs that ask for a debugger" } else { "" };
            row.put("no job", Role::Status).put(listening, Role::Status);
        }
        (Phase::Connecting, _) => {
            row.put("starting the master …", Role::StatusBusy);
        }
        (Phase::Launching(how_far), _) => {
            row.put("starting: ", Role::Status).put(how_far, Role::StatusBusy);
        }
        (Phase::Failed(why), true) => {
            row.put(why, Role::StatusError);
        }
        (Phase::Ended, true) => {
            row.put("the session has ended", Role::Status);
        }
        (Phase::Live, true) => {
            row.put("the focus is empty", Role::Status);
        }
    }
    let mut left = groups.len();
    for group in &groups {
        let look = group.look;
        let ranks = set_text(&group.ranks, MOST_OF_RANKS);
        let words =
            format!("{ranks} {}", state_words(&group.state, state.variables.print_options()).replace("  ", " "));
        let more = if left == 1 { "+1 state".to_owned() } else { format!("+{left} states") };
        let room = row.left().saturating_sub(columns(&more) + 1);
        if columns(&words) + 4 > room && left < groups.len() {
            row.put(&more, Role::Status);
            break;
        }
        let ground = row.pen.style(Role::Status).patch(row.pen.style(look.role));
        let ground = if row.pen.style(look.role).bg.is_none() {
            ratatui::style::Style { bg: row.pen.style(Role::Status).bg, ..ground }
        } else {
            ground
        };
        row.styled(look.letter.encode_utf8(&mut [0; 4]), ground).put(" ", Role::Status);
        row.short(&words, room, Role::Status);
        left -= 1;
        if left > 0 {
            row.put(&format!(" {dot} "), Role::Status);
        }
    }
}

/// Columns left for a notice beside the focus.
pub(crate) fn room_for_notice(state: &State, width: u16) -> usize {
    let width = usize::from(width);
    width.saturating_sub(columns(&focus_words(state, width / 3)) + 1)
}

fn focus_words(state: &State, width: usize) -> String {
    let one = || state.focus.thread.map(|thread| format!(".{thread}"));
    let thread = state.focus.group.as_ref().map(|group| format!(".{group}")).or_else(one).unwrap_or_default();
    let whole = format!("{}{thread}", set_text(&state.focus.set, width));
    let text = &state.focus.text;
    let named = if *text == whole || text.is_empty() { whole.clone() } else { format!("{text} {whole}") };
    if columns(&named) > width + 12 { format!(" {whole} ") } else { format!(" {named} ") }
}

/// The replies awaited, else the running ranks, which the groups of the focus count unless a notice takes their place.
fn busy_words(state: &State, in_place_of_groups: bool) -> String {
    let running = state.ranks.of_kind(StateKind::Running).intersection(&state.focus.set).len();
    match (state.busy, running) {
        (0, 0) => String::new(),
        (0, _) if !in_place_of_groups => String::new(),
        (0, n) => format!("{n} running …"),
        (1, _) => "waiting for a reply …".to_owned(),
        (n, _) => format!("waiting for {n} replies …"),
    }
}
