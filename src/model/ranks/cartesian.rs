//! Cartesian grids of ranks, as `MPI_Cart_create` orders them: row-major, the last dimension fastest (MPI 4.1, 8.5.1).

use crate::ProcessSet;
use std::fmt;

/// The most dimensions that are accepted.
const MOST_DIMENSIONS: usize = 8;

/// The sizes of a grid in each dimension; none is 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CartesianGrid {
    dimensions: Vec<u32>,
    size: u32,
}

impl CartesianGrid {
    /// Makes a grid of these dimensions; refuses none, too many, a 0, and more cells than ranks can have numbers.
    pub fn new(dimensions: Vec<u32>) -> Result<Self, String> {
        if dimensions.is_empty() || dimensions.len() > MOST_DIMENSIONS {
            return Err(format!("expected 1 to {MOST_DIMENSIONS} dimensions, as in 4x3"));
        }
        if dimensions.contains(&0) {
            return Err("a dimension of 0 has no ranks".to_owned());
        }
        let size = dimensions.iter().try_fold(1u32, |size, &dimension| size.checked_mul(dimension));
        let size = size.ok_or("the grid has more cells than there can be ranks")?;
        Ok(Self { dimensions, size })
    }

    /// Reads `64x32x16`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let number = |part: &str| {
            let fine = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            part.parse().ok().filter(|_| fine).ok_or_else(|| format!("expected numbers with x between, not {text:?}"))
        };
        Self::new(text.split(['x', 'X']).map(number).collect::<Result<_, String>>()?)
    }

    /// The sizes, the slowest dimension first.
    pub fn dimensions(&self) -> &[u32] {
        &self.dimensions
    }

    /// The number of cells.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// The coordinates of a rank; `None` if it is outside.
    pub fn coordinates(&self, rank: u32) -> Option<Vec<u32>> {
        if rank >= self.size {
            return None;
        }
        let mut rest = rank;
        let mut coordinates: Vec<u32> = self
            .dimensions
            .iter()
            .rev()
            .map(|&dimension| {
                let at = rest % dimension;
                rest /= dimension;
                at
            })
            .collect();
        coordinates.reverse();
        Some(coordinates)
    }

    /// The rank at these coordinates; `None` if they are outside.
    pub fn rank(&self, coordinates: &[u32]) -> Option<u32> {
        if coordinates.len() != self.dimensions.len() {
            return None;
        }
        let each = self.dimensions.iter().zip(coordinates);
        each.into_iter().try_fold(0u32, |rank, (&dimension, &at)| (at < dimension).then(|| rank * dimension + at))
    }

    /// The ranks of the box that two ranks are corners of; `None` if one is outside.
    pub fn between(&self, one: u32, other: u32) -> Option<ProcessSet> {
        let (one, other) = (self.coordinates(one)?, self.coordinates(other)?);
        let low: Vec<u32> = one.iter().zip(&other).map(|(a, b)| *a.min(b)).collect();
        let high: Vec<u32> = one.iter().zip(&other).map(|(a, b)| *a.max(b)).collect();
        let mut ranks = ProcessSet::new();
        let mut at = low.clone();
        loop {
            // A row of the last dimension is a range of ranks.
            let first = self.rank(&at)?;
            let length = high.last()?.checked_sub(*low.last()?)?;
            ranks.extend_with(&ProcessSet::range(first, first + length + 1));
            let next = (0..at.len().saturating_sub(1)).rev().find(|&axis| at.get(axis) < high.get(axis));
            let Some(axis) = next else { return Some(ranks) };
            for (index, place) in at.iter_mut().enumerate().skip(axis) {
                *place = if index == axis { *place + 1 } else { low.get(index).copied().unwrap_or(0) };
            }
        }
    }

    /// Rows and columns of a plane: the last two dimensions. A grid of one dimension is one row.
    pub fn plane(&self) -> (u32, u32) {
        match self.dimensions.as_slice() {
            [.., rows, columns] => (*rows, *columns),
            [columns] => (1, *columns),
            [] => (1, 1),
        }
    }

    /// The number of planes.
    pub fn planes(&self) -> u32 {
        let (rows, columns) = self.plane();
        self.size / (rows * columns)
    }
}

impl fmt::Display for CartesianGrid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sizes: Vec<String> = self.dimensions.iter().map(u32::to_string).collect();
        f.write_str(&sizes.join("x"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_box_between_two_ranks_goes_in_all_dimensions() {
        let grid = CartesianGrid::parse("4x3x2").unwrap();
        let between = |one, other| grid.between(one, other).map(|ranks| ranks.to_string());
        assert_eq!(between(0, 0).as_deref(), Some("0"));
        assert_eq!(between(0, 23).as_deref(), Some("0-23"));
        // From (0,2,0) to (1,1,1), in either order.
        assert_eq!((between(4, 9).as_deref(), between(9, 4).as_deref()), (Some("2-5,8-11"), Some("2-5,8-11")));
        assert_eq!(between(0, 24), None);
    }

    #[test]
    fn the_last_dimension_is_the_fastest() {
        let grid = CartesianGrid::parse("4x3x2").unwrap();
        assert_eq!(grid.coordinates(0), Some(vec![0, 0, 0]));
        assert_eq!(grid.coordinates(1), Some(vec![0, 0, 1]));
        assert_eq!(grid.coordinates(2), Some(vec![0, 1, 0]));
        assert_eq!(grid.coordinates(23), Some(vec![3, 2, 1]));
        assert_eq!((grid.coordinates(24), grid.rank(&[0, 3, 0]), grid.rank(&[0, 0])), (None, None, None));
        assert_eq!((grid.plane(), grid.planes(), grid.to_string().as_str()), ((3, 2), 4, "4x3x2"));
        let line = CartesianGrid::parse("12").unwrap();
        assert_eq!((line.plane(), line.planes()), ((1, 12), 1));
    }

    #[test]
    fn only_sizes_make_a_grid() {
        for wrong in
            ["", "x", "4x", "x4", "4xx3", "4x0", "-4x3", "+4", "4x3 ", "70000x70000", "1x1x1x1x1x1x1x1x1", "src"]
        {
            assert!(CartesianGrid::parse(wrong).is_err(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn coordinates_and_ranks_are_the_same_thing(
            dimensions in proptest::collection::vec(1u32..7, 1..=8),
            share in 0.0f64..1.0,
        ) {
            let grid = CartesianGrid::new(dimensions).unwrap();
            let rank = (f64::from(grid.size()) * share) as u32;
            let coordinates = grid.coordinates(rank).unwrap();
            prop_assert_eq!(grid.rank(&coordinates), Some(rank));
            prop_assert!(coordinates.iter().zip(grid.dimensions()).all(|(at, size)| at < size));
            let next = grid.coordinates(rank + 1);
            prop_assert!(next.is_none_or(|next| next > coordinates), "coordinates ascend with the ranks");
        }

        #[test]
        fn text_reads_back(dimensions in proptest::collection::vec(1u32..20, 1..6)) {
            let grid = CartesianGrid::new(dimensions).unwrap();
            prop_assert_eq!(CartesianGrid::parse(&grid.to_string()), Ok(grid));
        }

        #[test]
        fn garbage_is_an_error_not_a_panic(text in "\\PC{0,24}") {
            let _ = CartesianGrid::parse(&text);
        }
    }
}
