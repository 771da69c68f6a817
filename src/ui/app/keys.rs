//! Key dispatch: the topmost layer gets the key, else the key map.

use super::App;
use crate::action::Action;
use crate::effect::Effect;
use crate::help;
use crate::keys::{Chord, Lookup};
use crate::layer::{Confirm, Layer, Opened, Page};
use crate::screen::page;
use controller::State;
use crossterm::event::KeyCode;
use std::time::Instant;

/// The outcome of a key for a question.
enum Taken {
    /// The key chose another answer.
    Used,
    Answered(Vec<Effect>),
    /// The key is not bound in a question.
    Foreign,
}

impl App {
    /// Handles a chord. A busy machine delivers escape and the next key as one chord with `alt`; if that key opens a
    /// line (`:`), the rest of the line must not be taken for keys. `at` is when it was pressed.
    pub fn chord(&mut self, chord: Chord, at: Instant, state: &State) -> Vec<Effect> {
        if let Some([escape, letter]) = chord.as_escape_and_letter()
            && self.is_unbound(chord)
            && let Lookup::Action(action) = self.view.keys.look_up(self.view.current, false, &[letter])
            && opens_a_line(action)
        {
            let mut effects = self.pressed(escape, at, state);
            effects.extend(self.pressed(letter, at, state));
            return effects;
        }
        self.pressed(chord, at, state)
    }

    /// True if the key opens a line in which text is typed.
    fn begins_a_line(&self, chord: Chord) -> bool {
        let found = self.view.keys.look_up(self.view.current, false, &[chord]);
        matches!(found, Lookup::Action(action) if action.opens_a_line())
    }

    fn is_unbound(&self, chord: Chord) -> bool {
        matches!(self.view.keys.look_up(self.view.current, self.view.search.active, &[chord]), Lookup::None)
    }

    fn pressed(&mut self, chord: Chord, at: Instant, state: &State) -> Vec<Effect> {
        let begins_a_line = self.begins_a_line(chord);
        match self.view.layers.last_mut() {
            None => self.sequence(chord, state),
            // The page answers a command; keys that were typed after that command are the next ones.
            Some(Layer::Page(page)) if page.opened == Opened::Unseen => self.sequence(chord, state),
            Some(Layer::Page(page)) if page.opened.is_unread(at) && self.view.keys.look_up_page(chord).is_none() => {
                self.sequence(chord, state)
            }
            // Whoever types the next command has not seen the question, and must not answer it with a letter of it. It
            // waits below the line.
            Some(Layer::Confirm(_)) if begins_a_line => self.sequence(chord, state),
            Some(Layer::Confirm(Confirm { opened, .. }) | Layer::Requests(opened)) if opened.is_unread(at) => {
                self.view.say("the question has only just appeared: press the key again")
            }
            Some(Layer::Prompt(_)) => self.prompt_key(chord, state),
            Some(Layer::Help(_) | Layer::Page(_)) => self.page_key(chord, state),
            Some(Layer::Requests(_)) => self.request_key(chord, state),
            Some(Layer::Confirm(confirm)) => match answer(chord, confirm) {
                Taken::Used => Vec::new(),
                Taken::Answered(effects) => {
                    self.view.layers.pop();
                    self.view.notice = None;
                    effects
                }
                Taken::Foreign => {
                    let keys: Vec<String> = confirm.choices.iter().map(|choice| choice.key.to_string()).collect();
                    let words = format!("expected {}, or esc", keys.join(", "));
                    self.view.say(&words)
                }
            },
        }
    }

    /// Handles a key while a page is on top: it scrolls the page or closes it. Where there is nothing to scroll, other
    /// keys act as if the page were a line; behind a long one they may be meant for reading, and behind one that says why
    /// a command failed for what that should have done: no rank runs.
    fn page_key(&mut self, chord: Chord, state: &State) -> Vec<Effect> {
        let action = self.view.keys.look_up_page(chord);
        let height = usize::from(self.view.area.height);
        let half = (height / 2).max(1);
        let (rows, shown) = match self.view.layers.last() {
            Some(Layer::Help(_)) => (help::lines(&self.view).len(), height.saturating_sub(4)),
            Some(Layer::Page(page)) => (page::rows(self.view.area.width, page).len(), page::room(self.view.area)),
            _ => (0, 0),
        };
        let last = rows.saturating_sub(shown);
        let Some(Layer::Help(top) | Layer::Page(Page { top, .. })) = self.view.layers.last_mut() else {
            return Vec::new();
        };
        match action {
            Some(Action::Down) => *top = (*top + 1).min(last),
            Some(Action::Up) => *top = top.saturating_sub(1),
            Some(Action::HalfDown | Action::PageForward) => *top = (*top + half).min(last),
            Some(Action::HalfUp) => *top = top.saturating_sub(half),
            Some(Action::Top | Action::PageTop) => *top = 0,
            Some(Action::Bottom) => *top = last,
            // These leave the page open.
            Some(action @ (Action::Halt | Action::Redraw | Action::Suspend)) => return self.act(action, state),
            other => {
                let area = self.view.area;
                let acts =
                    matches!(self.view.layers.pop(), Some(Layer::Page(page)) if page::lets_keys_through(area, &page));
                return match other {
                    Some(action) => self.act(action, state),
                    None if acts => self.sequence(chord, state),
                    None => Vec::new(),
                };
            }
        }
        Vec::new()
    }

    fn sequence(&mut self, chord: Chord, state: &State) -> Vec<Effect> {
        if !self.view.pending.is_empty() && chord.code() == KeyCode::Esc {
            self.view.pending.clear();
            return Vec::new();
        }
        self.view.pending.push(chord);
        match self.view.keys.look_up(self.view.current, self.view.search.active, &self.view.pending) {
            Lookup::Action(action) => {
                self.view.pending.clear();
                self.view.notice = None;
                self.act(action, state)
            }
            Lookup::Prefix(_) => Vec::new(),
            Lookup::None => {
                let pressed = std::mem::take(&mut self.view.pending);
                let which: Vec<String> = pressed.iter().map(|chord| chord.short()).collect();
                let which = which.join(" ");
                let help = self.view.keys.first_key(Action::Help);
                // As in gdb, enter is expected to repeat the last command.
                if let [enter] = pressed.as_slice()
                    && enter.code() == KeyCode::Enter
                    && let Some(how) = self.how_to_repeat()
                {
                    return self.view.say(&format!("{which} is not bound here; {how}"));
                }
                if help.is_empty() {
                    return self.view.say(&format!("{which} is not bound here"));
                }
                self.view.say(&format!("{which} is not bound here; {help} shows the keys"))
            }
        }
    }
}

/// True if keys after this action are typed into a line or go to another view, so that none of them runs the program.
fn opens_a_line(action: Action) -> bool {
    action.opens_a_line() || action.view().is_some()
}

/// Escape answers "no" if the question has that answer.
fn refusal(confirm: &Confirm) -> Vec<Effect> {
    let no = confirm.choices.iter().find(|choice| choice.key == 'n');
    no.map(|choice| choice.effects.clone()).unwrap_or_default()
}

fn answer(chord: Chord, confirm: &mut Confirm) -> Taken {
    let count = confirm.choices.len().max(1);
    let given = |at: usize, confirm: &Confirm| {
        Taken::Answered(confirm.choices.get(at).map(|choice| choice.effects.clone()).unwrap_or_default())
    };
    if let Some(at) = chord.typed().and_then(|typed| confirm.choices.iter().position(|choice| choice.key == typed)) {
        return given(at, confirm);
    }
    match chord.code() {
        KeyCode::Enter => return given(confirm.chosen, confirm),
        // No letter moves the mark: it may be one of a command that somebody types who has not seen the question.
        KeyCode::Down | KeyCode::Tab => confirm.chosen = (confirm.chosen + 1) % count,
        KeyCode::Up | KeyCode::BackTab => confirm.chosen = (confirm.chosen + count - 1) % count,
        KeyCode::Esc => return Taken::Answered(refusal(confirm)),
        _ if chord == Chord::control('c') => return Taken::Answered(refusal(confirm)),
        _ => return Taken::Foreign,
    }
    Taken::Used
}
