//! Cursors: up and down, sideways, to the ends.

use super::{App, arrays, gaze_of, memory};
use crate::action::ViewId;
use crate::effect::Effect;
use crate::screen::layout_of;
use crate::view::{LibraryFrames, View};
use crate::views::{code_rows, output, ranks, signals, source, stack, threads, variables};
use controller::{Gaze, State};
use model::Rank;

impl App {
    pub(super) fn move_by(&mut self, rows: isize, state: &State) -> Vec<Effect> {
        if self.view.current == ViewId::Ranks {
            return self.step(rows as i64, 0, state);
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

    /// Moves the cursor of the ranks so many cells down and to the right.
    fn step(&mut self, down: i64, right: i64, state: &State) -> Vec<Effect> {
        let to = self.view.arrangement(state).step(self.view.ranks.cursor, down, right);
        self.cursor_to(to, state)
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
        let arrangement = self.view.arrangement(state);
        match arrangement.plane() {
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
            let arrangement = self.view.arrangement(state);
            let rows = arrangement.row_of(0).0 as isize;
            let half = if arrangement.plane().is_some() { (rows + 1) / 2 } else { half.min((rows - 1).max(0)) };
            return self.step((direction * half) as i64, 0, state);
        }
        self.move_by(direction * half, state)
    }

    pub(super) fn sideways(&mut self, direction: isize, state: &State) -> Vec<Effect> {
        match self.view.current {
            ViewId::Ranks => self.step(0, direction as i64, state),
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
            ViewId::Threads => threads::len(state, self),
            ViewId::Signals => state.signals.iter().len(),
            ViewId::Messages => self.log.len(),
        }
    }

    pub(super) fn height(&self, state: &State) -> usize {
        layout_of(self.area, state, self).body(self.current).height.into()
    }

    /// The arrangement of the ranks on the screen.
    pub(super) fn arrangement<'a>(&self, state: &'a State) -> ranks::Arrangement<'a> {
        ranks::arrangement(state, self, layout_of(self.area, state, self).body(ViewId::Ranks))
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
