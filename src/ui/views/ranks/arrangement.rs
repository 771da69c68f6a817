//! The arrangement of the ranks in an area: which ranks each cell stands for, and where it is.

use super::cells::Cells;
use super::grid::{self, Grid};
use super::hosts::{HostGrid, HostRows};
use super::plane::Plane;
use crate::screen::{Pen, columns};
use crate::theme::Role;
use crate::view::View;
use controller::State;
use controller::command::RankLayout;
use model::{ProcessSet, Rank, RankCells};
use ratatui::layout::Rect;

/// After so many cells there is a gap: it helps counting.
const GAP_AFTER: u32 = 10;

/// The arrangement of ranks.
#[derive(Clone, Debug)]
pub(crate) enum Arrangement<'a> {
    /// A plane of the grid of ranks, from its first rank on.
    Plane(Plane, u32),
    /// By the hosts on which they run.
    Hosts(HostRows<'a>),
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
pub(super) fn grid(state: &State, view: &View, width: u16, height: u16) -> Grid {
    grid::grid((width, height), state.size(), view.ranks.density, sign_columns(state))
}

/// The plane of the grid that is shown, in these rows; `None`: ranks are in the order of their numbers.
pub(super) fn plane(state: &State, view: &View, width: u16, height: u16) -> Option<Plane> {
    let grid = state.layout.grid(state.size()).filter(|grid| grid.dimensions().len() > 1)?;
    Some(Plane::new((width, height), grid, view.ranks.density, sign_columns(state)))
}

/// The arrangement of the hosts, if ranks are arranged by these.
pub(super) fn hosts(state: &State, view: &View, width: u16, height: u16) -> Option<HostGrid> {
    let (hosts, density) = (state.ranks.hosts(), view.ranks.density);
    let is_shown = state.layout == RankLayout::Hosts && !hosts.is_empty();
    is_shown.then(|| HostGrid::new((width, height), hosts, state.size(), density, sign_columns(state)))
}

impl<'a> Arrangement<'a> {
    /// Arranges the ranks in an area for cells.
    pub(crate) fn of(state: &'a State, view: &View, area: Rect) -> Self {
        if let Some(plane) = plane(state, view, area.width, area.height) {
            return Self::Plane(plane, plane.first(view.ranks.cursor));
        }
        if let Some(grid) = hosts(state, view, area.width, area.height) {
            return Self::Hosts(HostRows::new(grid, state.ranks.hosts(), view.ranks.top, area.height));
        }
        let grid = grid(state, view, area.width, area.height);
        let first = u32::try_from(view.ranks.top).unwrap_or(u32::MAX).saturating_mul(grid.columns);
        Self::Rows { grid, first, height: area.height, size: state.size() }
    }

    /// The plane, if ranks are shown as one.
    pub(crate) fn plane(&self) -> Option<&Plane> {
        if let Self::Plane(plane, _) = self { Some(plane) } else { None }
    }

    /// The number of rows of cells, and the row of a rank among them.
    pub(crate) fn row_of(&self, rank: u32) -> (usize, usize) {
        match self {
            Self::Plane(plane, first) => {
                let rows = plane.cell_rows() as usize;
                (rows, plane.row_of(rank.saturating_sub(*first)).min(rows.saturating_sub(1)))
            }
            Self::Hosts(rows) => (rows.grid.rows, rows.place_of(rank).0),
            Self::Rows { grid, .. } => (grid.rows, (rank / grid.per_cell / grid.columns) as usize),
        }
    }

    /// The rank so many cells down and to the right of a rank, as the cursor moves.
    pub(crate) fn step(&self, rank: u32, down: i64, right: i64) -> u32 {
        match self {
            Self::Plane(plane, _) => plane.step(rank, down, right),
            Self::Hosts(rows) => rows.step(rank, down, right),
            Self::Rows { grid, size, .. } => {
                let (row, last) = (i64::from(grid.columns) * i64::from(grid.per_cell), i64::from(*size) - 1);
                let by = down.saturating_mul(row).saturating_add(right.saturating_mul(grid.per_cell.into()));
                let to = i64::from(rank).saturating_add(by);
                let stays = by.abs() > 1 && (to < 0 || to > last);
                if stays { rank } else { to.clamp(0, last.max(0)) as u32 }
            }
        }
    }

    pub(super) fn draw(&self, pen: &mut Pen<'_>, area: Rect, cells: &Cells<'_>) {
        let cut = pen.glyphs.cut;
        let (label, in_row, numbered) = self.shape();
        for row in 0..area.height {
            let Some(name) = self.label(row, cut) else { break };
            let mut line = pen.row(area, row);
            let blanks = usize::from(label).saturating_sub(columns(&name));
            line.put(&name, Role::LineNumber).put(&" ".repeat(blanks), Role::LineNumber);
            for column in 0..in_row {
                let Some(ranks) = self.ranks(row, column) else { break };
                if self.has_gaps() && column > 0 && column % GAP_AFTER == 0 {
                    line.put(" ", Role::Text);
                }
                cells.put(&mut line, (area, row), &ranks, numbered);
            }
        }
    }

    /// The columns of the terminal for labels, the cells in a row, and the columns of a cell with a number.
    fn shape(&self) -> (u16, u32, Option<u16>) {
        match self {
            Self::Plane(plane, _) => (plane.label, plane.cell_columns(), plane.numbered),
            Self::Hosts(rows) => (rows.grid.label, rows.grid.columns, rows.grid.numbered),
            Self::Rows { grid, .. } => (grid.label, grid.columns, (grid.label == 0).then_some(grid.cell)),
        }
    }

    /// True if there is a gap after every tenth cell; in a plane it would look like a border.
    fn has_gaps(&self) -> bool {
        self.shape().2.is_none() && !matches!(self, Self::Plane(..))
    }

    /// The text before the cells of a row; `None` behind the last one.
    fn label(&self, row: u16, cut: char) -> Option<String> {
        match self {
            Self::Plane(plane, _) => {
                let at = u32::from(row) * plane.tall;
                let is_row = u32::from(row) < plane.cell_rows();
                is_row.then(|| format!("{at:>width$}", width = usize::from(plane.label) - 1))
            }
            Self::Hosts(rows) => rows.label(row, cut),
            Self::Rows { grid, .. } => {
                let first = self.ranks(row, 0)?.first()?;
                let width = usize::from(grid.label.saturating_sub(1));
                Some(if grid.label > 0 { format!("{first:>width$}") } else { String::new() })
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
            Self::Hosts(rows) => rows.ranks(row, column),
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
        let (label, _, numbered) = self.shape();
        let place = u32::from(column.checked_sub(label)?);
        let column = match numbered {
            Some(cell) => place / u32::from(cell.max(1)),
            None if self.has_gaps() => {
                let (group, within) = (place / (GAP_AFTER + 1), place % (GAP_AFTER + 1));
                Some(group * GAP_AFTER + within).filter(|_| within < GAP_AFTER)?
            }
            None => place,
        };
        Some(self.ranks(row, column)?.first()?.0)
    }

    /// The cells that are shown, for the numbers of their ranks; `None` if no picture of ranks has such cells.
    pub(super) fn coloured_cells(&self, size: u32) -> Option<RankCells> {
        match self {
            Self::Plane(plane, first) => Some(plane.coloured_cells(*first)),
            Self::Hosts(rows) => rows.coloured_cells(size),
            Self::Rows { grid, first, height, size } => {
                let from = first.saturating_mul(grid.per_cell);
                let shown = u32::from(*height).saturating_mul(grid.columns).saturating_mul(grid.per_cell);
                Some(RankCells::new(from, (1, shown.min(size.saturating_sub(from))), (1, grid.per_cell)))
            }
        }
    }

    /// The ranks that share the cell of a rank.
    pub(super) fn cell_of(&self, rank: u32) -> ProcessSet {
        match self {
            Self::Plane(plane, _) => plane.cell_of(rank),
            Self::Hosts(rows) => rows.cell_of(rank),
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
            let cells = arrangement.coloured_cells(size).unwrap();
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
