//! View 7: the threads of the lead rank; its other mode is those of the focus.

mod of_focus;

use super::list_rows::{absence, select};
use crate::action::ViewId;
use crate::screen::{Pen, set_text};
use crate::theme::Role;
use crate::view::View;
use crate::words::{base_name, function_words, place_words};
use controller::State;
use model::ThreadInfo;
use ratatui::layout::Rect;

pub(crate) use of_focus::rows_of_focus;

pub(crate) fn at_cursor<'a>(state: &'a State, view: &View) -> Option<&'a ThreadInfo> {
    state.inspection.threads.value()?.get(view.threads.cursor)
}

/// The number of rows.
pub(crate) fn len(state: &State, view: &View) -> usize {
    if view.threads_of_focus {
        return rows_of_focus(state).len();
    }
    state.inspection.threads.value().map_or(0, Vec::len)
}

/// The words of the title beside the name of the view.
pub(crate) fn title(state: &State, view: &View) -> Vec<(String, Role)> {
    let tree = state.inspection.thread_tree.value().filter(|_| view.threads_of_focus);
    let Some(tree) = tree else { return Vec::new() };
    let count = format!("{} threads of ", tree.threads.count());
    vec![(count, Role::Text), (set_text(&tree.ranks, 20), Role::RankTag)]
}

pub(crate) fn draw(pen: &mut Pen<'_>, body: Rect, state: &State, view: &View) {
    if view.threads_of_focus {
        return of_focus::draw(pen, body, state, view);
    }
    if let Some(words) = absence(state, &state.inspection.threads) {
        pen.row(body, 0).put(" ", Role::Text).put(&words, Role::Dim);
    }
    let Some(threads) = state.inspection.threads.value() else { return };
    let names = threads.iter().map(|thread| thread.name.chars().count()).max().unwrap_or(0).min(16);
    for (row, index) in view.threads.window(threads.len(), body.height.into()).enumerate() {
        let Some(thread) = threads.get(index) else { break };
        let chosen = state.thread.map_or(thread.current, |chosen| chosen == thread.id);
        let row = row as u16;
        let mut line = pen.row(body, row);
        let sign = if chosen { line.pen.glyphs.lead } else { ' ' };
        line.sign(sign, Role::ProcessBreakpoint).put(&format!("{:>3} ", thread.id), Role::LineNumber);
        let begin = line.at();
        line.short(&thread.name, names, Role::Text).to(begin + names as u16 + 2);
        match (&thread.user, &thread.frame) {
            (Some(user), _) => {
                let place = user.frame.source.as_ref().map(place_words).unwrap_or_default();
                line.put("in ", Role::Dim).put(user.call.as_deref().unwrap_or("??"), Role::CodeFunction);
                line.put("  ", Role::Text).put(&place, Role::Dim);
            }
            (None, Some(frame)) => {
                let place = match (&frame.source, &frame.code.module) {
                    (Some(place), _) => place_words(place),
                    (None, Some(module)) => base_name(module).to_owned(),
                    (None, None) => String::new(),
                };
                line.put(&function_words(frame), Role::CodeFunction).put("  ", Role::Text).put(&place, Role::Dim);
            }
            (None, None) => {
                line.put("running", Role::ProcessRunning);
            }
        }
        select(pen, body, row, index == view.threads.cursor, view.current == ViewId::Threads);
    }
}
