//! Shows a line that is cut off in its row on a page of its own.

use crate::effect::Effect;
use crate::layer::{Layer, Opened, Page};
use crate::screen::{set_text, untabbed};
use crate::view::View;
use crate::views::output;
use controller::State;

/// Shows the whole output line under the cursor.
pub(super) fn of_output(view: &mut View, state: &State) -> Vec<Effect> {
    match output::line(state, view.output.list.cursor) {
        Some(line) => {
            let ranks = set_text(&line.ranks, 40);
            view.whole(format!("output of {ranks}"), &line.text)
        }
        None => view.say("no line under the cursor"),
    }
}

/// Shows the whole message under the cursor.
pub(super) fn of_messages(view: &mut View) -> Vec<Effect> {
    match view.log.get(view.messages.list.cursor).map(|line| line.text.clone()) {
        Some(text) => view.whole("message".to_owned(), &text),
        None => view.say("no message under the cursor"),
    }
}

impl View {
    pub(super) fn whole(&mut self, title: String, text: &str) -> Vec<Effect> {
        self.layers.push(Layer::Page(Page {
            title,
            lines: vec![untabbed(text)],
            top: 0,
            opened: Opened::Known,
            failed: false,
        }));
        Vec::new()
    }
}
