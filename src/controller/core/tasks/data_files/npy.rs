//! The beginning of a file of numpy: format 1.0, as described in numpy's `numpy.lib.format`.

use model::{ElementOrder, FloatFormat, NumberGrid, NumberKind};

/// The data after the beginning starts at a multiple of this.
const ALIGNMENT: usize = 64;

/// Returns numpy's name of the type of the elements; `None` if it has none.
pub(super) fn type_name(grid: &NumberGrid) -> Option<String> {
    let size = grid.size;
    let order = if size == 1 { '|' } else { '<' };
    let letter = match (grid.kind, size) {
        (NumberKind::Boolean, 1) => 'b',
        (NumberKind::Signed, 1 | 2 | 4 | 8) => 'i',
        (NumberKind::Unsigned | NumberKind::Boolean, 1 | 2 | 4 | 8) => 'u',
        (NumberKind::Float(format), _) if is_of_numpy(format, size) => 'f',
        (NumberKind::Complex(format), _) if is_of_numpy(format, size / 2) && format != FloatFormat::Half => 'c',
        _ => return None,
    };
    Some(format!("{order}{letter}{size}"))
}

/// True for the formats of numpy on this processor, where its longest is that of the x87 in 16 bytes.
fn is_of_numpy(format: FloatFormat, size: u32) -> bool {
    matches!(
        (format, size),
        (FloatFormat::Half, 2) | (FloatFormat::Single, 4) | (FloatFormat::Double, 8) | (FloatFormat::Extended, 16)
    )
}

/// Returns the name of a kind of numbers that numpy does not have.
pub(super) fn kind_words(grid: &NumberGrid) -> String {
    let format = |format: FloatFormat| match format {
        FloatFormat::Brain => "bfloat16 numbers",
        FloatFormat::Quadruple => "floating-point numbers of 128 bits",
        _ => "floating-point numbers of this size",
    };
    match grid.kind {
        NumberKind::Float(of) => format(of).to_owned(),
        NumberKind::Complex(of) => format!("complex {}", format(of)),
        NumberKind::Signed | NumberKind::Unsigned | NumberKind::Boolean => {
            format!("integers of {} bits", 8 * grid.size)
        }
    }
}

/// Returns the beginning of a file with an array. Formats with a longer one are for arrays with thousands of dimensions.
pub(super) fn beginning(type_name: &str, by_columns: bool, shape: &[u64]) -> Vec<u8> {
    let mut axes: String = shape.iter().map(|count| format!("{count}, ")).collect();
    // A tuple of one element has a comma, one of several has none at its end.
    axes.truncate(axes.len().saturating_sub(if shape.len() == 1 { 1 } else { 2 }));
    let order = if by_columns { "True" } else { "False" };
    let mut text = format!("{{'descr': '{type_name}', 'fortran_order': {order}, 'shape': ({axes}), }}");
    let before = 10;
    let length = (before + text.len() + 1).next_multiple_of(ALIGNMENT);
    text.push_str(&" ".repeat(length - before - text.len() - 1));
    text.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(u16::try_from(text.len()).unwrap_or(u16::MAX).to_le_bytes());
    bytes.extend(text.into_bytes());
    bytes
}

/// True if the first subscript of the numbers in the file changes fastest.
pub(super) fn is_by_columns(grid: &NumberGrid, by_rows: bool) -> bool {
    grid.order == ElementOrder::Columns && !by_rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(kind: NumberKind, size: u32) -> NumberGrid {
        NumberGrid { kind, size, counts: Vec::new(), order: ElementOrder::Rows }
    }

    #[test]
    fn the_beginning_is_that_of_numpy() {
        for (shape, axes) in [(vec![], "()"), (vec![3], "(3,)"), (vec![3, 4], "(3, 4)")] {
            let bytes = beginning("<f8", true, &shape);
            assert_eq!(bytes.len() % ALIGNMENT, 0);
            assert_eq!(bytes.get(..10).unwrap(), [0x93, b'N', b'U', b'M', b'P', b'Y', 1, 0, 118, 0]);
            let text = String::from_utf8_lossy(bytes.get(10..).unwrap()).into_owned();
            assert!(
                text.starts_with(&format!("{{'descr': '<f8', 'fortran_order': True, 'shape': {axes}, }} ")),
                "{text}"
            );
            assert!(text.ends_with('\n'));
        }
    }

    #[test]
    fn types_have_the_names_of_numpy() {
        use FloatFormat::{Brain, Double, Extended, Half, Quadruple, Single};
        for (kind, size, name) in [
            (NumberKind::Signed, 1, Some("|i1")),
            (NumberKind::Signed, 8, Some("<i8")),
            (NumberKind::Unsigned, 2, Some("<u2")),
            (NumberKind::Boolean, 1, Some("|b1")),
            (NumberKind::Boolean, 4, Some("<u4")),
            (NumberKind::Float(Half), 2, Some("<f2")),
            (NumberKind::Float(Extended), 16, Some("<f16")),
            (NumberKind::Complex(Single), 8, Some("<c8")),
            (NumberKind::Complex(Double), 16, Some("<c16")),
            (NumberKind::Float(Brain), 2, None),
            (NumberKind::Float(Quadruple), 16, None),
            (NumberKind::Signed, 16, None),
        ] {
            assert_eq!(type_name(&grid(kind, size)).as_deref(), name, "{kind:?} {size}");
        }
    }
}
