//! The dialog of reverse connection requests.

use super::panel::{centered, panel, settle_ground};
use super::pen::{Pen, columns, wrapped};
use crate::action::{ACTIONS, Scope};
use crate::theme::Role;
use crate::view::View;
use controller::State;
use controller::state::listed_request::seconds;
use controller::state::{ListedRequest, NotAcceptable};
use model::printable;
use ratatui::layout::Rect;

/// Width of the column of field names.
const NAMES: u16 = 10;
/// Rows that a command may take.
const COMMAND_ROWS: usize = 3;

pub(super) fn draw(pen: &mut Pen<'_>, area: Rect, state: &State, view: &View, takes_keys: bool) {
    let listed = &state.requests.listed;
    let at = listed.iter().position(|listed| Some(&listed.id) == view.requests.chosen.as_ref()).unwrap_or(0);
    let Some(chosen) = listed.get(at) else { return };
    let width = area.width.saturating_sub(4).min(92);
    let inner = usize::from(width.saturating_sub(4));
    let command = wrapped(&printable(&chosen.command()), inner, 0);
    let command: Vec<String> = command.into_iter().take(COMMAND_ROWS).collect();
    let fields = fields(chosen);
    let keys = keys(view);
    let why_not = chosen.why_not().map(|why| wrapped(&printable(&why), inner, 0)).unwrap_or_default();
    let below = command.len() + 1 + fields.len() + why_not.len() + 2;
    let room = usize::from(area.height.saturating_sub(2)).saturating_sub(below + 1);
    // A single request needs no list.
    let rows = if listed.len() > 1 { listed.len().min(room.max(1)) } else { 0 };
    let height = below + if rows > 0 { rows + 1 } else { 0 } + 2;
    let area = centered(area, width, height as u16);
    let title = match listed.len() {
        1 => "a program asks for a debugger".to_owned(),
        n => format!("{n} programs ask for a debugger"),
    };
    let inside = panel(pen, area, &title);
    let mut row = 0;
    let first = at.saturating_sub(rows.saturating_sub(1));
    for (n, listed) in listed.iter().enumerate().skip(first).take(rows) {
        summary(pen, inside, row, listed, view);
        if n == at {
            pen.select(Rect { y: inside.y + row, height: 1, ..inside }, Role::Selection);
        }
        row += 1;
    }
    row += u16::from(rows > 0);
    for line in &command {
        pen.row(inside, row).put(line, Role::TitleFocus);
        row += 1;
    }
    row += 1;
    for (name, text) in &fields {
        let mut line = pen.row(inside, row);
        line.put(name, Role::Dim).to(NAMES);
        let left = line.left();
        line.short(&printable(text), left, Role::Text);
        row += 1;
    }
    for line in &why_not {
        pen.row(inside, row).put(line, Role::Warning);
        row += 1;
    }
    row += 1;
    let mut line = pen.row(inside, row);
    for (key, label) in keys.iter().filter(|_| takes_keys) {
        line.put(key, Role::Key).put(" ", Role::Text).put(label, Role::KeyLabel).put("   ", Role::Text);
    }
    settle_ground(pen, area);
}

fn summary(pen: &mut Pen<'_>, inside: Rect, row: u16, listed: &ListedRequest, view: &View) {
    let mark = match &listed.fault {
        Some(NotAcceptable::Stale) => "stale",
        Some(NotAcceptable::Answered) => "answered",
        Some(NotAcceptable::File(_)) => "unusable",
        None if view.requests.put_off.contains(&listed.id) => "later",
        None => "",
    };
    let right = format!("{mark}  {:>6}", seconds(listed.age));
    let mut line = pen.row(inside, row);
    line.right_kept(&right, Role::Dim, columns(&right));
    // The number for `reverse accept NUMBER`.
    line.put(&format!("{:>2} ", listed.number), Role::Key);
    line.put(&printable(&listed.request.host), Role::RankTag).put("  ", Role::Text);
    let left = line.left();
    line.short(&printable(&listed.command()), left.saturating_sub(1), Role::Text);
}

fn fields(listed: &ListedRequest) -> Vec<(&'static str, String)> {
    let request = &listed.request;
    let mut fields = Vec::new();
    let mut field = |name: &'static str, text: String| {
        if !text.is_empty() {
            fields.push((name, text));
        }
    };
    field("host", request.host.clone());
    field("user", request.user.clone());
    field("job", listed.jobs());
    field("label", request.label.clone().unwrap_or_default());
    field("directory", request.directory.clone());
    field("waiting", seconds(listed.age));
    field("request", format!("{}  {}", listed.number, listed.id));
    fields
}

/// The current keys of the dialog.
fn keys(view: &View) -> Vec<(String, &'static str)> {
    let own = ACTIONS.iter().filter(|row| row.scope == Scope::Requests && !row.label.is_empty());
    own.map(|row| (view.keys.first_key(row.action), row.label)).filter(|(key, _)| !key.is_empty()).collect()
}
