//! The range of a histogram, divided into equal parts.

pub(super) const PARTS: usize = 10;
const LAST: f64 = PARTS as f64 - 1.0;
/// Behind all parts.
const NOWHERE: f64 = 15.0;
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

    /// Returns the part of a finite number.
    pub(super) fn part(self, value: f64) -> usize {
        self.place(value) as usize
    }

    /// Returns the place of a number, whose whole part is the number of its part; that of one that is not finite is
    /// behind all parts, and less than 16. Without branches.
    pub(super) fn place(self, value: f64) -> f64 {
        let place = (value * self.unit - self.low) * self.scale;
        let place = if place < LAST { place } else { LAST };
        if value * 0.0 == 0.0 { place } else { NOWHERE }
    }
}
