//! The arrangement of ranks in the order of their numbers.

use super::part::Span;
use super::view_state::Density;

/// The arrangement of cells in an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    /// Ranks per cell.
    pub(crate) per_cell: u32,
    /// Cells per row.
    pub(crate) columns: u32,
    /// Rows of cells.
    pub(crate) rows: usize,
    /// Columns of the terminal for a cell.
    pub(super) cell: u16,
    /// Columns of the terminal for the rank before a row; 0: each cell has its number.
    pub(super) label: u16,
}

fn numbered(width: u16, ranks: Span, sign: u16) -> Grid {
    let size = ranks.len;
    let cell = digits(ranks.end().saturating_sub(1)) + 1 + sign;
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

fn lettered(width: u16, ranks: Span, per_cell: u32) -> Grid {
    let label = digits(ranks.end().saturating_sub(1)) + 2;
    let columns = letter_columns(width.saturating_sub(label));
    let cells = ranks.len.div_ceil(per_cell);
    Grid { per_cell, columns, rows: cells.div_ceil(columns) as usize, cell: 1, label }
}

/// The cells of a letter each in a row of so many columns of the terminal: a round number.
pub(super) fn letter_columns(room: u16) -> u32 {
    // A gap after every tenth cell helps counting.
    let fits = |columns: u32| columns + columns.div_ceil(10).saturating_sub(1) <= u32::from(room);
    [400, 300, 200, 150, 100, 50, 20, 10, 5, 2].into_iter().find(|&columns| fits(columns)).unwrap_or(1)
}

pub(super) fn digits(number: u32) -> u16 {
    number.checked_ilog10().unwrap_or(0) as u16 + 1
}

/// Numbers that are easy to count in: 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30 and so on. They are so close to each other
/// that cells leave few of the rows empty.
pub(super) fn round_numbers() -> impl Iterator<Item = u32> {
    let steps = |power: u32| [10, 12, 15, 20, 25, 30, 40, 50, 60, 80].map(|step| step * 10u32.pow(power));
    [1, 2, 3, 4, 5, 6, 8].into_iter().chain((0..8).flat_map(steps))
}

/// The arrangement of the cells of ranks in an area. The sign of a rank behind its number takes this many columns.
pub(super) fn grid((width, height): (u16, u16), ranks: Span, density: Density, sign: u16) -> Grid {
    let height = usize::from(height.max(1));
    let together = || {
        let grids = round_numbers().map(|per_cell| lettered(width, ranks, per_cell));
        grids.into_iter().find(|grid| grid.rows <= height).unwrap_or_else(|| lettered(width, ranks, ranks.len.max(1)))
    };
    match density {
        Density::Numbers => numbered(width, ranks, sign),
        Density::Letters => lettered(width, ranks, 1),
        Density::Together => together(),
        Density::Automatic => {
            let numbers = numbered(width, ranks, sign);
            if numbers.rows <= height { numbers } else { together() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all(area: (u16, u16), size: u32, density: Density, sign: u16) -> Grid {
        grid(area, Span::new(0, size), density, sign)
    }

    #[test]
    fn the_density_follows_the_number_of_ranks() {
        assert_eq!(
            all((80, 2), 8, Density::Automatic, 1),
            Grid { per_cell: 1, columns: 8, rows: 1, cell: 3, label: 0 }
        );
        assert_eq!(
            all((80, 2), 100, Density::Automatic, 1),
            Grid { per_cell: 1, columns: 50, rows: 2, cell: 1, label: 4 }
        );
        let many = all((80, 2), 1_000_000, Density::Automatic, 1);
        assert_eq!((many.per_cell, many.columns, many.rows), (10_000, 50, 2));
        let part = grid((80, 2), Span::new(990_000, 8), Density::Automatic, 1);
        assert_eq!((part.per_cell, part.columns, part.cell), (1, 8, 8), "numbers as long as those of the part");
        assert_eq!(all((80, 2), 1000, Density::Letters, 1).rows, 20);
    }

    proptest! {
        #[test]
        fn every_rank_has_a_cell(width in 1u16..300, height in 1u16..60, size in 1u32..3_000_000) {
            for density in [Density::Automatic, Density::Numbers, Density::Letters, Density::Together] {
                let grid = all((width, height), size, density, 1);
                prop_assert!(grid.columns as u64 * grid.rows as u64 * grid.per_cell as u64 >= u64::from(size));
                if density == Density::Together {
                    prop_assert!(grid.rows <= usize::from(height));
                }
            }
        }

        #[test]
        fn many_ranks_leave_few_rows_empty(width in 60u16..300, height in 10u16..60, size in 100_000u32..3_000_000) {
            let grid = all((width, height), size, Density::Automatic, 1);
            prop_assert!(grid.rows * 4 >= usize::from(height) * 3 - 4, "{grid:?} in {height} rows");
        }
    }
}
