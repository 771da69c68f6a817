//! Counts numbers in equal parts of a range.

use super::element_kind::ElementType;
use super::summary::TileRange;
use super::tiles::{TILE, TileUser};

/// The parts of a histogram.
const PARTS: usize = 10;

/// The counts of finite numbers in equal parts of the range from the smallest to the largest.
pub(super) struct Histogram {
    element: ElementType,
    /// Halved, as all numbers here: the difference of huge ones may overflow.
    low: f64,
    /// Parts per unit; 0 if all numbers are equal.
    scale: f64,
    /// Several counters for each part, used in turn: an increment need not wait for the one before it. Numbers that are
    /// not finite have a part of their own.
    counts: [[u64; SLOTS]; 4],
}

/// The parts, with one for numbers that are not finite and those that an index of four bits may name.
const SLOTS: usize = 16;
/// The last part of finite numbers.
const LAST: f64 = PARTS as f64 - 1.0;
/// The part of numbers that are not finite.
const ODD: f64 = PARTS as f64;
/// Doubles from here on are integers: 2^52. A number that is added to it is rounded to one, in its last bits.
const INTEGERS: f64 = 4_503_599_627_370_496.0;

impl Histogram {
    pub(super) fn new(element: ElementType, min: f64, max: f64) -> Self {
        let (low, high) = (min / 2.0, max / 2.0);
        let scale = if high > low { PARTS as f64 / (high - low) } else { 0.0 };
        Self { element, low, scale, counts: [[0; SLOTS]; 4] }
    }

    /// Returns the count of each part; one part if all numbers are equal.
    pub(super) fn counts(&self) -> Vec<u64> {
        let parts = if self.scale == 0.0 { 1 } else { PARTS };
        (0..parts).map(|part| self.counts.iter().filter_map(|counts| counts.get(part)).sum()).collect()
    }

    /// Returns the part of a number.
    fn part(&self, value: f64) -> usize {
        slot(value, self.low, self.scale) as usize & (SLOTS - 1)
    }

    /// Counts the numbers of a tile if all are in one part. False if they have to be read again.
    pub(super) fn takes_whole(&mut self, tile: &TileRange) -> bool {
        let part = self.part(tile.low);
        if tile.finite > 0 && part != self.part(tile.high) {
            return false;
        }
        if let Some(count) = self.counts.iter_mut().flatten().nth(part) {
            *count += u64::from(tile.finite);
        }
        true
    }
}

/// Returns a double whose last bits are the part of a number. Without branches, so that it is done for several at once.
fn slot(value: f64, low: f64, scale: f64) -> u64 {
    let place = (value * 0.5 - low) * scale;
    let place = if place < LAST { place } else { LAST };
    let place = if place > 0.0 { place } else { 0.0 };
    let rounded = (place + INTEGERS) - INTEGERS;
    let part = rounded - if rounded > place { 1.0 } else { 0.0 };
    let part = if value * 0.0 == 0.0 { part } else { ODD };
    (part + INTEGERS).to_bits()
}

impl TileUser for Histogram {
    fn take(&mut self, _: u64, raw: &[u8]) {
        let mut doubles = [0.0; TILE];
        let tile = self.element.doubles(raw, &mut doubles);
        let (low, scale) = (self.low, self.scale);
        let mut parts = [0; TILE];
        parts.iter_mut().zip(tile).for_each(|(part, value)| *part = slot(*value, low, scale));
        for some in parts.get(..tile.len()).unwrap_or_default().chunks(self.counts.len()) {
            for (counts, part) in self.counts.iter_mut().zip(some) {
                if let Some(count) = counts.get_mut(*part as usize & (SLOTS - 1)) {
                    *count += 1;
                }
            }
        }
    }
}
