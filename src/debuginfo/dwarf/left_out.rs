//! Addresses that a unit claims for code that the linker has discarded.

use std::ops::Range;

/// Addresses that a unit claims but that have no code.
#[derive(Debug, Default)]
pub(crate) struct LeftOut {
    /// Disjoint and sorted, like `with_code`.
    without_code: Vec<Range<u64>>,
    with_code: Vec<Range<u64>>,
}

impl LeftOut {
    pub(crate) fn new(without_code: Vec<Range<u64>>, with_code: Vec<Range<u64>>) -> Self {
        if without_code.is_empty() {
            Self::default()
        } else {
            Self { without_code: joined(without_code), with_code: joined(with_code) }
        }
    }

    /// True for an address within discarded code: large functions extend from their placeholder address to addresses of
    /// other code.
    pub(crate) fn covers(&self, address: u64) -> bool {
        is_in(&self.without_code, address) && !is_in(&self.with_code, address)
    }
}

fn joined(mut ranges: Vec<Range<u64>>) -> Vec<Range<u64>> {
    ranges.sort_by_key(|range| range.start);
    let mut joined: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match joined.last_mut().filter(|last| range.start <= last.end) {
            Some(last) => last.end = last.end.max(range.end),
            None => joined.push(range),
        }
    }
    joined
}

fn is_in(ranges: &[Range<u64>], address: u64) -> bool {
    let behind = ranges.partition_point(|range| range.start <= address);
    behind.checked_sub(1).and_then(|last| ranges.get(last)).is_some_and(|range| address < range.end)
}
