//! The last row: the main keys of the current view, or the command being typed.

use super::page::{lets_keys_through, room, rows};
use super::pen::Pen;
use crate::action::{ACTIONS, Action, ActionRow, Scope, ViewId};
use crate::layer::{Confirm, Layer, Opened, Prompt};
use crate::layout::Layout;
use crate::theme::Role;
use crate::view::View;
use crate::views::{array, ranks, stack, variables};
use controller::State;
use ratatui::layout::Rect;

/// Actions shown at the right end in every view.
const LAST: [&str; 3] = ["prompt", "help", "quit"];

pub(super) fn draw(pen: &mut Pen<'_>, found: &Layout, state: &State, view: &View) {
    let area = found.keys;
    if let Some(Layer::Prompt(prompt)) = view.layers.last() {
        return draw_prompt(pen, area, prompt);
    }
    let can = |action| match action {
        Action::FoldFrames => stack::can_fold(state, view),
        Action::Assign => variables::assignable(state, view),
        Action::ArraySection => array::has_sections(state, view),
        Action::OpenMemory => view.current == ViewId::Variables,
        _ => true,
    };
    let here = |row: &&ActionRow| !row.label.is_empty() && !LAST.contains(&row.name) && can(row.action);
    if let Some(Layer::Confirm(confirm)) = view.layers.last() {
        return draw_answers(pen, area, confirm);
    }
    if let Some(Layer::Requests(_)) = view.layers.last() {
        // The dialog shows its own keys.
        return;
    }
    if let Some(Layer::Help(_) | Layer::Page(_)) = view.layers.last() {
        return draw_page_keys(pen, area, view);
    }
    let search = ACTIONS.iter().filter(here).filter(|row| row.scope == Scope::Search && view.search.active);
    let own = ACTIONS.iter().filter(here).filter(|row| row.scope == Scope::In(view.current));
    // What acts on the rows of the view comes before what runs the job.
    let of_rows = |row: &&ActionRow| match view.current {
        ViewId::Breakpoints => matches!(row.action, Action::Enable | Action::Delete),
        ViewId::Array => row.action == Action::Mode,
        ViewId::Memory => row.action == Action::Search,
        _ => false,
    };
    let ranks = found.body(ViewId::Ranks);
    let label = |row: &ActionRow| match (view.current, row.action) {
        (ViewId::Ranks, Action::FocusMarked) if ranks::enter_zooms(state, view, ranks) => "zoom in",
        (ViewId::Array, Action::Mode) if view.array.picture => "grid",
        (ViewId::Array, Action::Mode) => "picture",
        (ViewId::Array, Action::ArrayTogether) if view.array.picture && view.array.together => "one rank",
        _ => row.label,
    };
    let common = || ACTIONS.iter().filter(here).filter(|row| row.scope == Scope::Anywhere);
    let common = common().filter(of_rows).chain(common().filter(|row| !of_rows(row)));
    let last: Vec<&ActionRow> = ACTIONS.iter().filter(|row| LAST.contains(&row.name)).collect();
    let width = |row: &ActionRow| view.keys.first_key(row.action).chars().count() + label(row).len() + 3;
    let kept: usize = last.iter().map(|row| width(row)).sum();
    let mut line = pen.row(area, 0);
    line.put(" ", Role::Text);
    let mut write = |row: &ActionRow, kept: usize| {
        let key = view.keys.first_key(row.action);
        if key.is_empty() || width(row) + kept > line.left() + 1 {
            return false;
        }
        line.put(&key, Role::Key).put(" ", Role::Text).put(label(row), Role::KeyLabel).put("  ", Role::Text);
        true
    };
    for row in search.chain(own).chain(common.filter(|row| !(view.search.active && row.name == "next"))) {
        if !write(row, kept) {
            break;
        }
    }
    for row in last {
        write(row, 0);
    }
}

/// The keys that answer the question on top; what they mean stands in the question.
fn draw_answers(pen: &mut Pen<'_>, area: Rect, confirm: &Confirm) {
    let keys: Vec<String> = confirm.choices.iter().map(|choice| choice.key.to_string()).collect();
    let refusal = if keys.iter().any(|key| key == "n") { "no" } else { "cancel" };
    let mut line = pen.row(area, 0);
    line.put(" ", Role::Text);
    if confirm.opened != Opened::Known {
        return;
    }
    for (key, label) in [(keys.join(" ").as_str(), "answer"), ("enter", "the marked answer"), ("esc", refusal)] {
        line.put(key, Role::Key).put(" ", Role::Text).put(label, Role::KeyLabel).put("  ", Role::Text);
    }
}

/// The keys of the page on top.
fn draw_page_keys(pen: &mut Pen<'_>, area: Rect, view: &View) {
    let key = |action| view.keys.first_key(action);
    let close: Vec<String> = view.keys.keys_of(Action::PageClose).iter().flatten().map(|key| key.short()).collect();
    let scroll = format!("{} {}", key(Action::Down), key(Action::Up));
    let close = close.iter().take(2).cloned().collect::<Vec<_>>().join(" ");
    let (acts, is_whole) = match view.layers.last() {
        Some(Layer::Page(page)) => {
            (lets_keys_through(view.area, page), rows(view.area.width, page).len() <= room(view.area))
        }
        _ => (false, false),
    };
    let scroll = if is_whole { "" } else { scroll.trim() };
    let shown = [
        (scroll.to_owned(), "scroll"),
        (close, "close"),
        (key(Action::Prompt), "command"),
        ("1-9".to_owned(), "view"),
        (key(Action::Halt), "halt"),
        ("other keys".to_owned(), if acts { "close it and act" } else { "only close" }),
    ];
    let mut line = pen.row(area, 0);
    line.put(" ", Role::Text);
    for (key, label) in shown.iter().filter(|(key, _)| !key.is_empty()) {
        line.put(key, Role::Key).put(" ", Role::Text).put(label, Role::KeyLabel).put("  ", Role::Text);
    }
}

fn draw_prompt(pen: &mut Pen<'_>, area: Rect, prompt: &Prompt) {
    let mut line = pen.row(area, 0);
    line.put(&prompt.sign(), Role::Prompt);
    let (skip, _) = window(area, prompt);
    line.scrolled(skip);
    let (text, selected) = prompt.editor.parts();
    line.put(text, Role::Text).put(selected, Role::Selection);
    if prompt.editor.at_end() {
        line.put(&prompt.suggestion, Role::PromptHint);
        if text.is_empty() && !prompt.suggestion.is_empty() {
            line.put("   enter repeats it", Role::PromptHint);
        }
    }
}

/// The columns to scroll so that the cursor is visible, and the cursor's column.
pub(super) fn window(area: Rect, prompt: &Prompt) -> (usize, u16) {
    let sign = super::columns(&prompt.sign());
    let before = super::columns(prompt.editor.before());
    let room = usize::from(area.width).saturating_sub(sign + 1).max(1);
    let skip = before.saturating_sub(room);
    (skip, area.x + (sign + before - skip) as u16)
}
