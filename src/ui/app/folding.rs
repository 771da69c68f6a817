//! Frames of libraries in the stack: one line for them, or all.

use super::App;
use crate::view::LibraryFrames;
use crate::views::{merged, stack, stack_rows};
use controller::State;

impl App {
    /// Folds the frames of libraries, or shows them. The cursor stays on its frame.
    pub(super) fn show_libraries(&mut self, form: LibraryFrames, state: &State) {
        let view = &mut self.view;
        if view.libraries == form {
            return;
        }
        let cursor = if view.chosen_stack.form(&state.focus).is_tree() {
            let before = merged::rows(state, view);
            view.libraries = form;
            merged::same_row(&before, &merged::rows(state, view), view.stack.cursor)
        } else {
            let level = stack::row_at_cursor(state, view).map(|row| row.level());
            view.libraries = form;
            let rows = stack_rows::rows(state, view);
            level.and_then(|level| rows.iter().position(|row| row.has(level)))
        };
        view.stack.cursor = cursor.unwrap_or(view.stack.cursor);
        self.seen.keep_cursor(&self.view, state);
    }
}
