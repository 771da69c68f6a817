//! The code in the source view: when it is shown, and how its cursor follows the selected frame.

use crate::effect::Effect;
use crate::view::View;
use crate::views::code_rows::{current_row, instruction_at, row_of, rows};
use controller::State;
use controller::state::Lookup;

impl View {
    /// Switches between the source and the code.
    pub(super) fn toggle_code(&mut self) -> Vec<Effect> {
        let code = &mut self.source.code;
        if code.shown && !code.wanted {
            return self.say("there is no source here: only the code can be shown");
        }
        code.wanted = !code.wanted;
        code.follow();
        self.search.active = false;
        Vec::new()
    }

    /// Decides whether the source view shows code, and keeps its cursor where it belongs. `moved`: the lead has stopped,
    /// or another frame is selected.
    pub(super) fn settle_code(&mut self, state: &State, moved: bool, height: usize) {
        let no_source = state.nearest_source().is_none() && state.gaze.file.is_none();
        let is_known = matches!(state.inspection.stack, Lookup::Known(_));
        let at_rest = state.ranks.at_rest().contains(state.lead);
        let code = &mut self.source.code;
        if !at_rest && state.ranks.stopped().is_empty() && state.ranks.state(state.lead).is_none() {
            code.shown = code.wanted;
        } else if code.wanted || at_rest && is_known {
            code.shown = code.wanted || no_source;
        }
        if moved {
            code.follow();
        }
        let rows = rows(state);
        let known = &state.inspection.code;
        if !code.shown || rows.is_empty() || !matches!(known.page, Lookup::Known(_)) {
            return;
        }
        if code.page != known.pages || moved {
            code.page = known.pages;
            // Other rows: the cursor stays at its instruction, or goes to that of the frame.
            match code.kept.and_then(|(address, below)| Some((row_of(&rows, address)?, below))) {
                Some((row, below)) => {
                    code.list.cursor = row;
                    code.list.top = row.saturating_sub(below);
                }
                None => {
                    if let Some(row) = current_row(&rows) {
                        code.list.cursor = row;
                        if row < code.list.top + 2 || row + 3 > code.list.top + height {
                            code.list.top = row.saturating_sub(height / 3);
                        }
                    }
                }
            }
        }
        code.list.settle(rows.len(), height);
        let (cursor, below) = (code.list.cursor, code.list.cursor.saturating_sub(code.list.top));
        let Some(address) = instruction_at(&rows, cursor).and_then(|found| found.code.address) else { return };
        if current_row(&rows) != Some(cursor) || code.around.is_some() {
            code.kept = Some((address, below));
        }
        // Near the ends of the page, the next one is around the cursor.
        if cursor < height || cursor + height > rows.len() {
            let is_answered = known.answered.is_some_and(|wish| wish.at == code.around);
            if is_answered && code.around != Some(address) && current_row(&rows) != Some(cursor) {
                code.around = Some(address);
            }
        }
        if self.source.code.is_searchable(known)
            && let Some(forward) = self.source.code.sought.take()
        {
            self.search(forward, state);
        }
    }
}
