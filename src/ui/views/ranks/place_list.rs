//! The places of ranks below the cells, with the notes of their stops.

use super::by_state::{Place, places};
use crate::screen::{Pen, columns, set_text, wrapped};
use crate::theme::Role;
use crate::words::{note_words, state_words};
use controller::State;
use model::{ProcessSet, ProcessState};
use ratatui::layout::Rect;

/// A row below the cells.
pub(super) enum PlaceRow {
    Place(Box<Place>),
    /// A part of the note of the stop above, such as the error of a condition.
    Note(String),
}

/// Rows for notes that the view asks for beyond those of the places.
pub(super) const NOTE_ROWS: usize = 2;

/// Columns before a note.
const NOTE_INDENT: u16 = 5;

pub(super) fn rows(state: &State, width: u16) -> Vec<PlaceRow> {
    let room = usize::from(width.saturating_sub(NOTE_INDENT).max(8));
    let mut rows = Vec::new();
    for place in places(state, &ProcessSet::all(state.size())) {
        let note = match &place.state {
            ProcessState::Stopped(stop) => stop.note.as_deref().map(note_words),
            _ => None,
        };
        rows.push(PlaceRow::Place(Box::new(place)));
        rows.extend(note.iter().flat_map(|note| wrapped(note, room, 2)).map(PlaceRow::Note));
    }
    rows
}

/// Moves the place of the fewest ranks to the last of so many rows if it would be hidden: outliers are what one looks for.
/// Notes stay below their places.
fn with_outlier(mut rows: Vec<PlaceRow>, height: usize) -> Vec<PlaceRow> {
    let Some(last) = height.checked_sub(1).filter(|last| *last > 0 && rows.len() > height) else { return rows };
    let ranks = |row: &PlaceRow| match row {
        PlaceRow::Place(place) => Some(place.ranks.len()),
        PlaceRow::Note(_) => None,
    };
    let hidden = rows.iter().enumerate().skip(last).filter_map(|(at, row)| Some((at, ranks(row)?)));
    let fewest = hidden.min_by_key(|(at, ranks)| (*ranks, *at)).map(|(at, _)| at);
    let has_note = |at: usize| matches!(rows.get(at + 1), Some(PlaceRow::Note(_)));
    if let Some(at) = fewest.filter(|at| *at > last && !has_note(*at) && rows.get(last).and_then(ranks).is_some()) {
        let outlier = rows.remove(at);
        rows.insert(last, outlier);
    }
    rows
}

pub(super) fn draw(pen: &mut Pen<'_>, area: Rect, state: &State) {
    let rows = with_outlier(rows(state, area.width), area.height.into());
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rank_state::RankLook;

    fn rows_of(counts: &[u32]) -> Vec<PlaceRow> {
        let state = ProcessState::Running;
        let row = |(number, count): (usize, &u32)| {
            let first = number as u32 * 1000;
            let ranks = ProcessSet::range(first, first + count);
            let look = RankLook::of(&state, false);
            match count {
                0 => PlaceRow::Note("why".to_owned()),
                _ => PlaceRow::Place(Box::new(Place { look, ranks, state: state.clone(), engine: None })),
            }
        };
        counts.iter().enumerate().map(row).collect()
    }

    fn shown(counts: &[u32], height: usize) -> Vec<usize> {
        let ranks = |row: &PlaceRow| if let PlaceRow::Place(place) = row { place.ranks.len() } else { 0 };
        with_outlier(rows_of(counts), height).iter().take(height).map(ranks).collect()
    }

    #[test]
    fn the_place_of_the_fewest_ranks_is_not_the_one_that_is_hidden() {
        assert_eq!(shown(&[600, 300, 1, 90], 2), [600, 1]);
        assert_eq!(shown(&[600, 300, 90], 3), [600, 300, 90]);
        assert_eq!(shown(&[600, 1, 90], 2), [600, 1], "it is shown as it is");
        assert_eq!(shown(&[600, 0, 300, 1], 2), [600, 0], "a note stays below its place");
        assert_eq!(shown(&[600, 300, 1, 0], 2), [600, 300], "a place stays above its note");
        assert_eq!(shown(&[600, 300, 1], 1), [600], "the most urgent is not displaced");
    }
}
