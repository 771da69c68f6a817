//! The screen's state: keys change it, or become commands. Draws nothing and does no I/O.

mod actions;
mod array_tiles;
mod arrays;
mod code;
mod completing;
mod folding;
mod keys;
mod lead;
mod linear;
mod memory;
mod mouse;
mod moves;
mod outcomes;
mod pictures;
mod prompting;
mod questions;
mod reports;
mod requests;
mod searching;
mod seen;
mod settle;
mod variables;
mod whole_line;

use super::effect::Effect;
use super::keys::Chord;
use super::layer::Layer;
use super::prompt::{History, Kills};
use super::view::View;
use controller::{Gaze, State};
use crossterm::event::{KeyEvent, KeyEventKind};
use ratatui::layout::Rect;
use std::time::Instant;

pub use linear::{Awaited, Lines};
pub use settle::Settled;

/// The screen's state, with the history of commands and what is needed to follow the controller's state.
#[derive(Debug, Default)]
pub struct App {
    /// The state that drawing reads.
    pub view: View,
    /// Commands typed in this and earlier sessions.
    pub history: History,
    /// True once leaving has begun; the next request to leave is obeyed at once.
    pub leaving: bool,
    /// True if there are no views: commands answer in lines where the screen has a view.
    is_linear: bool,
    /// The revision of the controller's state that is on the screen.
    pub drawn_revision: u64,
    outcomes: outcomes::Outcomes,
    /// The command that was typed last.
    last: prompting::LastCommand,
    /// The text of the last search in the history.
    searched: String,
    /// The words that were deleted from a line last.
    kills: Kills,
    seen: seen::Seen,
    watch: lead::LeadWatch,
}

/// The current gaze. Commands move lead and thread too, so those of the state count.
fn gaze_of(state: &State) -> Gaze {
    Gaze { lead: state.lead, thread: state.thread, frame: None, ..state.gaze.clone() }
}

impl App {
    /// Handles a key event that came at a time; releases are ignored.
    pub fn key(&mut self, event: KeyEvent, at: Instant, state: &State) -> Vec<Effect> {
        if event.kind == KeyEventKind::Release {
            return Vec::new();
        }
        self.chord(Chord::of(event), at, state)
    }

    /// Records that the screen was drawn; returns when to settle again, since a question then takes keys.
    pub fn drawn(&mut self, now: Instant) -> Option<Instant> {
        self.view.layers.last_mut()?.is_drawn(now)
    }

    /// Inserts pasted text into the prompt; without a prompt it is ignored.
    pub fn paste(&mut self, text: &str) {
        let Some(Layer::Prompt(mut prompt)) = self.view.layers.pop_if(|top| matches!(top, Layer::Prompt(_))) else {
            return;
        };
        // A search takes what it has found; the text goes into that line.
        prompt.search = None;
        prompt.completion = None;
        prompt.editor.insert(text);
        self.suggest(&mut prompt);
        self.view.layers.push(Layer::Prompt(prompt));
    }

    /// Adapts to a new size of the terminal.
    pub fn resize(&mut self, width: u16, height: u16) {
        self.view.area = Rect::new(0, 0, width, height);
    }
}
