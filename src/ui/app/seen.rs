//! Moves cursors along with the lead, its source and the output when these have changed since the last drawing.

use crate::action::ViewId;
use crate::screen::layout_of;
use crate::view::{SourceView, View};
use crate::views::ranks::view_state::RanksView;
use crate::views::{merged, source, stack_rows};
use controller::State;
use controller::state::{Lookup, Phase};
use model::{ProcessSet, Rank};
use std::sync::Arc;

/// The state as last drawn, to notice changes.
#[derive(Debug, Default)]
pub(super) struct Seen {
    lead: Option<Rank>,
    focus: Option<ProcessSet>,
    output_dropped: u64,
    frame: Option<ShownFrame>,
    lead_moves: u64,
    code: Option<(Rank, u32, u64)>,
}

/// The lead's selected frame, and the row of the stack that shows it.
type ShownFrame = (Rank, u32, Option<usize>);

impl Seen {
    pub(super) fn follow(&mut self, view: &mut View, state: &State) {
        self.follow_lead(view, state);
        self.follow_source(view, state);
        let height = usize::from(layout_of(view.area, state, view).body(ViewId::Source).height);
        let code = Some((state.lead, state.frame(), state.lead_moves));
        let moved = std::mem::replace(&mut self.code, code) != code;
        view.settle_code(state, moved, height);
        self.stay_in_output(view, state);
    }

    /// The rows of the stack have changed, and the cursor is where it belongs.
    pub(super) fn keep_cursor(&mut self, view: &View, state: &State) {
        self.frame = Some(shown_frame(view, state).0);
    }

    /// The stack is shown anew: its cursor must go to the selected frame.
    pub(super) fn forget_frame(&mut self) {
        self.frame = None;
    }

    fn follow_lead(&mut self, view: &mut View, state: &State) {
        if self.lead != Some(state.lead) {
            self.lead = Some(state.lead);
            view.ranks.cursor = state.lead.0;
        }
        if self.focus.as_ref() != Some(&state.focus.set) {
            self.focus = Some(state.focus.set.clone());
            view.ranks.cursor = state.lead.0;
        }
        let (frame, row) = shown_frame(view, state);
        if self.frame != Some(frame) {
            self.frame = Some(frame);
            if let Some(row) = row {
                view.stack.cursor = row;
            }
        }
    }

    /// The source follows the lead's location each time that changes; in between, the cursor is the user's.
    fn follow_source(&mut self, view: &mut View, state: &State) {
        if state.phase == Phase::Idle && view.source.file.is_some() {
            // The program is no longer debugged.
            view.source = SourceView::default();
            view.ranks = RanksView::default();
        }
        if std::mem::replace(&mut self.lead_moves, state.lead_moves) != state.lead_moves {
            // The lead may have stopped where it was: the source shows that line, wherever the cursor has been since.
            view.source.shown = None;
        }
        let place = state.nearest_source().map(|found| (found.place.file, found.place.line));
        let opened = state.gaze.file.clone();
        // A file that is still being read, and may turn out to be missing, does not replace the one on the screen.
        let is_text = |file: &Arc<str>| matches!(state.inspection.sources.get(file), Some(Lookup::Known(_)));
        let shows_text = view.source.file.as_ref().is_some_and(is_text);
        let is_told =
            |file: &Arc<str>| is_text(file) || matches!(state.inspection.sources.get(file), Some(Lookup::Failed(_)));
        let place = place.filter(|(file, _)| !shows_text || is_told(file));
        if let Some((file, line)) = &place
            && view.source.shown.as_ref() != Some(&(file.clone(), *line))
            && opened.is_none()
        {
            view.source.shown.clone_from(&place);
            view.source.wanted = Some(*line);
            view.source.left = 0;
        }
        let file: Option<Arc<str>> = opened.or_else(|| place.map(|place| place.0)).or_else(|| view.source.file.clone());
        let other_file = file != view.source.file;
        if other_file {
            view.source.file = file;
            view.source.left = 0;
            view.source.fresh = true;
        }
        let height = usize::from(layout_of(view.area, state, view).body(ViewId::Source).height);
        let count = source::line_count(state, view);
        if count == 0 {
            // The cursor's row is lost: when the text is back, it is shown at the lead's location.
            view.source.shown = None;
            view.source.fresh = true;
        }
        if count > 0
            && let Some(line) = view.source.wanted.take()
        {
            let row = (line as usize).saturating_sub(1).min(count - 1);
            let list = &mut view.source.list;
            list.show(row, height);
            if std::mem::take(&mut view.source.fresh) {
                list.top = row.saturating_sub(height / 2);
            }
            let list = &mut view.source.list;
            // Two lines around the current one stay visible.
            let margin = 2.min(height / 4);
            list.top = list.top.min(row.saturating_sub(margin)).max((row + margin + 1).saturating_sub(height));
        }
    }

    /// Keeps the lines in view in place when older ones are dropped.
    fn stay_in_output(&mut self, view: &mut View, state: &State) {
        let dropped = state.output.dropped();
        let gone = dropped.saturating_sub(std::mem::replace(&mut self.output_dropped, dropped));
        if gone > 0 && state.output_of.is_none() {
            let gone = usize::try_from(gone).unwrap_or(usize::MAX);
            let list = &mut view.output.list;
            (list.cursor, list.top) = (list.cursor.saturating_sub(gone), list.top.saturating_sub(gone));
        }
    }
}

/// Returns the lead's selected frame, for comparison, and its row. In the merged tree other ranks change the rows, which
/// moves no cursor.
fn shown_frame(view: &View, state: &State) -> (ShownFrame, Option<usize>) {
    let row = if view.chosen_stack.form(&state.focus).is_tree() {
        merged::shown_row(state, view)
    } else {
        stack_rows::shown_row(state, view)
    };
    let compared = if view.chosen_stack.form(&state.focus).is_tree() { row.map(|_| 0) } else { row };
    ((state.lead, state.frame(), compared), row)
}
