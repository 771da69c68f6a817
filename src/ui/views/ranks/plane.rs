//! The geometry of a plane of a grid of ranks in an area, and the steps of its cursor.

use super::grid::digits;
use crate::view::Density;
use model::{CartesianGrid, ProcessSet, RankCells};

/// The cells of a plane in an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plane {
    rows: u32,
    columns: u32,
    /// Rows of ranks in a cell.
    pub(crate) tall: u32,
    /// Columns of ranks in a cell.
    pub(crate) wide: u32,
    /// Columns of the terminal for a cell with the rank's number; `None`: a letter each.
    pub(crate) numbered: Option<u16>,
    /// Columns of the terminal for the coordinates before a row.
    pub(crate) label: u16,
}

impl Plane {
    /// Fits a plane into an area: with numbers if these fit and the mode allows them, else with a letter for one rank or
    /// for several. The sign of a rank behind its number takes `sign` columns.
    pub(crate) fn new((width, height): (u16, u16), grid: &CartesianGrid, density: Density, sign: u16) -> Self {
        let (rows, columns) = grid.plane();
        let label = digits(rows.saturating_sub(1)) + 2;
        let room = u32::from(width.saturating_sub(label).max(1));
        let (height, cell) = (u32::from(height.max(1)), digits(grid.size().saturating_sub(1)) + 1 + sign);
        let fits = rows <= height && columns.saturating_mul(u32::from(cell)) <= room;
        let with_numbers = fits && matches!(density, Density::Automatic | Density::Numbers);
        let (tall, wide) = (rows.div_ceil(height), columns.div_ceil(room));
        Self { rows, columns, tall, wide, numbered: with_numbers.then_some(cell), label }
    }

    /// Rows of cells.
    pub(crate) fn cell_rows(&self) -> u32 {
        self.rows.div_ceil(self.tall)
    }

    /// Columns of cells.
    pub(crate) fn cell_columns(&self) -> u32 {
        self.columns.div_ceil(self.wide)
    }

    /// The ranks of a cell of the plane that begins with rank `first`.
    pub(crate) fn ranks(&self, first: u32, row: u32, column: u32) -> ProcessSet {
        let rows = row * self.tall..((row + 1) * self.tall).min(self.rows);
        let (from, end) = (column * self.wide, ((column + 1) * self.wide).min(self.columns));
        let mut ranks = ProcessSet::new();
        for row in rows {
            let begin = first + row * self.columns;
            ranks.extend_with(&ProcessSet::range(begin + from, begin + end));
        }
        ranks
    }

    /// The cells of the plane that begins with rank `first`.
    pub(crate) fn coloured_cells(&self, first: u32) -> RankCells {
        RankCells::new(first, (self.rows, self.columns), (self.tall, self.wide))
    }

    /// The ranks of the cell that contains a rank.
    pub(crate) fn cell_of(&self, rank: u32) -> ProcessSet {
        let first = self.first(rank);
        let (row, column) = ((rank - first) / self.columns, (rank - first) % self.columns);
        self.ranks(first, row / self.tall, column / self.wide)
    }

    /// The row of cells of a rank of the plane, counted from the plane's first rank.
    pub(crate) fn row_of(&self, rank: u32) -> usize {
        (rank / self.columns / self.tall) as usize
    }

    /// The first rank of the plane that contains a rank.
    pub(crate) fn first(&self, rank: u32) -> u32 {
        rank - rank % (self.rows * self.columns)
    }

    /// The rank so many cells down and to the right; it stays in the plane.
    pub(crate) fn step(&self, rank: u32, down: i64, right: i64) -> u32 {
        let first = self.first(rank);
        let (row, column) = ((rank - first) / self.columns, (rank - first) % self.columns);
        let moved = |at: u32, by: i64, size: u32, count: u32| {
            let to = i64::from(at).saturating_add(by.saturating_mul(i64::from(size)));
            u32::try_from(to.clamp(0, i64::from(count) - 1)).unwrap_or(at)
        };
        let (row, column) = (moved(row, down, self.tall, self.rows), moved(column, right, self.wide, self.columns));
        first + row * self.columns + column
    }

    /// The rank at the same place so many planes further, of `size` ranks in all; at the ends it stays.
    pub(crate) fn other_plane(&self, rank: u32, by: i64, size: u32) -> u32 {
        let to = i64::from(rank) + by * i64::from(self.rows * self.columns);
        u32::try_from(to).ok().filter(|to| *to < size).unwrap_or(rank)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plane(area: (u16, u16), text: &str) -> Plane {
        Plane::new(area, &CartesianGrid::parse(text).unwrap(), Density::Automatic, 1)
    }

    #[test]
    fn the_cursor_moves_in_the_plane() {
        let plane = plane((80, 6), "2x4x3");
        assert_eq!((plane.cell_rows(), plane.cell_columns(), plane.numbered), (4, 3, Some(4)));
        assert_eq!([plane.step(4, 1, 0), plane.step(4, 0, 1), plane.step(4, -9, 0), plane.step(4, 0, 7)], [7, 5, 1, 5]);
        assert_eq!(
            [plane.other_plane(4, 1, 24), plane.other_plane(16, 1, 24), plane.other_plane(4, -1, 24)],
            [16, 16, 4]
        );
        assert_eq!(plane.ranks(12, 1, 2).to_string(), "17");
    }

    #[test]
    fn many_ranks_share_a_cell() {
        let plane = plane((68, 16), "256x256");
        assert_eq!((plane.tall, plane.wide, plane.numbered), (16, 5, None));
        assert_eq!(plane.ranks(0, 0, 0).len(), 80);
    }

    proptest! {
        #[test]
        fn every_rank_of_a_plane_has_one_cell(
            width in 6u16..120, height in 1u16..30, rows in 1u32..60, columns in 1u32..60, planes in 1u32..4, at in 0u32..4,
        ) {
            let grid = CartesianGrid::new(vec![planes, rows, columns]).unwrap();
            let plane = Plane::new((width, height), &grid, Density::Automatic, 1);
            let first = at % planes * rows * columns;
            let mut all = ProcessSet::new();
            let mut count = 0;
            for row in 0..plane.cell_rows() {
                for column in 0..plane.cell_columns() {
                    let ranks = plane.ranks(first, row, column);
                    count += ranks.len();
                    all.extend_with(&ranks);
                }
            }
            prop_assert_eq!(&all, &ProcessSet::range(first, first + rows * columns));
            prop_assert_eq!(count, all.len());
            prop_assert!(plane.cell_rows() <= u32::from(height));
            let used = u32::from(plane.label) + plane.cell_columns() * u32::from(plane.numbered.unwrap_or(1));
            prop_assert!(used <= u32::from(width.max(plane.label + 1)));
        }
    }
}
