//! Counts numbers for a histogram while they are read for the first time, when its range is not known yet.
//!
//! The range is guessed from a sample. Numbers are counted in fine cells, each of which is in one part of any histogram
//! whose range is nearly the guessed one, except for the cells near the edges of the parts: their numbers are kept.

use super::element_kind::ElementType;
use super::parted_range::{PARTS, PartedRange};
use super::tiles::{TILE, TileUser};
use std::ops::Range;

/// A power of two, so that a cell's number is the upper bits of a sum: see [`Tally::cell`].
const CELLS: usize = 4096;
const BITS: u32 = CELLS.ilog2();
/// The most numbers that are kept: 32 MiB.
const MOST_KEPT: usize = 4 << 20;
/// The tiles of a sample.
const SAMPLED: u64 = 64;
/// Arrays of fewer tiles are read twice.
const FEWEST_TILES: u64 = 16 * SAMPLED;
/// The bounds of cells of larger numbers may overflow.
const LARGEST: f64 = 1e150;
/// The cells per unit of a smaller range overflow.
const SMALLEST: f64 = 1e-290;

/// Returns the elements that are read before the others of a large array without gaps.
pub(super) fn to_sample(count: u64) -> Option<Vec<Range<u64>>> {
    let tiles = count / TILE as u64;
    // Counters of cells are small.
    let is_large = tiles >= FEWEST_TILES && u32::try_from(count).is_ok();
    let start = |number: u64| number * (tiles / SAMPLED) * TILE as u64;
    is_large.then(|| (0..SAMPLED).map(|number| start(number)..start(number) + TILE as u64).collect())
}

/// The finite numbers of some tiles.
pub(super) struct Sample {
    element: ElementType,
    low: f64,
    high: f64,
    /// The sum of the ranges of the tiles.
    spread: f64,
    tiles: u32,
}

impl Sample {
    pub(super) fn new(element: ElementType) -> Self {
        Self { element, low: f64::INFINITY, high: f64::NEG_INFINITY, spread: 0.0, tiles: 0 }
    }

    /// Returns a tally for an array with such tiles; `None` if it would not help.
    pub(super) fn tally(&self) -> Option<Tally> {
        let range = self.high - self.low;
        let is_usual = self.low > -LARGEST && self.high < LARGEST && range > SMALLEST;
        // Most tiles of smooth data are in one part each, and are not read again anyway.
        let is_smooth = self.spread * (4 * PARTS) as f64 <= range * f64::from(self.tiles);
        // Cells much wider than the distance of doubles: bounds that are rounded are still good to a small part of a cell.
        let is_coarse = range / CELLS as f64 > self.low.abs().max(self.high.abs()) * 1e-12;
        (is_usual && !is_smooth && is_coarse).then(|| Tally::new(self.low, self.high))
    }
}

impl TileUser for Sample {
    fn take(&mut self, _: u64, raw: &[u8]) {
        let mut doubles = [0.0; TILE];
        let tile = self.element.doubles(raw, &mut doubles);
        let mut finite = tile.iter().copied().filter(|value| value.is_finite());
        let Some(first) = finite.next() else { return };
        let (low, high) = finite.fold((first, first), |(low, high), value| (value.min(low), value.max(high)));
        self.low = self.low.min(low);
        self.high = self.high.max(high);
        self.spread += high - low;
        self.tiles += 1;
    }
}

/// Numbers counted in cells.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tally {
    low: f64,
    high: f64,
    /// Cells per unit.
    scale: f64,
    counts: Box<[u32; CELLS]>,
    is_kept: Box<[bool; CELLS]>,
    kept: Vec<f64>,
}

impl Tally {
    /// `min` and `max` are those of a sample.
    fn new(min: f64, max: f64) -> Self {
        // The extremes of numbers that are spread evenly are nearer to those of the sample, which has 16 in a cell.
        let margin = (max - min) / CELLS as f64;
        let (low, high) = (min - margin, max + margin);
        let scale = CELLS as f64 / (high - low);
        let (counts, is_kept) = (Box::new([0; CELLS]), Box::new([false; CELLS]));
        let mut tally = Self { low, high, scale, counts, is_kept, kept: Vec::new() };
        for part in 1..PARTS {
            let edge = min + (max - min) * (part as f64 / PARTS as f64);
            let (first, last) = (tally.cell(edge - margin), tally.cell(edge + margin));
            tally.is_kept.iter_mut().take(last + 1).skip(first).for_each(|is_kept| *is_kept = true);
        }
        tally
    }

    /// Returns the cell of a number in the range.
    fn cell(&self, value: f64) -> usize {
        number_of_cell(value, self.low, self.scale) as usize
    }

    /// Takes the finite numbers of a tile, which are between these. False if the guess was wrong, or too many would be
    /// kept.
    pub(super) fn takes(&mut self, values: &[f64], low: f64, high: f64) -> bool {
        if low < self.low || high > self.high || self.kept.len() > MOST_KEPT {
            return false;
        }
        let mut cells = [0_u64; TILE];
        let (low, scale) = (self.low, self.scale);
        cells.iter_mut().zip(values).for_each(|(cell, value)| *cell = number_of_cell(*value, low, scale));
        for (cell, value) in cells.iter().map(|cell| *cell as usize % CELLS).zip(values) {
            if let (Some(count), Some(is_kept)) = (self.counts.get_mut(cell), self.is_kept.get(cell)) {
                *count += 1;
                if *is_kept {
                    self.kept.push(*value);
                }
            }
        }
        true
    }

    /// Counts the numbers, from `min` to `max`, in the parts of that range; `None` if some of them would have to be known
    /// more exactly.
    pub(super) fn counts(&self, min: f64, max: f64, range: &PartedRange) -> Option<[u64; PARTS]> {
        let mut parts = [0; PARTS];
        let mut add = |part: usize, count: u64| parts.get_mut(part).map(|counted| *counted += count);
        for (cell, (count, is_kept)) in self.counts.iter().zip(self.is_kept.iter()).enumerate() {
            if *count == 0 || *is_kept {
                continue;
            }
            // A number on the border of two cells may be in either.
            let bound = |cells: f64| (self.low + cells / self.scale).max(min).min(max);
            let (first, last) = (range.part(bound(cell as f64 - 0.1)), range.part(bound(cell as f64 + 1.1)));
            if first != last {
                return None;
            }
            add(first, u64::from(*count))?;
        }
        for value in &self.kept {
            add(range.part(*value), 1)?;
        }
        Some(parts)
    }
}

/// Returns the number of a cell. Without branches and conversions, so that it is done for several numbers at once: a sum
/// with 2^12 has the whole part of the other number, if that is less, in the upper 12 bits of its fraction.
fn number_of_cell(value: f64, low: f64, scale: f64) -> u64 {
    const LAST: f64 = (CELLS - 1) as f64;
    let place = (value - low) * scale;
    let place = if place < LAST { place } else { LAST };
    let place = if place > 0.0 { place } else { 0.0 };
    ((place + CELLS as f64).to_bits() >> (f64::MANTISSA_DIGITS - 1 - BITS)) % CELLS as u64
}
