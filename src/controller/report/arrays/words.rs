//! The words for parts of arrays: shapes, sections, elements.

use crate::report::numbers::significant::{DIGITS, significant};
use model::aif::{FormatOptions, Number, format};
use model::{ArrayPage, ArrayShape, Axes, Datum, Span};

/// The digits of a number in a table.
const SHORT: usize = 6;

/// An element as a table shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Its value, as `print` shows it.
    pub text: String,
    /// The same in few columns: six digits of a number with a fraction.
    pub short: String,
    /// Its value as a number; `None` if it cannot be read.
    pub number: Option<Number>,
    /// True if it meets the condition of the page.
    pub meets: bool,
}

impl Cell {
    /// True if it is not a number (IEEE 754).
    pub fn is_nan(&self) -> bool {
        self.double().is_some_and(f64::is_nan)
    }

    /// True if it is infinite.
    pub fn is_infinite(&self) -> bool {
        match self.number {
            Some(Number::Float(layout, bits)) => layout.is_infinite(bits),
            _ => false,
        }
    }

    fn double(&self) -> Option<f64> {
        match self.number? {
            number @ Number::Float(..) => Some(number.as_f64()),
            Number::Signed(_) | Number::Unsigned(_) => None,
        }
    }
}

/// Returns an element of a page by its numbers along the axes; `None` if the page does not have it.
pub fn cell(page: &ArrayPage, row: u64, column: u64, how: &FormatOptions) -> Option<Cell> {
    let (data, marks) = page.element(row, column)?;
    if marks & ArrayPage::UNREADABLE != 0 {
        let text = "<unreadable>".to_owned();
        return Some(Cell { short: text.clone(), text, number: None, meets: false });
    }
    let datum = Datum { descriptor: page.descriptor.clone(), data: data.to_vec(), type_name: String::new() };
    let text = format(&datum, &how.on_one_line()).unwrap_or_else(|error| format!("<{error}>"));
    let number = datum.number();
    let short = number.and_then(short).unwrap_or_else(|| text.clone());
    Some(Cell { text, short, number, meets: marks & ArrayPage::MEETS != 0 })
}

/// Writes a floating-point number in few columns; `None` for other numbers, and those that are too large for a double.
fn short(number: Number) -> Option<String> {
    let Number::Float(layout, bits) = number else { return None };
    let value = number.as_f64();
    if value.is_nan() {
        return Some("nan".to_owned());
    }
    (value.is_finite() || layout.is_infinite(bits)).then(|| rounded(value))
}

/// Writes a number with six digits.
pub fn rounded(value: f64) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    significant(value, SHORT)
}

/// Writes a statistical number: with six digits, a mean could be less than the minimum.
pub fn measured(value: f64) -> String {
    significant(value, DIGITS)
}

/// Writes subscripts as the language does.
fn subscripts(shape: &ArrayShape, each: impl Iterator<Item = String>) -> String {
    let each: Vec<String> = each.collect();
    match each.as_slice() {
        [] => String::new(),
        each if shape.parentheses => format!("({})", each.join(",")),
        each => each.iter().map(|one| format!("[{one}]")).collect(),
    }
}

/// The dimensions: `[3][4]`, `(1:3,0:4)`.
pub fn dimensions(shape: &ArrayShape) -> String {
    let bounds = |extent: &model::ArrayExtent| match extent.lower {
        0 if !shape.by_columns => extent.count.to_string(),
        lower if extent.count == 0 => format!("{lower}:{}", lower.saturating_sub(1)),
        lower => format!("{lower}:{}", extent.subscript(extent.count - 1)),
    };
    subscripts(shape, shape.extents.iter().map(bounds))
}

/// The place of an element by its number in each dimension: `[2][0]`, `(3,1)`.
pub fn element_place(shape: &ArrayShape, at: &[u64]) -> String {
    subscripts(shape, shape.extents.iter().zip(at).map(|(extent, at)| extent.subscript(*at).to_string()))
}

/// A section of more than two dimensions: `[1][:][:]`; empty if the array has no others.
pub fn section_words(shape: &ArrayShape, axes: Axes, at: &[u64]) -> String {
    let is_axis = |dimension: usize| [axes.rows, axes.columns].contains(&u32::try_from(dimension).ok());
    let others = (0..shape.extents.len()).any(|dimension| !is_axis(dimension));
    if !others {
        return String::new();
    }
    let each = shape.extents.iter().zip(at).enumerate().map(|(dimension, (extent, at))| {
        if is_axis(dimension) { ":".to_owned() } else { extent.subscript(*at).to_string() }
    });
    subscripts(shape, each)
}

/// A part of a section, by the first and the last subscripts: `[1][0:63][128:255]`.
pub fn part_words(shape: &ArrayShape, axes: Axes, at: &[u64], (rows, columns): (Span, Span)) -> String {
    let span = |axis: Option<u32>, span: Span, dimension: usize| {
        (axis == u32::try_from(dimension).ok()).then(|| span.within(shape.along(axis).count))
    };
    let each = shape.extents.iter().zip(at).enumerate().map(|(dimension, (extent, at))| {
        match span(axes.rows, rows, dimension).or_else(|| span(axes.columns, columns, dimension)) {
            Some(Span { from, count }) => {
                format!("{}:{}", extent.subscript(from), extent.subscript(from + count.saturating_sub(1)))
            }
            None => extent.subscript(*at).to_string(),
        }
    });
    subscripts(shape, each)
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{ArrayExtent, ArraySection};

    fn shape(extents: &[(i64, u64)], fortran: bool) -> ArrayShape {
        ArrayShape {
            element_type: "double".into(),
            extents: extents.iter().map(|(lower, count)| ArrayExtent { lower: *lower, count: *count }).collect(),
            parentheses: fortran,
            by_columns: fortran,
        }
    }

    #[test]
    fn dimensions_and_sections_are_written_as_in_the_source() {
        let cube = shape(&[(0, 2), (0, 3), (0, 4)], false);
        assert_eq!(dimensions(&cube), "[2][3][4]");
        assert_eq!(section_words(&cube, cube.usual_axes(), &[1, 0, 0]), "[1][:][:]");
        assert_eq!(element_place(&cube, &[1, 2, 3]), "[1][2][3]");
        let field = shape(&[(1, 3), (0, 5), (-1, 2)], true);
        assert_eq!(dimensions(&field), "(1:3,0:4,-1:0)");
        assert_eq!(section_words(&field, field.usual_axes(), &[0, 0, 1]), "(:,:,0)");
        assert_eq!(element_place(&field, &[0, 1, 1]), "(1,1,0)");
        let plane = shape(&[(0, 3), (0, 4)], false);
        let part = (Span { from: 1, count: 2 }, Span { from: 0, count: 1 });
        assert_eq!(part_words(&cube, cube.usual_axes(), &[1, 0, 0], part), "[1][1:2][0:0]");
        assert_eq!(part_words(&field, field.usual_axes(), &[0, 0, 1], part), "(2:3,0:0,0)");
        assert_eq!(part_words(&plane, plane.usual_axes(), &[0, 0], (Span::ALL, part.1)), "[0:2][0:0]");
        assert_eq!(section_words(&plane, plane.usual_axes(), &[0, 0]), "");
        assert_eq!(dimensions(&shape(&[(1, 0)], true)), "(1:0)");
        assert_eq!(dimensions(&shape(&[], false)), "");
    }

    #[test]
    fn elements_are_shown_as_print_shows_them() {
        let section = ArraySection {
            axes: None,
            at: Vec::new(),
            rows: Span { from: 0, count: 1 },
            columns: Span { from: 3, count: 3 },
        };
        let data: Vec<u8> = [0.5, f64::NAN, 0.0].into_iter().flat_map(f64::to_be_bytes).collect();
        let marks = vec![ArrayPage::MEETS, 0, ArrayPage::UNREADABLE];
        let page = ArrayPage { section, descriptor: "f8".into(), data, marks };
        let cell = |column| cell(&page, 0, column, &FormatOptions::default()).unwrap();
        assert_eq!((cell(3).text.as_str(), cell(3).meets, cell(3).is_nan()), ("0.5", true, false));
        assert!(cell(4).is_nan() && !cell(4).is_infinite() && cell(4).short == "nan");
        assert_eq!((cell(5).text.as_str(), cell(5).number), ("<unreadable>", None));
    }
}
