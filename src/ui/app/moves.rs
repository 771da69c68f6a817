//! Cursors: up and down, sideways, to the ends.

use super::{App, arrays, gaze_of, memory};
use crate::action::ViewId;
use crate::effect::Effect;
use crate::screen::layout_of;
use crate::view::{LibraryFrames, View};
use crate::views::{code_rows, output, ranks, signals, source, stack, variables};
use controller::{Gaze, State};
use model::Rank;

impl App {
    pub(super) fn move_by(&mut self, rows: isize, state: &State) -> Vec<Effect> {
        if self.view.current == ViewId::Ranks {
            if let Some(plane) = shown_plane(&self.view, state) {
                return self.cursor_to(plane.step(self.view.ranks.cursor, rows as i64, 0), state);
            }
            return self.move_rank(rows * self.view.rank_row(state), state);
        }
        if self.view.current == ViewId::Array {
            return arrays::move_by(&mut self.view, rows as i64, 0, state);
        }
        if self.view.current == ViewId::Memory {
            return memory::move_by(&mut self.view, rows as i64, 0, state);
        }
        let len = self.view.len(state);
        self.view.stop_following(rows, len);
        if let Some(list) = self.view.list_of(self.view.current) {
            list.move_by(rows, len);
        }
        Vec::new()
    }

    fn move_rank(&mut self, by: isize, state: &State) -> Vec<Effect> {
        let last = i64::from(state.size()) - 1;
        let to = i64::from(self.view.ranks.cursor) + by as i64;
        let wanted = if by.abs() > 1 && (to < 0 || to > last) { i64::from(self.view.ranks.cursor) } else { to };
        self.cursor_to(wanted.clamp(0, last.max(0)) as u32, state)
    }

    /// Inside the focus the cursor moves the lead too: walking over ranks shows their stacks.
    pub(super) fn cursor_to(&mut self, rank: u32, state: &State) -> Vec<Effect> {
        self.view.ranks.cursor = rank;
        let lead = Rank(rank);
        if lead == state.lead || !state.focus.set.contains(lead) {
            return Vec::new();
        }
        self.watch.chosen();
        vec![Effect::Look(Gaze { lead, thread: None, file: None, ..gaze_of(state) })]
    }

    /// Goes to the next plane of the grid of ranks, or the one before.
    pub(super) fn other_plane(&mut self, by: i64, state: &State) -> Vec<Effect> {
        match shown_plane(&self.view, state) {
            Some(plane) => {
                let rank = plane.other_plane(self.view.ranks.cursor, by, state.size());
                self.cursor_to(rank, state)
            }
            None => self.view.say("no grid of ranks is shown; \"layout 4x3x2\" shows one"),
        }
    }

    pub(super) fn half_page(&mut self, direction: isize, state: &State) -> Vec<Effect> {
        let half = (self.view.height(state) / 2).max(1) as isize;
        if self.view.current == ViewId::Ranks {
            if let Some(plane) = shown_plane(&self.view, state) {
                let rows = i64::from(plane.cell_rows().div_ceil(2)) * direction as i64;
                return self.cursor_to(plane.step(self.view.ranks.cursor, rows, 0), state);
            }
            let rows = half.min((self.view.grid(state).rows as isize - 1).max(0));
            return self.move_rank(direction * rows * self.view.rank_row(state), state);
        }
        self.move_by(direction * half, state)
    }

    pub(super) fn sideways(&mut self, direction: isize, state: &State) -> Vec<Effect> {
        match self.view.current {
            ViewId::Ranks => {
                if let Some(plane) = shown_plane(&self.view, state) {
                    return self.cursor_to(plane.step(self.view.ranks.cursor, 0, direction as i64), state);
                }
                let step = self.view.grid(state).per_cell as isize;
                self.move_rank(direction * step, state)
            }
            ViewId::Source => scrolled(&mut self.view.source.left, direction),
            ViewId::Output => scrolled(&mut self.view.output.left, direction),
            ViewId::Messages => scrolled(&mut self.view.messages.left, direction),
            ViewId::Signals => {
                let column = self.view.signal_column.saturating_add_signed(direction);
                self.view.signal_column = column.min(signals::COLUMNS.len() - 1);
                Vec::new()
            }
            ViewId::Variables => self.view.open_or_close(direction > 0, state),
            ViewId::Stack => {
                self.show_libraries(if direction < 0 { LibraryFrames::Folded } else { LibraryFrames::Shown }, state);
                Vec::new()
            }
            ViewId::Array => arrays::move_by(&mut self.view, 0, direction as i64, state),
            ViewId::Memory => memory::move_by(&mut self.view, 0, direction as i64, state),
            ViewId::Breakpoints | ViewId::Threads => Vec::new(),
        }
    }

    pub(super) fn go_to_end(&mut self, bottom: bool, state: &State) -> Vec<Effect> {
        if self.view.current == ViewId::Ranks {
            let rank = if bottom { state.size().saturating_sub(1) } else { 0 };
            return self.cursor_to(rank, state);
        }
        if self.view.current == ViewId::Array {
            return arrays::go_to_end(&mut self.view, bottom, state);
        }
        if self.view.current == ViewId::Memory {
            return memory::go_to_end(&mut self.view, bottom, state);
        }
        let len = self.view.len(state);
        if let Some(tail) = self.view.tail_of(self.view.current) {
            tail.follow = bottom;
        }
        if let Some(list) = self.view.list_of(self.view.current) {
            list.cursor = if bottom { len.saturating_sub(1) } else { 0 };
        }
        Vec::new()
    }
}

impl View {
    /// Undoes the sideways scrolling of the current view.
    pub(super) fn scroll_to_line_start(&mut self, state: &State) {
        match self.current {
            ViewId::Source => self.source.left = 0,
            ViewId::Output => self.output.left = 0,
            ViewId::Messages => self.messages.left = 0,
            ViewId::Array => self.array.column = 0,
            ViewId::Memory => memory::go_to_row_start(self, state),
            ViewId::Ranks
            | ViewId::Stack
            | ViewId::Variables
            | ViewId::Breakpoints
            | ViewId::Threads
            | ViewId::Signals => {}
        }
    }

    /// Number of rows in the current view.
    pub(super) fn len(&self, state: &State) -> usize {
        self.len_of(self.current, state)
    }

    pub(super) fn len_of(&self, view: ViewId, state: &State) -> usize {
        match view {
            ViewId::Ranks | ViewId::Array | ViewId::Memory => 0,
            ViewId::Source if self.source.code.shown => code_rows::len(state),
            ViewId::Source => source::line_count(state, self),
            ViewId::Stack => stack::len(state, self),
            ViewId::Variables => variables::rows(state, self).len(),
            ViewId::Output => output::len(state),
            ViewId::Breakpoints => state.breakpoints.len(),
            ViewId::Threads => state.inspection.threads.value().map_or(0, Vec::len),
            ViewId::Signals => state.signals.iter().len(),
            ViewId::Messages => self.log.len(),
        }
    }

    pub(super) fn height(&self, state: &State) -> usize {
        layout_of(self.area, state, self).body(self.current).height.into()
    }

    /// Number of ranks in a row of cells.
    pub(super) fn rank_row(&self, state: &State) -> isize {
        let grid = self.grid(state);
        (grid.columns * grid.per_cell) as isize
    }

    pub(super) fn grid(&self, state: &State) -> ranks::Grid {
        let body = layout_of(self.area, state, self).body(ViewId::Ranks);
        ranks::grid(state, self, body.width, ranks::cell_rows(state, body, self))
    }

    pub(super) fn open_or_close(&mut self, open: bool, state: &State) -> Vec<Effect> {
        let rows = variables::rows(state, self);
        let at = self.variables.list.cursor;
        let Some(row) = rows.get(at) else { return Vec::new() };
        let is_open = self.variables.open.contains(&row.key);
        if open != is_open && row.openable {
            return self.expand(state);
        }
        if !open && let Some(parent) = rows.iter().take(at).rposition(|above| above.depth < row.depth) {
            self.variables.list.cursor = parent;
        }
        Vec::new()
    }
}

/// Scrolls long lines sideways by a tab stop.
fn scrolled(left: &mut usize, direction: isize) -> Vec<Effect> {
    *left = left.saturating_add_signed(direction * 8).min(2_000);
    Vec::new()
}

/// The plane of the grid of ranks that is shown; `None`: the ranks are in order.
fn shown_plane(view: &View, state: &State) -> Option<ranks::Plane> {
    let body = layout_of(view.area, state, view).body(ViewId::Ranks);
    ranks::plane(state, view, body.width, ranks::cell_rows(state, body, view))
}
