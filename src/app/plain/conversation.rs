//! What the user types: commands, and answers to questions.

use super::front::Dialogue;
use super::input::{Editing, Input, Typed};
use crate::attended::Leave;
use crate::files::data_files::existing;
use controller::state::Phase;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use std::io;
use std::time::Instant;
use ui::app::Awaited;
use ui::effect::Effect;
use ui::layer::{Confirm, Prompt};

const PROMPT: &str = "rankscope> ";
/// More candidates of a completion are counted only.
const CANDIDATES: usize = 30;

fn is_control(key: &KeyEvent, letter: char) -> bool {
    key.modifiers == KeyModifiers::CONTROL && key.code == KeyCode::Char(letter)
}

/// The text before the line.
fn sign_of(prompt: &Prompt) -> String {
    if prompt.search.is_some() {
        return prompt.sign();
    }
    prompt.block.as_ref().map_or_else(|| PROMPT.to_owned(), |_| format!("{} ", prompt.sign()))
}

/// A question and its answers, as lines.
fn question_lines(confirm: &Confirm) -> Vec<String> {
    let answers = confirm.choices.iter().map(|choice| format!("{}: {}", choice.key, choice.label));
    std::iter::once(confirm.question.clone()).chain(answers).collect()
}

fn answer_sign(confirm: &Confirm) -> String {
    let chosen = confirm.choices.get(confirm.chosen).map_or(' ', |choice| choice.key);
    format!("answer (enter: {chosen}): ")
}

impl Dialogue {
    /// Takes what has been typed. Ctrl-c does not wait until the command before it has ended.
    pub(super) fn arrived(&mut self, typed: Typed) {
        if matches!(&typed, Typed::Key(key) if is_control(key, 'c')) {
            self.ahead.clear();
        }
        self.ahead.push_back(typed);
    }

    /// Handles what has been typed as far as something takes it.
    pub(super) fn take_ahead(&mut self, input: &mut Option<Input>) -> io::Result<Option<Leave>> {
        while let Some(typed) = self.ahead.pop_front() {
            let effects = match typed {
                Typed::Other => continue,
                Typed::Key(key) if is_control(&key, 'z') => {
                    self.end_row();
                    if let Some(Input::Keys(keys)) = input {
                        keys.suspend()?;
                    }
                    continue;
                }
                Typed::Key(key) if is_control(&key, 'c') && !self.row.is_open() => self.lines.interrupt(),
                typed if !self.is_calm() => {
                    self.ahead.push_front(typed);
                    return Ok(None);
                }
                Typed::Key(key) => self.take_key(key),
                Typed::Line(line) => {
                    self.show_line();
                    // Whoever edits the line has ended it.
                    self.row.close();
                    self.lines.whole_line(&line, Instant::now(), self.session.controller.state())
                }
                Typed::End if self.editing == Editing::Elsewhere => {
                    self.end_row();
                    self.lines.leave_by_key(self.session.controller.state())
                }
                // Nobody could answer what becomes of the ranks of a job that a script has started.
                Typed::End if self.editing == Editing::None => vec![Effect::Execute("quit".to_owned())],
                // The terminal is gone.
                Typed::End => return Ok(Some(self.session.left_alone())),
            };
            self.keep_history();
            for effect in self.perform(effects) {
                match effect {
                    Effect::Leave => {
                        self.end_row();
                        return Ok(Some(self.session.wanted()));
                    }
                    Effect::Redraw => self.end_row(),
                    _ => {}
                }
            }
            if let Some(notice) = self.lines.take_notice() {
                self.say(&[notice]);
            }
            self.carry_on();
        }
        Ok(None)
    }

    /// Handles a key; an answer is shown as it is given.
    fn take_key(&mut self, key: KeyEvent) -> Vec<Effect> {
        self.show_line();
        self.typed_at = Instant::now();
        let given = match self.lines.awaited() {
            Awaited::Answer(confirm) => match key.code {
                KeyCode::Enter => confirm.choices.get(confirm.chosen).map(|choice| choice.key),
                KeyCode::Char(c) => confirm.choices.iter().map(|choice| choice.key).find(|known| *known == c),
                _ => None,
            },
            _ => None,
        };
        if let Some(given) = given {
            self.write(&given.to_string());
        }
        let effects = self.lines.line_key(key, Instant::now(), self.session.controller.state());
        if given.is_some() || key.code == KeyCode::Enter || self.lines.awaited() == Awaited::Nothing {
            self.end_row();
        }
        if matches!(key.code, KeyCode::Tab) {
            self.tell_candidates();
        }
        effects
    }

    /// Says how the word may go on, once it is as long as all candidates agree.
    fn tell_candidates(&mut self) {
        let Awaited::Line(prompt) = self.lines.awaited() else { return };
        let Some((completion, None)) = &prompt.completion else { return };
        let (count, shown) = (completion.candidates.len(), completion.candidates.iter().take(CANDIDATES));
        let shown: Vec<&str> = shown.map(String::as_str).collect();
        let more = if count > CANDIDATES { ", ..." } else { "" };
        let line = format!("{count} candidates: {}{more}", shown.join(", "));
        self.say(&[line]);
    }

    /// True once a command may be typed: those before it have ended, and what they did has been said.
    fn is_calm(&mut self) -> bool {
        if self.is_asking() || self.row.is_open() {
            return true;
        }
        let state = self.session.controller.state();
        let is_coming = matches!(state.phase, Phase::Connecting | Phase::Launching(_)) || self.lines.app.leaving;
        let settles = self.is_moving() && Instant::now() < self.settles_at;
        self.open.is_empty() && !is_coming && !settles && (self.news.is_empty() || self.editing == Editing::None)
    }

    /// Shows the line as it has been typed, or the question that has come.
    pub(super) fn show_line(&mut self) {
        if !self.is_calm() {
            return;
        }
        self.lines.open_line();
        let width = crossterm::terminal::size().map_or(80, |(columns, _)| usize::from(columns).max(20));
        let is_shown_elsewhere = self.editing != Editing::Here;
        match self.lines.awaited() {
            Awaited::Line(prompt) if is_shown_elsewhere => {
                let sign = sign_of(prompt);
                self.asked = None;
                self.show_sign(&sign);
            }
            Awaited::Line(prompt) => {
                let text = self.row.show(&sign_of(prompt), &prompt.editor, width);
                self.asked = None;
                self.write(&text);
            }
            Awaited::Answer(confirm) => {
                let question = (confirm.question.clone(), confirm.chosen);
                let (lines, sign) = (question_lines(confirm), answer_sign(confirm));
                let is_new = self.asked.as_ref().is_none_or(|(known, _)| *known != question.0);
                if is_new {
                    self.say(&lines);
                    self.lines.asked();
                }
                self.asked = Some(question);
                self.show_sign(&sign);
            }
            Awaited::Nothing => {}
        }
    }

    fn show_sign(&mut self, sign: &str) {
        let text = self.row.show(sign, &ui::prompt::Editor::default(), usize::MAX);
        if self.editing != Editing::None {
            self.write(&text);
        }
    }

    /// Carries out effects; returns those that concern the terminal.
    pub(super) fn perform(&mut self, effects: Vec<Effect>) -> Vec<Effect> {
        let mut outside = Vec::new();
        for effect in effects {
            match effect {
                Effect::Execute(line) => {
                    if line == "quit" {
                        self.session.quits();
                        self.lines.app.leaving = true;
                    }
                    let id = self.session.controller.execute(&line);
                    self.open.insert(id);
                }
                Effect::ExecuteReplacing { line, files } => {
                    let effects = self.lines.app.replacing(&line, &existing(files));
                    outside.extend(self.perform(effects));
                }
                Effect::Look(gaze) => self.session.controller.look(gaze),
                other => outside.push(other),
            }
        }
        outside
    }

    /// Saves at once, so that the next front end, also after a crash, has the history.
    fn keep_history(&mut self) {
        if let Err(error) = self.lines.app.history.save() {
            tracing::warn!("cannot save the command history: {error}");
        }
    }
}
