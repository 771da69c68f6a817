//! View 1: a cell for every rank, and below them the places where ranks are.

mod arrangement;
mod by_state;
mod cells;
mod colours;
mod grid;
mod hosts;
mod part;
mod place_list;
mod plane;
mod shown_hosts;
#[cfg(test)]
mod tests;
pub mod view_state;
mod zoom;

pub(crate) use arrangement::Arrangement;
pub(crate) use by_state::{by_letter, looks, places};
pub(crate) use part::Part;
pub(crate) use zoom::parts;

use super::across;
use crate::rank_state::LETTERS;
use crate::screen::{Pen, columns, fit_middle, set_text};
use crate::theme::Role;
use crate::view::View;
use arrangement::{grid, hosts, plane};
use cells::Cells;
use controller::State;
use controller::command::RankLayout;
use controller::report::{coordinates_text, host_text};
use hosts::HostRows;
use model::RankCells;
use place_list::{NOTE_ROWS, PlaceRow};
use ratatui::layout::Rect;

/// Up to this number of ranks the numbers of all are asked for: they stay right when other cells are shown.
const MOST_SINGLE: u32 = 4096;

/// Rows that the view needs on a screen of this size.
pub(crate) fn wanted_rows(state: &State, view: &View, screen: Rect) -> u16 {
    let most = (screen.height / 12).max(1);
    // The shape of a plane, or of hosts, is what it is shown for: it may have a quarter of the screen.
    let shape = screen.height / 4;
    let cells = match shaped_rows(state, view, screen.width, shape) {
        Some(rows) => u16::try_from(rows).unwrap_or(shape).min(shape),
        None => grid(state, view, screen.width, most).rows.min(usize::from(most)) as u16,
    };
    let path = zoom::rows(state, view);
    let cells = cells + path + coordinate_rows(state) + colours::rows(state);
    let watched = across::rows(state).min(most);
    let rows = place_list::rows(state, screen.width);
    // A note is short, and the reason why there is a place at all.
    let notes = rows.iter().filter(|row| matches!(row, PlaceRow::Note(_))).count().min(NOTE_ROWS);
    let wanted = cells + watched + (rows.len() as u16).min(most + notes as u16);
    let share = if coordinate_rows(state) > 0 { 3 } else { 6 };
    wanted.min((screen.height / share).max(2) + path)
}

/// The rows of the plane or of the hosts, if they fit into so many rows of the terminal; `None`: ranks are in the order of
/// their numbers.
fn shaped_rows(state: &State, view: &View, width: u16, height: u16) -> Option<usize> {
    let of_plane = plane(state, view, width, height).map(|plane| plane.cell_rows() as usize);
    of_plane.or_else(|| Some(hosts(state, view, width, height)?.rows))
}

/// Rows of the body for cells; up to half of the body is reserved for places.
pub(crate) fn cell_rows(state: &State, body: Rect, view: &View) -> u16 {
    let promised = (across::rows(state) + place_list::rows(state, body.width).len() as u16).min(body.height / 2);
    let coordinates = zoom::rows(state, view) + coordinate_rows(state) + colours::rows(state);
    let is_shaped = shaped_rows(state, view, body.width, body.height).is_some();
    // A plane and hosts keep their shape; the places get what these leave.
    let promised = if is_shaped { promised.min(2) + coordinates } else { promised + coordinates };
    let most = body.height.saturating_sub(promised).max(1).min(body.height);
    let shaped = shaped_rows(state, view, body.width, most);
    let needed = shaped.unwrap_or_else(|| grid(state, view, body.width, most).rows);
    most.min(u16::try_from(needed).unwrap_or(u16::MAX))
}

/// The title: `64: 60B 3R 1!`.
pub(crate) fn title(state: &State, view: &View) -> Vec<(String, Role)> {
    let mut words = vec![(format!("{}", state.size()), Role::Text)];
    for (look, ranks) in by_letter(state) {
        words.push((format!("  {}", ranks.len()), Role::Dim));
        words.push((look.letter.to_string(), look.role));
    }
    let marks = &view.ranks.marks;
    if !marks.is_empty() {
        words.push((format!("  marked {}", set_text(marks, 16)), Role::Text));
    }
    let silent = state.ranks.silent();
    if !silent.is_empty() {
        words.push((format!("  no reply from {}", set_text(&silent, 16)), Role::Warning));
    }
    words
}

pub(crate) fn draw(pen: &mut Pen<'_>, body: Rect, state: &State, view: &View) {
    let cells = Rect { height: cell_rows(state, body, view), ..body };
    let arrangement = Arrangement::of(state, view, cells);
    arrangement.draw(pen, cells, &Cells::new(state, view, &|rank| arrangement.cell_of(rank)));
    let below = Rect { y: body.y + cells.height, height: body.height - cells.height, ..body };
    let told = zoom::rows(state, view).min(below.height);
    // The line of the coordinates has the size of the cells.
    let per_cell = arrangement.cell_words().filter(|_| coordinate_rows(state) == 0);
    zoom::draw(pen, Rect { height: told, ..below }, state, view, per_cell);
    let below = Rect { y: below.y + told, height: below.height - told, ..below };
    let told = coordinate_rows(state).min(below.height);
    draw_coordinates(pen, Rect { height: told, ..below }, state, view, &arrangement);
    let below = Rect { y: below.y + told, height: below.height - told, ..below };
    let told = colours::rows(state).min(below.height);
    if told > 0 {
        let (cell, wanted) = (arrangement.cell_of(view.ranks.cursor), coloured_cells(state, view, body));
        colours::draw_legend(pen, Rect { height: told, ..below }, state, &cell, wanted);
    }
    let below = Rect { y: below.y + told, height: below.height - told, ..below };
    let watched = Rect { height: across::rows(state).min(below.height), ..below };
    across::draw(pen, watched, state, view);
    let below = Rect { y: below.y + watched.height, height: below.height - watched.height, ..below };
    place_list::draw(pen, below, state);
}

/// The arrangement of the ranks in the body of the view.
pub(crate) fn arrangement<'a>(state: &'a State, view: &View, body: Rect) -> Arrangement<'a> {
    Arrangement::of(state, view, Rect { height: cell_rows(state, body, view), ..body })
}

/// True if enter zooms into the cell under the cursor: nothing is marked, and it stands for several ranks.
pub(crate) fn enter_zooms(state: &State, view: &View, body: Rect) -> bool {
    !view.ranks.has_marks() && arrangement(state, view, body).inside(view.ranks.cursor).is_some()
}

/// The cells whose numbers the screen needs; `None` if ranks are not coloured.
pub(crate) fn coloured_cells(state: &State, view: &View, body: Rect) -> Option<RankCells> {
    state.colour.as_ref()?;
    let ranks = state.size();
    let singles = Some(RankCells::of_each(ranks)).filter(|_| ranks <= MOST_SINGLE);
    singles.or_else(|| arrangement(state, view, body).coloured_cells(ranks))
}

/// Rows for the coordinates of the cursor.
fn coordinate_rows(state: &State) -> u16 {
    let is_by_hosts = state.layout == RankLayout::Hosts && state.size() > 0;
    u16::from(is_by_hosts || state.layout.grid(state.size()).is_some())
}

fn draw_coordinates(pen: &mut Pen<'_>, area: Rect, state: &State, view: &View, arrangement: &Arrangement<'_>) {
    if area.height == 0 {
        return;
    }
    match arrangement {
        Arrangement::Hosts(rows) => draw_host(pen, area, view.ranks.cursor, rows),
        _ => draw_grid_place(pen, area, state, view, arrangement),
    }
}

/// Draws the host of the cursor's rank, with all of that host's ranks.
fn draw_host(pen: &mut Pen<'_>, area: Rect, rank: u32, rows: &HostRows<'_>) {
    let Some(host) = rows.host_of(rank) else { return };
    let set = set_text(&host.ranks, 24);
    let ranks = match host.ranks.len() {
        1 => format!("  rank {set}"),
        _ if set.ends_with("ranks") => format!("  {set}"),
        _ => format!("  ranks {set}"),
    };
    let cells = rows.grid.words().map(|words| format!("  {words}")).unwrap_or_default();
    let mut line = pen.row(area, 0);
    line.put(" ", Role::Text).put(&rank.to_string(), Role::RankTag).put(" on ", Role::Text);
    let name = host_text(&host.name);
    // The name is cut first, and only as far as what is behind it remains.
    let room = line.left().saturating_sub(columns(&ranks) + columns(&cells)).max(columns(name).min(8));
    let name = fit_middle(name, room, line.pen.glyphs.cut);
    line.put(&name, Role::Text).put(&ranks, Role::RankTag).put(&cells, Role::Dim);
}

fn draw_grid_place(pen: &mut Pen<'_>, area: Rect, state: &State, view: &View, arrangement: &Arrangement<'_>) {
    let Some(grid) = state.layout.grid(state.size()) else { return };
    let rank = view.ranks.cursor;
    let mut line = pen.row(area, 0);
    let at = grid.coordinates(rank).map(|at| coordinates_text(&at)).unwrap_or_default();
    line.put(" ", Role::Text).put(&rank.to_string(), Role::RankTag).put(&format!(" at {at} of {grid}"), Role::Text);
    if let Some(words) = arrangement.cell_words() {
        line.put(&format!("  {words}"), Role::Dim);
    }
    if arrangement.plane().is_some() && grid.planes() > 1 {
        let (rows, columns) = grid.plane();
        let number = rank / (rows * columns);
        line.put(&format!("  plane {number} of 0-{}: [ ]", grid.planes() - 1), Role::Dim);
    }
}

/// Letters of the states with their meanings, for help.
pub(crate) fn legend() -> impl Iterator<Item = &'static (char, &'static str)> {
    LETTERS.iter()
}
