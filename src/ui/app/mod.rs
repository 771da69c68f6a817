//! The screen's state: keys change it, or become commands. Draws nothing and does no I/O.

mod actions;
mod keys;
mod lead;
mod mouse;
mod moves;
mod outcomes;
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
use super::prompt::History;
use super::view::View;
use controller::{Gaze, State};
use crossterm::event::{KeyEvent, KeyEventKind};
use ratatui::layout::Rect;

pub use settle::Settled;

/// What the user has done to the screen, and what was typed before.
#[derive(Debug, Default)]
pub struct App {
    /// What drawing reads.
    pub view: View,
    /// Commands typed before.
    pub history: History,
    /// Leaving has begun: the next wish to leave is obeyed at once.
    pub leaving: bool,
    /// The state's revision that is on the screen.
    pub drawn_revision: u64,
    outcomes: outcomes::Outcomes,
    seen: seen::Seen,
    watch: lead::LeadWatch,
}

/// Where the screen looks now. Commands move lead, thread and frame too, so those of the state hold.
fn gaze_of(state: &State) -> Gaze {
    Gaze { lead: state.lead, thread: state.thread, frame: None, ..state.gaze.clone() }
}

impl App {
    /// A key was pressed.
    pub fn key(&mut self, event: KeyEvent, state: &State) -> Vec<Effect> {
        if event.kind == KeyEventKind::Release {
            return Vec::new();
        }
        self.chord(Chord::of(event), state)
    }

    /// Text was pasted: typed into a prompt, ignored elsewhere.
    pub fn paste(&mut self, text: &str) {
        if let Some(super::layer::Layer::Prompt(prompt)) = self.view.layers.last_mut() {
            prompt.editor.insert(text);
            prompt.completion = None;
        }
    }

    /// The terminal has another size.
    pub fn resize(&mut self, width: u16, height: u16) {
        self.view.area = Rect::new(0, 0, width, height);
    }
}
