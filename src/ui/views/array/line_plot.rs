//! The picture of an array of one dimension: in each column the range of its elements, in dots of braille.

use crate::screen::Pen;
use crate::theme::Role;
use model::{ArrayPicture, Pixel};
use ratatui::layout::Rect;

/// The bit of each dot of a braille character (Unicode, "Braille Patterns"): by row, then by column.
const DOTS: [[u32; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

pub(super) fn draw(pen: &mut Pen<'_>, area: Rect, picture: &ArrayPicture) {
    if picture.width == 0 {
        pen.row(area, 0).put(" ", Role::Text).put("the array has no elements", Role::Dim);
        return;
    }
    let ascii = pen.glyphs.cut.is_ascii();
    let (across, down) = if ascii { (1, 1) } else { (2, 4) };
    let (width, height) = (u32::from(area.width) * across, u32::from(area.height) * down);
    let ranges = ranges(picture, width, height);
    for line in 0..u32::from(area.height) {
        let mut text = pen.row(area, line as u16);
        for x in 0..u32::from(area.width) {
            let columns = (0..across).map(|part| ranges.get((x * across + part) as usize).copied().unwrap_or_default());
            let columns: Vec<Column> = columns.collect();
            let is_bottom = line + 1 == u32::from(area.height);
            if let Some(odd) = columns.iter().find_map(|column| column.odd).filter(|_| is_bottom) {
                text.sign(odd, Role::Error);
                continue;
            }
            let mut bits = 0;
            for (column, dots) in columns.iter().enumerate() {
                for part in 0..down {
                    let y = line * down + part;
                    if dots.rows.is_some_and(|(top, bottom)| (top..=bottom).contains(&y)) {
                        bits |= DOTS.get(part as usize).and_then(|row| row.get(column)).copied().unwrap_or(0);
                    }
                }
            }
            let sign = if bits == 0 {
                ' '
            } else if ascii {
                '*'
            } else {
                char::from_u32(0x2800 + bits).unwrap_or(' ')
            };
            text.sign(sign, Role::Plot);
        }
    }
}

/// A column of dots.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Column {
    /// The first and the last row of its line; `None` if it has no finite number.
    pub(super) rows: Option<(u32, u32)>,
    /// The sign of an element that is not finite.
    pub(super) odd: Option<char>,
}

/// Returns the columns of dots: the line is not interrupted between two columns.
pub(super) fn ranges(picture: &ArrayPicture, width: u32, height: u32) -> Vec<Column> {
    let row = |level: f64| ((1.0 - level) * f64::from(height.saturating_sub(1))).round() as u32;
    let shown = if picture.width < width { width } else { picture.width };
    let mut columns: Vec<Column> = Vec::new();
    for x in 0..shown.min(width) {
        let from = (u64::from(x) * u64::from(picture.width) / u64::from(shown.min(width))) as u32;
        let until = (u64::from(x + 1) * u64::from(picture.width)).div_ceil(u64::from(shown.min(width))) as u32;
        let mut column = Column::default();
        for pixel in from..until.max(from + 1) {
            match (picture.pixel(0, 0, pixel), picture.pixel(1, 0, pixel)) {
                (Some(Pixel::Level(low)), Some(Pixel::Level(high))) => {
                    let (top, bottom) = (row(high), row(low));
                    let known = column.rows.unwrap_or((top, bottom));
                    column.rows = Some((known.0.min(top), known.1.max(bottom)));
                }
                (Some(Pixel::NotANumber), _) => column.odd = Some('N'),
                (Some(Pixel::Infinite), _) => column.odd = Some('I'),
                _ => {}
            }
        }
        if let (Some((top, bottom)), Some(Column { rows: Some((above, below)), .. })) = (column.rows, columns.last()) {
            // A steep line has dots in every row that it passes.
            let top = if *below < top { below + 1 } else { top };
            let bottom = if *above > bottom { above - 1 } else { bottom };
            column.rows = Some((top.min(bottom), bottom.max(top)));
        }
        columns.push(column);
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{ArraySection, Double, Reduction};

    fn picture(levels: &[(u16, u16)]) -> ArrayPicture {
        let planes = levels.iter().map(|pair| pair.0).chain(levels.iter().map(|pair| pair.1));
        ArrayPicture {
            section: ArraySection::default(),
            height: 1,
            width: levels.len() as u32,
            reductions: vec![Reduction::Minimum, Reduction::Maximum],
            range: Some((Double::new(0.0), Double::new(1.0))),
            levels: planes.flat_map(u16::to_be_bytes).collect(),
        }
    }

    #[test]
    fn a_steep_line_is_not_interrupted() {
        let top = ArrayPicture::HIGHEST;
        let drawn = ranges(&picture(&[(0, 0), (top, top), (0, top), (ArrayPicture::NAN, ArrayPicture::NAN)]), 4, 10);
        let rows: Vec<Option<(u32, u32)>> = drawn.iter().map(|column| column.rows).collect();
        assert_eq!(rows, [Some((9, 9)), Some((0, 8)), Some((0, 9)), None]);
        assert_eq!(drawn.last().and_then(|column| column.odd), Some('N'));
    }

    #[test]
    fn few_elements_are_drawn_wider() {
        let drawn = ranges(&picture(&[(0, 0), (0, 0)]), 6, 4);
        assert_eq!(drawn.len(), 6);
        assert!(drawn.iter().all(|column| column.rows == Some((3, 3))), "{drawn:?}");
    }
}
