//! A front end of lines (`--plain`): the prompt with its history, its completion and its questions, without any view.

use super::App;
use super::questions::ask_quit;
use crate::effect::{Effect, execute};
use crate::keys::Chord;
use crate::layer::{Confirm, Layer, Opened, Prompt, PromptKind};
use crate::prompt::{Editor, History};
use controller::State;
use crossterm::event::{KeyCode, KeyEvent, KeyEventKind};
use std::time::Instant;

/// What the user is to type next.
#[derive(Clone, Debug, PartialEq)]
pub enum Awaited<'a> {
    /// Nothing, until a line is opened.
    Nothing,
    /// A command, or the next line of a block.
    Line(&'a Prompt),
    /// The answer to a question.
    Answer(&'a Confirm),
}

/// The state of a front end of lines.
#[derive(Debug)]
pub struct Lines {
    /// The state as a screen has it, of which nothing is drawn.
    pub app: App,
}

impl Lines {
    /// Creates the state with the commands of earlier sessions.
    pub fn new(history: History) -> Self {
        let mut app = App { is_linear: true, history, ..App::default() };
        // What the views of a screen ask the ranks for is known.
        app.resize(80, 24);
        Self { app }
    }

    /// Returns what the user is to type next. Pages and dialogs are dropped: what they would show has been said.
    pub fn awaited(&mut self) -> Awaited<'_> {
        self.app.view.layers.retain(|layer| matches!(layer, Layer::Prompt(_) | Layer::Confirm(_)));
        match self.app.view.layers.last() {
            Some(Layer::Prompt(prompt)) => Awaited::Line(prompt),
            Some(Layer::Confirm(confirm)) => Awaited::Answer(confirm),
            _ => Awaited::Nothing,
        }
    }

    /// Opens a line for a command, unless something else is to be typed.
    pub fn open_line(&mut self) {
        if self.awaited() == Awaited::Nothing {
            self.app.view.layers.push(Layer::Prompt(Prompt::new(PromptKind::Command, "")));
        }
    }

    /// The question on top has been asked: it takes answers now.
    pub fn asked(&mut self) {
        if let Some(Layer::Confirm(confirm)) = self.app.view.layers.last_mut() {
            confirm.opened = Opened::Known;
        }
    }

    /// Takes what has been said about a key.
    pub fn take_notice(&mut self) -> Option<String> {
        self.app.view.notice.take().map(|notice| notice.text)
    }

    /// Handles a key. Ctrl-c at an empty line halts the ranks of the focus, as gdb does, and ctrl-d leaves.
    pub fn line_key(&mut self, event: KeyEvent, at: Instant, state: &State) -> Vec<Effect> {
        if event.kind == KeyEventKind::Release {
            return Vec::new();
        }
        let chord = Chord::of(event);
        let is_empty = match self.awaited() {
            Awaited::Line(prompt) => {
                prompt.editor.text().is_empty() && prompt.block.is_none() && prompt.search.is_none()
            }
            Awaited::Answer(_) => false,
            Awaited::Nothing => true,
        };
        match chord {
            _ if is_empty && chord == Chord::control('c') => self.interrupt(),
            _ if is_empty && chord == Chord::control('d') => self.leave_by_key(state),
            _ if self.awaited() == Awaited::Nothing => Vec::new(),
            _ => {
                let effects = self.app.chord(chord, at, state);
                if let Some(Layer::Prompt(prompt)) = self.app.view.layers.last_mut() {
                    // Text that nobody has typed would be read aloud.
                    prompt.suggestion.clear();
                }
                effects
            }
        }
    }

    /// Handles a whole line that the terminal, or another program, has edited.
    pub fn whole_line(&mut self, line: &str, at: Instant, state: &State) -> Vec<Effect> {
        let enter = KeyEvent::from(KeyCode::Enter);
        match self.app.view.layers.last_mut() {
            Some(Layer::Prompt(prompt)) => {
                prompt.editor = Editor::new(line);
                self.line_key(enter, at, state)
            }
            _ => {
                let first =
                    line.trim().chars().next().map_or(enter, |key| KeyCode::Char(key.to_ascii_lowercase()).into());
                self.line_key(first, at, state)
            }
        }
    }

    /// Halts the ranks of the focus.
    pub fn interrupt(&mut self) -> Vec<Effect> {
        self.app.outcomes.typed("halt");
        execute("halt")
    }

    /// Asks what becomes of the ranks, and leaves.
    pub fn leave_by_key(&mut self, state: &State) -> Vec<Effect> {
        ask_quit(&mut self.app.view, self.app.leaving, state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::event::KeyModifiers;

    fn app() -> Lines {
        let mut app = Lines::new(History::default());
        app.open_line();
        app
    }

    fn press(app: &mut Lines, code: KeyCode) -> Vec<Effect> {
        app.line_key(code.into(), Instant::now(), &State::default())
    }

    fn control(app: &mut Lines, letter: char) -> Vec<Effect> {
        let key = KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL);
        app.line_key(key, Instant::now(), &State::default())
    }

    fn typed(app: &mut Lines) -> String {
        match app.awaited() {
            Awaited::Line(prompt) => prompt.editor.text().to_owned(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn a_command_is_typed_recalled_and_completed_without_a_suggestion() {
        let mut app = app();
        for key in "groups".chars() {
            press(&mut app, KeyCode::Char(key));
        }
        assert_eq!(press(&mut app, KeyCode::Enter), execute("groups"));
        assert_eq!(app.awaited(), Awaited::Nothing);
        app.open_line();
        press(&mut app, KeyCode::Up);
        assert_eq!(typed(&mut app), "groups");
        control(&mut app, 'u');
        press(&mut app, KeyCode::Char('g'));
        let Awaited::Line(prompt) = app.awaited() else { panic!("no line") };
        assert_eq!(prompt.suggestion, "");
        press(&mut app, KeyCode::Right);
        assert_eq!(typed(&mut app), "g");
    }

    #[test]
    fn an_array_is_told_in_lines() {
        let mut app = app();
        let effects = app.whole_line("array u", Instant::now(), &State::default());
        assert_eq!(effects, execute("array u"));
    }

    #[test]
    fn ctrl_c_drops_what_is_typed_and_halts_at_an_empty_line() {
        let mut app = app();
        press(&mut app, KeyCode::Char('x'));
        assert_eq!(control(&mut app, 'c'), []);
        assert_eq!(app.awaited(), Awaited::Nothing);
        app.open_line();
        assert_eq!(control(&mut app, 'c'), execute("halt"));
    }

    #[test]
    fn quit_and_ctrl_d_leave_without_a_session() {
        let mut app = app();
        assert_eq!(control(&mut app, 'd'), [Effect::Leave]);
        assert_eq!(app.whole_line("quit", Instant::now(), &State::default()), [Effect::Leave]);
    }
}
