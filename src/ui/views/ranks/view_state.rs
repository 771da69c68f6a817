//! The state of the ranks view.

use super::part::Part;
use controller::command::RankLayout;
use model::{CartesianGrid, ProcessSet, Rank};

/// The display of ranks: numbers, letters, or several ranks in a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Density {
    /// The most detailed of the others that fits.
    #[default]
    Automatic,
    /// Number and letter of each rank.
    Numbers,
    /// A letter for each rank.
    Letters,
    /// Several ranks in a cell if needed, so that all are visible.
    Together,
}

impl Density {
    /// The next mode; after the last comes the first.
    pub(crate) fn next(self) -> Self {
        match self {
            Self::Automatic => Self::Numbers,
            Self::Numbers => Self::Letters,
            Self::Letters => Self::Together,
            Self::Together => Self::Automatic,
        }
    }
}

/// The state of the ranks view.
#[derive(Clone, Debug, Default)]
pub struct RanksView {
    /// The rank the keyboard acts on.
    pub cursor: u32,
    /// The rank at which a range began; `None` while no range is open.
    pub anchor: Option<u32>,
    /// Ranks marked for the next focus command.
    pub marks: ProcessSet,
    /// The display mode.
    pub density: Density,
    /// First visible row of cells.
    pub top: usize,
    /// The parts of a zoomed map, from the whole to the part that is shown; empty while all ranks are shown.
    pub zoom: Vec<Part>,
}

impl RanksView {
    /// The ranks from the anchor's cell to the cursor's, in a grid those of the box between them; `None` while no range is
    /// open.
    pub(crate) fn range(&self, layout: &RankLayout, cell_of: &dyn Fn(u32) -> ProcessSet) -> Option<ProcessSet> {
        let anchor = self.anchor?;
        let cells = [anchor, self.cursor].map(|rank| (rank, cell_of(rank)));
        if let RankLayout::Grid(grid) = layout
            && let Some(ranks) = boxed(grid, cells.iter().flat_map(|(_, cell)| [cell.first(), cell.last()]).flatten())
        {
            return Some(ranks);
        }
        let bounds = cells.iter().map(|(rank, cell)| match (cell.first(), cell.last()) {
            // The ranks of a cell need not follow each other if hosts have them in turn.
            (Some(Rank(first)), Some(Rank(last))) if (last - first) as usize + 1 == cell.len() => (first, last),
            _ => (*rank, *rank),
        });
        let (first, last) = bounds.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))?;
        Some(ProcessSet::range(first, last.saturating_add(1)))
    }

    /// Marks the range; without one, marks the ranks of the cell under the cursor, or unmarks them if all are marked.
    pub(crate) fn mark(&mut self, layout: &RankLayout, cell_of: &dyn Fn(u32) -> ProcessSet) {
        let cell = cell_of(self.cursor);
        match self.range(layout, cell_of) {
            Some(range) => self.marks.extend_with(&range),
            None if cell.is_subset(&self.marks) => self.marks.remove_all(&cell),
            None => self.marks.extend_with(&cell),
        }
        self.anchor = None;
    }

    /// Starts a range at the cursor, or marks the open one.
    pub(crate) fn begin_or_mark_range(&mut self, layout: &RankLayout, cell_of: &dyn Fn(u32) -> ProcessSet) {
        match self.range(layout, cell_of) {
            Some(range) => {
                self.marks.extend_with(&range);
                self.anchor = None;
            }
            None => self.anchor = Some(self.cursor),
        }
    }

    /// True if ranks are marked or a range is open.
    pub(crate) fn has_marks(&self) -> bool {
        self.anchor.is_some() || !self.marks.is_empty()
    }

    /// Returns and clears the marked ranks and the range; without any, returns the rank under the cursor.
    pub(crate) fn take_marked(&mut self, layout: &RankLayout, cell_of: &dyn Fn(u32) -> ProcessSet) -> ProcessSet {
        let mut set = std::mem::take(&mut self.marks);
        if let Some(range) = self.range(layout, cell_of) {
            set.extend_with(&range);
        }
        self.anchor = None;
        if set.is_empty() { ProcessSet::one(Rank(self.cursor)) } else { set }
    }
}

/// The ranks of the smallest box of a grid that contains some ranks; `None` if one is outside of the grid.
fn boxed(grid: &CartesianGrid, ranks: impl Iterator<Item = Rank>) -> Option<ProcessSet> {
    let corners: Vec<Vec<u32>> = ranks.map(|rank| grid.coordinates(rank.0)).collect::<Option<_>>()?;
    let end = |of: fn(u32, u32) -> u32| {
        let joined = |one: Vec<u32>, other: Vec<u32>| one.into_iter().zip(other).map(|(a, b)| of(a, b)).collect();
        grid.rank(&corners.iter().cloned().reduce(joined)?)
    };
    grid.between(end(u32::min)?, end(u32::max)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> ProcessSet {
        ProcessSet::parse(text).unwrap()
    }

    fn cell_of_ten(rank: u32) -> ProcessSet {
        ProcessSet::range(rank - rank % 10, rank - rank % 10 + 10)
    }

    #[test]
    fn the_ranks_of_a_cell_are_marked_and_unmarked_together() {
        let mut view = RanksView { cursor: 34, ..RanksView::default() };
        view.mark(&RankLayout::Plain, &cell_of_ten);
        assert_eq!(view.marks, set("30-39"));
        view.marks.remove_all(&set("31-32"));
        view.mark(&RankLayout::Plain, &cell_of_ten);
        assert_eq!(view.marks, set("30-39"), "a cell that is marked in part is marked as a whole first");
        view.mark(&RankLayout::Plain, &cell_of_ten);
        assert!(view.marks.is_empty());
    }

    #[test]
    fn a_range_has_whole_cells_at_both_ends() {
        let mut view = RanksView { cursor: 34, anchor: Some(52), ..RanksView::default() };
        assert_eq!(view.range(&RankLayout::Plain, &cell_of_ten), Some(set("30-59")));
        // Cells of 2 x 2 ranks of an 8x8 grid: from (0,4) to (5,1).
        let cell_of = |rank: u32| {
            let first = rank / 16 * 16 + rank % 8 / 2 * 2;
            [first, first + 1, first + 8, first + 9].map(Rank).into_iter().collect()
        };
        (view.cursor, view.anchor) = (40, Some(4));
        let grid = RankLayout::Grid(CartesianGrid::parse("8x8").unwrap());
        assert_eq!(view.range(&grid, &cell_of), Some(set("0-5,8-13,16-21,24-29,32-37,40-45")));
        // Hosts that have the ranks in turn.
        let dealt = |rank: u32| [rank, rank + 3, rank + 6].map(Rank).into_iter().collect();
        (view.cursor, view.anchor) = (4, Some(1));
        assert_eq!(view.range(&RankLayout::Hosts, &dealt), Some(set("1-4")));
    }
}
