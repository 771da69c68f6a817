//! Before drawing: cursors onto rows that exist, windows over them, and what must be asked for to fill the views.

use super::{App, gaze_of};
use crate::action::ViewId;
use crate::highlight::Wish;
use crate::layer::{Layer, PromptKind};
use crate::screen::layout_of;
use crate::view::View;
use crate::view::{Content, RanksView, SourceView};
use crate::views::{merged, ranks, source, variables};
use controller::command::{member_begun, name_begun};
use controller::state::{Lookup, Phase};
use controller::{Gaze, State, Views};
use model::{ProcessSet, Rank};
use std::{sync::Arc, time::Instant};

/// What the views lack.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settled {
    /// What the controller should keep fresh, when that has changed.
    pub gaze: Option<Gaze>,
    /// Lines to be coloured.
    pub wish: Option<Wish>,
    /// When to settle again even if nothing happens.
    pub wake: Option<Instant>,
}

/// What was on the screen last, to notice what moved.
#[derive(Debug, Default)]
pub(super) struct Seen {
    lead: Option<Rank>,
    focus: Option<ProcessSet>,
    output_dropped: u64,
    pub(super) frame: Option<(Rank, u32)>,
    lead_moves: u64,
}

impl App {
    /// Makes the view fit the state at a time.
    pub fn settle(&mut self, state: &State, now: Instant) -> Settled {
        self.follow_lead(state);
        self.follow_source(state);
        self.view.settle_requests(state);
        self.stay_in_output(state);
        let found = layout_of(self.view.area, state, &self.view);
        for view in ViewId::ALL {
            let height = usize::from(found.body(view).height);
            if height == 0 {
                continue;
            }
            let len = self.view.len_of(view, state);
            let to_end = match view {
                ViewId::Output => self.view.output.follow,
                ViewId::Messages => self.view.messages_follow,
                _ => false,
            };
            if let Some(list) = self.view.list_of(view) {
                if to_end {
                    list.cursor = len.saturating_sub(1);
                }
                list.settle(len, height);
            }
        }
        self.view.settle_ranks(
            state,
            usize::from(ranks::cell_rows(state, found.body(ViewId::Ranks), self.view.ranks.density)),
        );
        let variables = found.pane(ViewId::Variables).is_some();
        let typed = match self.view.layers.last() {
            Some(Layer::Prompt(prompt)) if prompt.kind == PromptKind::Command => Some(prompt.editor.before()),
            _ => None,
        };
        let names = typed.and_then(name_begun).map(str::to_owned);
        let shows = |content| variables && self.view.variables.content == content;
        let views = Views {
            stack: true,
            tree: self.view.merged && found.pane(ViewId::Stack).is_some(),
            // What is typed is completed by them.
            locals: shows(Content::Variables) || typed.is_some(),
            arguments: shows(Content::Variables) || typed.is_some(),
            registers: shows(Content::Registers),
            threads: found.pane(ViewId::Threads).is_some(),
            libraries: shows(Content::Libraries),
            source: true,
        };
        let object = typed.and_then(member_begun).map(|member| member.object);
        let mut expressions = variables::wanted_expressions(state, &self.view);
        expressions.extend(object.filter(|object| !expressions.contains(object)));
        let mut gaze = Gaze { views, expressions, names, ..gaze_of(state) };
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
        Settled { gaze: (gaze != state.gaze).then_some(gaze), wish, wake }
    }

    /// What the user reads stays where it is when lines before it are given up.
    fn stay_in_output(&mut self, state: &State) {
        let dropped = state.output.dropped();
        let gone = dropped.saturating_sub(std::mem::replace(&mut self.seen.output_dropped, dropped));
        if gone > 0 && state.output_of.is_none() {
            let gone = usize::try_from(gone).unwrap_or(usize::MAX);
            let list = &mut self.view.output.list;
            (list.cursor, list.top) = (list.cursor.saturating_sub(gone), list.top.saturating_sub(gone));
        }
    }

    fn follow_lead(&mut self, state: &State) {
        if self.seen.lead != Some(state.lead) {
            self.seen.lead = Some(state.lead);
            self.view.ranks.cursor = state.lead.0;
        }
        if self.seen.focus.as_ref() != Some(&state.focus.set) {
            self.seen.focus = Some(state.focus.set.clone());
            self.view.ranks.cursor = state.lead.0;
        }
        let frame = (state.lead, state.frame());
        if self.seen.frame != Some(frame) {
            let row = if self.view.merged { merged::shown_row(state, &self.view) } else { Some(frame.1 as usize) };
            if let Some(row) = row {
                self.seen.frame = Some(frame);
                self.view.stack.cursor = row;
            }
        }
    }

    /// The source goes to where the lead is, each time that changes; between, the cursor is the user's.
    fn follow_source(&mut self, state: &State) {
        if state.phase == Phase::Idle && self.view.source.file.is_some() {
            // The program that was is not debugged any more.
            self.view.source = SourceView::default();
            self.view.ranks = RanksView::default();
        }
        if std::mem::replace(&mut self.seen.lead_moves, state.lead_moves) != state.lead_moves {
            // It may stop where it was: the source goes there, wherever the cursor has been since.
            self.view.source.shown = None;
        }
        let place = state.nearest_source().map(|found| (found.place.file, found.place.line));
        let opened = state.gaze.file.clone();
        // Text that is being read, or that may turn out not to be there, does not take the place of what is shown.
        let is_text = |file: &Arc<str>| matches!(state.inspection.sources.get(file), Some(Lookup::Known(_)));
        let shows_text = self.view.source.file.as_ref().is_some_and(is_text);
        let is_told =
            |file: &Arc<str>| is_text(file) || matches!(state.inspection.sources.get(file), Some(Lookup::Failed(_)));
        let place = place.filter(|(file, _)| !shows_text || is_told(file));
        if let Some((file, line)) = &place
            && self.view.source.shown.as_ref() != Some(&(file.clone(), *line))
            && opened.is_none()
        {
            self.view.source.shown.clone_from(&place);
            self.view.source.wanted = Some(*line);
            self.view.source.left = 0;
        }
        let file: Option<Arc<str>> =
            opened.or_else(|| place.map(|place| place.0)).or_else(|| self.view.source.file.clone());
        let other_file = file != self.view.source.file;
        if other_file {
            self.view.source.file = file;
            self.view.source.left = 0;
            self.view.source.fresh = true;
        }
        let height = usize::from(layout_of(self.view.area, state, &self.view).body(ViewId::Source).height);
        let count = source::line_count(state, &self.view);
        if count == 0 {
            // Where the cursor was is lost: the text, once it is there again, is shown at where the lead is.
            self.view.source.shown = None;
            self.view.source.fresh = true;
        }
        if count > 0
            && let Some(line) = self.view.source.wanted.take()
        {
            let row = (line as usize).saturating_sub(1).min(count - 1);
            let list = &mut self.view.source.list;
            list.show(row, height);
            if std::mem::take(&mut self.view.source.fresh) {
                list.top = row.saturating_sub(height / 2);
            }
            let list = &mut self.view.source.list;
            // Two lines around the current one stay in sight.
            let margin = 2.min(height / 4);
            list.top = list.top.min(row.saturating_sub(margin)).max((row + margin + 1).saturating_sub(height));
        }
    }
}

impl View {
    pub(super) fn settle_ranks(&mut self, state: &State, height: usize) {
        let grid = self.grid(state);
        let view = &mut self.ranks;
        view.cursor = view.cursor.min(state.size().saturating_sub(1));
        if height == 0 {
            return;
        }
        let row = (view.cursor / grid.per_cell / grid.columns) as usize;
        view.top = view.top.min(row).max((row + 1).saturating_sub(height)).min(grid.rows.saturating_sub(height));
    }
}
