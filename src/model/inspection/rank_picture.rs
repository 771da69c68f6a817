//! The numbers that ranks have, reduced to the cells of a picture: an answer is as large as the picture, however many
//! ranks there are. All that a cell keeps is the same in whatever order its ranks are joined.

use super::array_numbers::Double;
use super::rank_cells::RankCells;
use super::value_summary::ValueSummary;
use crate::aif::Number;
use crate::{Datum, ProcessSet};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The numbers of the ranks in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellNumbers {
    /// The number of ranks that have a finite number.
    pub finite: u32,
    /// The number of ranks whose value is not a number (IEEE 754).
    pub nan: u32,
    /// The number of ranks whose value is infinite.
    pub infinite: u32,
    /// The number of ranks whose value is of a type other than that of a number.
    pub other: u32,
    /// The least finite number.
    pub least: Double,
    /// The greatest finite number.
    pub greatest: Double,
}

/// Bytes of a cell in an answer: its number, four counts, two doubles; each big-endian.
const CELL: usize = 36;

impl CellNumbers {
    fn of(value: &Datum) -> Self {
        let none = Double::new(0.0);
        let empty = Self { finite: 0, nan: 0, infinite: 0, other: 0, least: none, greatest: none };
        match value.number().map(Number::as_f64) {
            None => Self { other: 1, ..empty },
            Some(number) if number.is_nan() => Self { nan: 1, ..empty },
            Some(number) if number.is_infinite() => Self { infinite: 1, ..empty },
            Some(number) => {
                // A zero of either sign is the same number: the order of joining must not matter.
                let double = Double::new(if number == 0.0 { 0.0 } else { number });
                Self { finite: 1, least: double, greatest: double, ..empty }
            }
        }
    }

    /// Adds the numbers of other ranks.
    pub fn join(&mut self, other: &Self) {
        self.nan = self.nan.saturating_add(other.nan);
        self.infinite = self.infinite.saturating_add(other.infinite);
        self.other = self.other.saturating_add(other.other);
        if other.finite > 0 {
            if self.finite == 0 || other.least.get() < self.least.get() {
                self.least = other.least;
            }
            if self.finite == 0 || other.greatest.get() > self.greatest.get() {
                self.greatest = other.greatest;
            }
        }
        self.finite = self.finite.saturating_add(other.finite);
    }

    fn write(&self, cell: u32, bytes: &mut Vec<u8>) {
        for word in [cell, self.finite, self.nan, self.infinite, self.other] {
            bytes.extend_from_slice(&word.to_be_bytes());
        }
        for double in [self.least, self.greatest] {
            bytes.extend_from_slice(&double.get().to_be_bytes());
        }
    }

    fn read(bytes: &[u8]) -> Option<(u32, Self)> {
        let word = |at: usize| bytes.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes);
        let double = |at: usize| bytes.get(at..at + 8)?.try_into().ok().map(f64::from_be_bytes).map(Double::new);
        let (finite, nan, infinite, other) = (word(4)?, word(8)?, word(12)?, word(16)?);
        let (least, greatest) = (double(20)?, double(28)?);
        let is_sound = finite == 0 || (least.get().is_finite() && greatest.get().is_finite());
        is_sound.then_some((word(0)?, Self { finite, nan, infinite, other, least, greatest }))
    }
}

/// The numbers of ranks in the cells of a picture, and what they are as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RankPicture {
    /// All values summed up, also those of ranks outside the picture.
    pub summary: ValueSummary,
    cells: BTreeMap<u32, CellNumbers>,
}

impl RankPicture {
    /// Adds the value of some ranks.
    pub fn add(&mut self, cells: &RankCells, ranks: &ProcessSet, value: &Datum) {
        self.summary.add(ranks, value);
        let numbers = CellNumbers::of(value);
        for cell in ranks.iter().filter_map(|rank| cells.of(rank)) {
            self.join_cell(cell, &numbers);
        }
    }

    /// Adds the picture of other ranks.
    pub fn join(&mut self, other: &PictureAnswer) {
        self.summary.join(&other.summary);
        for (cell, numbers) in other.cells() {
            self.join_cell(cell, &numbers);
        }
    }

    fn join_cell(&mut self, cell: u32, numbers: &CellNumbers) {
        self.cells.entry(cell).and_modify(|known| known.join(numbers)).or_insert(*numbers);
    }

    /// The numbers in a cell; `None` if none of its ranks has a value.
    pub fn cell(&self, cell: u32) -> Option<&CellNumbers> {
        self.cells.get(&cell)
    }

    /// The answer with this picture.
    pub fn into_answer(self) -> PictureAnswer {
        let mut bytes = Vec::with_capacity(self.cells.len() * CELL);
        self.cells.iter().for_each(|(cell, numbers)| numbers.write(*cell, &mut bytes));
        PictureAnswer { summary: self.summary, bytes }
    }
}

/// A picture as a message brings it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PictureAnswer {
    /// All values summed up.
    pub summary: ValueSummary,
    /// 36 bytes for each cell that has a value.
    pub bytes: Vec<u8>,
}

impl PictureAnswer {
    /// The cells that have a value. Bytes that are no cell of a picture are left out.
    fn cells(&self) -> impl Iterator<Item = (u32, CellNumbers)> + '_ {
        let cells = self.bytes.chunks_exact(CELL).take(RankCells::MOST as usize).filter_map(CellNumbers::read);
        cells.filter(|(cell, _)| *cell < RankCells::MOST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rank;
    use proptest::prelude::*;

    fn value(number: f64) -> Datum {
        Datum { descriptor: "f8".into(), data: number.to_be_bytes().to_vec(), type_name: "double".into() }
    }

    fn picture(cells: &RankCells, said: &[(u32, f64)]) -> RankPicture {
        let mut picture = RankPicture::default();
        said.iter().for_each(|(rank, number)| picture.add(cells, &ProcessSet::one(Rank(*rank)), &value(*number)));
        picture
    }

    #[test]
    fn a_cell_has_the_extremes_of_its_ranks_and_counts_what_is_no_finite_number() {
        let cells = RankCells::new(12, (4, 6), (2, 3));
        let mut all =
            picture(&cells, &[(12, 1.0), (14, 3.0), (18, 2.0), (15, f64::NAN), (16, f64::INFINITY), (0, 9.0)]);
        let text = Datum { descriptor: "s".into(), data: vec![0, 1, b'x'], type_name: String::new() };
        all.add(&cells, &ProcessSet::one(Rank(17)), &text);
        let block = all.cell(0).unwrap();
        assert_eq!((block.finite, block.least.get(), block.greatest.get()), (3, 1.0, 3.0));
        let odd = all.cell(1).unwrap();
        assert_eq!((odd.finite, odd.nan, odd.infinite, odd.other), (0, 1, 1, 1));
        assert!(all.cell(2).is_none());
        let greatest = &all.summary.finite.unwrap().greatest[0];
        assert_eq!((greatest.rank, all.summary.count), (Rank(0), 7), "the summary is of all ranks");
    }

    #[test]
    fn damaged_bytes_are_left_out() {
        let read = |bytes: Vec<u8>| PictureAnswer { bytes, ..PictureAnswer::default() }.cells().count();
        assert_eq!(read(vec![0; CELL + 5]), 1);
        assert_eq!(read(vec![0; CELL * (RankCells::MOST as usize + 9)]), RankCells::MOST as usize);
        assert_eq!(read(vec![0xff; CELL]), 0, "a cell beyond the last, and NaN as the least of finite numbers");
    }

    proptest! {
        #[test]
        fn any_tree_gives_the_same_picture_as_none(
            said in proptest::collection::btree_map(
                0u32..70,
                prop_oneof![8 => -9f64..9.0, 2 => Just(-0.0), 2 => Just(0.0), 1 => Just(f64::NAN), 1 => Just(f64::INFINITY)],
                1..60,
            ),
            cuts in proptest::collection::vec(0usize..60, 0..6),
            (tall, wide) in (1u32..4, 1u32..5),
            seed in any::<u64>(),
        ) {
            let said: Vec<(u32, f64)> = said.into_iter().collect();
            let cells = RankCells::new(3, (8, 8), (tall, wide));
            let whole = picture(&cells, &said);
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(said.len())).chain([0, said.len()]).collect();
            cuts.sort_unstable();
            let mut parts: Vec<PictureAnswer> =
                cuts.windows(2).map(|cut| picture(&cells, &said[cut[0]..cut[1]]).into_answer()).collect();
            // Any two neighbours or strangers are joined, as in a tree of any shape.
            let mut turn = seed;
            while parts.len() > 1 {
                turn = turn.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let one = parts.swap_remove((turn >> 33) as usize % parts.len());
                let mut joined = RankPicture::default();
                joined.join(&one);
                joined.join(&parts.pop().unwrap());
                parts.push(joined.into_answer());
            }
            let mut joined = RankPicture::default();
            joined.join(&parts[0]);
            prop_assert_eq!(&joined.cells, &whole.cells);
            prop_assert_eq!(joined.summary.count, whole.summary.count);
            let extremes = |picture: &RankPicture| {
                let numbers = |numbers: &crate::FiniteSummary| (numbers.least.clone(), numbers.greatest.clone());
                picture.summary.finite.as_ref().map(numbers)
            };
            prop_assert_eq!(extremes(&joined), extremes(&whole));
        }
    }
}
