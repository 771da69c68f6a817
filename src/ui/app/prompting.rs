//! Keys while a line is being typed.

use super::completing::complete_line;
use super::questions::{ask_quit, ask_typed};
use super::{App, memory, variables};
use crate::effect::Effect;
use crate::keys::Chord;
use crate::layer::{Layer, Prompt, PromptKind};
use crate::log::LogKind;
use crate::prompt::{Editor, History, HistorySearch, Kills, OpenBlock};
use crate::view::Notice;
use controller::State;
use controller::command::{Command, DataCommand, DebuggerCommand, SnapshotOrder, parse_line, repetition_of};
use crossterm::event::KeyCode;
use model::Severity;

/// The command that was typed last.
#[derive(Clone, Debug, Default)]
pub(super) struct LastCommand {
    line: String,
    /// The line that enter at an empty prompt executes.
    again: Option<String>,
}

impl App {
    /// Opens an empty prompt; it suggests what enter repeats.
    pub(super) fn open_command(&mut self) -> Vec<Effect> {
        let mut prompt = Prompt::new(PromptKind::Command, "");
        self.suggest(&mut prompt);
        self.view.open_prompt(prompt);
        Vec::new()
    }

    pub(super) fn prompt_key(&mut self, chord: Chord, state: &State) -> Vec<Effect> {
        let Some(Layer::Prompt(mut prompt)) = self.view.layers.pop() else { return Vec::new() };
        let completes = matches!(chord.code(), KeyCode::Tab | KeyCode::BackTab);
        let ended_search = prompt.search.is_some() && !self.search_key(&mut prompt, chord);
        let searched = prompt.search.is_some();
        let mut effects = Vec::new();
        match (chord.code(), chord.typed()) {
            (KeyCode::Enter, _) => return self.entered(prompt, state),
            _ if chord == Chord::control('c') => return self.cancelled(&prompt),
            _ if chord == Chord::control('l') => effects.push(Effect::Redraw),
            // The search has taken the key.
            _ if searched || ended_search && is_cancelling(chord) => {}
            (KeyCode::Esc, _) => return self.cancelled(&prompt),
            (KeyCode::Backspace, _) if prompt.editor.text().is_empty() && prompt.block.is_none() => return Vec::new(),
            (KeyCode::Tab, _) => complete_line(&mut prompt, state, true),
            (KeyCode::BackTab, _) => complete_line(&mut prompt, state, false),
            (KeyCode::Up, _) => recall(&mut prompt, &self.history, true),
            (KeyCode::Down, _) => recall(&mut prompt, &self.history, false),
            _ if chord == Chord::control('p') => recall(&mut prompt, &self.history, true),
            _ if chord == Chord::control('n') => recall(&mut prompt, &self.history, false),
            _ if chord == Chord::control('r') && prompt.kind == PromptKind::Command => {
                prompt.completion = None;
                prompt.recalled = None;
                prompt.search = Some(HistorySearch::new(prompt.editor.clone()));
            }
            _ => {
                prompt.completion = None;
                edit(&mut prompt, &mut self.kills, chord);
            }
        }
        if !kills(chord) {
            self.kills.end();
        }
        prompt.suggestion.clear();
        // After a tab the line has what completion found; a suggestion from the history would look like more of it.
        if !completes {
            self.suggest(&mut prompt);
        }
        self.view.layers.push(Layer::Prompt(prompt));
        effects
    }

    /// Handles a key while the history is searched; false if it ended the search.
    fn search_key(&mut self, prompt: &mut Prompt, chord: Chord) -> bool {
        let Some(mut search) = prompt.search.take() else { return false };
        let found = match chord.typed() {
            Some(typed) => search.add(typed, &self.history),
            None if chord == Chord::control('r') => search.older(&self.history, &self.searched),
            None if chord == Chord::control('s') => search.newer(&self.history),
            None if chord.code() == KeyCode::Backspace || chord == Chord::control('h') => search.shorten(&self.history),
            None if chord == Chord::control('l') => None,
            None => {
                if !search.text().is_empty() {
                    search.text().clone_into(&mut self.searched);
                }
                if is_cancelling(chord) {
                    prompt.editor = search.cancelled();
                }
                return false;
            }
        };
        if let Some(editor) = found {
            prompt.editor = editor;
        }
        prompt.search = Some(search);
        true
    }

    fn cancelled(&mut self, prompt: &Prompt) -> Vec<Effect> {
        match &prompt.block {
            Some(block) => self.view.say(&block.dropped()),
            None => Vec::new(),
        }
    }

    fn entered(&mut self, prompt: Prompt, state: &State) -> Vec<Effect> {
        let text = prompt.editor.text().trim();
        match prompt.kind {
            PromptKind::Command if text.is_empty() && prompt.block.is_none() => self.repeat(state),
            PromptKind::Command => self.entered_command(text, prompt.block.unwrap_or_default(), state),
            PromptKind::Search => {
                if !text.is_empty() {
                    text.clone_into(&mut self.view.search.text);
                }
                self.view.search(true, state)
            }
            PromptKind::Condition => match self.view.scan_of_all(text) {
                Some(scan) => self.execute_typed(&scan, state),
                None => self.view.mark_elements(text, state),
            },
            PromptKind::Address => memory::go_to_address(&mut self.view, text, state),
            PromptKind::Reference => variables::compare_with(&mut self.view, text, state),
            PromptKind::Reason => self.view.rejected(text, state),
            PromptKind::Place if text.is_empty() => Vec::new(),
            PromptKind::Place => vec![Effect::Execute(format!("list {text}"))],
        }
    }

    /// Executes the last command again, unless that could lose something.
    fn repeat(&mut self, state: &State) -> Vec<Effect> {
        match &self.last.again {
            Some(again) => {
                let again = again.clone();
                self.view.log.push(LogKind::Command, again.clone());
                self.execute_typed(&again, state)
            }
            None if self.last.line.is_empty() => Vec::new(),
            None => {
                let words = format!("enter does not repeat {:?}", self.last.line);
                self.view.say(&words)
            }
        }
    }

    fn execute_typed(&mut self, line: &str, state: &State) -> Vec<Effect> {
        if self.is_linear {
            if is_quit(line, state) {
                return ask_quit(&mut self.view, self.leaving, state);
            }
        } else {
            match view_of(line, state) {
                Some(DataCommand::Array(expression)) => {
                    self.view.open_array(&expression);
                    return Vec::new();
                }
                Some(DataCommand::Memory(expression)) => {
                    memory::open_at(&mut self.view, &expression);
                    return Vec::new();
                }
                Some(DataCommand::Snapshot(SnapshotOrder::CompareNone)) => {
                    return variables::compare_since(&mut self.view, None);
                }
                Some(DataCommand::Snapshot(SnapshotOrder::Compare(name))) => {
                    let snapshots = &state.snapshots;
                    let found = name.as_deref().map_or_else(|| snapshots.newest(), |name| snapshots.get(name));
                    if let Some(snapshot) = found {
                        return variables::compare_since(&mut self.view, Some(&snapshot.name));
                    }
                }
                _ => {}
            }
        }
        ask_typed(&mut self.view, line, state).unwrap_or_else(|| {
            self.outcomes.typed(line);
            vec![Effect::Execute(line.to_owned())]
        })
    }

    /// Executes a command, or keeps the line of a block until the block is complete.
    fn entered_command(&mut self, line: &str, mut block: OpenBlock, state: &State) -> Vec<Effect> {
        self.history.push(line);
        self.view.log.push(LogKind::Command, line);
        match block.enter(line) {
            Ok(Some((head, text))) if text.contains('\n') => {
                self.last = LastCommand { line: head.clone(), again: None };
                self.outcomes.typed(&head);
                vec![Effect::Execute(text)]
            }
            // A single line is executed as it was typed.
            Ok(Some((_, text))) => {
                self.last = LastCommand { again: repetition_of(&text, state), line: text.clone() };
                self.execute_typed(&text, state)
            }
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

    /// The keys that repeat the last command, and that command, if enter at an empty prompt repeats one.
    pub(super) fn how_to_repeat(&self) -> Option<String> {
        let again = self.last.again.as_ref()?;
        let prompt = self.view.keys.first_key(crate::action::Action::Prompt);
        (!prompt.is_empty()).then(|| format!("{prompt} enter repeats {again:?}"))
    }

    /// Suggests how the line may go on: like the newest command that begins like it, or, if nothing has been typed,
    /// like the command that enter repeats.
    pub(super) fn suggest(&self, prompt: &mut Prompt) {
        prompt.suggestion.clear();
        let typed = prompt.editor.text();
        if prompt.kind != PromptKind::Command || prompt.completion.is_some() || prompt.search.is_some() {
            return;
        }
        let history = &self.history;
        let rest = match typed.trim() {
            "" if prompt.block.is_some() || !typed.is_empty() => None,
            "" => self.last.again.as_deref(),
            _ => {
                let found = history.older(history.lines().len(), typed);
                found.and_then(|at| history.lines().get(at)?.strip_prefix(typed))
            }
        };
        rest.unwrap_or("").clone_into(&mut prompt.suggestion);
    }
}

/// The command, if a view shows its answer: that of the lead rank, if the command is for no others.
fn view_of(line: &str, state: &State) -> Option<DataCommand> {
    let invocation = parse_line(line, &state.aliases).ok()?;
    match (invocation.scope, invocation.command) {
        (
            None,
            Command::Data(command @ (DataCommand::Array(_) | DataCommand::Memory(_) | DataCommand::Snapshot(_))),
        ) => Some(command),
        _ => None,
    }
}

fn is_quit(line: &str, state: &State) -> bool {
    let command = parse_line(line, &state.aliases).map(|invocation| invocation.command);
    matches!(command, Ok(Command::Debugger(DebuggerCommand::Quit)))
}

/// True for the keys that end a search without its result.
fn is_cancelling(chord: Chord) -> bool {
    chord.code() == KeyCode::Esc || chord == Chord::control('g')
}

/// True for the keys that delete words.
fn kills(chord: Chord) -> bool {
    let controls = ['w', 'k', 'u'].map(Chord::control);
    let alts = [KeyCode::Backspace, KeyCode::Char('d')].map(Chord::alt);
    controls.contains(&chord) || alts.contains(&chord)
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

fn edit(prompt: &mut Prompt, kills: &mut Kills, chord: Chord) {
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
        _ if alt(KeyCode::Backspace) => kills.before(&editor.delete_word()),
        _ if alt(KeyCode::Char('d')) => kills.after(&editor.delete_word_forward()),
        _ if chord == Chord::control('b') => editor.left(),
        _ if chord == Chord::control('f') => editor.right(),
        _ if chord == Chord::control('a') => editor.home(),
        _ if chord == Chord::control('e') => editor.end(),
        _ if chord == Chord::control('h') => editor.backspace(),
        _ if chord == Chord::control('d') => editor.delete(),
        _ if chord == Chord::control('w') => kills.before(&editor.delete_word()),
        _ if chord == Chord::control('k') => kills.after(&editor.kill_end()),
        _ if chord == Chord::control('u') => kills.before(&editor.kill_start()),
        _ if chord == Chord::control('y') => editor.insert(kills.text()),
        _ if chord == Chord::control('t') => editor.transpose(),
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
