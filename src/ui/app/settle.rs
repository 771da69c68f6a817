//! Before drawing: moves cursors onto existing rows, scrolls windows to them, and finds what the views lack.

use super::completing::complete_late;
use super::questions::close_answered;
use super::{App, arrays, gaze_of, memory};
use crate::action::ViewId;
use crate::highlight::Wish;
use crate::layer::{Layer, PromptKind};
use crate::screen::layout_of;
use crate::view::{StackForm, View};
use crate::views::variables_state::Content;
use crate::views::{across, array, memory as memory_view, ranks, source, variables};
use controller::command::{is_register_begun, member_begun, name_begun, type_begun};
use controller::{Gaze, State, Views};
use std::time::Instant;

/// Data that the views lack, and when to look again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settled {
    /// A new gaze for the controller; `None` if it is unchanged.
    pub gaze: Option<Gaze>,
    /// Lines to highlight.
    pub wish: Option<Wish>,
    /// When to settle again even if nothing happens.
    pub wake: Option<Instant>,
    /// True if the screen is to be drawn again, though the state has not changed.
    pub stale: bool,
}

impl App {
    /// Makes the view fit the state at the given time.
    pub fn settle(&mut self, state: &State, now: Instant) -> Settled {
        self.seen.follow(&mut self.view, state);
        self.view.settle_requests(state);
        let top = self.view.layers.last_mut();
        let (stale, keys_from) = top.map_or((false, None), |layer| layer.take_keys(now));
        let found = layout_of(self.view.area, state, &self.view);
        for view in ViewId::ALL {
            let height = usize::from(found.body(view).height);
            if height == 0 {
                continue;
            }
            let len = self.view.len_of(view, state);
            let to_end = self.view.tail_of(view).is_some_and(|tail| tail.follow);
            if let Some(list) = self.view.list_of(view) {
                if to_end {
                    list.cursor = len.saturating_sub(1);
                }
                list.settle(len, height);
            }
        }
        if found.pane(ViewId::Array).is_some() {
            arrays::settle(&mut self.view, state);
        }
        if found.pane(ViewId::Memory).is_some() {
            memory::settle(&mut self.view, state);
        }
        close_answered(&mut self.view, state);
        self.view.settle_ranks(state, usize::from(ranks::cell_rows(state, found.body(ViewId::Ranks), &self.view)));
        let variables = found.pane(ViewId::Variables).is_some();
        if let Some(Layer::Prompt(prompt)) = self.view.layers.last_mut() {
            complete_late(prompt, state);
        }
        let typed = match self.view.layers.last() {
            Some(Layer::Prompt(prompt)) if prompt.kind == PromptKind::Command => Some(prompt.editor.before()),
            _ => None,
        };
        let names = typed.and_then(name_begun).map(str::to_owned);
        let types = typed.and_then(type_begun).map(str::to_owned);
        let shows = |content| variables && self.view.variables.content == content;
        let views = Views {
            stack: true,
            tree: self.view.chosen_stack.form(&state.focus) == StackForm::Merged && found.pane(ViewId::Stack).is_some(),
            thread_tree: (self.view.chosen_stack.form(&state.focus) == StackForm::AllThreads
                && found.pane(ViewId::Stack).is_some())
                || (self.view.threads_of_focus && found.pane(ViewId::Threads).is_some()),
            // Completion of a command needs the names of variables.
            locals: shows(Content::Variables) || shows(Content::Across) || typed.is_some(),
            arguments: shows(Content::Variables) || shows(Content::Across) || typed.is_some(),
            registers: shows(Content::Registers) || typed.is_some_and(is_register_begun),
            threads: !self.view.threads_of_focus && found.pane(ViewId::Threads).is_some(),
            libraries: shows(Content::Libraries),
            source: true,
        };
        let object = typed.and_then(member_begun).map(|member| member.object);
        let mut expressions = variables::wanted_expressions(state, &self.view);
        expressions.extend(object.filter(|object| !expressions.contains(object)));
        let listed = variables.then_some(self.view.variables.content);
        let across = across::wishes(state, &self.view, found.pane(ViewId::Ranks).is_some(), listed);
        let code = found.pane(ViewId::Source).and_then(|pane| {
            self.view.source.code.wish(pane.body.height, self.view.search.active && self.view.current == ViewId::Source)
        });
        let array = found.pane(ViewId::Array);
        self.view.array.whole = array.and_then(|pane| array::tiles::whole(state, &self.view, pane.body));
        let array = array.and_then(|pane| {
            let tiling = array::tiles::tiling(state, &self.view);
            self.view.array.wish(&state.inspection.array, array::room(pane.body, &self.view), tiling)
        });
        let memory = found.pane(ViewId::Memory).and_then(|pane| {
            let room = memory_view::room(pane.body, state, &self.view);
            self.view.memory.wish(&state.inspection.memory, room)
        });
        let colours = found.pane(ViewId::Ranks).and_then(|pane| ranks::coloured_cells(state, &self.view, pane.body));
        let mut gaze =
            Gaze { views, expressions, array, code, memory, across, colours, names, types, ..gaze_of(state) };
        let (lead, wake) = self.watch.better_lead(state, now);
        if let Some(lead) = lead {
            gaze = Gaze { lead, thread: None, file: None, ..gaze };
        }
        let first = self.view.source.list.top as u32 + 1;
        let height = u32::from(found.body(ViewId::Source).height);
        let wish = match source::text(state, &self.view) {
            Some(text) if height > 0 => self.view.colours.wish(text, first..first + height),
            _ => None,
        };
        let wake = [wake, keys_from].into_iter().flatten().min();
        Settled { gaze: (gaze != state.gaze).then_some(gaze), wish, wake, stale }
    }
}

impl View {
    pub(super) fn settle_ranks(&mut self, state: &State, height: usize) {
        self.ranks.cursor = self.ranks.cursor.min(state.size().saturating_sub(1));
        if !self.ranks.zoom.is_empty() {
            let parts = ranks::parts(state, self);
            self.ranks.zoom = if parts.len() > 1 { parts } else { Vec::new() };
        }
        let (rows, row) = self.arrangement(state).row_of(self.ranks.cursor);
        let view = &mut self.ranks;
        if height == 0 {
            return;
        }
        view.top = view.top.min(row).max((row + 1).saturating_sub(height)).min(rows.saturating_sub(height));
    }
}
