//! View 3: the frames of the lead rank; its other modes are the merged trees.

use super::list_rows::{absence, select};
use super::merged;
use super::stack_rows::{Row, rows};
use crate::action::ViewId;
use crate::screen::{Pen, Row as Line, columns, fit_end, set_text};
use crate::theme::Role;
use crate::view::{LibraryFrames, StackForm, View};
use crate::words::{base_name, folded_words, function_words, place_words};
use controller::state::Lookup;
use controller::{State, arguments_text};
use model::aif::FormatOptions;
use model::{FoldedFrames, Frame, ProcessState};
use ratatui::layout::Rect;

pub(crate) fn len(state: &State, view: &View) -> usize {
    if view.chosen_stack.form(&state.focus).is_tree() {
        merged::rows(state, view).len()
    } else {
        rows(state, view).len()
    }
}

/// True if frames of libraries can be folded or shown.
pub(crate) fn can_fold(state: &State, view: &View) -> bool {
    if view.chosen_stack.form(&state.focus).is_tree() {
        return view.libraries == LibraryFrames::Shown || merged::has_folded(state, view);
    }
    state.inspection.stack.value().is_some_and(|stack| !stack.folded().is_empty())
}

pub(crate) fn row_at_cursor<'a>(state: &'a State, view: &View) -> Option<Row<'a>> {
    rows(state, view).get(view.stack.cursor).copied()
}

pub(crate) fn title(state: &State, view: &View) -> Vec<(String, Role)> {
    if view.chosen_stack.form(&state.focus).is_tree() {
        let Some(tree) = merged::tree(state, view).value() else { return vec![("merged".to_owned(), Role::Text)] };
        let ranks = set_text(&tree.ranks, 20);
        if let Some(looks) = &tree.looks {
            return vec![(format!("{} looks at ", looks.count), Role::Text), (ranks, Role::RankTag)];
        }
        let words = match view.chosen_stack.form(&state.focus) {
            StackForm::AllThreads => format!("merged {} threads of ", tree.threads.count()),
            StackForm::Frames | StackForm::Merged => "merged ".to_owned(),
        };
        return vec![(words, Role::Text), (ranks, Role::RankTag)];
    }
    let mut words = vec![("rank ".to_owned(), Role::Dim), (state.lead.to_string(), Role::RankTag)];
    if let Some(thread) = state.thread {
        words.push((format!(" thread {thread}"), Role::Dim));
    }
    words
}

pub(crate) fn draw(pen: &mut Pen<'_>, body: Rect, state: &State, view: &View) {
    if view.chosen_stack.form(&state.focus).is_tree() {
        if let Some(words) = absence(state, merged::tree(state, view)) {
            pen.row(body, 0).put(" ", Role::Text).put(&words, Role::Dim);
            if body.height > 1 && matches!(state.ranks.state(state.lead), Some(ProcessState::Running)) {
                pen.row(body, 1).put(" ", Role::Text).put("\":sample\" shows where", Role::Dim);
            }
        }
        return merged::draw(pen, body, state, view);
    }
    if let Some(words) = absence(state, &state.inspection.stack) {
        pen.row(body, 0).put(" ", Role::Text).put(&words, Role::Dim);
    }
    let Some(last) = state.inspection.stack.value().and_then(|frames| frames.last()) else { return };
    let stale = matches!(state.inspection.stack, Lookup::Loading(_));
    let width = last.level.max(1).ilog10() as usize + 1;
    let rows = rows(state, view);
    for (at, index) in view.stack.window(rows.len(), body.height.into()).enumerate() {
        let Some(row) = rows.get(index) else { break };
        let at = at as u16;
        let mut line = pen.row(body, at);
        let sign = if row.has(state.frame()) { line.pen.glyphs.lead } else { ' ' };
        line.sign(sign, Role::ProcessBreakpoint).put(&format!("{:>width$} ", row.level()), Role::LineNumber);
        match row {
            Row::Frame(frame) => draw_frame(&mut line, frame, stale, &arguments_words(state, frame)),
            Row::Folded(fold, outermost) => draw_folded(&mut line, fold, outermost),
        }
        select(pen, body, at, index == view.stack.cursor, view.current == ViewId::Stack);
    }
}

/// The arguments of a frame; empty if they are not known.
fn arguments_words(state: &State, frame: &Frame) -> String {
    let frames = match (&state.inspection.stack, &state.inspection.frame_arguments) {
        (Lookup::Known(_), Lookup::Known(frames)) | (Lookup::Loading(_), Lookup::Loading(Some(frames))) => Some(frames),
        // Those of another stop are not those of these frames.
        _ => None,
    };
    let own = frames.and_then(|frames| frames.iter().find(|own| own.level == frame.level));
    let own = own.filter(|own| frame.source.is_some() && !own.arguments.is_empty());
    let limits = FormatOptions::within(state.variables.print_options());
    own.map_or_else(String::new, |own| arguments_text(&own.arguments, &limits))
}

/// Draws a frame: the function and the place first, then the arguments as far as there is room.
fn draw_frame(line: &mut Line<'_, '_>, frame: &Frame, stale: bool, arguments: &str) {
    /// Fewer columns of arguments say nothing.
    const FEWEST: usize = 16;
    let place = match (&frame.source, &frame.code.module) {
        (Some(place), _) => place_words(place),
        (None, Some(module)) => base_name(module).to_owned(),
        (None, None) => String::new(),
    };
    let role = if stale || frame.source.is_none() { Role::Dim } else { Role::CodeFunction };
    put_place(line, &place);
    let marks = if frame.inlined { " inlined" } else { "" }.len() + if frame.guessed { " guessed" } else { "" }.len();
    let room = line.left().saturating_sub(marks).max(8);
    line.short(&function_words(frame), room, role);
    let room = line.left().saturating_sub(marks + 1);
    if !arguments.is_empty() && (room >= FEWEST || columns(arguments) <= room) {
        line.put(" ", Role::Text).short(arguments, room, Role::Dim);
    }
    if frame.inlined {
        line.put(" inlined", Role::Dim);
    }
    if frame.guessed {
        line.put(" guessed", Role::Dim);
    }
}

/// Draws `MPI_Allreduce … 8 frames    libmpi.so.40`. The library is left out where there is no room for all.
fn draw_folded(line: &mut Line<'_, '_>, fold: &FoldedFrames, outermost: &Frame) {
    let called = Frame { function: fold.call.clone(), ..outermost.clone() };
    let name = function_words(&called);
    let count = fold.places.len().to_string();
    let (cut, left) = (line.pen.glyphs.cut, line.left());
    let text = folded_words(&name, &count, cut, left);
    let library = outermost.code.module.as_deref().map_or("", base_name);
    if columns(&text) + columns(library) < left {
        put_place(line, library);
    }
    line.short(&text, left, Role::Dim);
}

/// Puts the location at the end of the line. It is shown whatever the length of the name, and its end is the line.
fn put_place(line: &mut Line<'_, '_>, place: &str) {
    let place_room = columns(place).min(line.left().saturating_sub(12));
    let place = fit_end(place, place_room, line.pen.glyphs.cut);
    if !place.is_empty() {
        line.right_kept(" ", Role::Text, 1);
        line.right_kept(&place, Role::Dim, columns(&place));
        line.reserve(1);
    }
}
