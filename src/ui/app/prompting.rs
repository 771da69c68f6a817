//! Keys while a line is being typed.

use super::App;
use super::questions::ask_typed;
use crate::effect::Effect;
use crate::keys::Chord;
use crate::layer::{Layer, OpenBlock, Prompt, PromptKind};
use crate::log::LogKind;
use crate::prompt::{Completion, Editor, History};
use crate::view::Notice;
use controller::State;
use controller::command::complete;
use crossterm::event::KeyCode;
use model::Severity;

impl App {
    pub(super) fn prompt_key(&mut self, chord: Chord, state: &State) -> Vec<Effect> {
        let Some(Layer::Prompt(mut prompt)) = self.view.layers.pop() else { return Vec::new() };
        match (chord.code(), chord.typed()) {
            (KeyCode::Esc, _) => return Vec::new(),
            (KeyCode::Enter, _) => return self.entered(prompt, state),
            (KeyCode::Backspace, _) if prompt.editor.text().is_empty() && prompt.block.is_none() => return Vec::new(),
            (KeyCode::Tab, _) => complete_line(&mut prompt, state, true),
            (KeyCode::BackTab, _) => complete_line(&mut prompt, state, false),
            (KeyCode::Up, _) => recall(&mut prompt, &self.history, true),
            (KeyCode::Down, _) => recall(&mut prompt, &self.history, false),
            _ if chord == Chord::control('c') => return Vec::new(),
            _ if chord == Chord::control('p') => recall(&mut prompt, &self.history, true),
            _ if chord == Chord::control('n') => recall(&mut prompt, &self.history, false),
            _ => {
                prompt.completion = None;
                edit(&mut prompt, chord);
            }
        }
        suggest(&mut prompt, &self.history);
        self.view.layers.push(Layer::Prompt(prompt));
        Vec::new()
    }

    fn entered(&mut self, prompt: Prompt, state: &State) -> Vec<Effect> {
        let text = prompt.editor.text().trim();
        match prompt.kind {
            PromptKind::Command if text.is_empty() && prompt.block.is_none() => Vec::new(),
            PromptKind::Command => self.entered_command(text, prompt.block.unwrap_or_default(), state),
            PromptKind::Search => {
                if !text.is_empty() {
                    text.clone_into(&mut self.view.search.text);
                }
                self.view.search(true, state)
            }
            PromptKind::Reason => self.view.rejected(text, state),
            PromptKind::Place if text.is_empty() => Vec::new(),
            PromptKind::Place => vec![Effect::Execute(format!("list {text}"))],
        }
    }

    /// Executes a command, or keeps the line of a block until the block is complete.
    fn entered_command(&mut self, line: &str, mut block: OpenBlock, state: &State) -> Vec<Effect> {
        self.history.push(line);
        self.view.log.push(LogKind::Command, line);
        match block.enter(line) {
            Ok(Some((head, text))) if text.contains('\n') => {
                self.outcomes.typed(&head);
                vec![Effect::Execute(text)]
            }
            // A single line is executed as it was typed.
            Ok(Some((_, text))) => ask_typed(&mut self.view, &text, state).unwrap_or_else(|| {
                self.outcomes.typed(&text);
                vec![Effect::Execute(text.clone())]
            }),
            Ok(None) if !block.is_open() => Vec::new(),
            Ok(None) => {
                self.view.open_prompt(Prompt { block: Some(block), ..Prompt::new(PromptKind::Command, "") });
                Vec::new()
            }
            Err(error) => {
                self.view.notice = Some(Notice { severity: Severity::Error, text: error.to_string() });
                Vec::new()
            }
        }
    }
}

fn suggest(prompt: &mut Prompt, history: &History) {
    prompt.suggestion.clear();
    let typed = prompt.editor.text();
    if prompt.kind != PromptKind::Command || typed.trim().is_empty() || prompt.completion.is_some() {
        return;
    }
    let found = history.older(history.lines().len(), typed);
    let rest = found.and_then(|at| history.lines().get(at)?.strip_prefix(typed));
    rest.unwrap_or("").clone_into(&mut prompt.suggestion);
}

fn recall(prompt: &mut Prompt, history: &History, older: bool) {
    if prompt.kind != PromptKind::Command {
        return;
    }
    prompt.completion = None;
    let typed = prompt.editor.text().to_owned();
    let (at, stem) = prompt.recalled.clone().unwrap_or((history.lines().len(), typed));
    let found = if older { history.older(at, &stem) } else { history.newer(at, &stem) };
    match found {
        Some(at) => {
            let line = history.lines().get(at).map_or("", String::as_str);
            prompt.editor = Editor::new(line);
            prompt.recalled = Some((at, stem));
        }
        // Below the newest command is the text typed before recalling.
        None if !older && prompt.recalled.is_some() => {
            prompt.editor = Editor::new(stem);
            prompt.recalled = None;
        }
        None => {}
    }
}

fn edit(prompt: &mut Prompt, chord: Chord) {
    prompt.recalled = None;
    let editor = &mut prompt.editor;
    let alt = |code| chord == Chord::alt(code);
    let forward = chord.code() == KeyCode::Right || chord == Chord::control('f');
    match chord.code() {
        _ if forward && editor.at_end() => {
            editor.keep_selected();
            editor.insert(&std::mem::take(&mut prompt.suggestion));
        }
        _ if alt(KeyCode::Char('b')) || alt(KeyCode::Left) => editor.word_left(),
        _ if alt(KeyCode::Char('f')) || alt(KeyCode::Right) => editor.word_right(),
        _ if alt(KeyCode::Backspace) => editor.delete_word(),
        _ if chord == Chord::control('b') => editor.left(),
        _ if chord == Chord::control('f') => editor.right(),
        _ if chord == Chord::control('a') => editor.home(),
        _ if chord == Chord::control('e') => editor.end(),
        _ if chord == Chord::control('h') => editor.backspace(),
        _ if chord == Chord::control('d') => editor.delete(),
        _ if chord == Chord::control('w') => editor.delete_word(),
        _ if chord == Chord::control('k') => editor.kill_end(),
        _ if chord == Chord::control('u') => editor.kill_start(),
        KeyCode::Left => editor.left(),
        KeyCode::Right => editor.right(),
        KeyCode::Home => editor.home(),
        KeyCode::End => editor.end(),
        KeyCode::Backspace => editor.backspace(),
        KeyCode::Delete => editor.delete(),
        _ => {
            if let Some(typed) = chord.typed() {
                editor.insert(typed.encode_utf8(&mut [0; 4]));
            }
        }
    }
}

fn complete_line(prompt: &mut Prompt, state: &State, forward: bool) {
    if matches!(prompt.kind, PromptKind::Search | PromptKind::Reason) {
        return;
    }
    prompt.editor.keep_selected();
    let (completion, chosen) = match prompt.completion.take() {
        Some((completion, chosen)) => {
            let count = completion.candidates.len().max(1);
            (completion, if forward { (chosen + 1) % count } else { (chosen + count - 1) % count })
        }
        None => {
            let typed = prompt.editor.before();
            // A location is completed as the argument of a command that takes one.
            let head = if prompt.kind == PromptKind::Place { "list " } else { "" };
            let found = complete(&format!("{head}{typed}"), state);
            let start = found.start.saturating_sub(head.len());
            (Completion { range: start..typed.len(), candidates: found.candidates }, 0)
        }
    };
    let Some(word) = completion.candidates.get(chosen).cloned() else { return };
    let range = completion.range.clone();
    let now = range.start..prompt.editor.cursor();
    if completion.candidates.len() == 1 {
        // A line number follows a file.
        let end = if word.ends_with(':') { "" } else { " " };
        prompt.editor.replace(now, &format!("{word}{end}"));
        return;
    }
    prompt.editor.replace(now, &word);
    prompt.completion = Some((completion, chosen));
}
