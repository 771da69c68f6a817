//! The geometry of a plane of a grid of ranks in an area, and the steps of its cursor.

use super::grid::digits;
use super::part::{Part, Span};
use super::view_state::Density;
use model::{CartesianGrid, ProcessSet, RankCells};

/// The cells of a plane in an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plane {
    /// Rows and columns of the whole plane.
    rows: u32,
    columns: u32,
    /// Those that are shown.
    shown_rows: Span,
    shown_columns: Span,
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
    /// Fits rows and columns of a plane into an area: with numbers if these fit and the mode allows them, else with a letter
    /// for one rank or for several. The sign of a rank behind its number takes `sign` columns.
    pub(crate) fn new(
        (width, height): (u16, u16),
        grid: &CartesianGrid,
        (shown_rows, shown_columns): (Span, Span),
        density: Density,
        sign: u16,
    ) -> Self {
        let (rows, columns) = grid.plane();
        let label = digits(shown_rows.end().saturating_sub(1)) + 2;
        let room = u32::from(width.saturating_sub(label).max(1));
        let (height, cell) = (u32::from(height.max(1)), digits(grid.size().saturating_sub(1)) + 1 + sign);
        let fits = shown_rows.len <= height && shown_columns.len.saturating_mul(u32::from(cell)) <= room;
        let with_numbers = fits && matches!(density, Density::Automatic | Density::Numbers);
        let (tall, wide) = (shown_rows.len.div_ceil(height).max(1), shown_columns.len.div_ceil(room).max(1));
        let numbered = with_numbers.then_some(cell);
        Self { rows, columns, shown_rows, shown_columns, tall, wide, numbered, label }
    }

    /// Rows of cells.
    pub(crate) fn cell_rows(&self) -> u32 {
        self.shown_rows.len.div_ceil(self.tall)
    }

    /// Columns of cells.
    pub(crate) fn cell_columns(&self) -> u32 {
        self.shown_columns.len.div_ceil(self.wide)
    }

    /// The first row of a row of cells.
    pub(super) fn row_at(&self, row: u16) -> u32 {
        self.shown_rows.from + u32::from(row) * self.tall
    }

    /// The ranks of a cell of the plane that begins with rank `first`.
    pub(crate) fn ranks(&self, first: u32, row: u32, column: u32) -> ProcessSet {
        let cell = |shown: Span, at: u32, size: u32| {
            Span::between((shown.from + at * size).min(shown.end()), (shown.from + (at + 1) * size).min(shown.end()))
        };
        self.block(first, cell(self.shown_rows, row, self.tall), cell(self.shown_columns, column, self.wide))
    }

    fn block(&self, first: u32, rows: Span, columns: Span) -> ProcessSet {
        let mut ranks = ProcessSet::new();
        for row in rows.from..rows.end() {
            let begin = first + row * self.columns;
            ranks.extend_with(&ProcessSet::range(begin + columns.from, begin + columns.end()));
        }
        ranks
    }

    /// The cells of the plane that begins with rank `first`.
    pub(crate) fn coloured_cells(&self, first: u32) -> RankCells {
        let (rows, columns) = (self.shown_rows, self.shown_columns);
        let first = first + rows.from * self.columns + columns.from;
        RankCells::new(first, (rows.len, columns.len), (self.tall, self.wide)).in_rows_of(self.columns)
    }

    /// Row and column of a rank in its plane.
    fn place_of(&self, rank: u32) -> (u32, u32) {
        let at = rank - self.first(rank);
        (at / self.columns, at % self.columns)
    }

    /// The rows and columns of the cell that contains a rank.
    fn cell_spans(&self, rank: u32) -> (Span, Span) {
        let (row, column) = self.place_of(rank);
        (self.shown_rows.cell(row, self.tall, self.rows), self.shown_columns.cell(column, self.wide, self.columns))
    }

    /// The ranks of the cell that contains a rank.
    pub(crate) fn cell_of(&self, rank: u32) -> ProcessSet {
        let (rows, columns) = self.cell_spans(rank);
        self.block(self.first(rank), rows, columns)
    }

    /// The quarter of the shown part around a rank; `None` if each cell is one rank.
    pub(super) fn closer(&self, rank: u32) -> Option<Part> {
        if self.tall == 1 && self.wide == 1 {
            return None;
        }
        let (row, column) = self.place_of(rank);
        // Cells that are one row high get no smaller when fewer rows are shown.
        let half = |shown: Span, at, size| if size > 1 { shown.around(at, size, 2) } else { shown };
        let rows = half(self.shown_rows, row, self.tall);
        Some(Part::Plane { rows, columns: half(self.shown_columns, column, self.wide) })
    }

    /// The part with the ranks of the cell that contains a rank; `None` if it is one rank.
    pub(super) fn inside(&self, rank: u32) -> Option<Part> {
        let (rows, columns) = self.cell_spans(rank);
        if rows.len <= 1 && columns.len <= 1 {
            return None;
        }
        if (rows, columns) == (self.shown_rows, self.shown_columns) {
            return self.closer(rank);
        }
        Some(Part::Plane { rows, columns })
    }

    /// The row of cells of a rank.
    pub(crate) fn row_of(&self, rank: u32) -> usize {
        (self.place_of(rank).0.saturating_sub(self.shown_rows.from) / self.tall) as usize
    }

    /// The first rank of the plane that contains a rank.
    pub(crate) fn first(&self, rank: u32) -> u32 {
        rank - rank % (self.rows * self.columns)
    }

    /// The rank so many cells down and to the right; it stays in the plane.
    pub(crate) fn step(&self, rank: u32, down: i64, right: i64) -> u32 {
        let first = self.first(rank);
        let (row, column) = self.place_of(rank);
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
        whole(area, &CartesianGrid::parse(text).unwrap())
    }

    fn whole(area: (u16, u16), grid: &CartesianGrid) -> Plane {
        let (rows, columns) = grid.plane();
        Plane::new(area, grid, (Span::new(0, rows), Span::new(0, columns)), Density::Automatic, 1)
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

    #[test]
    fn a_part_of_a_plane_has_smaller_cells() {
        let grid = CartesianGrid::parse("256x256").unwrap();
        let far = plane((68, 16), "256x256");
        let Some(Part::Plane { rows, columns }) = far.closer(100 * 256 + 200) else { panic!() };
        assert_eq!((rows, columns), (Span::new(32, 128), Span::new(100, 130)));
        let near = Plane::new((68, 16), &grid, (rows, columns), Density::Automatic, 1);
        assert_eq!((near.tall, near.wide, near.row_of(100 * 256 + 200)), (8, 3, 8));
        let Some(Part::Plane { rows, columns }) = far.inside(100 * 256 + 200) else { panic!() };
        assert_eq!((rows, columns), (Span::new(96, 16), Span::new(200, 5)));
        let cell = Plane::new((68, 16), &grid, (rows, columns), Density::Automatic, 1);
        assert_eq!((cell.tall, cell.wide, cell.numbered), (1, 1, Some(7)));
        assert_eq!((cell.closer(100 * 256 + 200), cell.inside(100 * 256 + 200)), (None, None));
        assert_eq!(cell.ranks(0, 4, 0).to_string(), "25800");
        // One row too few for the ranks of its single cell.
        let low = Plane::new((68, 1), &grid, (Span::new(0, 32), Span::new(7, 1)), Density::Automatic, 1);
        assert_eq!(low.inside(7), Some(Part::Plane { rows: Span::new(0, 16), columns: Span::new(7, 1) }));
    }

    proptest! {
        #[test]
        fn every_rank_of_a_plane_has_one_cell(
            width in 6u16..120, height in 1u16..30, rows in 1u32..60, columns in 1u32..60, planes in 1u32..4, at in 0u32..4,
        ) {
            let grid = CartesianGrid::new(vec![planes, rows, columns]).unwrap();
            let plane = whole((width, height), &grid);
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
