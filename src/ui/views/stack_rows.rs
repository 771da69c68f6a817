//! The rows of the stack: frames, and lines that stand for frames of libraries.

use crate::view::{LibraryFrames, View};
use controller::State;
use model::{FoldedFrames, Frame, ProcessState};

/// A line of the view.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Row<'a> {
    Frame(&'a Frame),
    /// Frames of libraries, with the outermost of them.
    Folded(&'a FoldedFrames, &'a Frame),
}

impl Row<'_> {
    /// True if the frame of this level is shown here.
    pub(crate) fn has(&self, level: u32) -> bool {
        match self {
            Row::Frame(frame) => frame.level == level,
            Row::Folded(fold, outermost) => {
                level <= outermost.level && outermost.level < level.saturating_add(fold.places.len() as u32)
            }
        }
    }

    /// The level of the frame, or of the outermost one.
    pub(crate) fn level(&self) -> u32 {
        match self {
            Row::Frame(frame) | Row::Folded(_, frame) => frame.level,
        }
    }
}

pub(crate) fn rows<'a>(state: &'a State, view: &View) -> Vec<Row<'a>> {
    let Some(stack) = state.inspection.stack.value() else { return Vec::new() };
    let wanted = wanted_level(state);
    let mut rows = Vec::new();
    let mut next = 0;
    for fold in stack.folded().iter().filter(|_| view.libraries == LibraryFrames::Folded) {
        let Some(outermost) = stack.get(fold.places.clone()).and_then(<[Frame]>::last) else { continue };
        let row = Row::Folded(fold, outermost);
        // The selected frame is never hidden.
        if wanted.is_some_and(|level| row.has(level)) {
            continue;
        }
        rows.extend(stack.iter().take(fold.places.start).skip(next).map(Row::Frame));
        rows.push(row);
        next = fold.places.end;
    }
    rows.extend(stack.iter().skip(next).map(Row::Frame));
    rows
}

/// The row of the selected frame.
pub(crate) fn shown_row(state: &State, view: &View) -> Option<usize> {
    rows(state, view).iter().position(|row| row.has(state.frame()))
}

/// The level of the selected frame; `None` if it is the innermost one only because no other was selected.
fn wanted_level(state: &State) -> Option<u32> {
    let level = state.frame();
    let is_by_chance = || match state.ranks.state(state.lead) {
        Some(ProcessState::Stopped(stop)) => {
            stop.is_by_chance() || state.thread.is_some_and(|thread| thread != stop.thread)
        }
        _ => true,
    };
    (level > 0 || state.frames.is_innermost_chosen(state.lead, state.thread) || !is_by_chance()).then_some(level)
}
