//! Counts numbers in equal parts of a range.

use super::element_kind::ElementType;
use super::parted_range::{PARTS, PartedRange};
use super::summary::TileRange;
use super::tally::Tally;
use super::tiles::{TILE, TileUser};
use std::collections::VecDeque;

/// The parts that the numbers of a tile are in, the last one included.
#[derive(Clone, Copy, Debug)]
struct PartsOfTile {
    first: u8,
    last: u8,
    /// The count of finite numbers.
    finite: u16,
}

/// The counts of finite numbers in equal parts of the range from the smallest to the largest.
pub(super) struct Histogram {
    element: ElementType,
    range: PartedRange,
    /// The smallest number of each part, and infinity behind them.
    starts: [f64; PARTS + 1],
    counts: [u64; PARTS],
    /// The parts of the next tiles, as far as they are known.
    to_come: VecDeque<PartsOfTile>,
}

impl Histogram {
    pub(super) fn new(element: ElementType, min: f64, max: f64) -> Self {
        let range = PartedRange::new(min, max);
        Self { element, range, starts: range.starts(min, max), counts: [0; PARTS], to_come: VecDeque::new() }
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

    /// Counts the numbers of a tile if all are in one part. False if they have to be read again: then it is one of the
    /// next tiles, in this order.
    pub(super) fn takes_whole(&mut self, tile: &TileRange) -> bool {
        let (first, last) = (self.range.part(tile.low), self.range.part(tile.high));
        if tile.finite > 0 && first != last {
            self.to_come.push_back(PartsOfTile { first: first as u8, last: last as u8, finite: tile.finite as u16 });
            return false;
        }
        if let Some(count) = self.counts.get_mut(first) {
            *count += u64::from(tile.finite);
        }
        true
    }
}

/// Counts the numbers that are not less than a bound: without branches, several at once.
fn not_less(values: &[f64], bound: f64) -> u64 {
    values.iter().map(|value| u64::from(*value >= bound)).sum()
}

impl TileUser for Histogram {
    fn take(&mut self, _: u64, raw: &[u8]) {
        let mut doubles = [0.0; TILE];
        let tile = self.element.doubles(raw, &mut doubles);
        let parts = self.to_come.pop_front().unwrap_or(PartsOfTile { first: 0, last: PARTS as u8 - 1, finite: 0 });
        let (first, last) = (usize::from(parts.first), usize::from(parts.last));
        let all_finite = usize::from(parts.finite) == tile.len();
        // To compare with the start of each part takes less time than to find the part of each number.
        let mut above = if all_finite { 0 } else { not_less(tile, f64::INFINITY) };
        let counts = self.counts.iter_mut().zip(&self.starts).enumerate().take(last + 1).skip(first);
        for (part, (count, start)) in counts.rev() {
            let here = match part == first {
                true if all_finite => tile.len() as u64,
                true => not_less(tile, f64::MIN),
                false => not_less(tile, *start),
            };
            *count += here.saturating_sub(above);
            above = here;
        }
    }
}
