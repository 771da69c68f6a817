//! Layers over the views: help, pages, questions, candidates, and the keys that may follow a prefix.

use super::keybar;
use super::page;
use super::panel::{centered, panel, settle_ground};
use super::pen::{Pen, columns, wrapped};
use crate::help;
use crate::keys::Lookup;
use crate::layer::{Confirm, Layer, Opened, Prompt};
use crate::layout::Layout;
use crate::prompt::OpenBlock;
use crate::theme::Role;
use crate::view::View;
use controller::State;
use ratatui::layout::{Position, Rect};

/// Draws the layers over the views; returns the position of the terminal's cursor.
pub(super) fn draw(pen: &mut Pen<'_>, area: Rect, found: &Layout, state: &State, view: &View) -> Option<Position> {
    let above = Rect { height: found.status.y - area.y, ..area };
    let mut cursor = pen.cursor.take();
    for layer in &view.layers {
        // What is below a layer is not where the keyboard is.
        cursor = None;
        match layer {
            Layer::Help(top) => draw_help(pen, above, view, *top),
            Layer::Page(page) => page::draw(pen, above, page),
            Layer::Confirm(confirm) => {
                draw_confirm(pen, above, confirm);
                cursor = pen.cursor.take();
            }
            Layer::Requests(opened) => {
                super::requests::draw(pen, above, state, view, *opened == Opened::Known);
                cursor = pen.cursor.take();
            }
            Layer::Prompt(prompt) => {
                if let Some(block) = &prompt.block {
                    draw_block(pen, above, block);
                }
                candidates(pen, above, prompt);
                let (_, x) = keybar::window(found.keys, prompt);
                cursor = Some(Position { x, y: found.keys.y });
            }
        }
    }
    if !view.pending.is_empty()
        && let Lookup::Prefix(next) = view.keys.look_up(view.current, view.search.active, &view.pending)
    {
        which_key(pen, above, view, &next);
    }
    cursor
}

fn draw_help(pen: &mut Pen<'_>, area: Rect, view: &View, top: usize) {
    let lines = help::lines(view);
    let column = help::key_column(&lines) as u16;
    let area = centered(area, help::width(view), (lines.len() as u16).saturating_add(2));
    let more = if lines.len() > usize::from(area.height.saturating_sub(2)) { "  j k scroll" } else { "" };
    let inside = panel(pen, area, &format!("keys{more}  esc closes"));
    for (row, line) in lines.iter().skip(top).take(inside.height.into()).enumerate() {
        let mut out = pen.row(inside, row as u16);
        match line {
            help::Line::Heading(title) => {
                out.put(title, Role::TitleFocus);
            }
            help::Line::Key { keys, sentence } => {
                out.put("  ", Role::Text).put(keys, Role::Key).to(column).put(sentence, Role::Text);
            }
            help::Line::Blank => {}
        }
    }
    settle_ground(pen, area);
}

fn draw_confirm(pen: &mut Pen<'_>, area: Rect, confirm: &Confirm) {
    let question = wrapped(&confirm.question, usize::from(area.width).saturating_sub(8).max(8), 0);
    let asked = question.len().max(1) as u16;
    let longest = confirm.choices.iter().map(|choice| choice.label.len() + 6);
    let longest = longest.chain(question.iter().map(|line| columns(line))).max().unwrap_or(0);
    let area = centered(area, (longest + 6) as u16, confirm.choices.len() as u16 + asked + 3);
    let inside = panel(pen, area, "");
    for (row, line) in question.iter().enumerate() {
        pen.row(inside, row as u16).put(line, Role::Text);
    }
    for (i, choice) in confirm.choices.iter().enumerate() {
        let row = i as u16 + asked + 1;
        let mut line = pen.row(inside, row);
        line.put("  ", Role::Text).sign(choice.key, Role::Key).put("  ", Role::Text).put(choice.label, Role::Text);
        if i == confirm.chosen && row < inside.height {
            pen.select(Rect { y: inside.y + row, height: 1, ..inside }, Role::Selection);
        }
    }
    settle_ground(pen, area);
}

/// The lines of a block that is being typed, the last ones if there is no room for all.
fn draw_block(pen: &mut Pen<'_>, area: Rect, block: &OpenBlock) {
    let lines = block.lines();
    let height = (lines.len() as u16).saturating_add(2).min(area.height);
    let area = Rect { y: area.y + area.height - height, height, ..area };
    let title = format!("{}: type its lines; \"end\" ends it, esc drops it", block.head());
    let inside = panel(pen, area, &title);
    let first = lines.len().saturating_sub(inside.height.into());
    for (row, line) in lines.iter().skip(first).enumerate() {
        pen.row(inside, row as u16).put(line, Role::Text);
    }
    settle_ground(pen, area);
}

fn candidates(pen: &mut Pen<'_>, area: Rect, prompt: &Prompt) {
    let Some((completion, chosen)) = &prompt.completion else { return };
    let count = completion.candidates.len();
    let height = (count as u16).min(area.height / 2).min(10);
    if height == 0 {
        return;
    }
    let longest = completion.candidates.iter().map(|word| columns(word)).max().unwrap_or(0) as u16;
    let width = (longest + 2).min(area.width);
    let x =
        (columns(&prompt.sign()) + columns(prompt.editor.text().get(..completion.range.start).unwrap_or(""))) as u16;
    let x = area.x + x.saturating_sub(1).min(area.width - width);
    let list = Rect { x, y: area.y + area.height - height, width, height };
    pen.clear(list, Role::Popup);
    let first = chosen.map_or(0, |chosen| chosen.saturating_sub(usize::from(height) - 1));
    for (row, word) in completion.candidates.iter().skip(first).take(height.into()).enumerate() {
        pen.row(list, row as u16).put(" ", Role::Popup).put(word, Role::Popup);
        if Some(first + row) == *chosen {
            pen.tint(Rect { y: list.y + row as u16, height: 1, ..list }, Role::Selection);
        }
    }
}

fn which_key(pen: &mut Pen<'_>, area: Rect, view: &View, next: &[(crate::keys::Chord, Option<crate::action::Action>)]) {
    let begun: Vec<String> = view.pending.iter().map(|chord| chord.short()).collect();
    let rows: Vec<(String, String)> = next
        .iter()
        .map(|(chord, action)| {
            let sentence = action.and_then(|action| action.row()).map_or("more", |row| row.sentence);
            (chord.short(), sentence.trim_end_matches('.').to_owned())
        })
        .collect();
    let width = rows.iter().map(|(key, words)| key.len() + columns(words) + 2).max().unwrap_or(0) as u16 + 4;
    let height = rows.len() as u16 + 2;
    let width = width.min(area.width);
    let height = height.min(area.height);
    let area = Rect { x: area.x + area.width - width, y: area.y + area.height - height, width, height };
    let inside = panel(pen, area, &format!("{} …", begun.join(" ")));
    for (row, (key, words)) in rows.iter().enumerate() {
        pen.row(inside, row as u16).put(key, Role::Key).put("  ", Role::Text).put(words, Role::Text);
    }
    settle_ground(pen, area);
}
