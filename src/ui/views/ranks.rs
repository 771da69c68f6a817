//! View 1: a cell for every rank, and below them the places where ranks are.

use super::across;
use super::rank_plane::Plane;
use crate::rank_state::{LETTERS, RankLook};
use crate::screen::{Pen, Row, columns, set_text, wrapped};
use crate::theme::Role;
use crate::view::{Density, View};
use crate::words::{note_words, state_words};
use controller::State;
use controller::report::coordinates_text;
use model::{EngineName, ProcessSet, ProcessState, Rank};
use ratatui::{layout::Rect, style::Modifier};

/// The arrangement of cells in an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    /// Ranks per cell.
    pub(crate) per_cell: u32,
    /// Cells per row.
    pub(crate) columns: u32,
    /// Rows of cells.
    pub(crate) rows: usize,
    cell: u16,
    label: u16,
}

fn numbered(width: u16, size: u32) -> Grid {
    let cell = digits(size.saturating_sub(1)) + 2;
    let fitting = u32::from((width / cell).max(1));
    let columns = if fitting >= size {
        size.max(1)
    } else if fitting >= 8 {
        fitting / 8 * 8
    } else {
        fitting
    };
    Grid { per_cell: 1, columns, rows: size.div_ceil(columns) as usize, cell, label: 0 }
}

fn lettered(width: u16, size: u32, per_cell: u32) -> Grid {
    let label = digits(size.saturating_sub(1)) + 2;
    let room = width.saturating_sub(label);
    // A gap after every tenth cell helps counting.
    let fits = |columns: u32| columns + columns.div_ceil(10).saturating_sub(1) <= u32::from(room);
    let columns = [400, 200, 100, 50, 20, 10, 5, 2].into_iter().find(|&columns| fits(columns)).unwrap_or(1);
    let cells = size.div_ceil(per_cell);
    Grid { per_cell, columns, rows: cells.div_ceil(columns) as usize, cell: 1, label }
}

fn digits(number: u32) -> u16 {
    number.checked_ilog10().unwrap_or(0) as u16 + 1
}

/// The arrangement of a job's cells in an area.
pub(crate) fn grid(width: u16, height: u16, size: u32, density: Density) -> Grid {
    let height = usize::from(height.max(1));
    let together = || {
        let steps = (0..9).flat_map(|power| [1, 2, 5].map(|step| step * 10u32.saturating_pow(power)));
        let grids = steps.map(|per_cell| lettered(width, size, per_cell));
        grids.into_iter().find(|grid| grid.rows <= height).unwrap_or_else(|| lettered(width, size, size.max(1)))
    };
    match density {
        Density::Numbers => numbered(width, size),
        Density::Letters => lettered(width, size, 1),
        Density::Together => together(),
        Density::Automatic => {
            let numbers = numbered(width, size);
            if numbers.rows <= height { numbers } else { together() }
        }
    }
}

/// Rows that the view needs on a screen of this size.
pub(crate) fn wanted_rows(state: &State, view: &View, screen: Rect) -> u16 {
    let most = (screen.height / 12).max(1);
    // The shape of a plane is what it is shown for: it may have a quarter of the screen.
    let shape = screen.height / 4;
    let cells = match plane(state, view, screen.width, shape) {
        Some(plane) => u16::try_from(plane.cell_rows()).unwrap_or(shape).min(shape),
        None => grid(screen.width, most, state.size(), view.ranks.density).rows.min(usize::from(most)) as u16,
    };
    let cells = cells + coordinate_rows(state);
    let watched = across::rows(state).min(most);
    let rows = place_rows(state, screen.width);
    // A note is short, and the reason why there is a place at all.
    let notes = rows.iter().filter(|row| matches!(row, PlaceRow::Note(_))).count().min(NOTE_ROWS);
    let wanted = cells + watched + (rows.len() as u16).min(most + notes as u16);
    let share = if coordinate_rows(state) > 0 { 3 } else { 6 };
    wanted.min((screen.height / share).max(2))
}

/// Rows of the body for cells; up to half of the body is reserved for places.
pub(crate) fn cell_rows(state: &State, body: Rect, view: &View) -> u16 {
    let promised = (across::rows(state) + place_rows(state, body.width).len() as u16).min(body.height / 2);
    let coordinates = coordinate_rows(state);
    let is_plane = plane(state, view, body.width, body.height).is_some();
    // A plane keeps its shape; the places get what it leaves.
    let promised = if is_plane { promised.min(2) + coordinates } else { promised + coordinates };
    let most = body.height.saturating_sub(promised).max(1).min(body.height);
    if let Some(plane) = plane(state, view, body.width, most) {
        return most.min(u16::try_from(plane.cell_rows()).unwrap_or(u16::MAX));
    }
    let needed = grid(body.width, most, state.size(), view.ranks.density).rows;
    most.min(u16::try_from(needed).unwrap_or(u16::MAX))
}

/// Ranks by letter, most urgent first.
pub(crate) fn by_letter(state: &State) -> Vec<(RankLook, ProcessSet)> {
    let mut letters: Vec<(RankLook, ProcessSet)> = Vec::new();
    for (ranks, of) in state.ranks.groups().filter(|group| !group.0.is_empty()) {
        for (look, ranks) in looks(state, of, ranks) {
            match letters.iter_mut().find(|known| known.0 == look) {
                Some(known) => known.1.extend_with(&ranks),
                None => letters.push((look, ranks)),
            }
        }
    }
    letters.sort_by_key(|known| known.0.urgency());
    letters
}

/// Ranks at one place in one state, with the look of that state.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) look: RankLook,
    pub(crate) ranks: ProcessSet,
    pub(crate) state: ProcessState,
    /// `None`: the session's own engine.
    pub(crate) engine: Option<EngineName>,
}

/// Splits ranks of one state into held and not held ones, if these look different.
pub(crate) fn looks(state: &State, of: &ProcessState, ranks: &ProcessSet) -> Vec<(RankLook, ProcessSet)> {
    if !state.held.meets(ranks) {
        return vec![(RankLook::of(of, false), ranks.clone())];
    }
    let (held, free) = (RankLook::of(of, true), RankLook::of(of, false));
    let parts = if held == free {
        vec![(free, ranks.clone())]
    } else {
        vec![(held, ranks.intersection(&state.held)), (free, ranks.difference(&state.held))]
    };
    parts.into_iter().filter(|part| !part.1.is_empty()).collect()
}

/// The places of ranks, most urgent first.
pub(crate) fn places(state: &State, among: &ProcessSet) -> Vec<Place> {
    let mut places = Vec::new();
    for group in state.status_groups(among) {
        for (look, ranks) in looks(state, &group.state, &group.ranks) {
            places.push(Place { look, ranks, state: group.state.clone(), engine: group.engine });
        }
    }
    places.sort_by_key(|place| (place.look.urgency(), place.ranks.first()));
    places
}

fn all_places(state: &State) -> Vec<Place> {
    places(state, &ProcessSet::all(state.size()))
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
    let plane = plane(state, view, cells.width, cells.height);
    match &plane {
        Some(plane) => draw_plane(pen, cells, state, view, plane),
        None => draw_cells(pen, cells, state, view),
    }
    let below = Rect { y: body.y + cells.height, height: body.height - cells.height, ..body };
    let told = coordinate_rows(state).min(below.height);
    draw_coordinates(pen, Rect { height: told, ..below }, state, view, plane.as_ref());
    let below = Rect { y: below.y + told, height: below.height - told, ..below };
    let watched = Rect { height: across::rows(state).min(below.height), ..below };
    across::draw(pen, watched, state, view);
    let below = Rect { y: below.y + watched.height, height: below.height - watched.height, ..below };
    draw_places(pen, below, state);
}

fn draw_cells(pen: &mut Pen<'_>, area: Rect, state: &State, view: &View) {
    let size = state.size();
    if size == 0 {
        return;
    }
    let grid = grid(area.width, area.height, size, view.ranks.density);
    let cells = Cells::new(state, view);
    for row in 0..area.height {
        let first_cell = (view.ranks.top + usize::from(row)) as u32 * grid.columns;
        if first_cell * grid.per_cell >= size {
            break;
        }
        let mut line = pen.row(area, row);
        if grid.label > 0 {
            let label = format!("{:>width$} ", first_cell * grid.per_cell, width = usize::from(grid.label) - 1);
            line.put(&label, Role::LineNumber);
        }
        for column in 0..grid.columns {
            let first = (first_cell + column) * grid.per_cell;
            if first >= size {
                break;
            }
            let end = (first + grid.per_cell).min(size);
            let ranks = if end - first == 1 { ProcessSet::one(Rank(first)) } else { ProcessSet::range(first, end) };
            let gap = grid.label > 0 && column > 0 && column % 10 == 0;
            if gap {
                line.put(" ", Role::Text);
            }
            let numbered = (grid.label == 0).then_some(grid.cell);
            cells.put(&mut line, (area, row), &ranks, numbered);
        }
    }
}

/// Draws cells by the states and marks of their ranks.
struct Cells<'a> {
    state: &'a State,
    view: &'a View,
    looks: Vec<(RankLook, ProcessSet)>,
    range: Option<ProcessSet>,
}

impl<'a> Cells<'a> {
    fn new(state: &'a State, view: &'a View) -> Self {
        Self { state, view, looks: by_letter(state), range: view.ranks.range() }
    }

    /// Draws the cell of some ranks: a letter, in cells of `numbered` columns after the number.
    fn put(&self, line: &mut Row<'_, '_>, (area, row): (Rect, u16), ranks: &ProcessSet, numbered: Option<u16>) {
        let Some(first) = ranks.first() else { return };
        let (state, view) = (self.state, self.view);
        let mut here = self.looks.iter().filter(|look| look.1.meets(ranks));
        let look = here.next().map_or(RankLook { letter: '.', role: Role::ProcessStarting }, |look| look.0);
        let mixed = here.next().is_some();
        let focused = state.focus.set.meets(ranks);
        let marked = view.ranks.marks.meets(ranks) || self.range.as_ref().is_some_and(|range| range.meets(ranks));
        let mut letter = line.pen.style(look.role);
        let mut sign = look.letter;
        if mixed {
            letter = letter.add_modifier(Modifier::UNDERLINED);
            sign = sign.to_ascii_lowercase();
        }
        if !focused {
            letter = letter.remove_modifier(Modifier::BOLD).add_modifier(Modifier::DIM);
        }
        let begin = line.at();
        match numbered {
            None => {
                if marked {
                    let mark = line.pen.style(Role::Mark);
                    letter = letter.patch(mark).add_modifier(Modifier::UNDERLINED);
                }
                line.styled(sign.encode_utf8(&mut [0; 4]), letter);
            }
            Some(cell) => {
                let number = format!("{first:>width$}", width = usize::from(cell) - 2);
                line.put(if marked { "*" } else { " " }, Role::Mark);
                let mut style = line.pen.style(if marked { Role::Mark } else { Role::Dim });
                if !focused {
                    style = style.add_modifier(Modifier::DIM);
                }
                line.styled(&number, style);
                line.styled(sign.encode_utf8(&mut [0; 4]), letter);
            }
        }
        let width = line.at() - begin;
        let cell = Rect::new(area.x + begin, area.y + row, width, 1);
        if view.current == crate::action::ViewId::Ranks && ranks.contains(Rank(view.ranks.cursor)) {
            pen_cursor(line.pen, cell, numbered.is_none());
        } else if ranks.contains(state.lead) {
            let inner = inner(cell, numbered.is_none());
            line.pen.tint(inner, Role::Selection);
        }
    }
}

/// The plane of the grid that is shown, in these rows; `None`: ranks are in the order of their numbers.
pub(crate) fn plane(state: &State, view: &View, width: u16, height: u16) -> Option<Plane> {
    let grid = state.layout.grid(state.size()).filter(|grid| grid.dimensions().len() > 1)?;
    Some(Plane::new((width, height), grid, view.ranks.density))
}

fn draw_plane(pen: &mut Pen<'_>, area: Rect, state: &State, view: &View, plane: &Plane) {
    let cells = Cells::new(state, view);
    let first = plane.first(view.ranks.cursor);
    for row in 0..area.height.min(u16::try_from(plane.cell_rows()).unwrap_or(u16::MAX)) {
        let mut line = pen.row(area, row);
        let at = u32::from(row) * plane.tall;
        line.put(&format!("{at:>width$} ", width = usize::from(plane.label) - 1), Role::LineNumber);
        for column in 0..plane.cell_columns() {
            let ranks = plane.ranks(first, row.into(), column);
            cells.put(&mut line, (area, row), &ranks, plane.numbered);
        }
    }
}

/// Rows for the coordinates of the cursor.
fn coordinate_rows(state: &State) -> u16 {
    u16::from(state.layout.grid(state.size()).is_some())
}

fn draw_coordinates(pen: &mut Pen<'_>, area: Rect, state: &State, view: &View, plane: Option<&Plane>) {
    let Some(grid) = state.layout.grid(state.size()).filter(|_| area.height > 0) else { return };
    let rank = view.ranks.cursor;
    let mut line = pen.row(area, 0);
    let at = grid.coordinates(rank).map(|at| coordinates_text(&at)).unwrap_or_default();
    line.put(" ", Role::Text).put(&rank.to_string(), Role::RankTag).put(&format!(" at {at} of {grid}"), Role::Text);
    let Some(plane) = plane else { return };
    if plane.tall > 1 || plane.wide > 1 {
        line.put(&format!("  {} x {} ranks a cell", plane.tall, plane.wide), Role::Dim);
    }
    if grid.planes() > 1 {
        let (rows, columns) = grid.plane();
        let number = rank / (rows * columns);
        line.put(&format!("  plane {number} of 0-{}: [ ]", grid.planes() - 1), Role::Dim);
    }
}

/// The cell without the blank or mark before it.
fn inner(cell: Rect, letters: bool) -> Rect {
    let begin = if letters { cell.width.saturating_sub(1) } else { 1.min(cell.width) };
    Rect { x: cell.x + begin, width: cell.width - begin, ..cell }
}

fn pen_cursor(pen: &mut Pen<'_>, cell: Rect, letters: bool) {
    pen.select(inner(cell, letters), Role::Cursor);
}

/// A row below the cells.
enum PlaceRow {
    Place(Box<Place>),
    /// A part of the note of the stop above, such as the error of a condition.
    Note(String),
}

/// Rows for notes that the view asks for beyond those of the places.
const NOTE_ROWS: usize = 2;

/// Columns before a note.
const NOTE_INDENT: u16 = 5;

fn place_rows(state: &State, width: u16) -> Vec<PlaceRow> {
    let room = usize::from(width.saturating_sub(NOTE_INDENT).max(8));
    let mut rows = Vec::new();
    for place in all_places(state) {
        let note = match &place.state {
            ProcessState::Stopped(stop) => stop.note.as_deref().map(note_words),
            _ => None,
        };
        rows.push(PlaceRow::Place(Box::new(place)));
        rows.extend(note.iter().flat_map(|note| wrapped(note, room, 2)).map(PlaceRow::Note));
    }
    rows
}

fn draw_places(pen: &mut Pen<'_>, area: Rect, state: &State) {
    let rows = place_rows(state, area.width);
    let set = |row: &PlaceRow| match row {
        PlaceRow::Place(place) => Some(set_text(&place.ranks, 24)),
        PlaceRow::Note(_) => None,
    };
    let shown = || rows.iter().take(area.height.into());
    let width = shown().filter_map(set).map(|set| columns(&set)).max().unwrap_or(0) as u16;
    for (number, row) in shown().enumerate() {
        let left = rows.iter().skip(number + 1).filter(|row| matches!(row, PlaceRow::Place(_))).count();
        let is_last = number + 1 == usize::from(area.height);
        let more = if is_last && left > 0 { format!("+{left} more ") } else { String::new() };
        let is_cut = is_last && matches!(rows.get(number + 1), Some(PlaceRow::Note(_)));
        let more = if is_cut { format!("{} {more}", pen.glyphs.cut) } else { more };
        let mut line = pen.row(area, number as u16);
        let kept = columns(&more);
        line.right_kept(&more, Role::Dim, kept);
        let place = match row {
            PlaceRow::Place(place) => place,
            PlaceRow::Note(text) => {
                line.to(NOTE_INDENT).put(text, Role::Error);
                continue;
            }
        };
        line.put(" ", Role::Text).sign(place.look.letter, place.look.role).put(" ", Role::Text);
        line.put(&set(row).unwrap_or_default(), Role::RankTag)
            .to(width + 5)
            .put(&state_words(&place.state, state.variables.print_options()), Role::Text);
        if let Some(engine) = place.engine {
            line.put(&format!("  under {engine}"), Role::Dim);
        }
    }
}

/// Letters of the states with their meanings, for help.
pub(crate) fn legend() -> impl Iterator<Item = &'static (char, &'static str)> {
    LETTERS.iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_density_follows_the_number_of_ranks() {
        assert_eq!(grid(80, 2, 8, Density::Automatic), Grid { per_cell: 1, columns: 8, rows: 1, cell: 3, label: 0 });
        assert_eq!(grid(80, 2, 100, Density::Automatic), Grid { per_cell: 1, columns: 50, rows: 2, cell: 1, label: 4 });
        let many = grid(80, 2, 1_000_000, Density::Automatic);
        assert_eq!((many.per_cell, many.columns, many.rows), (10_000, 50, 2));
        assert_eq!(grid(80, 2, 1000, Density::Letters).rows, 20);
    }

    proptest! {
        #[test]
        fn every_rank_has_a_cell(width in 1u16..300, height in 1u16..60, size in 1u32..3_000_000) {
            for density in [Density::Automatic, Density::Numbers, Density::Letters, Density::Together] {
                let grid = grid(width, height, size, density);
                prop_assert!(grid.columns as u64 * grid.rows as u64 * grid.per_cell as u64 >= u64::from(size));
                if density == Density::Together {
                    prop_assert!(grid.rows <= usize::from(height));
                }
            }
        }
    }
}
