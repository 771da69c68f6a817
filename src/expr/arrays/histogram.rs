//! Counts numbers in equal parts of a range.

use super::element_kind::ElementType;
use super::parted_range::{PARTS, PartedRange};
use super::summary::TileRange;
use super::tally::Tally;
use super::tiles::{TILE, TileUser};

/// The counts of finite numbers in equal parts of the range from the smallest to the largest.
pub(super) struct Histogram {
    element: ElementType,
    range: PartedRange,
    counts: [u64; PARTS],
}

impl Histogram {
    pub(super) fn new(element: ElementType, min: f64, max: f64) -> Self {
        Self { element, range: PartedRange::new(min, max), counts: [0; PARTS] }
    }

    /// Returns the count of each part; one part if all numbers are equal.
    pub(super) fn counts(&self) -> Vec<u64> {
        self.counts.iter().take(self.range.parts()).copied().collect()
    }

    /// Takes the numbers from `min` to `max` as they were counted while the range was not known. False if they have to be
    /// read again.
    pub(super) fn takes_counted(&mut self, tally: &Tally, min: f64, max: f64) -> bool {
        let counts = tally.counts(min, max, &self.range);
        if let Some(counts) = counts {
            self.counts = counts;
        }
        counts.is_some()
    }

    /// Counts the numbers of a tile if all are in one part. False if they have to be read again.
    pub(super) fn takes_whole(&mut self, tile: &TileRange) -> bool {
        let part = self.range.part(tile.low);
        if tile.finite > 0 && part != self.range.part(tile.high) {
            return false;
        }
        if let Some(count) = self.counts.get_mut(part) {
            *count += u64::from(tile.finite);
        }
        true
    }
}

impl TileUser for Histogram {
    fn take(&mut self, _: u64, raw: &[u8]) {
        let mut doubles = [0.0; TILE];
        let tile = self.element.doubles(raw, &mut doubles);
        let range = self.range;
        // Neighbours are often in one part: a counter need not wait for its last sum if each has its own.
        let mut counters = [[0_u32; 16]; 4];
        for values in tile.chunks(counters.len()) {
            for (counters, value) in counters.iter_mut().zip(values) {
                if let Some(counter) = counters.get_mut(range.place(*value) as i32 as usize % 16) {
                    *counter += 1;
                }
            }
        }
        for counters in &counters {
            self.counts.iter_mut().zip(counters).for_each(|(count, more)| *count += u64::from(*more));
        }
    }
}
