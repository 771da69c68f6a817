//! Clicks and the wheel, if the mouse is enabled.

use super::{App, arrays, memory};
use crate::action::{Action, ViewId};
use crate::effect::Effect;
use crate::layout::Pane;
use crate::screen::layout_of;
use crate::views::{ranks, source};
use controller::State;
use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

/// Rows scrolled per notch of the wheel.
const NOTCH: isize = 3;

impl App {
    /// Handles a mouse event: a click gives a view the keyboard and moves its cursor to the row or cell, in the margin of
    /// the source it sets a breakpoint or deletes it, and the wheel scrolls.
    pub fn mouse(&mut self, event: MouseEvent, state: &State) -> Vec<Effect> {
        if !self.view.layers.is_empty() {
            return Vec::new();
        }
        let position = Position::new(event.column, event.row);
        let found = layout_of(self.view.area, state, &self.view);
        let Some(pane) = found.panes.iter().find(|pane| pane.body.contains(position) || pane.rule.contains(position))
        else {
            return Vec::new();
        };
        match event.kind {
            MouseEventKind::Down(MouseButton::Left) => self.click(pane, position, state),
            MouseEventKind::ScrollDown => self.wheel(pane, NOTCH, state),
            MouseEventKind::ScrollUp => self.wheel(pane, -NOTCH, state),
            MouseEventKind::ScrollRight if pane.view == ViewId::Array => arrays::move_by(&mut self.view, 0, 1, state),
            MouseEventKind::ScrollLeft if pane.view == ViewId::Array => arrays::move_by(&mut self.view, 0, -1, state),
            _ => Vec::new(),
        }
    }

    fn click(&mut self, pane: &Pane, position: Position, state: &State) -> Vec<Effect> {
        self.view.go_to(pane.view);
        if pane.view == ViewId::Array {
            return arrays::click(&mut self.view, pane, position, state);
        }
        if pane.view == ViewId::Memory {
            memory::click(&mut self.view, pane, position, state);
            return Vec::new();
        }
        if pane.view == ViewId::Ranks {
            let (column, row) = (position.x - pane.body.x, position.y.wrapping_sub(pane.body.y));
            let rank = ranks::arrangement(state, &self.view, pane.body).rank_at(column, row);
            return rank.map_or_else(Vec::new, |rank| self.cursor_to(rank, state));
        }
        if pane.body.contains(position) {
            let row = usize::from(position.y - pane.body.y);
            let len = self.view.len(state);
            let Some(list) = self.view.list_of(pane.view) else { return Vec::new() };
            let (top, is_row) = (list.top, list.top + row < len);
            list.cursor = (top + row).min(len.saturating_sub(1));
            let margin = if self.view.source.code.shown { source::SIGNS } else { source::margin_width(len) };
            if pane.view == ViewId::Source && is_row && position.x - pane.body.x < margin {
                return self.act(Action::Break, state);
            }
        }
        Vec::new()
    }

    fn wheel(&mut self, pane: &Pane, rows: isize, state: &State) -> Vec<Effect> {
        if pane.view == ViewId::Memory {
            return memory::scroll(&mut self.view, rows as i64, state);
        }
        let has_planes = state.layout.grid(state.size()).is_some_and(|grid| grid.planes() > 1);
        if pane.view == ViewId::Ranks && has_planes {
            return self.other_plane(rows.signum() as i64, state);
        }
        let current = self.view.current;
        self.view.current = pane.view;
        let effects = self.move_by(rows, state);
        self.view.current = current;
        effects
    }
}
