//! Numbers as text with commas: a line for each row of the last subscript.

use model::aif::Number;
use model::{ElementForm, FloatFormat, NumberGrid, NumberKind, Rank};
use std::fmt::Write as _;

/// Writes the numbers of a rank as text, part by part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CsvWriter {
    /// The numbers in the line so far.
    column: u64,
}

impl CsvWriter {
    /// Returns the text of some elements, in rows. Each line begins with the rank if several have their numbers in the
    /// file. The bytes end with an element. Structs have no text.
    pub(super) fn text(&mut self, grid: &NumberGrid, rank: Option<Rank>, bytes: &[u8]) -> String {
        let ElementForm::Number(kind) = grid.element else { return String::new() };
        let width = if grid.counts.len() > 1 { grid.counts.last().copied().unwrap_or(1) } else { 1 };
        let mut text = String::new();
        for element in bytes.chunks_exact((grid.size as usize).max(1)) {
            if self.column > 0 {
                text.push(',');
            } else if let Some(rank) = rank {
                // Writing to a string succeeds.
                let _ = write!(text, "{},", rank.0);
            }
            add_number(kind, element, &mut text);
            self.column += 1;
            if self.column >= width {
                text.push('\n');
                self.column = 0;
            }
        }
        text
    }
}

fn bits(bytes: &[u8]) -> u128 {
    let mut whole = [0; 16];
    whole.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
    u128::from_le_bytes(whole)
}

/// Adds the shortest text that is read back as the same number.
fn add_number(kind: NumberKind, bytes: &[u8], text: &mut String) {
    let _ = match kind {
        NumberKind::Unsigned | NumberKind::Boolean => write!(text, "{}", bits(bytes)),
        NumberKind::Signed => {
            let unused = 128 - 8 * (bytes.len() as u32).clamp(1, 16);
            write!(text, "{}", (bits(bytes) << unused) as i128 >> unused)
        }
        NumberKind::Float(format) => {
            text.push_str(&float(format, bytes));
            Ok(())
        }
        NumberKind::Complex(format) => {
            let (real, imaginary) = bytes.split_at(bytes.len() / 2);
            let imaginary = float(format, imaginary);
            let sign = if imaginary.starts_with('-') { "" } else { "+" };
            write!(text, "{}{sign}{imaginary}j", float(format, real))
        }
    };
}

fn float(format: FloatFormat, bytes: &[u8]) -> String {
    let Some(layout) = format.layout() else { return String::new() };
    let bits = bits(bytes) & (u128::MAX >> (128 - 8 * layout.size.clamp(1, 16)));
    let value = Number::Float(layout, bits).as_f64();
    match format {
        _ if value.is_nan() => "nan".to_owned(),
        _ if layout.is_infinite(bits) => if value < 0.0 { "-inf" } else { "inf" }.to_owned(),
        FloatFormat::Single => format!("{:?}", f32::from_bits(bits as u32)),
        FloatFormat::Half | FloatFormat::Brain | FloatFormat::Double => format!("{value:?}"),
        FloatFormat::Quadruple | FloatFormat::Extended => layout.text(bits),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::ElementOrder;

    fn grid(kind: NumberKind, size: u32, counts: &[u64]) -> NumberGrid {
        NumberGrid { element: ElementForm::Number(kind), size, counts: counts.to_vec(), order: ElementOrder::Rows }
    }

    #[test]
    fn a_row_is_a_line_even_if_its_parts_come_one_after_another() {
        let grid = grid(NumberKind::Signed, 1, &[2, 3]);
        let mut writer = CsvWriter::default();
        let parts: String =
            [&[1, 2][..], &[255, 4], &[5, 6]].iter().map(|part| writer.text(&grid, None, part)).collect();
        assert_eq!(parts, "1,2,-1\n4,5,6\n");
        assert_eq!(CsvWriter::default().text(&grid, Some(Rank(7)), &[1, 2, 3, 4, 5, 6]), "7,1,2,3\n7,4,5,6\n");
    }

    #[test]
    fn numbers_are_read_back_as_they_were() {
        let double = grid(NumberKind::Float(FloatFormat::Double), 8, &[4]);
        let bytes: Vec<u8> =
            [0.1, 1e300, f64::NAN, f64::NEG_INFINITY].iter().flat_map(|one: &f64| one.to_le_bytes()).collect();
        assert_eq!(CsvWriter::default().text(&double, None, &bytes), "0.1\n1e300\nnan\n-inf\n");
        let single = grid(NumberKind::Float(FloatFormat::Single), 4, &[]);
        assert_eq!(CsvWriter::default().text(&single, None, &0.1_f32.to_le_bytes()), "0.1\n");
        let complex = grid(NumberKind::Complex(FloatFormat::Single), 8, &[]);
        let bytes = [1.5_f32.to_le_bytes(), (-2.0_f32).to_le_bytes()].concat();
        assert_eq!(CsvWriter::default().text(&complex, None, &bytes), "1.5-2.0j\n");
        let unsigned = grid(NumberKind::Unsigned, 8, &[]);
        assert_eq!(CsvWriter::default().text(&unsigned, None, &[255; 8]), "18446744073709551615\n");
    }
}
