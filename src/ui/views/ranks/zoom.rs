//! Zooming: the part of the ranks that is shown, and the line that says which one it is.

use super::part::{Part, RankPlace, Span, showing};
use crate::action::Action;
use crate::screen::{Pen, columns, fit_middle, set_text};
use crate::theme::Role;
use crate::view::View;
use controller::State;
use controller::command::RankLayout;
use controller::report::host_text;
use model::Rank;
use ratatui::layout::Rect;

/// The most columns for the name of a host in the line.
const NAME: usize = 16;

/// Columns for the ranks of a host in the line: beyond, their number stands.
const RANKS: usize = 20;

/// The part that all ranks are.
fn whole(state: &State) -> Part {
    if let Some(grid) = state.layout.grid(state.size()).filter(|grid| grid.dimensions().len() > 1) {
        let (rows, columns) = grid.plane();
        return Part::Plane { rows: Span::new(0, rows), columns: Span::new(0, columns) };
    }
    let hosts = state.ranks.hosts();
    if state.layout == RankLayout::Hosts && !hosts.is_empty() {
        return Part::Hosts(Span::new(0, u32::try_from(hosts.len()).unwrap_or(u32::MAX)));
    }
    Part::Ranks(Span::new(0, state.size()))
}

fn place_of(rank: u32, whole: Part, state: &State) -> RankPlace {
    let place = RankPlace { rank, ..RankPlace::default() };
    match whole {
        Part::Plane { rows, columns } if rows.len > 0 && columns.len > 0 => {
            RankPlace { in_plane: (rank / columns.len % rows.len, rank % columns.len), ..place }
        }
        Part::Hosts(_) => {
            let host = state.ranks.hosts().place_of(Rank(rank));
            let Some(of) = state.ranks.hosts().get(host) else { return place };
            let count = u32::try_from(of.ranks.len()).unwrap_or(u32::MAX);
            let host = u32::try_from(host).unwrap_or(u32::MAX);
            RankPlace { host, on_host: (of.ranks.count_below(Rank(rank)), count), ..place }
        }
        _ => place,
    }
}

/// The parts from all ranks to the one that is shown, each moved so that the cursor is in it. They follow the cursor
/// wherever it goes: by the arrows, with the lead, or by a jump.
pub(crate) fn parts(state: &State, view: &View) -> Vec<Part> {
    let whole = whole(state);
    let cursor = view.ranks.cursor.min(state.size().saturating_sub(1));
    showing(&view.ranks.zoom, whole, &place_of(cursor, whole, state))
}

/// The part that is shown.
pub(super) fn shown(state: &State, view: &View) -> Part {
    parts(state, view).last().copied().unwrap_or_else(|| whole(state))
}

/// Rows for the line that says which part is shown: none while all ranks are.
pub(super) fn rows(state: &State, view: &View) -> u16 {
    u16::from(!view.ranks.zoom.is_empty() && parts(state, view).len() > 1)
}

fn bounds(span: Span) -> String {
    match span.len {
        0 | 1 => span.from.to_string(),
        _ => format!("{}-{}", span.from, span.end() - 1),
    }
}

/// A part of another one in words: `4096-8191`, `rows 0-31, columns 64-127`, `node016 to node031`.
fn words(part: Part, of: Part, state: &State, cut: char) -> String {
    let hosts = state.ranks.hosts();
    let name = |place: u32| {
        let name = hosts.get(place as usize).map_or("", |host| &*host.name);
        fit_middle(host_text(name), NAME, cut)
    };
    match part {
        Part::Ranks(ranks) => bounds(ranks),
        Part::Plane { rows, columns } => {
            let one_or_more =
                |span: Span, name: &str| format!("{name}{} {}", if span.len > 1 { "s" } else { "" }, bounds(span));
            format!("{}, {}", one_or_more(rows, "row"), one_or_more(columns, "column"))
        }
        Part::Hosts(hosts) if hosts.len <= 1 => name(hosts.from),
        Part::Hosts(hosts) => format!("{} to {}", name(hosts.from), name(hosts.end() - 1)),
        Part::OfHost(place, ranks) => {
            let set = hosts.get(place as usize).map(|host| host.ranks.slice(ranks.from, ranks.len)).unwrap_or_default();
            let set = set_text(&set, RANKS);
            let is_of_all = matches!(of, Part::Hosts(hosts) if hosts.len > 1);
            if is_of_all { format!("{set} on {}", name(place)) } else { set }
        }
    }
}

/// The way to the last part in so many columns: `all > 0-65535 > 4096-8191`, without its middle if it is too long.
fn path(parts: &[String], room: usize, cut: char) -> String {
    let cut = cut.to_string();
    let way = |left_out: usize| {
        let mut names = vec!["all"];
        names.extend((left_out > 0).then_some(cut.as_str()));
        names.extend(parts.iter().skip(left_out).map(String::as_str));
        names.join(" > ")
    };
    let ways = (0..parts.len()).map(way).find(|way| columns(way) <= room);
    ways.or_else(|| parts.last().cloned()).unwrap_or_default()
}

/// Draws the line: where the shown part is, and how to leave it. `per_cell`: the ranks of a cell, if no other line says it.
pub(super) fn draw(pen: &mut Pen<'_>, area: Rect, state: &State, view: &View, per_cell: Option<String>) {
    if area.height == 0 {
        return;
    }
    let cut = pen.glyphs.cut;
    let (out, all) = (view.keys.first_key(Action::RankZoomOut), view.keys.first_key(Action::Escape));
    let ways: Vec<String> = [(out, "zooms out"), (all, "shows all")]
        .into_iter()
        .filter(|(key, _)| !key.is_empty())
        .map(|(key, does)| format!("{key} {does}"))
        .collect();
    let leaving = format!("  {} ", ways.join(", "));
    let parts = parts(state, view);
    let pairs = parts.iter().zip(parts.iter().skip(1));
    let names: Vec<String> = pairs.map(|(of, part)| words(*part, *of, state, cut)).collect();
    let mut line = pen.row(area, 0);
    line.right_kept(&leaving, Role::Dim, columns(&leaving));
    let per_cell = per_cell.map(|words| format!("  {words}")).unwrap_or_default();
    let room = line.left().saturating_sub(1 + columns(&per_cell));
    line.put(" ", Role::Text).put(&path(&names, room, cut), Role::RankTag).put(&per_cell, Role::Dim);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_way_loses_its_middle() {
        let parts = ["0-262143", "131072-147455", "135168-139263"].map(str::to_owned);
        assert_eq!(path(&parts, 50, '…'), "all > 0-262143 > 131072-147455 > 135168-139263");
        assert_eq!(path(&parts, 45, '…'), "all > … > 131072-147455 > 135168-139263");
        assert_eq!(path(&parts, 30, '…'), "all > … > 135168-139263");
        assert_eq!(path(&parts, 20, '…'), "135168-139263");
        assert_eq!(path(&[], 20, '…'), "");
    }
}
