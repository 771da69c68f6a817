//! The cells of a picture of ranks: which ranks share a cell.

use crate::{ProcessSet, Rank};
use serde::{Deserialize, Serialize};

/// The cells of a picture of ranks: a plane of rows and columns that begins with a rank, so many rows and columns of
/// ranks in a cell. The ranks before, beside and behind the plane are in no cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RankCells {
    first: u32,
    rows: u32,
    columns: u32,
    /// Rows of ranks in a cell; above 0.
    tall: u32,
    /// Columns of ranks in a cell; above 0.
    wide: u32,
    /// Ranks from the start of a row to that of the next one; 0: as many as the columns.
    #[serde(default, skip_serializing_if = "is_zero")]
    stride: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl RankCells {
    /// The most cells of a picture: no terminal shows more.
    pub const MOST: u32 = 1 << 16;

    /// Cells of `tall` x `wide` ranks each, or of more where there were more than [`Self::MOST`] cells.
    pub fn new(first: u32, (rows, columns): (u32, u32), (tall, wide): (u32, u32)) -> Self {
        let mut cells = Self { first, rows, columns, tall: tall.max(1), wide: wide.max(1), stride: 0 };
        while cells.count() > u64::from(Self::MOST) {
            if cells.cell_rows() > 1 && cells.tall <= cells.wide {
                cells.tall = cells.tall.saturating_mul(2);
            } else {
                cells.wide = cells.wide.saturating_mul(2);
            }
        }
        cells
    }

    /// The same cells in a part of a larger plane, whose rows have so many ranks.
    pub fn in_rows_of(self, ranks: u32) -> Self {
        Self { stride: if ranks > self.columns { ranks } else { 0 }, ..self }
    }

    /// Cells of one rank each, if there are not too many ranks.
    pub fn of_each(ranks: u32) -> Self {
        Self::new(0, (1, ranks), (1, 1))
    }

    /// True if a cell is one rank.
    pub fn are_single(&self) -> bool {
        self.tall <= 1 && self.wide <= 1
    }

    /// The cell of a rank; `None` outside the plane.
    pub fn of(&self, rank: Rank) -> Option<u32> {
        let at = rank.0.checked_sub(self.first).filter(|_| self.columns > 0)?;
        let stride = self.stride.max(self.columns);
        let (row, column) = (at / stride, at % stride);
        if row >= self.rows || column >= self.columns {
            return None;
        }
        let (row, column) = (row / self.tall.max(1), column / self.wide.max(1));
        let cell = u64::from(row) * u64::from(self.cell_columns()) + u64::from(column);
        u32::try_from(cell).ok().filter(|cell| *cell < Self::MOST)
    }

    /// The cells that ranks are in. Of cells with several ranks, only that of the first rank.
    pub fn of_cell<'a>(&'a self, ranks: &'a ProcessSet) -> impl Iterator<Item = u32> + 'a {
        let most = if self.are_single() { usize::MAX } else { 1 };
        ranks.iter().take(most).filter_map(|rank| self.of(rank))
    }

    fn cell_rows(&self) -> u32 {
        self.rows.div_ceil(self.tall.max(1))
    }

    fn cell_columns(&self) -> u32 {
        self.columns.div_ceil(self.wide.max(1))
    }

    fn count(&self) -> u64 {
        u64::from(self.cell_rows()) * u64::from(self.cell_columns())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ranks_of_a_block_share_a_cell() {
        let cells = RankCells::new(12, (4, 6), (2, 3));
        let of = |rank: u32| cells.of(Rank(rank));
        assert_eq!([of(12), of(14), of(15), of(18), of(24), of(35)].map(Option::unwrap), [0, 0, 1, 0, 2, 3]);
        assert_eq!([of(11), of(36)], [None; 2]);
        let block = ProcessSet::parse("15-17,21-23").unwrap();
        assert_eq!(cells.of_cell(&block).collect::<Vec<_>>(), [1]);
        assert_eq!(RankCells::of_each(9).of_cell(&ProcessSet::parse("2,8,9").unwrap()).collect::<Vec<_>>(), [2, 8]);
    }

    #[test]
    fn damaged_cells_contain_no_rank() {
        assert_eq!(RankCells::default().of(Rank(0)), None);
        let damaged = RankCells { first: 0, rows: u32::MAX, columns: u32::MAX, tall: 0, wide: 0, stride: 0 };
        assert_eq!((damaged.of(Rank(7)), damaged.of(Rank(u32::MAX))), (Some(7), None));
    }

    #[test]
    fn a_part_of_a_plane_leaves_out_the_ranks_beside_it() {
        // Rows 2-3 and columns 3-6 of a plane with 10 columns.
        let cells = RankCells::new(23, (2, 4), (1, 2)).in_rows_of(10);
        let of = |rank: u32| cells.of(Rank(rank));
        assert_eq!([of(23), of(24), of(26), of(33), of(36)].map(Option::unwrap), [0, 0, 1, 2, 3]);
        assert_eq!([of(22), of(27), of(32), of(37), of(43)], [None; 5]);
        let text = serde_json::to_string(&RankCells::new(0, (1, 8), (1, 2))).unwrap();
        assert!(!text.contains("stride"), "a whole plane is written as before: {text}");
        assert_eq!(serde_json::from_str::<RankCells>(&serde_json::to_string(&cells).unwrap()).unwrap(), cells);
    }

    proptest! {
        #[test]
        fn the_cells_of_a_picture_are_bounded(
            rows in 1u32..5_000, columns in 1u32..5_000, tall in 0u32..40, wide in 0u32..40, share in 0.0f64..1.2,
        ) {
            let cells = RankCells::new(0, (rows, columns), (tall, wide));
            prop_assert!(cells.count() <= u64::from(RankCells::MOST));
            let rank = (f64::from(rows * columns) * share) as u32;
            let cell = cells.of(Rank(rank));
            prop_assert_eq!(cell.is_none(), rank >= rows * columns);
            prop_assert!(cell.is_none_or(|cell| u64::from(cell) < cells.count()));
        }
    }
}
