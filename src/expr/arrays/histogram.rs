//! Counts numbers in equal parts of a range.

use super::element_kind::ElementType;
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
    /// Two counters for each part, used in turn: an increment need not wait for the one before it.
    counts: [[u64; PARTS]; 2],
}

impl Histogram {
    pub(super) fn new(element: ElementType, min: f64, max: f64) -> Self {
        let (low, high) = (min / 2.0, max / 2.0);
        let scale = if high > low { PARTS as f64 / (high - low) } else { 0.0 };
        Self { element, low, scale, counts: [[0; PARTS]; 2] }
    }

    /// Returns the count of each part; one part if all numbers are equal.
    pub(super) fn counts(&self) -> Vec<u64> {
        let [even, odd] = &self.counts;
        let parts = if self.scale == 0.0 { 1 } else { PARTS };
        even.iter().zip(odd).map(|(even, odd)| even + odd).take(parts).collect()
    }
}

impl TileUser for Histogram {
    fn take(&mut self, _: u64, raw: &[u8]) {
        let mut doubles = [0.0; TILE];
        let tile = self.element.doubles(raw, &mut doubles);
        let (low, scale) = (self.low, self.scale);
        let place = |value: f64| (((value / 2.0 - low) * scale) as i32).clamp(0, PARTS as i32 - 1) as usize;
        let [even, odd] = &mut self.counts;
        for pair in tile.chunks(2) {
            for (value, counts) in pair.iter().zip([&mut *even, &mut *odd]) {
                if let Some(part) = counts.get_mut(place(*value)) {
                    *part += u64::from(value.is_finite());
                }
            }
        }
    }
}
