//! The arrangement of the ranks in an area: which ranks each cell stands for, and where it is.

use super::cells::Cells;
use super::grid::{self, Grid};
use super::plane::Plane;
use crate::screen::Pen;
use crate::theme::Role;
use crate::view::View;
use controller::State;
use model::{ProcessSet, Rank, RankCells};
use ratatui::layout::Rect;

/// After so many cells there is a gap: it helps counting.
const GAP_AFTER: u32 = 10;

/// The arrangement of ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Arrangement {
    /// A plane of the grid of ranks, from its first rank on.
    Plane(Plane, u32),
    /// In the order of their numbers.
    Rows {
        grid: Grid,
        /// The first cell that is shown.
        first: u32,
        /// The rows that are shown.
        height: u16,
        /// The number of ranks.
        size: u32,
    },
}

/// The columns of a sign behind the number of its rank.
fn sign_columns(state: &State) -> u16 {
    // A digit needs a sign between.
    if state.colour.is_some() { 2 } else { 1 }
}

/// The arrangement of the cells of ranks in the order of their numbers.
pub(crate) fn grid(state: &State, view: &View, width: u16, height: u16) -> Grid {
    grid::grid((width, height), state.size(), view.ranks.density, sign_columns(state))
}

/// The plane of the grid that is shown, in these rows; `None`: ranks are in the order of their numbers.
pub(crate) fn plane(state: &State, view: &View, width: u16, height: u16) -> Option<Plane> {
    let grid = state.layout.grid(state.size()).filter(|grid| grid.dimensions().len() > 1)?;
    Some(Plane::new((width, height), grid, view.ranks.density, sign_columns(state)))
}

impl Arrangement {
    /// Arranges the ranks in an area for cells.
    pub(crate) fn of(state: &State, view: &View, area: Rect) -> Self {
        if let Some(plane) = plane(state, view, area.width, area.height) {
            return Self::Plane(plane, plane.first(view.ranks.cursor));
        }
        let grid = grid(state, view, area.width, area.height);
        let first = u32::try_from(view.ranks.top).unwrap_or(u32::MAX).saturating_mul(grid.columns);
        Self::Rows { grid, first, height: area.height, size: state.size() }
    }

    /// The plane, if ranks are shown as one.
    pub(crate) fn plane(&self) -> Option<&Plane> {
        if let Self::Plane(plane, _) = self { Some(plane) } else { None }
    }

    pub(super) fn draw(&self, pen: &mut Pen<'_>, area: Rect, cells: &Cells<'_>) {
        match self {
            Self::Plane(plane, first) => {
                for row in 0..area.height.min(u16::try_from(plane.cell_rows()).unwrap_or(u16::MAX)) {
                    let mut line = pen.row(area, row);
                    let at = u32::from(row) * plane.tall;
                    line.put(&format!("{at:>width$} ", width = usize::from(plane.label) - 1), Role::LineNumber);
                    for column in 0..plane.cell_columns() {
                        let ranks = plane.ranks(*first, row.into(), column);
                        cells.put(&mut line, (area, row), &ranks, plane.numbered);
                    }
                }
            }
            Self::Rows { grid, .. } => {
                for row in 0..area.height {
                    let Some(first) = self.ranks(row, 0).and_then(|ranks| ranks.first()) else { break };
                    let mut line = pen.row(area, row);
                    if grid.label > 0 {
                        let label = format!("{first:>width$} ", width = usize::from(grid.label) - 1);
                        line.put(&label, Role::LineNumber);
                    }
                    for column in 0..grid.columns {
                        let Some(ranks) = self.ranks(row, column) else { break };
                        if grid.label > 0 && column > 0 && column % GAP_AFTER == 0 {
                            line.put(" ", Role::Text);
                        }
                        let numbered = (grid.label == 0).then_some(grid.cell);
                        cells.put(&mut line, (area, row), &ranks, numbered);
                    }
                }
            }
        }
    }

    /// The ranks of a cell; `None` if there is none there.
    fn ranks(&self, row: u16, column: u32) -> Option<ProcessSet> {
        match self {
            Self::Plane(plane, first) => {
                let ranks = plane.ranks(*first, row.into(), column);
                (column < plane.cell_columns() && !ranks.is_empty()).then_some(ranks)
            }
            Self::Rows { grid, first, size, .. } => {
                let cell = first.checked_add(u32::from(row).checked_mul(grid.columns)?)?.checked_add(column)?;
                let from = cell.checked_mul(grid.per_cell).filter(|from| from < size && column < grid.columns)?;
                let end = from.saturating_add(grid.per_cell).min(*size);
                Some(if end - from == 1 { ProcessSet::one(Rank(from)) } else { ProcessSet::range(from, end) })
            }
        }
    }

    /// The first rank of the cell at a place of the area.
    pub(crate) fn rank_at(&self, column: u16, row: u16) -> Option<u32> {
        let column = match self {
            Self::Plane(plane, _) => column.checked_sub(plane.label)? / plane.numbered.unwrap_or(1),
            Self::Rows { grid, .. } if grid.label == 0 => column / grid.cell,
            Self::Rows { grid, .. } => {
                let place = u32::from(column.checked_sub(grid.label)?);
                let (group, within) = (place / (GAP_AFTER + 1), place % (GAP_AFTER + 1));
                u16::try_from(group * GAP_AFTER + within).ok().filter(|_| within < GAP_AFTER)?
            }
        };
        Some(self.ranks(row, column.into())?.first()?.0)
    }

    /// The cells that are shown, for the numbers of their ranks.
    pub(super) fn coloured_cells(&self) -> RankCells {
        match self {
            Self::Plane(plane, first) => plane.coloured_cells(*first),
            Self::Rows { grid, first, height, size } => {
                let from = first.saturating_mul(grid.per_cell);
                let shown = u32::from(*height).saturating_mul(grid.columns).saturating_mul(grid.per_cell);
                RankCells::new(from, (1, shown.min(size.saturating_sub(from))), (1, grid.per_cell))
            }
        }
    }

    /// The ranks that share the cell of a rank.
    pub(super) fn cell_of(&self, rank: u32) -> ProcessSet {
        match self {
            Self::Plane(plane, _) => plane.cell_of(rank),
            Self::Rows { grid, size, .. } => {
                let from = rank - rank % grid.per_cell;
                ProcessSet::range(from, from.saturating_add(grid.per_cell).min(*size))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::Density;
    use model::CartesianGrid;
    use proptest::prelude::*;

    #[test]
    fn places_between_cells_have_no_rank() {
        let rows = |grid| Arrangement::Rows { grid, first: 0, height: 2, size: 100 };
        let letters = rows(grid::grid((80, 2), 100, Density::Automatic, 1));
        // Four columns for the label, ten cells, a gap.
        assert_eq!(
            [3, 4, 13, 14, 15].map(|column| letters.rank_at(column, 0)),
            [None, Some(0), Some(9), None, Some(10)]
        );
        assert_eq!([letters.rank_at(4, 1), letters.rank_at(4, 2)], [Some(50), None]);
        let plane = Plane::new((80, 6), &CartesianGrid::parse("2x4x3").unwrap(), Density::Automatic, 1);
        let plane = Arrangement::Plane(plane, 12);
        assert_eq!(
            [2, 3, 6, 7, 14, 15].map(|column| plane.rank_at(column, 1)),
            [None, Some(15), Some(15), Some(16), Some(17), None]
        );
        assert_eq!(plane.rank_at(3, 4), None);
    }

    proptest! {
        #[test]
        fn the_cells_of_the_screen_are_those_that_are_asked_for(
            width in 12u16..200, height in 1u16..40, rows in 1u32..300, columns in 1u32..300, planes in 1u32..3,
            flat in any::<bool>(), sign in 1u16..3,
        ) {
            let size = planes * rows * columns;
            let arrangement = if flat {
                let grid = grid::grid((width, height), size, Density::Automatic, sign);
                Arrangement::Rows { grid, first: 0, height, size }
            } else {
                let grid = CartesianGrid::new(vec![planes, rows, columns]).unwrap();
                Arrangement::Plane(Plane::new((width, height), &grid, Density::Automatic, sign), (planes - 1) * rows * columns)
            };
            let cells = arrangement.coloured_cells();
            let mut seen = std::collections::BTreeSet::new();
            for row in 0..height {
                for column in 0..u32::from(width) {
                    let Some(ranks) = arrangement.ranks(row, column) else { break };
                    let of: std::collections::BTreeSet<_> = ranks.iter().map(|rank| cells.of(rank)).collect();
                    prop_assert_eq!(of.len(), 1, "ranks of a cell of the screen are in one cell of the picture");
                    prop_assert!(seen.insert(of.into_iter().next().flatten().unwrap()), "and no others");
                    let first = ranks.first().unwrap().0;
                    prop_assert_eq!(arrangement.cell_of(first), ranks);
                }
            }
            for column in 0..width {
                if let Some(rank) = arrangement.rank_at(column, 0) {
                    prop_assert_eq!(arrangement.cell_of(rank).first(), Some(Rank(rank)));
                }
            }
        }
    }
}
