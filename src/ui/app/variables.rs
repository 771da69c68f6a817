//! Keys that act on the variable under the cursor.

use crate::action::{Action, ViewId};
use crate::effect::{Effect, execute};
use crate::layer::{Prompt, PromptKind};
use crate::part_path::target_of;
use crate::prompt::Editor;
use crate::screen::set_text;
use crate::view::View;
use crate::views::variable_row::Row;
use crate::views::variables;
use crate::views::variables_state::{Content, Reference};
use controller::State;
use model::ProcessSet;

/// Opens the prompt with a command about the variable under the cursor; typing another expression replaces it.
pub(super) fn type_about(view: &mut View, command: &str, state: &State) -> Vec<Effect> {
    let rows = variables::rows(state, view);
    let row = rows.get(view.variables.list.cursor).filter(|_| view.current == ViewId::Variables);
    let scope = row.and_then(|_| shown_thread(state)).unwrap_or_default();
    let mut prompt = Prompt::new(PromptKind::Command, "");
    prompt.editor = Editor::suggesting(&format!("{scope}{command} "), row.map_or("", |row| row.path.as_str()));
    view.open_prompt(prompt);
    Vec::new()
}

/// Compares the values with the next older snapshot; after the oldest, with the last stop again.
pub(super) fn since_snapshot(view: &mut View, state: &State) -> Vec<Effect> {
    let names = || state.snapshots.iter().rev().map(|kept| &kept.name);
    let shown = &view.variables.reference;
    let at = names().position(|name| *shown == Reference::Snapshot(name.clone()));
    match names().nth(at.map_or(0, |at| at + 1)) {
        Some(name) => compare_since(view, Some(name)),
        None if *shown != Reference::LastStop => compare_since(view, None),
        None => {
            let key = view.keys.first_key(Action::TakeSnapshot);
            view.say(&format!("no snapshot yet: {key} takes one of the focused ranks"))
        }
    }
}

/// Shows the variables beside their values in a snapshot; `None`: compares with the last stop.
pub(super) fn compare_since(view: &mut View, name: Option<&str>) -> Vec<Effect> {
    view.variables.reference = name.map_or(Reference::LastStop, |name| Reference::Snapshot(name.to_owned()));
    view.variables.content = Content::Variables;
    view.go_to(ViewId::Variables);
    match name {
        Some(name) => {
            view.say(&format!("compared with snapshot {name}; [.] compare snapshot {name}: all focused ranks"))
        }
        None => view.say("compared with the last stop"),
    }
}

pub(super) fn ask_reference(view: &mut View) -> Vec<Effect> {
    view.open_prompt(Prompt::new(PromptKind::Reference, ""));
    Vec::new()
}

/// Compares the variables with those of ranks or of a snapshot, as typed; without a text, with the last stop.
pub(super) fn compare_with(view: &mut View, text: &str, state: &State) -> Vec<Effect> {
    if text.is_empty() {
        return compare_since(view, None);
    }
    let all = ProcessSet::all(state.size());
    let ranks = if text == "all" { Ok(all.clone()) } else { ProcessSet::parse(text) };
    let name = text.strip_prefix("snapshot ").map_or(text, str::trim_start);
    match ranks {
        Ok(ranks) if ranks.is_subset(&all) && !ranks.is_empty() => {
            let whose = match ranks.len() {
                1 => format!("that of rank {ranks}"),
                _ => format!("those of most of [{}]", set_text(&ranks, 32)),
            };
            let words = format!("values that differ from {whose} are marked");
            view.variables.reference = Reference::Ranks(ranks);
            view.variables.content = Content::Variables;
            view.say(&words)
        }
        Ok(ranks) => view.say(&format!("no such ranks: {}", ranks.difference(&all))),
        Err(_) => match state.snapshots.get(name) {
            Some(snapshot) => compare_since(view, Some(&snapshot.name)),
            None => view.say(&format!("{text:?} is neither a set of ranks, such as 4-7, nor the name of a snapshot")),
        },
    }
}

/// Opens the prompt with all but the number of elements, which only the user knows.
pub(super) fn as_array(view: &mut View, state: &State) -> Vec<Effect> {
    let rows = variables::rows(state, view);
    match rows.get(view.variables.list.cursor).filter(|row| row.pointer) {
        Some(row) => view.type_command(&format!("display {}@", target_of(&row.path))),
        None => view.say("only pointers are shown as arrays; enter expands other values"),
    }
}

pub(super) fn undisplay(view: &mut View, state: &State) -> Vec<Effect> {
    let rows = variables::rows(state, view);
    match rows.get(view.variables.list.cursor).and_then(|row| row.display) {
        Some(number) => execute(&format!("undisplay {number}")),
        None => view.say("only displayed expressions can be removed here; 6 goes to the breakpoints"),
    }
}

pub(super) fn assign(view: &mut View, state: &State) -> Vec<Effect> {
    let rows = variables::rows(state, view);
    match rows.get(view.variables.list.cursor) {
        Some(Row { value: Ok(now), path, .. }) if variables::assignable(state, view) => {
            let now = literal_of(now).unwrap_or_default();
            let scope = shown_thread(state).unwrap_or_else(|| written(state));
            view.type_command(&format!("{scope}set {path} = {now}"))
        }
        Some(_) => view.say("no value to set here"),
        None => Vec::new(),
    }
}

impl View {
    pub(super) fn expand(&mut self, state: &State) -> Vec<Effect> {
        let rows = variables::rows(state, self);
        if let Some(row) = rows.get(self.variables.list.cursor).filter(|row| row.openable)
            && !self.variables.open.remove(&row.key)
        {
            self.variables.open.insert(row.key.clone());
            let key = self.keys.first_key(Action::AsArray);
            if row.pointer && !key.is_empty() {
                return self.say(&format!("{} is one value; {key} shows an array", target_of(&row.path)));
            }
        }
        Vec::new()
    }
}

/// Longer sets would push the typed text off the line.
const LONGEST_SET: usize = 32;

/// The prefix that limits an assignment to the stopped ranks of the focus.
fn written(state: &State) -> String {
    let ranks = state.focus.set.intersection(state.ranks.stopped()).to_string();
    if ranks.is_empty() || ranks.len() > LONGEST_SET { "[.] ".to_owned() } else { format!("[{ranks}] ") }
}

/// The prefix that names the shown thread, if the line would apply to another one.
fn shown_thread(state: &State) -> Option<String> {
    let thread = state.thread.filter(|_| state.thread != state.focus.thread)?;
    Some(format!("[{}.{thread}] ", state.lead))
}

/// The expression for a value as displayed; `None` if there is no short one, as for a structure.
fn literal_of(shown: &str) -> Option<&str> {
    let names = |text: &str| {
        text.split(" | ").all(|name| {
            name.starts_with(|c: char| c.is_alphabetic() || c == '_')
                && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':'))
        })
    };
    let number = |text: &str| {
        let digits = text.strip_prefix('-').unwrap_or(text);
        digits.starts_with(|c: char| c.is_ascii_digit())
            && digits.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '-'))
    };
    // After a number follows its character, or the object at the address.
    let first = shown.split_once(' ').map_or(shown, |(first, _)| first);
    let behind = shown.get(first.len()..).unwrap_or("").trim_start();
    if number(first) && (behind.is_empty() || behind.starts_with(['\'', '"', '<'])) {
        return Some(first);
    }
    let inner = shown.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(shown);
    let no_number = matches!(shown, "inf" | "nan");
    (names(inner) && !no_number).then_some(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_offered_as_an_expression_or_not_at_all() {
        for (shown, offered) in [
            ("3", Some("3")),
            ("-0.5", Some("-0.5")),
            ("1.5e-07", Some("1.5e-07")),
            ("97 'a'", Some("97")),
            ("0x401136 <main+4>", Some("0x401136")),
            ("0x4020 \"cell\"", Some("0x4020")),
            ("true", Some("true")),
            ("RED", Some("RED")),
            ("(RED | BLUE)", Some("(RED | BLUE)")),
            ("colour::RED", Some("colour::RED")),
            ("(RED | unknown: 0x8)", None),
            ("{t = 0.5, id = 3}", None),
            ("\"text\"", None),
            ("1 + 2i", None),
            ("inf", None),
            ("-inf", None),
            ("-nan(0x8000000000000)", None),
            ("nan(0x8000000000000)", None),
            ("[ ZF PF ]", None),
            ("<optimized out>", None),
            ("@0x7ffe: 3", None),
            ("", None),
        ] {
            assert_eq!(literal_of(shown), offered, "{shown}");
        }
    }
}
