//! The memory view: rows of bytes or numbers, and what is under the cursor.

mod legend;
pub(crate) mod rows;

use crate::action::Action;
use crate::screen::Pen;
use crate::theme::Role;
use crate::view::View;
use crate::views::list_rows::absence;
use crate::views::memory_state::MemoryRoom;
use controller::State;
use controller::state::Lookup;
use ratatui::layout::Rect;
use rows::Division;

/// The lines below the rows: what is under the cursor.
const LINES_BELOW: u16 = 1;

/// The bytes behind the first visible one to whose addresses the width is fitted.
const IN_SIGHT: u64 = 1 << 13;

/// The columns of the view, divided for the addresses that it shows.
pub(crate) fn division(body: Rect, state: &State, view: &View) -> Division {
    let memory = &view.memory;
    let first =
        memory.shown(&state.inspection.memory).map_or(0, |shown| shown.page.base.0.wrapping_add_signed(memory.top));
    Division::of(body.width, memory.form, memory.notation, first.saturating_add(IN_SIGHT))
}

/// The rows of the view, and the bytes of each.
pub(crate) fn room(body: Rect, state: &State, view: &View) -> MemoryRoom {
    let division = division(body, state, view);
    MemoryRoom { rows: body.height.saturating_sub(LINES_BELOW).max(1), in_row: division.in_row() as u16 }
}

pub(crate) fn title(state: &State, view: &View) -> Vec<(String, Role)> {
    let memory = &view.memory;
    if memory.expression.is_empty() {
        return Vec::new();
    }
    let mut words = vec![(memory.expression.clone(), Role::CodeFunction)];
    words.push((format!("  {}", memory.form.title(memory.notation)), Role::Text));
    if state.size() > 1 {
        words.push((format!("  rank {}", state.lead), Role::Dim));
    }
    // The address comes last: it is also in the rows.
    if let Some(shown) = memory.shown(&state.inspection.memory) {
        let address = shown.page.base.to_string();
        if address != memory.expression {
            words.push((format!("  {address}"), Role::Dim));
        }
    }
    words
}

pub(crate) fn draw(pen: &mut Pen<'_>, body: Rect, state: &State, view: &View) {
    let memory = &view.memory;
    if memory.expression.is_empty() {
        let key = view.keys.first_key(Action::OpenMemory);
        let words = format!("no memory yet: {key} on a variable, or :memory ADDRESS");
        pen.row(body, 0).put(" ", Role::Text).put(&words, Role::Dim);
        return;
    }
    let known = &state.inspection.memory;
    let Some(shown) = memory.shown(known) else {
        let words = if known.expression == memory.expression { absence(state, &known.page) } else { None };
        let words = words.unwrap_or_else(|| absence::<()>(state, &Lookup::Absent).unwrap_or_default());
        let width = usize::from(body.width.saturating_sub(2));
        let mut lines = crate::screen::wrapped(&words, width, 0);
        if matches!(known.page, Lookup::Failed(_)) {
            let [search, back, escape] =
                [Action::Search, Action::MemoryBack, Action::Escape].map(|action| view.keys.first_key(action));
            let hint =
                format!("{search} goes to another address, {back} back to the one before, {escape} back to the source");
            lines.extend(crate::screen::wrapped(&hint, width, 0));
        }
        for (line, text) in lines.iter().enumerate() {
            pen.row(body, line as u16).put(" ", Role::Text).put(text, Role::Dim);
        }
        return;
    };
    let below = LINES_BELOW.min(body.height.saturating_sub(1));
    let lines = Rect { height: body.height - below, ..body };
    rows::draw(pen, lines, state, view, shown, &division(body, state, view));
    let rest = Rect { y: body.y + lines.height, height: below, ..body };
    legend::draw(pen, rest, state, view, shown);
}
