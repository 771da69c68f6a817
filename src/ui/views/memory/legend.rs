//! The line below the rows: what is under the cursor, and which ranks have other bytes there.

use super::rows::symbol;
use crate::screen::{Pen, set_text};
use crate::theme::Role;
use crate::view::View;
use crate::views::memory_state::{MemoryForm, offset_text};
use controller::State;
use controller::state::{ShownMemory, ShownPage};
use ratatui::layout::Rect;

/// The columns of a set of ranks.
const WIDEST_SET: usize = 24;

pub(super) fn draw(pen: &mut Pen<'_>, area: Rect, state: &State, view: &View, shown: &ShownPage) {
    let memory = &view.memory;
    let known = &state.inspection.memory;
    let address = shown.page.base.0.wrapping_add_signed(memory.cursor);
    let mut row = pen.row(area, 0);
    row.put(&format!(" {address:#x}"), Role::Text).put(&format!(" {}", offset_text(memory.cursor)), Role::Dim);
    let size = memory.form.unit();
    match shown.page.at(memory.cursor, size) {
        Some(bytes) => {
            let text = match (memory.form, bytes) {
                (MemoryForm::Bytes, [byte]) => {
                    let character = char::from(*byte);
                    let quoted = if character.is_ascii_graphic() { format!(" '{character}'") } else { String::new() };
                    format!("{byte:#04x} {byte}{quoted}")
                }
                (form, bytes) => form.text(bytes, memory.notation),
            };
            row.put(" = ", Role::Dim).put(&text, Role::Value);
            if memory.form == MemoryForm::Pointers
                && let Some(name) = symbol(known, bytes)
            {
                row.put(&format!(" <{name}>"), Role::CodeFunction);
            }
        }
        None if shown.page.covers(memory.cursor, size) => _ = row.put(" cannot be read", Role::ValueNone),
        None => {}
    }
    for words in compared_words(known, row.pen.glyphs.differs) {
        if row.right(&[(&words.0, words.1), (" ", Role::Text)]) {
            break;
        }
    }
}

/// Which ranks have other bytes on the screen, from the longest words to the shortest.
fn compared_words(known: &ShownMemory, sign: char) -> Vec<(String, Role)> {
    let mut words = Vec::new();
    if !known.different.is_empty() {
        let ranks = set_text(&known.different, WIDEST_SET);
        let marked: usize = known.others.iter().map(|(ranks, _)| ranks.len()).sum();
        if marked > 0 && marked < known.different.len() {
            words.push((format!("{sign} on {ranks}, marked for {marked} of them"), Role::Warning));
        }
        words.push((format!("{sign} on {ranks}"), Role::Warning));
        words.push((format!("{sign} {}", known.different.len()), Role::Warning));
    } else if !known.without.is_empty() {
        words.push((format!("no such address on {}", set_text(&known.without, WIDEST_SET)), Role::Warning));
    } else if !known.alike.is_empty() {
        words.push((format!("the same on {}", set_text(&known.alike, WIDEST_SET)), Role::Dim));
    }
    words
}
