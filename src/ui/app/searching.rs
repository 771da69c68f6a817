//! Searching a view in the text that its rows show.

use crate::action::ViewId;
use crate::effect::Effect;
use crate::screen::drawn_rows;
use crate::view::View;
use crate::views::{output, source};
use controller::State;
use std::ops::Range;

/// Rows drawn at a time for a search.
const CHUNK: usize = 128;

impl View {
    /// True for each row of the current view that matches the search. In source, output and messages the text is
    /// searched, in all other views the row as drawn: whatever the mode, what is found is what is seen.
    pub(super) fn matching(&mut self, rows: Range<usize>, state: &State) -> Vec<bool> {
        let view = self.current;
        let text_of = |app: &Self, row: usize| match view {
            ViewId::Source => source::text(state, app)?.line(row as u32 + 1).map(str::to_owned),
            ViewId::Output => output::line(state, row).map(|line| line.text.clone()),
            _ => app.log.get(row).map(|line| line.text.clone()),
        };
        let is_code = view == ViewId::Source && self.source.code.shown;
        if !is_code && matches!(view, ViewId::Source | ViewId::Output | ViewId::Messages) {
            let found = |row| text_of(self, row).is_some_and(|text| self.search.find(&text).is_some());
            return rows.map(found).collect();
        }
        let Some(list) = self.list_of(view) else { return Vec::new() };
        let top = std::mem::replace(&mut list.top, rows.start);
        let drawn = drawn_rows(view, state, self, rows.len() as u16);
        if let Some(list) = self.list_of(view) {
            list.top = top;
        }
        drawn.iter().map(|text| self.search.find(text).is_some()).collect()
    }

    /// Finds the next match from a row in a direction; the row itself comes last.
    pub(super) fn next_match(&mut self, at: usize, len: usize, forward: bool, state: &State) -> Option<usize> {
        let (before, behind) = (0..at.min(len), (at + 1).min(len)..len);
        let here = at.min(len)..(at + 1).min(len);
        let ranges = if forward { [behind, before, here] } else { [before, behind, here] };
        ranges.into_iter().find_map(|range| {
            let starts: Vec<usize> = range.clone().step_by(CHUNK).collect();
            let of = |start: usize| start..(start + CHUNK).min(range.end);
            let mut starts: Box<dyn Iterator<Item = usize>> =
                if forward { Box::new(starts.into_iter()) } else { Box::new(starts.into_iter().rev()) };
            starts.find_map(|start| {
                let found = self.matching(of(start), state);
                let at = if forward { found.iter().position(|hit| *hit) } else { found.iter().rposition(|hit| *hit) };
                at.map(|at| start + at)
            })
        })
    }

    pub(super) fn search(&mut self, forward: bool, state: &State) -> Vec<Effect> {
        if self.current == ViewId::Array {
            return self.seek(forward, state);
        }
        if self.current == ViewId::Memory {
            return self.say("memory is not searched on the screen: / goes to an address, \"find\" searches");
        }
        if self.search.text.is_empty() {
            return self.say("no search yet; / starts one");
        }
        let Some(at) = self.list_of(self.current).map(|list| list.cursor) else {
            return self.say("no search in ranks; use \"focus at(LOCATION)\" or \"focus {EXPRESSION}\"");
        };
        self.search.active = true;
        if self.current == ViewId::Source
            && self.source.code.shown
            && !self.source.code.is_searchable(&state.inspection.code)
        {
            // More instructions are read first.
            self.source.code.sought = Some(forward);
            return Vec::new();
        }
        let len = self.len(state);
        match self.next_match(at, len, forward, state) {
            Some(row) => {
                if let Some(tail) = self.tail_of(self.current) {
                    tail.follow = false;
                }
                let height = self.height(state);
                if let Some(list) = self.list_of(self.current) {
                    list.show(row, height);
                }
                Vec::new()
            }
            None => {
                let words = format!("\"{}\" not found in this view", self.search.text);
                self.say(&words)
            }
        }
    }
}
