//! Who gets a key: the topmost layer, else the key map.

use super::App;
use crate::controller::State;
use crate::ui::action::Action;
use crate::ui::effect::Effect;
use crate::ui::help;
use crate::ui::keys::{Chord, Lookup};
use crate::ui::layer::{Confirm, Layer, Page};
use crossterm::event::KeyCode;

/// What a layer did with a key.
enum Taken {
    /// It is done with.
    Used(Vec<Effect>),
    /// The layer is closed.
    Closed(Vec<Effect>),
    /// It is no key of a page.
    Foreign,
}

impl App {
    /// A chord was pressed. On a busy machine escape and the key behind it arrive as one, with `alt` held; were `:` lost so,
    /// the rest of the line would be taken for keys.
    pub fn chord(&mut self, chord: Chord, state: &State) -> Vec<Effect> {
        if let Some([escape, letter]) = chord.as_escape_and_letter()
            && self.is_unbound(chord)
            && let Lookup::Action(action) = self.view.keys.look_up(self.view.current, false, &[letter])
            && touches_the_screen_alone(action)
        {
            let mut effects = self.pressed(escape, state);
            effects.extend(self.pressed(letter, state));
            return effects;
        }
        self.pressed(chord, state)
    }

    fn is_unbound(&self, chord: Chord) -> bool {
        matches!(self.view.keys.look_up(self.view.current, self.view.search.active, &[chord]), Lookup::None)
    }

    fn pressed(&mut self, chord: Chord, state: &State) -> Vec<Effect> {
        let height = usize::from(self.view.area.height);
        let taken = match self.view.layers.last_mut() {
            None => return self.sequence(chord, state),
            Some(Layer::Prompt(_)) => return self.prompt_key(chord, state),
            Some(Layer::Help(_)) => {
                let len = help::lines(&self.view).len();
                match self.view.layers.last_mut() {
                    Some(Layer::Help(top)) => scroll(chord, top, len.saturating_sub(height.saturating_sub(4)), height),
                    _ => Taken::Foreign,
                }
            }
            Some(Layer::Page(Page { lines, top, .. })) => {
                let shown = (height.saturating_sub(2) * 3 / 4).saturating_sub(2);
                scroll(chord, top, lines.len().saturating_sub(shown), height)
            }
            Some(Layer::Requests) => return self.request_key(chord, state),
            Some(Layer::Confirm(confirm)) => answer(chord, confirm),
        };
        match taken {
            Taken::Used(effects) => effects,
            Taken::Closed(effects) => {
                self.view.layers.pop();
                effects
            }
            Taken::Foreign => {
                self.view.layers.pop();
                match self.view.keys.look_up(self.view.current, false, &[chord]) {
                    Lookup::Action(action) if touches_the_screen_alone(action) => self.act(action, state),
                    _ => Vec::new(),
                }
            }
        }
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
                self.view.pending.clear();
                Vec::new()
            }
        }
    }
}

/// A key that was to close a page must not run the program. To go to another view does not, and what is typed behind `:`
/// or `/` would be taken for keys if no line were there.
fn touches_the_screen_alone(action: Action) -> bool {
    matches!(
        action,
        Action::Prompt
            | Action::Search
            | Action::Redraw
            | Action::Suspend
            | Action::ViewRanks
            | Action::ViewSource
            | Action::ViewStack
            | Action::ViewVariables
            | Action::ViewOutput
            | Action::ViewBreakpoints
            | Action::ViewThreads
            | Action::ViewSignals
            | Action::ViewMessages
    )
}

/// Keys of a page: they scroll, they close it, or they are none of it.
fn scroll(chord: Chord, top: &mut usize, last: usize, height: usize) -> Taken {
    let half = (height / 2).max(1);
    match (chord.code(), chord.typed()) {
        (KeyCode::Down, _) | (_, Some('j')) => *top = (*top + 1).min(last),
        (KeyCode::Up, _) | (_, Some('k')) => *top = top.saturating_sub(1),
        (KeyCode::PageDown, _) | (_, Some(' ')) => *top = (*top + half).min(last),
        (KeyCode::PageUp, _) => *top = top.saturating_sub(half),
        (KeyCode::Home, _) | (_, Some('g')) => *top = 0,
        (KeyCode::End, _) | (_, Some('G')) => *top = last,
        (KeyCode::Esc | KeyCode::Enter, _) | (_, Some('q' | '?')) => return Taken::Closed(Vec::new()),
        _ if chord == Chord::control('d') => *top = (*top + half).min(last),
        _ if chord == Chord::control('u') => *top = top.saturating_sub(half),
        _ => return Taken::Foreign,
    }
    Taken::Used(Vec::new())
}

/// To leave a question is to say no, where there is such an answer.
fn refused(confirm: &Confirm) -> Taken {
    let no = confirm.choices.iter().find(|choice| choice.key == 'n');
    Taken::Closed(no.map(|choice| choice.effects.clone()).unwrap_or_default())
}

fn answer(chord: Chord, confirm: &mut Confirm) -> Taken {
    let count = confirm.choices.len().max(1);
    let given = |at: usize, confirm: &Confirm| {
        Taken::Closed(confirm.choices.get(at).map(|choice| choice.effects.clone()).unwrap_or_default())
    };
    if let Some(at) = chord.typed().and_then(|typed| confirm.choices.iter().position(|choice| choice.key == typed)) {
        return given(at, confirm);
    }
    match (chord.code(), chord.typed()) {
        (KeyCode::Enter, _) => return given(confirm.chosen, confirm),
        (KeyCode::Down | KeyCode::Tab, _) | (_, Some('j')) => confirm.chosen = (confirm.chosen + 1) % count,
        (KeyCode::Up | KeyCode::BackTab, _) | (_, Some('k')) => confirm.chosen = (confirm.chosen + count - 1) % count,
        (KeyCode::Esc, _) => return refused(confirm),
        _ if chord == Chord::control('c') => return refused(confirm),
        _ => {}
    }
    Taken::Used(Vec::new())
}
