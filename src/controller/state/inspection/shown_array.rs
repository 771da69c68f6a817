//! The array that the screen shows: what the screen wants of it, and what is known.

use super::array_tiles::{ArrayTiles, TilesWish};
use super::lookup::Lookup;
use model::{ArrayLook, ArrayPage, ArrayPart, ArrayStatistics, Rank};

/// What the screen wants to know of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayWish {
    /// The array, in the language of the frame.
    pub expression: String,
    /// The elements or pixels on the screen.
    pub shown: ArrayLook,
    /// True if its statistics are shown.
    pub statistics: bool,
    /// The match to be found.
    pub sought: Option<ArrayLook>,
    /// The parts of other ranks that are put together; `None`: the lead's array is shown alone.
    pub tiles: Option<TilesWish>,
}

/// A page of elements, and which of them differ from the last stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownPart {
    /// The page or the picture.
    pub part: ArrayPart,
    /// For each element of the page, row by row, whether it differs; empty if none does.
    pub changed: Vec<bool>,
}

impl ShownPart {
    /// True if an element, by its numbers along the axes, differs from the last stop.
    pub fn has_changed(&self, page: &ArrayPage, row: u64, column: u64) -> bool {
        let (rows, columns) = (page.section.rows, page.section.columns);
        let at = row.checked_sub(rows.from).zip(column.checked_sub(columns.from));
        let at = at.filter(|(_, column)| *column < columns.count);
        let at = at.and_then(|(row, column)| usize::try_from(row.saturating_mul(columns.count) + column).ok());
        at.and_then(|at| self.changed.get(at)).copied().unwrap_or(false)
    }
}

/// What is known of the array on the screen.
#[derive(Clone, Debug, Default)]
pub struct ShownArray {
    /// The array.
    pub expression: String,
    /// The rank, and the number of its stop, that the search was made for.
    pub searched: (Rank, u64),
    /// The page or the picture; while another one is read, the one before.
    pub shown: Lookup<ShownPart>,
    /// Its statistics.
    pub statistics: Lookup<ArrayStatistics>,
    /// The search for a match that was asked for last, and its answer.
    pub found: Option<(ArrayLook, Lookup<ArrayPart>)>,
    /// The parts of the ranks, if they are put together.
    pub tiles: ArrayTiles,
}
