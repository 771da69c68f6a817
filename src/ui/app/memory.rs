//! Keys of the memory view.

use crate::action::{Action, ViewId};
use crate::effect::Effect;
use crate::layer::{Prompt, PromptKind};
use crate::layout::Pane;
use crate::part_path::operand_of;
use crate::screen::layout_of;
use crate::view::View;
use crate::views::memory_state::{MemoryForm, MemoryRoom, typed_offset};
use crate::views::variables_state::Content;
use crate::views::{memory, variables};
use controller::State;
use ratatui::layout::Position;

/// The bytes of an address.
const ADDRESS: usize = 8;

/// Shows the memory of the value under the cursor of the variables; elsewhere, that which was shown last.
pub(super) fn open(view: &mut View, state: &State) -> Vec<Effect> {
    if view.current == ViewId::Variables {
        let rows = variables::rows(state, view);
        if let Some(row) = rows.get(view.variables.list.cursor).filter(|row| !row.path.is_empty()) {
            // A register has no address: its value is one.
            let is_address = row.pointer || view.variables.content == Content::Registers;
            let path = if is_address { row.path.clone() } else { format!("&{}", operand_of(&row.path)) };
            open_at(view, &path);
            return Vec::new();
        }
    }
    if view.memory.expression.is_empty() || view.current == ViewId::Memory {
        return view.type_command("memory ");
    }
    view.go_to(ViewId::Memory);
    Vec::new()
}

/// Performs an action of the view.
pub(super) fn act(view: &mut View, action: Action, state: &State) -> Option<Vec<Effect>> {
    Some(match action {
        Action::MemoryType | Action::MemoryTypeBefore => {
            view.memory.switch_form(action == Action::MemoryType);
            Vec::new()
        }
        Action::MemoryNotation => {
            if !view.memory.switch_notation() {
                view.memory.form = MemoryForm::Integers4;
            }
            Vec::new()
        }
        Action::MemoryFollow => follow(view, state),
        Action::MemoryBack => {
            if view.memory.go_back() {
                Vec::new()
            } else {
                view.say("no address was shown before this one")
            }
        }
        _ => return None,
    })
}

/// Shows the memory at the address that is under the cursor.
fn follow(view: &mut View, state: &State) -> Vec<Effect> {
    let bytes =
        view.memory.shown(&state.inspection.memory).and_then(|shown| shown.page.at(view.memory.cursor, ADDRESS));
    let Some(bytes) = bytes.and_then(|bytes| bytes.try_into().ok()) else {
        return view.say("no address here: the 8 bytes from the cursor on cannot be read");
    };
    open_at(view, &format!("{:#x}", u64::from_le_bytes(bytes)));
    Vec::new()
}

/// Shows memory.
pub(super) fn open_at(view: &mut View, expression: &str) {
    view.memory.open(expression);
    view.go_to(ViewId::Memory);
}

/// Opens the line for the address to go to.
pub(super) fn type_address(view: &mut View) -> Vec<Effect> {
    view.open_prompt(Prompt::new(PromptKind::Address, ""));
    Vec::new()
}

/// Goes to a typed address, or to an offset from the one shown.
pub(super) fn go_to_address(view: &mut View, text: &str, state: &State) -> Vec<Effect> {
    if text.is_empty() {
        return Vec::new();
    }
    match typed_offset(text).filter(|_| !view.memory.expression.is_empty()) {
        Some(offset) => {
            let room = room(view, state);
            view.memory.go_to(offset, room);
        }
        // As an address of its own, it would be one that nobody means.
        None if text.starts_with(['+', '-']) => {
            let words =
                format!("{text:?} is no offset: it is a number, as in +0x1000; a computed address is typed whole");
            return view.say(&words);
        }
        None => open_at(view, text),
    }
    Vec::new()
}

fn room(view: &View, state: &State) -> MemoryRoom {
    memory::room(layout_of(view.area, state, view).body(ViewId::Memory), state, view)
}

/// Keeps the cursor on a unit and on the screen.
pub(super) fn settle(view: &mut View, state: &State) {
    let room = room(view, state);
    view.memory.settle(room);
}

/// Moves the cursor by rows, and by units.
pub(super) fn move_by(view: &mut View, rows: i64, units: i64, state: &State) -> Vec<Effect> {
    let in_row = i64::from(room(view, state).in_row);
    let bytes = rows.saturating_mul(in_row).saturating_add(units.saturating_mul(view.memory.form.unit() as i64));
    view.memory.move_by(bytes, &state.inspection.memory);
    Vec::new()
}

/// Moves the cursor back to the start of its row.
pub(super) fn go_to_row_start(view: &mut View, state: &State) {
    let in_row = i64::from(room(view, state).in_row.max(1));
    let cursor = view.memory.cursor;
    view.memory.cursor = cursor.saturating_sub(cursor.rem_euclid(in_row));
}

/// Moves the cursor to the address. Memory has no end to go to.
pub(super) fn go_to_end(view: &mut View, bottom: bool, state: &State) -> Vec<Effect> {
    if bottom {
        let key = view.keys.first_key(Action::Search);
        return view.say(&format!("memory has no last row; {key} goes to an address, or an offset such as +0x1000"));
    }
    let room = room(view, state);
    view.memory.go_to(0, room);
    Vec::new()
}

/// Moves the cursor to the unit at a place on the screen.
pub(super) fn click(view: &mut View, pane: &Pane, position: Position, state: &State) {
    let division = memory::division(pane.body, state, view);
    let line = position.y.checked_sub(pane.body.y);
    let unit = division.unit_at(position.x.saturating_sub(pane.body.x));
    let rows = memory::room(pane.body, state, view).rows;
    if let (Some(line), Some(unit)) = (line.filter(|line| *line < rows), unit) {
        let bytes = usize::from(line) * division.in_row() + unit * view.memory.form.unit();
        view.memory.cursor = view.memory.top.saturating_add(bytes as i64);
    }
}

/// Scrolls by rows; the cursor moves only where it would leave the screen.
pub(super) fn scroll(view: &mut View, rows: i64, state: &State) -> Vec<Effect> {
    let room = room(view, state);
    let in_row = i64::from(room.in_row);
    let by = rows.saturating_mul(in_row);
    let top = view.memory.top.saturating_add(by);
    let last = top.saturating_add(i64::from(room.rows.saturating_sub(1)).saturating_mul(in_row));
    let cursor = view.memory.cursor;
    let column = cursor.rem_euclid(in_row);
    if cursor < top {
        view.memory.cursor = top.saturating_add(column);
    } else if cursor - column > last {
        view.memory.cursor = last.saturating_add(column);
    }
    view.memory.top = top;
    Vec::new()
}
