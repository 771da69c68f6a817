//! View 8: the disposition of each signal.

use crate::action::ViewId;
use crate::screen::{Pen, set_text};
use crate::theme::Role;
use crate::view::View;
use controller::State;
use controller::state::SignalRow;
use model::Disposition;
use ratatui::layout::Rect;

/// The columns with toggles.
pub(crate) const COLUMNS: [&str; 3] = ["stop", "print", "pass"];

/// The screen column of the first toggle.
const NAME: u16 = 12;

pub(crate) fn at_cursor<'a>(state: &'a State, view: &View) -> Option<&'a SignalRow> {
    state.signals.iter().nth(view.signals.cursor)
}

/// The value of a toggle.
pub(crate) fn column(disposition: Disposition, column: usize) -> bool {
    match column {
        0 => disposition.stop,
        1 => disposition.print,
        _ => disposition.pass,
    }
}

pub(crate) fn draw(pen: &mut Pen<'_>, body: Rect, state: &State, view: &View) {
    let rows = state.signals.iter().len();
    let has_keyboard = view.current == ViewId::Signals;
    for (row, index) in view.signals.window(rows, body.height.into()).enumerate() {
        let Some(signal) = state.signals.iter().nth(index) else { break };
        let row = row as u16;
        let mut line = pen.row(body, row);
        line.put(" ", Role::Text).put(&signal.info.name.to_string(), Role::Text).to(NAME);
        for (i, name) in COLUMNS.iter().enumerate() {
            let on = column(signal.info.disposition, i);
            let word = if on { (*name).to_owned() } else { "-".repeat(name.len()) };
            line.put(&word, if on { Role::Note } else { Role::Dim }).put("  ", Role::Text);
        }
        line.put(&signal.info.description, Role::Dim);
        for (ranks, other) in &signal.others {
            let words: Vec<&str> =
                (0..3).filter(|&i| column(*other, i)).filter_map(|i| COLUMNS.get(i).copied()).collect();
            let words = if words.is_empty() { "nothing".to_owned() } else { words.join(" ") };
            line.put("  ", Role::Text)
                .put(&set_text(ranks, 14), Role::RankTag)
                .put(&format!(" {words}"), Role::Warning);
        }
        if index == view.signals.cursor && has_keyboard {
            let area = Rect { y: body.y + row, height: 1, ..body };
            pen.tint(area, Role::Selection);
            let begin: usize = COLUMNS.iter().take(view.signal_column).map(|name| name.len() + 2).sum();
            let width = COLUMNS.get(view.signal_column).map_or(0, |name| name.len()) as u16;
            let cell = Rect { x: body.x + NAME + begin as u16, width, ..area };
            pen.select(cell.intersection(body), Role::Cursor);
        }
    }
}
