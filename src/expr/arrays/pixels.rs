//! Reduces a section of an array to pixels.

use super::element_kind::ElementType;
use super::numeric_array::{Extent, NumericArray};
use super::summary::lanes;
use super::tiles::{TILE, TileUser};
use super::walk::{may_begin, walk};
use crate::EvalError;
use crate::context::EvalContext;
use model::{ArrayPicture, ArraySection, Double, Reduction};
use std::time::Instant;

/// The elements of a dimension, divided among pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Raster {
    pub(super) elements: u64,
    /// No more than there are elements.
    pub(super) pixels: u64,
}

impl Raster {
    pub(super) fn new(elements: u64, most: u32) -> Self {
        Self { elements, pixels: u64::from(most).min(elements) }
    }

    /// The pixel of an element.
    fn pixel(self, element: u64) -> u64 {
        (u128::from(element) * u128::from(self.pixels) / u128::from(self.elements.max(1))) as u64
    }

    /// The first element behind those of a pixel.
    pub(super) fn end(self, pixel: u64) -> u64 {
        let end = (u128::from(pixel) + 1) * u128::from(self.elements);
        end.div_ceil(u128::from(self.pixels.max(1))) as u64
    }

    /// How many elements a pixel has.
    pub(super) fn count(self, pixel: u64) -> u64 {
        self.end(pixel) - if pixel == 0 { 0 } else { self.end(pixel - 1) }
    }
}

/// The elements of a pixel.
#[derive(Clone, Copy, Debug)]
struct Gathered {
    mean: f64,
    low: f64,
    high: f64,
    /// True if one of them is not a number.
    nan: bool,
    infinite: bool,
}

/// Gathers elements in pixels: a walk gives them in rows.
pub(super) struct Pixels {
    element: ElementType,
    /// From one row of the walk to the next.
    outer: Raster,
    /// Along a row of the walk.
    inner: Raster,
    gathered: Vec<Gathered>,
}

impl Pixels {
    pub(super) fn new(element: ElementType, outer: Raster, inner: Raster) -> Self {
        let none = Gathered { mean: 0.0, low: f64::INFINITY, high: f64::NEG_INFINITY, nan: false, infinite: false };
        let gathered = vec![none; (outer.pixels * inner.pixels) as usize];
        Self { element, outer, inner, gathered }
    }

    /// Returns what a pixel shows: NaN or an infinity if one of its elements is that.
    pub(super) fn shows(&self, outer: u64, inner: u64, reduction: Reduction) -> f64 {
        let Some(pixel) = self.gathered.get((outer * self.inner.pixels + inner) as usize) else { return f64::NAN };
        match reduction {
            _ if pixel.nan => f64::NAN,
            _ if pixel.infinite => f64::INFINITY,
            // Rounding must not move the mean out of the range.
            Reduction::Mean => pixel.mean.max(pixel.low).min(pixel.high),
            Reduction::Minimum => pixel.low,
            Reduction::Maximum => pixel.high,
        }
    }
}

impl TileUser for Pixels {
    fn take(&mut self, first: u64, raw: &[u8]) {
        let mut doubles = [0.0; TILE];
        let mut rest = self.element.doubles(raw, &mut doubles);
        let mut number = first;
        while !rest.is_empty() {
            let (row, at) = (number / self.inner.elements, number % self.inner.elements);
            let (outer, inner) = (self.outer.pixel(row), self.inner.pixel(at));
            let run = usize::try_from(self.inner.end(inner) - at).unwrap_or(usize::MAX).min(rest.len());
            let (values, after) = rest.split_at(run);
            let share = 1.0 / (self.outer.count(outer) as f64 * self.inner.count(inner) as f64);
            if let Some(pixel) = self.gathered.get_mut((outer * self.inner.pixels + inner) as usize) {
                pixel.add(values, share);
            }
            rest = after;
            number += run as u64;
        }
    }
}

impl Gathered {
    /// Adds elements; `share` is the part of the mean that each of them is.
    fn add(&mut self, values: &[f64], share: f64) {
        // The product of a number and 0 is 0, unless the number is infinite or NaN.
        if lanes(values, |sum, value| sum + value * 0.0, 0.0, |a, b| a + b) != 0.0 {
            self.nan |= values.iter().any(|value| value.is_nan());
            self.infinite |= values.iter().any(|value| value.is_infinite());
            return;
        }
        self.mean += lanes(values, |sum, value| sum + value * share, 0.0, |a, b| a + b);
        self.low = self.low.min(lanes(values, f64::min, f64::INFINITY, f64::min));
        self.high = self.high.max(lanes(values, f64::max, f64::NEG_INFINITY, f64::max));
    }
}

/// Reduces the elements of a section, which are its `elements`, to pixels.
pub(super) fn picture(
    elements: &NumericArray,
    section: ArraySection,
    (height, width): (u32, u32),
    reductions: &[Reduction],
    context: &EvalContext<'_>,
) -> Result<ArrayPicture, EvalError> {
    let since = Instant::now();
    let width = width.clamp(1, ArrayPicture::MOST);
    let height = height.clamp(1, ArrayPicture::MOST / width);
    let [rows, columns] = [(0, height), (1, width)]
        .map(|(dimension, most)| Raster::new(elements.extents.get(dimension).map_or(0, |extent| extent.count), most));
    let mut along_memory = elements.clone();
    let is_turned = is_turned(&elements.extents);
    if is_turned {
        along_memory.extents.reverse();
    }
    may_begin(&along_memory, context)?;
    let (outer, inner) = if is_turned { (columns, rows) } else { (rows, columns) };
    let mut pixels = Pixels::new(elements.element, outer, inner);
    walk(&along_memory, context, since, &mut pixels)?;
    let reductions: Vec<Reduction> = Reduction::ALL.into_iter().filter(|known| reductions.contains(known)).collect();
    let mut values = Vec::new();
    for reduction in &reductions {
        let places = (0..rows.pixels).flat_map(|row| (0..columns.pixels).map(move |column| (row, column)));
        values.extend(places.map(|(row, column)| {
            let (outer, inner) = if is_turned { (column, row) } else { (row, column) };
            pixels.shows(outer, inner, *reduction)
        }));
    }
    let range = range_of(&values);
    Ok(ArrayPicture {
        section,
        height: rows.pixels as u32,
        width: columns.pixels as u32,
        reductions,
        range: range.map(|(low, high)| (Double::new(low), Double::new(high))),
        levels: values.iter().flat_map(|value| level(*value, range).to_be_bytes()).collect(),
    })
}

/// True if the elements of a column are closer together in memory than those of a row.
fn is_turned(extents: &[Extent]) -> bool {
    let gap = |extent: &Extent| extent.distance.unsigned_abs();
    matches!(extents, [rows, columns] if rows.count > 1 && columns.count > 1 && gap(rows) < gap(columns))
}

fn range_of(values: &[f64]) -> Option<(f64, f64)> {
    let finite = values.iter().copied().filter(|value| value.is_finite());
    finite.map(|value| (value, value)).reduce(|(low, high), (value, _)| (low.min(value), high.max(value)))
}

/// Returns the place of a number in a range.
fn level(value: f64, range: Option<(f64, f64)>) -> u16 {
    let Some((low, high)) = range.filter(|_| value.is_finite()) else {
        return if value.is_infinite() { ArrayPicture::INFINITE } else { ArrayPicture::NAN };
    };
    // Halved: the difference of huge numbers may overflow.
    let (value, low, high) = (value / 2.0, low / 2.0, high / 2.0);
    let place = if high > low { (value - low) / (high - low) } else { 0.0 };
    (place * f64::from(ArrayPicture::HIGHEST)).round() as u16
}

#[cfg(test)]
mod tests {
    use super::super::element_kind::ElementKind;
    use super::super::tiles::Tiles;
    use super::*;
    use proptest::prelude::*;

    const DOUBLE: ElementType = ElementType { kind: ElementKind::Double, size: 8 };

    fn number() -> impl Strategy<Value = f64> {
        prop_oneof![
            200 => -1e3..1e3,
            20 => (-4_i32..4).prop_map(f64::from),
            1 => prop_oneof![Just(f64::NAN), Just(f64::INFINITY), Just(f64::NEG_INFINITY), Just(1e308)],
        ]
    }

    /// What a pixel of these elements shows, computed directly.
    fn directly(elements: &[f64], reduction: Reduction) -> f64 {
        if elements.iter().any(|value| value.is_nan()) {
            return f64::NAN;
        }
        if elements.iter().any(|value| value.is_infinite()) {
            return f64::INFINITY;
        }
        match reduction {
            Reduction::Mean => elements.iter().map(|value| value / elements.len() as f64).sum(),
            Reduction::Minimum => elements.iter().copied().fold(f64::INFINITY, f64::min),
            Reduction::Maximum => elements.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        }
    }

    fn is_close(a: f64, b: f64) -> bool {
        a == b || a.is_nan() && b.is_nan() || (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1e3)
    }

    proptest! {
        #[test]
        fn pixels_equal_those_computed_directly(
            some in proptest::collection::vec(number(), 1..300),
            (rows, columns) in (1_u64..60, 1_u64..120),
            (height, width) in (1_u32..40, 1_u32..40),
            part in 1_usize..5000,
        ) {
            let elements: Vec<f64> =
                (0..rows * columns).map(|at| some[(at * at % 1009) as usize % some.len()]).collect();
            let (outer, inner) = (Raster::new(rows, height), Raster::new(columns, width));
            let mut pixels = Pixels::new(DOUBLE, outer, inner);
            let raw: Vec<u8> = elements.iter().flat_map(|value| value.to_le_bytes()).collect();
            let mut tiles = Tiles::new(8, &mut pixels);
            raw.chunks(part * 8).for_each(|part| tiles.add(part));
            tiles.end();
            let mut seen = 0;
            for row in 0..outer.pixels {
                for column in 0..inner.pixels {
                    let start = |raster: Raster, pixel: u64| raster.end(pixel) - raster.count(pixel);
                    let of_row = |row: u64| {
                        let columns_of = start(inner, column)..inner.end(column);
                        columns_of.map(move |column| row * columns + column)
                    };
                    let rows_of = start(outer, row)..outer.end(row);
                    let own: Vec<f64> = rows_of.flat_map(of_row).map(|at| elements[at as usize]).collect();
                    seen += own.len();
                    for reduction in Reduction::ALL {
                        let (shown, wanted) = (pixels.shows(row, column, reduction), directly(&own, reduction));
                        prop_assert!(is_close(shown, wanted), "{reduction:?} {row},{column}: {shown} is not {wanted}");
                    }
                }
            }
            prop_assert_eq!(seen, elements.len(), "each element is in one pixel");
        }

        #[test]
        fn a_level_is_no_further_from_its_number_than_half_a_step(a in -1e3..1e3_f64, b in -1e3..1e3_f64, part in 0.0..1.0) {
            let (low, high) = (a.min(b), a.max(b));
            let value = low + (high - low) * part;
            let shown = low + (high - low) * f64::from(level(value, Some((low, high)))) / f64::from(ArrayPicture::HIGHEST);
            prop_assert!((shown - value).abs() <= (high - low) / f64::from(ArrayPicture::HIGHEST) * 0.51 + 1e-12);
        }
    }
}
