//! View 3: the frames of the lead rank; its other mode is the merged tree.

use super::list_rows::{absence, select};
use super::merged;
use crate::action::ViewId;
use crate::screen::{Pen, columns, fit_end, set_text};
use crate::theme::Role;
use crate::view::View;
use crate::words::{base_name, function_words, place_words};
use controller::State;
use controller::state::Lookup;
use model::Frame;
use ratatui::layout::Rect;

pub(crate) fn len(state: &State, view: &View) -> usize {
    if view.merged {
        merged::rows(state, view).len()
    } else {
        state.inspection.stack.value().map_or(0, |frames| frames.len())
    }
}

pub(crate) fn frame_at_cursor<'a>(state: &'a State, view: &View) -> Option<&'a Frame> {
    state.inspection.stack.value()?.get(view.stack.cursor)
}

pub(crate) fn title(state: &State, view: &View) -> Vec<(String, Role)> {
    if view.merged {
        let ranks = state.inspection.tree.value().map(|tree| set_text(&tree.ranks, 20)).unwrap_or_default();
        return vec![("merged ".to_owned(), Role::Text), (ranks, Role::RankTag)];
    }
    let mut words = vec![("rank ".to_owned(), Role::Dim), (state.lead.to_string(), Role::RankTag)];
    if let Some(thread) = state.thread {
        words.push((format!(" thread {thread}"), Role::Dim));
    }
    words
}

pub(crate) fn draw(pen: &mut Pen<'_>, body: Rect, state: &State, view: &View) {
    if view.merged {
        if let Some(words) = absence(state, &state.inspection.tree) {
            pen.row(body, 0).put(" ", Role::Text).put(&words, Role::Dim);
        }
        return merged::draw(pen, body, state, view);
    }
    if let Some(words) = absence(state, &state.inspection.stack) {
        pen.row(body, 0).put(" ", Role::Text).put(&words, Role::Dim);
    }
    let Some(frames) = state.inspection.stack.value() else { return };
    let stale = matches!(state.inspection.stack, Lookup::Loading(_));
    let width = frames.last().map_or(1, |frame| frame.level.max(1).ilog10() as usize + 1);
    for (row, index) in view.stack.window(frames.len(), body.height.into()).enumerate() {
        let Some(frame) = frames.get(index) else { break };
        let row = row as u16;
        let chosen = frame.level == state.frame();
        let mut line = pen.row(body, row);
        let sign = if chosen { line.pen.glyphs.lead } else { ' ' };
        line.sign(sign, Role::ProcessBreakpoint).put(&format!("{:>width$} ", frame.level), Role::LineNumber);
        let place = match (&frame.source, &frame.code.module) {
            (Some(place), _) => place_words(place),
            (None, Some(module)) => base_name(module).to_owned(),
            (None, None) => String::new(),
        };
        let role = if stale || frame.source.is_none() { Role::Dim } else { Role::CodeFunction };
        // The location is shown whatever the length of the name, and its end is the line.
        let place_room = columns(&place).min(line.left().saturating_sub(12));
        let place = fit_end(&place, place_room, line.pen.glyphs.cut);
        if !place.is_empty() {
            line.right_kept(" ", Role::Text, 1);
            line.right_kept(&place, Role::Dim, columns(&place));
            line.reserve(1);
        }
        let marks =
            if frame.inlined { " inlined" } else { "" }.len() + if frame.guessed { " guessed" } else { "" }.len();
        let room = line.left().saturating_sub(marks).max(8);
        line.short(&function_words(frame), room, role);
        if frame.inlined {
            line.put(" inlined", Role::Dim);
        }
        if frame.guessed {
            line.put(" guessed", Role::Dim);
        }
        select(pen, body, row, index == view.stack.cursor, view.current == ViewId::Stack);
    }
}
