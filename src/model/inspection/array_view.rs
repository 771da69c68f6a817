//! Parts of an array of numbers, for a view that shows some of them: a page of elements, a picture, the next match.

use super::array_numbers::{Double, ScanCondition};
use serde::{Deserialize, Serialize};

/// Neighbours along a dimension, counted from its first element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Span {
    /// The first.
    pub from: u64,
    /// How many.
    pub count: u64,
}

impl Span {
    /// All of them.
    pub const ALL: Self = Self { from: 0, count: u64::MAX };

    /// Those of a dimension with so many elements: as many as asked for, moved so that they are inside.
    #[must_use]
    pub fn within(self, all: u64) -> Self {
        let count = self.count.min(all);
        Self { from: self.from.min(all - count), count }
    }

    /// The end: the number after the last one.
    pub fn end(self) -> u64 {
        self.from.saturating_add(self.count)
    }

    /// True if the other is a part of it.
    pub fn contains(self, other: Self) -> bool {
        self.from <= other.from && other.end() <= self.end()
    }
}

/// A dimension of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ArrayExtent {
    /// The subscript of its first element.
    pub lower: i64,
    /// The number of its elements.
    pub count: u64,
}

impl ArrayExtent {
    /// The subscript of an element by its number, from 0.
    pub fn subscript(self, number: u64) -> i64 {
        self.lower.saturating_add_unsigned(number)
    }
}

/// The dimensions and the element type of an array of numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ArrayShape {
    /// The type of an element, as in DWARF.
    pub element_type: String,
    /// The dimensions in the order of the subscripts in the source; none for a single number.
    pub extents: Vec<ArrayExtent>,
    /// True if subscripts are written in one pair of parentheses.
    pub parentheses: bool,
    /// True if the first subscript changes fastest in memory, as in Fortran.
    pub by_columns: bool,
}

impl ArrayShape {
    /// The number of elements.
    pub fn count(&self) -> u64 {
        self.extents.iter().fold(1, |count, extent| count.saturating_mul(extent.count))
    }

    /// The dimensions along the rows and the columns of a section that chooses none: the two that memory has closest
    /// together, the earlier subscript for the rows. An array of one dimension is one row.
    pub fn usual_axes(&self) -> Axes {
        let last = self.extents.len() as u32;
        match last {
            0 => Axes { rows: None, columns: None },
            1 => Axes { rows: None, columns: Some(0) },
            _ if self.by_columns => Axes { rows: Some(0), columns: Some(1) },
            _ => Axes { rows: Some(last - 2), columns: Some(last - 1) },
        }
    }

    /// The dimension of an axis; one element if there is none.
    pub fn along(&self, axis: Option<u32>) -> ArrayExtent {
        let found = axis.and_then(|axis| self.extents.get(axis as usize)).copied();
        found.unwrap_or(ArrayExtent { lower: 0, count: 1 })
    }
}

/// The dimensions along the rows and the columns of a section, counted from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Axes {
    /// The dimension that changes from row to row; `None`: there is one row.
    pub rows: Option<u32>,
    /// The dimension that changes from column to column; `None`: there is one column.
    pub columns: Option<u32>,
}

/// A section of an array in at most two dimensions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ArraySection {
    /// The dimensions shown; `None`: the usual ones.
    pub axes: Option<Axes>,
    /// The element of each dimension, counted from 0, that the section is in; those of its axes have no meaning, and
    /// missing ones are 0.
    pub at: Vec<u64>,
    /// The rows. Of an array of one dimension, which has one row, so many times the columns are meant.
    pub rows: Span,
    /// The columns.
    pub columns: Span,
}

/// What a pixel shows of the elements that it stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Reduction {
    /// The arithmetic mean.
    #[default]
    Mean,
    /// The smallest.
    Minimum,
    /// The largest.
    Maximum,
}

impl Reduction {
    /// Every reduction.
    pub const ALL: [Self; 3] = [Self::Mean, Self::Minimum, Self::Maximum];

    /// Its short name.
    pub fn word(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Minimum => "min",
            Self::Maximum => "max",
        }
    }
}

/// What a view wants to know of an array.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ArrayLook {
    /// The elements of a section. Answer: `ArrayFinding::Page`.
    Page {
        /// The section.
        section: ArraySection,
        /// Elements that meet it are marked.
        condition: Option<ScanCondition>,
    },
    /// A section, reduced to pixels. Answer: `ArrayFinding::Picture`.
    Picture {
        /// The section.
        section: ArraySection,
        /// The most rows of pixels.
        height: u32,
        /// The most columns of pixels.
        width: u32,
        /// What each pixel shows: a plane of pixels for each.
        reductions: Vec<Reduction>,
    },
    /// The next element that meets a condition, in the order of memory; after the last one comes the first. Answer:
    /// `ArrayFinding::Match`.
    Match {
        /// The condition.
        condition: ScanCondition,
        /// The element, by its number in each dimension, from which to search; it is found last.
        from: Vec<u64>,
        /// True to search for the one before.
        backward: bool,
    },
}

impl ArrayLook {
    /// True if all elements of a section or of the array are read for it.
    pub fn is_of_all(&self) -> bool {
        !matches!(self, Self::Page { .. })
    }
}

/// The elements of a section.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ArrayPage {
    /// The section, moved into the array, with its axes and all of `at`.
    pub section: ArraySection,
    /// The AIF descriptor of an element.
    pub descriptor: String,
    /// The AIF data of the elements, row by row, each of equal length.
    pub data: Vec<u8>,
    /// A byte for each element, of [`ArrayPage::UNREADABLE`] and [`ArrayPage::MEETS`]; empty if all are 0.
    pub marks: Vec<u8>,
}

impl ArrayPage {
    /// The mark of an element in memory that cannot be read.
    pub const UNREADABLE: u8 = 1;
    /// The mark of an element that meets the condition.
    pub const MEETS: u8 = 2;
    /// The most elements of a page.
    pub const MOST: u64 = 1 << 14;

    /// The place of an element within the page; `None` if it is elsewhere.
    fn place(&self, row: u64, column: u64) -> Option<usize> {
        let (rows, columns) = (self.section.rows, self.section.columns);
        let (row, column) = (row.checked_sub(rows.from)?, column.checked_sub(columns.from)?);
        let is_inside = row < rows.count && column < columns.count;
        is_inside.then_some(())?;
        usize::try_from(row.checked_mul(columns.count)?.checked_add(column)?).ok()
    }

    /// Returns the AIF data and the marks of an element by its numbers along the axes.
    pub fn element(&self, row: u64, column: u64) -> Option<(&[u8], u8)> {
        let place = self.place(row, column)?;
        let all = usize::try_from(self.section.rows.count.checked_mul(self.section.columns.count)?).ok()?;
        let size = self.data.len().checked_div(all)?;
        let data = self.data.get(place * size..(place + 1) * size)?;
        Some((data, self.marks.get(place).copied().unwrap_or(0)))
    }
}

/// A section of an array, reduced to pixels.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ArrayPicture {
    /// The section, moved into the array, with its axes and all of `at`.
    pub section: ArraySection,
    /// The rows of pixels: no more than the section has.
    pub height: u32,
    /// The columns of pixels.
    pub width: u32,
    /// What the planes show.
    pub reductions: Vec<Reduction>,
    /// The smallest and the largest finite number of all planes; `None` if there is none.
    pub range: Option<(Double, Double)>,
    /// For each plane, row by row: the place of each pixel in the range as two bytes, big endian, or
    /// [`ArrayPicture::NAN`], [`ArrayPicture::INFINITE`] or [`ArrayPicture::MISSING`].
    pub levels: Vec<u8>,
}

/// What a pixel shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pixel {
    /// A place in the range, from 0 to 1.
    Level(f64),
    /// One of its elements is not a number.
    NotANumber,
    /// One of its elements is infinite, and none of them is not a number.
    Infinite,
    /// Nothing is known of its elements, as of those of a rank that has not answered.
    Missing,
}

impl ArrayPicture {
    /// The level of a pixel with an element that is not a number.
    pub const NAN: u16 = u16::MAX;
    /// The level of a pixel with an infinite element.
    pub const INFINITE: u16 = u16::MAX - 1;
    /// The level of a pixel of which nothing is known.
    pub const MISSING: u16 = u16::MAX - 2;
    /// The level of the largest number of the range.
    pub const HIGHEST: u16 = u16::MAX - 3;
    /// The most pixels of a plane.
    pub const MOST: u32 = 1 << 17;

    /// Returns a pixel of a plane.
    pub fn pixel(&self, plane: usize, row: u32, column: u32) -> Option<Pixel> {
        if row >= self.height || column >= self.width {
            return None;
        }
        let (height, width) = (self.height as usize, self.width as usize);
        let at = ((plane * height + row as usize) * width + column as usize) * 2;
        let level = u16::from_be_bytes(*self.levels.get(at..at + 2)?.first_chunk()?);
        Some(match level {
            Self::NAN => Pixel::NotANumber,
            Self::INFINITE => Pixel::Infinite,
            Self::MISSING => Pixel::Missing,
            level => Pixel::Level(f64::from(level) / f64::from(Self::HIGHEST)),
        })
    }

    /// The number that a place in the range stands for.
    pub fn value(&self, level: f64) -> Option<f64> {
        let (low, high) = self.range?;
        // Halved: the difference of huge numbers may overflow.
        let (low, high) = (low.get() / 2.0, high.get() / 2.0);
        Some((low + (high - low) * level) * 2.0)
    }
}

/// An element that meets a condition.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ArrayMatch {
    /// Its number in each dimension.
    pub at: Vec<u64>,
    /// Its number among all that meet the condition, from 1.
    pub number: u64,
    /// How many meet the condition.
    pub found: u64,
}

/// What was found of an array.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ArrayFinding {
    /// Elements.
    Page(ArrayPage),
    /// Pixels.
    Picture(ArrayPicture),
    /// The next match; `None` if no element meets the condition.
    Match(Option<ArrayMatch>),
}

/// A part of an array of numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ArrayPart {
    /// The whole.
    pub shape: ArrayShape,
    /// The part.
    pub finding: ArrayFinding,
}

impl ArrayPart {
    /// All bytes of elements and pixels in it.
    pub(crate) fn byte_parts(&mut self) -> Vec<&mut Vec<u8>> {
        match &mut self.finding {
            ArrayFinding::Page(page) => vec![&mut page.data, &mut page.marks],
            ArrayFinding::Picture(picture) => vec![&mut picture.levels],
            ArrayFinding::Match(_) => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_is_moved_into_its_dimension() {
        let span = |from, count| Span { from, count };
        assert_eq!(span(5, 10).within(20), span(5, 10));
        assert_eq!(span(15, 10).within(20), span(10, 10));
        assert_eq!(span(3, 10).within(4), span(0, 4));
        assert_eq!((Span::ALL.within(7), span(1, 2).within(0)), (span(0, 7), span(0, 0)));
        assert!(span(2, 4).contains(span(3, 3)) && !span(2, 4).contains(span(3, 4)));
    }

    #[test]
    fn the_usual_axes_are_closest_in_memory() {
        let shape = |dimensions: usize, by_columns| ArrayShape {
            element_type: "double".into(),
            extents: vec![ArrayExtent { lower: 0, count: 3 }; dimensions],
            parentheses: by_columns,
            by_columns,
        };
        let axes = |rows, columns| Axes { rows, columns };
        assert_eq!(shape(3, false).usual_axes(), axes(Some(1), Some(2)));
        assert_eq!(shape(3, true).usual_axes(), axes(Some(0), Some(1)));
        assert_eq!(
            (shape(1, true).usual_axes(), shape(0, false).usual_axes()),
            (axes(None, Some(0)), axes(None, None))
        );
    }

    #[test]
    fn an_element_is_found_by_its_numbers_along_the_axes() {
        let section = ArraySection {
            axes: None,
            at: vec![],
            rows: Span { from: 4, count: 2 },
            columns: Span { from: 1, count: 3 },
        };
        let marks = vec![0, 0, 0, 0, 0, ArrayPage::MEETS];
        let page = ArrayPage { section, descriptor: "is2".into(), data: (0..12).collect(), marks };
        assert_eq!(page.element(5, 3), Some((&[10_u8, 11][..], ArrayPage::MEETS)));
        assert_eq!(page.element(4, 1), Some((&[0_u8, 1][..], 0)));
        assert_eq!((page.element(3, 1), page.element(4, 4), page.element(6, 1)), (None, None, None));
    }

    #[test]
    fn levels_are_places_in_the_range() {
        let levels = [0, ArrayPicture::HIGHEST, ArrayPicture::NAN, ArrayPicture::INFINITE];
        let picture = ArrayPicture {
            section: ArraySection::default(),
            height: 1,
            width: 4,
            reductions: vec![Reduction::Mean],
            range: Some((Double::new(-f64::MAX), Double::new(f64::MAX))),
            levels: levels.into_iter().flat_map(u16::to_be_bytes).collect(),
        };
        let pixels: Vec<Pixel> = (0..4).filter_map(|column| picture.pixel(0, 0, column)).collect();
        assert_eq!(pixels, [Pixel::Level(0.0), Pixel::Level(1.0), Pixel::NotANumber, Pixel::Infinite]);
        assert_eq!((picture.value(0.5), picture.value(1.0)), (Some(0.0), Some(f64::MAX)));
        assert_eq!((picture.pixel(0, 1, 0), picture.pixel(1, 0, 0)), (None, None));
    }
}
