//! The range of a histogram, divided into equal parts.

pub(super) const PARTS: usize = 10;
const LAST: f64 = PARTS as f64 - 1.0;
/// The parts per unit of a smaller range overflow.
const SMALLEST: f64 = 1e-290;

#[derive(Clone, Copy)]
pub(super) struct PartedRange {
    /// The difference of huge numbers may overflow, unless they are halved first; tiny ones are made larger.
    unit: f64,
    /// In units.
    low: f64,
    /// Parts per unit; 0 if all numbers are equal.
    scale: f64,
}

impl PartedRange {
    pub(super) fn new(min: f64, max: f64) -> Self {
        let is_tiny = max / 2.0 - min / 2.0 < SMALLEST && min.abs().max(max.abs()) < 1.0;
        let unit = if is_tiny { 2_f64.powi(100) } else { 0.5 };
        let (low, high) = (min * unit, max * unit);
        Self { unit, low, scale: if high > low { PARTS as f64 / (high - low) } else { 0.0 } }
    }

    /// Returns the number of parts; 1 if all numbers are equal.
    pub(super) fn parts(self) -> usize {
        if self.scale == 0.0 { 1 } else { PARTS }
    }

    /// Returns the part of a finite number. That of a larger one is no smaller.
    pub(super) fn part(self, value: f64) -> usize {
        let place = (value * self.unit - self.low) * self.scale;
        (if place < LAST { place } else { LAST }) as usize
    }

    /// Returns the smallest number of each part of the range from `min` to `max`, and infinity behind them.
    pub(super) fn starts(self, min: f64, max: f64) -> [f64; PARTS + 1] {
        let mut starts = [f64::INFINITY; PARTS + 1];
        let (mut low, high) = (ordinal(min), ordinal(max));
        for (part, start) in starts.iter_mut().enumerate().take(self.parts()) {
            let mut top = high;
            while low < top {
                let middle = low.wrapping_add_unsigned(top.abs_diff(low) / 2);
                if self.part(number(middle)) < part {
                    low = middle + 1;
                } else {
                    top = middle;
                }
            }
            *start = number(low);
        }
        starts
    }
}

/// Returns the place of a number in the order of all.
fn ordinal(value: f64) -> i64 {
    let bits = value.to_bits() as i64;
    if bits < 0 { i64::MIN - bits } else { bits }
}

/// Returns the number with a place.
fn number(ordinal: i64) -> f64 {
    f64::from_bits(if ordinal < 0 { i64::MIN - ordinal } else { ordinal } as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn any_number() -> impl Strategy<Value = f64> {
        prop_oneof![any::<f64>().prop_filter("finite", |value| value.is_finite()), -1e3..1e3, -1e-308..1e-308]
    }

    proptest! {
        #[test]
        fn a_part_starts_with_its_smallest_number(a in any_number(), b in any_number()) {
            let (min, max) = (a.min(b), a.max(b));
            let range = PartedRange::new(min, max);
            let starts = range.starts(min, max);
            for (part, start) in starts.iter().enumerate().take(range.parts()) {
                prop_assert!(range.part(*start) >= part, "{part}: {start}");
                let before = number(ordinal(*start) - 1);
                prop_assert!(*start == min || range.part(before) < part, "{part}: {before}");
            }
            prop_assert!(starts[range.parts()..].iter().all(|start| start.is_infinite()));
        }
    }
}
