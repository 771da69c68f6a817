//! Statistics of numbers in one pass: each tile is measured by itself and merged with those before it (Chan, Golub and
//! LeVeque, "Updating formulae and a pairwise algorithm for computing sample variances", 1979).

use super::element_kind::{ElementKind, ElementType, MOST_EXACT};
use super::tally::Tally;
use super::tiles::{TILE, TileUser};
use model::aif::Number;

/// Numbers summed side by side, which the compiler turns into vector instructions.
const LANES: usize = 8;
/// The squares of larger numbers may overflow.
const HUGE: f64 = 1e150;
/// Huge numbers are scaled by this power of two: 2^-540.
const SCALE: f64 = f64::from_bits((1023 - 540) << 52);

/// Count, sum and sum of squared distances from the mean.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Moments {
    count: u64,
    sum: f64,
    /// The parts of sums that their additions have rounded off.
    rounded_off: f64,
    squares: f64,
}

impl Moments {
    fn of(values: &[f64]) -> Self {
        let sum = lanes(values, |sum, value| sum + value, 0.0, |a, b| a + b);
        let mean = sum / values.len() as f64;
        let squares = lanes(values, |sum, value| sum + (value - mean) * (value - mean), 0.0, |a, b| a + b);
        Self { count: values.len() as u64, sum, rounded_off: 0.0, squares }
    }

    fn mean(self) -> f64 {
        (self.sum + self.rounded_off) / self.count.max(1) as f64
    }

    fn merged(self, other: Self) -> Self {
        if self.count == 0 || other.count == 0 {
            return if self.count == 0 { other } else { self };
        }
        let count = self.count + other.count;
        let delta = other.mean() - self.mean();
        let between = delta * delta * (self.count as f64 * (other.count as f64 / count as f64));
        let sum = self.sum + other.sum;
        // Knuth's TwoSum.
        let taken = sum - self.sum;
        let rounded_off = (self.sum - (sum - taken)) + (other.sum - taken);
        Self {
            count,
            sum,
            rounded_off: self.rounded_off + other.rounded_off + rounded_off,
            squares: self.squares + other.squares + between,
        }
    }

    fn scaled(self, scale: f64) -> Self {
        let (sum, rounded_off) = (self.sum * scale, self.rounded_off * scale);
        Self { sum, rounded_off, squares: self.squares * scale * scale, ..self }
    }
}

/// Folds numbers in lanes, and the lanes in pairs.
pub(super) fn lanes(values: &[f64], add: impl Fn(f64, f64) -> f64, start: f64, join: impl Fn(f64, f64) -> f64) -> f64 {
    let mut lanes = [start; LANES];
    let chunks = values.chunks_exact(LANES);
    let rest = chunks.remainder();
    for chunk in chunks {
        lanes.iter_mut().zip(chunk).for_each(|(lane, value)| *lane = add(*lane, *value));
    }
    lanes.iter_mut().zip(rest).for_each(|(lane, value)| *lane = add(*lane, *value));
    let [a, b, c, d, e, f, g, h] = lanes;
    join(join(join(a, b), join(c, d)), join(join(e, f), join(g, h)))
}

/// The smaller of two numbers: unlike `f64::min`, one vector instruction.
fn smaller(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

fn larger(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// The smallest or largest number so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Peak {
    pub(super) value: f64,
    /// The integer, if a double may not represent it.
    pub(super) integer: Option<Number>,
    /// The number of its first element.
    pub(super) at: u64,
}

/// The most tiles whose ranges are kept: those of 2^30 elements.
const MOST_RANGES: usize = 1 << 20;

/// The finite numbers of a tile.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct TileRange {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) finite: u32,
}

/// Statistics of the elements so far.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Summary {
    element: ElementType,
    pub(super) nan: u64,
    pub(super) infinite: u64,
    /// Smallest and largest finite number.
    pub(super) peaks: Option<(Peak, Peak)>,
    plain: Moments,
    huge: Moments,
    /// The ranges of the first tiles.
    ranges: Vec<TileRange>,
    /// The number of tiles.
    tiles: u64,
    /// Counts the numbers for the histogram, as long as that succeeds.
    tally: Option<Tally>,
}

impl Summary {
    pub(super) fn new(element: ElementType, tally: Option<Tally>) -> Self {
        let (plain, huge) = (Moments::default(), Moments::default());
        Self { element, nan: 0, infinite: 0, peaks: None, plain, huge, ranges: Vec::new(), tiles: 0, tally }
    }

    pub(super) fn tally(&self) -> Option<&Tally> {
        self.tally.as_ref()
    }

    /// The range of each tile; `None` if there are too many.
    pub(super) fn ranges(&self) -> Option<&[TileRange]> {
        (self.ranges.len() as u64 == self.tiles).then_some(&self.ranges)
    }

    fn note_range(&mut self, range: TileRange) {
        self.tiles += 1;
        if self.ranges.len() < MOST_RANGES {
            self.ranges.push(range);
        }
    }

    /// The mean and the standard deviation.
    pub(super) fn mean_and_deviation(&self) -> (f64, f64) {
        let deviation = |moments: Moments| (moments.squares / moments.count.max(1) as f64).sqrt();
        if self.huge.count == 0 {
            return (self.plain.mean(), deviation(self.plain));
        }
        let all = self.plain.scaled(SCALE).merged(self.huge);
        (all.mean() / SCALE, (deviation(all) / SCALE).min(f64::MAX))
    }

    /// Takes finite numbers, `values`, which are some or all of `tile`.
    fn finite(&mut self, first: u64, raw: &[u8], tile: &[f64], values: &[f64]) {
        let low = lanes(values, smaller, f64::INFINITY, smaller);
        let high = lanes(values, larger, f64::NEG_INFINITY, larger);
        self.note_range(TileRange { low, high, finite: values.len() as u32 });
        if self.tally.as_mut().is_some_and(|tally| !tally.takes(values, low, high)) {
            self.tally = None;
        }
        if low > -HUGE && high < HUGE {
            self.plain = self.plain.merged(Moments::of(values));
        } else {
            let mut scaled = [0.0; TILE];
            scaled.iter_mut().zip(values).for_each(|(to, from)| *to = from * SCALE);
            self.huge = self.huge.merged(Moments::of(scaled.get(..values.len()).unwrap_or_default()));
        }
        let place = |wanted: f64| first + tile.iter().position(|value| *value == wanted).unwrap_or(0) as u64;
        let exact = !self.element.fits_double() && matches!(self.element.kind, ElementKind::Integer { .. });
        let peak = |value: f64, sign: i32| {
            let integer = if exact && value.abs() >= MOST_EXACT { self.integer(raw, sign) } else { None };
            match integer {
                Some((number, integer)) => Peak { value, integer: Some(integer), at: first + number },
                None => Peak { value, integer: None, at: place(value) },
            }
        };
        self.peaks = Some(match self.peaks {
            None => (peak(low, -1), peak(high, 1)),
            Some((mut min, mut max)) => {
                if low < min.value || low == min.value && min.integer.is_some() {
                    let new = peak(low, -1);
                    min = if is_less(&new, &min) { new } else { min };
                }
                if high > max.value || high == max.value && max.integer.is_some() {
                    let new = peak(high, 1);
                    max = if is_less(&max, &new) { new } else { max };
                }
                (min, max)
            }
        });
    }

    /// Returns the smallest integer of a tile, or for a positive sign the largest, and its number within the tile.
    fn integer(&self, raw: &[u8], sign: i32) -> Option<(u64, Number)> {
        let mut best: Option<(u64, Number)> = None;
        for (number, element) in (0..).zip(raw.chunks_exact(self.element.size)) {
            let this = self.element.exact(element);
            let beats = |(_, known): &(u64, Number)| match (this, *known) {
                (Number::Signed(this), Number::Signed(known)) => {
                    if sign < 0 {
                        this < known
                    } else {
                        this > known
                    }
                }
                (Number::Unsigned(this), Number::Unsigned(known)) => {
                    if sign < 0 {
                        this < known
                    } else {
                        this > known
                    }
                }
                _ => false,
            };
            if best.as_ref().is_none_or(beats) {
                best = Some((number, this));
            }
        }
        best
    }
}

fn is_less(a: &Peak, b: &Peak) -> bool {
    match (a.integer, b.integer) {
        (Some(Number::Signed(a)), Some(Number::Signed(b))) => a < b,
        (Some(Number::Unsigned(a)), Some(Number::Unsigned(b))) => a < b,
        _ => a.value < b.value,
    }
}

impl TileUser for Summary {
    fn take(&mut self, first: u64, raw: &[u8]) {
        let mut doubles = [0.0; TILE];
        let tile = self.element.doubles(raw, &mut doubles);
        // The product of a number and 0 is 0, unless the number is infinite or NaN.
        let odd = lanes(tile, |sum, value| sum + value * 0.0, 0.0, |a, b| a + b);
        if odd == 0.0 {
            self.finite(first, raw, tile, tile);
            return;
        }
        let mut values = [0.0; TILE];
        let mut finite = 0;
        for value in tile {
            if value.is_nan() {
                self.nan += 1;
            } else if value.is_infinite() {
                self.infinite += 1;
            } else if let Some(place) = values.get_mut(finite) {
                *place = *value;
                finite += 1;
            }
        }
        if finite > 0 {
            self.finite(first, raw, tile, values.get(..finite).unwrap_or_default());
        } else {
            self.note_range(TileRange::default());
        }
    }
}
