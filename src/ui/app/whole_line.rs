//! A line that is cut off in its row, on a page of its own.

use super::App;
use crate::effect::Effect;
use crate::layer::{Layer, Page};
use crate::screen::{set_text, untabbed};
use crate::view::View;
use crate::views::output;
use controller::State;

impl App {
    /// Shows what the cursor of view 5 is on.
    pub(super) fn whole_output(&mut self, state: &State) -> Vec<Effect> {
        match output::line(state, self.view.output.list.cursor) {
            Some(line) => {
                let ranks = set_text(&line.ranks, 40);
                self.view.whole(format!("output of {ranks}"), &line.text)
            }
            None => self.view.say("no line under the cursor"),
        }
    }

    /// Shows what the cursor of view 9 is on.
    pub(super) fn whole_message(&mut self) -> Vec<Effect> {
        match self.view.log.get(self.view.messages.cursor).map(|line| line.text.clone()) {
            Some(text) => self.view.whole("message".to_owned(), &text),
            None => self.view.say("no message under the cursor"),
        }
    }
}

impl View {
    pub(super) fn whole(&mut self, title: String, text: &str) -> Vec<Effect> {
        self.layers.push(Layer::Page(Page { title, lines: vec![untabbed(text)], top: 0 }));
        Vec::new()
    }
}
