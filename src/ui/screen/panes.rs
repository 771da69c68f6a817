//! Draws titles, the lines between views, and the views themselves.

use super::found;
use super::pen::{Pen, columns, fit};
use crate::action::ViewId;
use crate::layout::{Layout, Pane, TABS};
use crate::theme::Role;
use crate::view::View;
use crate::views::{
    array, breakpoints, code, memory, messages, output, ranks, signals, source, stack, threads, variables,
};
use crate::words::base_name;
use controller::State;
use controller::state::Phase;
use ratatui::layout::Rect;

pub(super) fn draw(pen: &mut Pen<'_>, layout: &Layout, state: &State, view: &View) {
    for pane in &layout.panes {
        rule(pen, pane, layout, state, view);
    }
    divider(pen, layout, view);
    for pane in &layout.panes {
        body(pen, pane.view, pane.body, state, view);
        // Source and output mark matches themselves: only their text is searched, not the numbers beside it.
        let is_source = pane.view == ViewId::Source && !view.source.code.shown;
        if !is_source && !matches!(pane.view, ViewId::Ranks | ViewId::Output | ViewId::Array | ViewId::Memory) {
            found::mark(pen, pane.body, view);
        }
    }
}

/// Where the other views are.
const ZOOMED: &str = " zoomed ";

/// Draws the rows of a view.
pub(super) fn body(pen: &mut Pen<'_>, of: ViewId, area: Rect, state: &State, view: &View) {
    match of {
        ViewId::Ranks => ranks::draw(pen, area, state, view),
        ViewId::Source if view.source.code.shown => code::draw(pen, area, state, view),
        ViewId::Source => source::draw(pen, area, state, view),
        ViewId::Stack => stack::draw(pen, area, state, view),
        ViewId::Variables => variables::draw(pen, area, state, view),
        ViewId::Output => output::draw(pen, area, state, view),
        ViewId::Breakpoints => breakpoints::draw(pen, area, state, view),
        ViewId::Threads => threads::draw(pen, area, state, view),
        ViewId::Signals => signals::draw(pen, area, state, view),
        ViewId::Messages => messages::draw(pen, area, view),
        ViewId::Array => array::draw(pen, area, state, view),
        ViewId::Memory => memory::draw(pen, area, state, view),
    }
}

fn line_role(view: &View, of: ViewId) -> Role {
    if view.current == of { Role::BorderFocus } else { Role::Border }
}

fn rule(pen: &mut Pen<'_>, pane: &Pane, found: &Layout, state: &State, view: &View) {
    let horizontal = pen.glyphs.horizontal.to_string();
    let role = line_role(view, pane.view);
    let line = horizontal.repeat(pane.rule.width.into());
    pen.row(pane.rule, 0).put(&line, role);
    let mut row = pen.row(pane.rule, 0);
    // A cut rule needs no sign of the cut.
    let dash = |row: &mut super::pen::Row<'_, '_>| _ = (row.left() > 0).then(|| _ = row.put(&horizontal, role));
    dash(&mut row);
    let shares = TABS.contains(&pane.view) && (found.panes.len() > 1 || view.zoom);
    if shares {
        for tab in TABS {
            name(&mut row, tab, view, tab == pane.view, ['[', ']']);
            dash(&mut row);
        }
    } else {
        name(&mut row, pane.view, view, true, [' ', ' ']);
    }
    let words = match pane.view {
        ViewId::Ranks => ranks::title(state, view),
        ViewId::Source if view.source.code.shown => code::title(state, view),
        ViewId::Source => source::title(state, view),
        ViewId::Stack => stack::title(state, view),
        ViewId::Variables => variables::title(state, view),
        ViewId::Output => output::title(state, view),
        ViewId::Messages => messages::title(view),
        ViewId::Array => array::title(state, view),
        ViewId::Memory => memory::title(state, view),
        ViewId::Threads => threads::title(state, view),
        ViewId::Breakpoints | ViewId::Signals => Vec::new(),
    };
    if shares {
        let mut pieces: Vec<(&str, Role)> = vec![(" ", Role::Text)];
        pieces.extend(words.iter().map(|(text, role)| (text.as_str(), *role)));
        pieces.extend([(" ", Role::Text), (horizontal.as_str(), role)]);
        if !words.is_empty() {
            row.right(&pieces);
        }
    } else if !words.is_empty() && row.left() > 4 {
        dash(&mut row);
        row.put(" ", Role::Text);
        for (text, role) in &words {
            row.put(text, *role);
        }
        row.put(" ", Role::Text);
    }
    if view.zoom && found.panes.len() == 1 && row.left() > columns(ZOOMED) + 4 {
        dash(&mut row);
        row.put(ZOOMED, Role::Dim);
    }
    if pane.view == ViewId::Ranks || found.panes.len() == 1 {
        let words = if state.program.is_empty() { Vec::new() } else { session(state, row.left()) };
        let mut pieces: Vec<(&str, Role)> = vec![(" ", Role::Text)];
        pieces.extend(words.iter().map(|(text, role)| (text.as_str(), *role)));
        pieces.extend([(" ", Role::Text), (horizontal.as_str(), role)]);
        if !words.is_empty() && !row.right(&pieces) {
            let short = fit(&program(state), row.left().saturating_sub(3), '~');
            row.right(&[(" ", Role::Text), (&short, Role::Text), (" ", Role::Text)]);
        }
    }
}

/// Writes a view's number and name. A shared pane names all its views; the visible one stands out, also by the characters
/// around it.
fn name(row: &mut super::pen::Row<'_, '_>, of: ViewId, view: &View, shown: bool, around: [char; 2]) {
    let [before, after] = if shown { around } else { [' ', ' '] };
    let current = view.current == of;
    let role = match (current, shown) {
        (true, _) => Role::TitleFocus,
        (false, true) => Role::Text,
        (false, false) => Role::Title,
    };
    let title = match of {
        ViewId::Variables => view.variables.content.title(),
        ViewId::Source if view.source.code.shown => "code",
        of => of.title(),
    };
    let number = if current { Role::TitleFocus } else { Role::Dim };
    row.sign(before, Role::Text).sign(of.sign(), number).put(" ", Role::Text).put(title, role).sign(after, Role::Text);
}

/// The command line, with paths reduced to their last parts.
fn program(state: &State) -> String {
    state.program.split(' ').map(base_name).collect::<Vec<_>>().join(" ")
}

/// The command line with its host and session; in this many columns, of which the command line has the rest.
fn session(state: &State, room: usize) -> Vec<(String, Role)> {
    /// The columns around it, and the part of the command line that is always shown if anything is.
    const AROUND: usize = 4;
    const LEAST: usize = 40;
    let mut words = Vec::new();
    if let Some(session) = &state.session {
        match session.hosts.as_slice() {
            [] => {}
            [(host, _)] => words.push((format!(" on {host}"), Role::Dim)),
            hosts => words.push((format!(" on {} hosts", hosts.len()), Role::Dim)),
        }
        words.push((format!("  session {}", session.id), Role::Dim));
    }
    if matches!(state.phase, Phase::Ended) {
        words.push(("  ended".to_owned(), Role::Warning));
    }
    let taken: usize = words.iter().map(|(text, _)| columns(text)).sum();
    let rest = room.saturating_sub(taken + AROUND).max(LEAST);
    words.insert(0, (fit(&program(state), rest, '~'), Role::Text));
    words
}

/// Draws the line between the columns, with its joints.
fn divider(pen: &mut Pen<'_>, found: &Layout, view: &View) {
    let area = found.divider;
    if area.is_empty() {
        return;
    }
    let glyphs = pen.glyphs;
    let current = found.pane(view.current).map(|pane| pane.body);
    for row in 0..area.height {
        let y = area.y + row;
        let beside = current.is_some_and(|body| {
            (body.y..body.y + body.height).contains(&y) && (body.x == area.x + 1 || body.x + body.width == area.x)
        });
        let role = if beside { Role::BorderFocus } else { Role::Border };
        let joint = found.panes.iter().any(|pane| pane.rule.x == area.x + 1 && pane.rule.y == y);
        let sign = match (row, joint) {
            (0, _) => glyphs.tee_down,
            (_, true) => glyphs.tee_right,
            (_, false) => glyphs.vertical,
        };
        pen.row(area, row).sign(sign, role);
    }
    let below = Rect { y: area.y + area.height, height: 1, ..area };
    let Some(taken) = found.panes.iter().find(|pane| !pane.rule.intersection(below).is_empty()) else { return };
    // A joint within a title would be read as part of it.
    let line = glyphs.horizontal.to_string();
    let beside = [below.x.saturating_sub(1), below.x, below.x + 1];
    let plain = |x: u16| pen.buffer.cell((x, below.y)).is_none_or(|cell| cell.symbol() == line);
    if beside.into_iter().all(plain) {
        pen.row(below, 0).sign(glyphs.tee_up, line_role(view, taken.view));
    }
}
