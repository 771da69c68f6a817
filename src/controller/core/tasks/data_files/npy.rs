//! The beginning of a file of numpy: formats 1.0 and 2.0, as described in numpy's `numpy.lib.format`.

use model::{ElementForm, ElementOrder, FloatFormat, NumberGrid, NumberKind, RecordField};
use std::fmt::Write as _;

/// The data after the beginning starts at a multiple of this.
const ALIGNMENT: usize = 64;

/// Returns numpy's description of the type of the elements: a name, or for structs the list of their members; `None` if it
/// has none.
pub(super) fn type_name(grid: &NumberGrid) -> Option<String> {
    described(&grid.element, grid.size)
}

fn described(element: &ElementForm, size: u32) -> Option<String> {
    match element {
        ElementForm::Number(kind) => number_name(*kind, size),
        ElementForm::Bytes => Some(format!("|V{size}")),
        ElementForm::Record(fields) => record(fields, size),
    }
}

/// Returns the list of the members of a struct. What is between them is a member without a name, as numpy writes it.
fn record(fields: &[RecordField], size: u32) -> Option<String> {
    let mut text = "[".to_owned();
    let mut at = 0;
    let gap = |text: &mut String, from: u64, to: u64| {
        if to > from {
            // Writing to a string succeeds.
            let _ = write!(text, "('', '|V{}'), ", to - from);
        }
    };
    for field in fields {
        gap(&mut text, at, field.offset);
        at = field.offset.checked_add(field.length())?;
        let of = literal(&described(&field.element, field.size)?);
        let _ = write!(text, "({}, {of}", quoted(&field.name));
        if !field.counts.is_empty() {
            let _ = write!(text, ", {}", tuple(&field.counts));
        }
        text.push_str("), ");
    }
    gap(&mut text, at, u64::from(size));
    text.truncate(text.trim_end_matches(", ").len());
    text.push(']');
    Some(text)
}

/// Returns the description of a type in Python: the name of a number is a string.
fn literal(description: &str) -> String {
    if description.starts_with('[') { description.to_owned() } else { quoted(description) }
}

/// Returns a string of Python, in ASCII.
fn quoted(text: &str) -> String {
    let mut quoted = "'".to_owned();
    for c in text.chars() {
        let _ = match c {
            '\\' | '\'' => write!(quoted, "\\{c}"),
            ' '..='~' => write!(quoted, "{c}"),
            _ => write!(quoted, "\\U{:08x}", u32::from(c)),
        };
    }
    quoted + "'"
}

/// Returns a tuple of Python: one of a single element has a comma.
fn tuple(counts: &[u64]) -> String {
    let numbers: Vec<String> = counts.iter().map(u64::to_string).collect();
    format!("({}{})", numbers.join(", "), if counts.len() == 1 { "," } else { "" })
}

fn number_name(kind: NumberKind, size: u32) -> Option<String> {
    let order = if size == 1 { '|' } else { '<' };
    let letter = match (kind, size) {
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

/// Returns the name of a kind of numbers that numpy does not have, with the member that has it.
pub(super) fn kind_words(grid: &NumberGrid) -> String {
    lacking(&grid.element, grid.size).unwrap_or_default()
}

fn lacking(element: &ElementForm, size: u32) -> Option<String> {
    match element {
        ElementForm::Number(kind) => number_name(*kind, size).is_none().then(|| number_words(*kind, size)),
        ElementForm::Bytes => None,
        ElementForm::Record(fields) => fields.iter().find_map(|field| {
            let words = lacking(&field.element, field.size)?;
            Some(format!("{words} (member {})", field.name))
        }),
    }
}

fn number_words(kind: NumberKind, size: u32) -> String {
    let format = |format: FloatFormat| match format {
        FloatFormat::Brain => "bfloat16 numbers",
        FloatFormat::Quadruple => "floating-point numbers of 128 bits",
        _ => "floating-point numbers of this size",
    };
    match kind {
        NumberKind::Float(of) => format(of).to_owned(),
        NumberKind::Complex(of) => format!("complex {}", format(of)),
        NumberKind::Signed | NumberKind::Unsigned | NumberKind::Boolean => format!("integers of {} bits", 8 * size),
    }
}

/// Returns the beginning of a file with an array. Version 2 is for structs of many members, whose list is longer.
pub(super) fn beginning(type_name: &str, by_columns: bool, shape: &[u64]) -> Vec<u8> {
    let (descr, axes) = (literal(type_name), tuple(shape));
    let order = if by_columns { "True" } else { "False" };
    let mut text = format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {axes}, }}");
    let length_of = |before: usize| (before + text.len() + 1).next_multiple_of(ALIGNMENT) - before;
    let (mut bytes, before) = match u16::try_from(length_of(10)) {
        Ok(length) => ([&b"\x93NUMPY\x01\x00"[..], &length.to_le_bytes()].concat(), 10),
        Err(_) => {
            let length = u32::try_from(length_of(12)).unwrap_or(u32::MAX);
            ([&b"\x93NUMPY\x02\x00"[..], &length.to_le_bytes()].concat(), 12)
        }
    };
    text.push_str(&" ".repeat(length_of(before) - text.len() - 1));
    text.push('\n');
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
        NumberGrid { element: ElementForm::Number(kind), size, counts: Vec::new(), order: ElementOrder::Rows }
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

    #[test]
    fn structs_are_lists_of_their_members_with_the_gaps_between_them() {
        let field = |name: &str, offset, element, size, counts: &[u64]| RecordField {
            name: name.to_owned(),
            offset,
            element,
            size,
            counts: counts.to_vec(),
        };
        let double = || ElementForm::Number(NumberKind::Float(FloatFormat::Double));
        let int = || ElementForm::Number(NumberKind::Signed);
        let point = ElementForm::Record(vec![field("x", 0, double(), 8, &[]), field("it's \u{e9}", 8, int(), 4, &[])]);
        let fields = vec![
            field("a", 0, int(), 1, &[]),
            field("b", 4, int(), 4, &[2, 3]),
            field("u", 28, ElementForm::Bytes, 4, &[]),
            field("p", 32, point, 16, &[2]),
        ];
        let grid = |fields, size| NumberGrid {
            element: ElementForm::Record(fields),
            size,
            counts: Vec::new(),
            order: ElementOrder::Rows,
        };
        let wanted = "[('a', '|i1'), ('', '|V3'), ('b', '<i4', (2, 3)), ('u', '|V4'), ('p', [('x', '<f8'), ('it\\'s \\U000000e9', \
                      '<i4'), ('', '|V4')], (2,)), ('', '|V8')]";
        assert_eq!(type_name(&grid(fields, 72)).as_deref(), Some(wanted));
        let strange = grid(vec![field("wide", 0, ElementForm::Number(NumberKind::Signed), 16, &[])], 16);
        assert_eq!(type_name(&strange), None);
        assert_eq!(kind_words(&strange), "integers of 128 bits (member wide)");
    }

    #[test]
    fn a_long_beginning_has_version_2() {
        let name = format!("[('{}', '<f8')]", "x".repeat(70_000));
        let bytes = beginning(&name, false, &[2]);
        assert_eq!(bytes.get(..8).unwrap(), b"\x93NUMPY\x02\x00");
        let length: [u8; 4] = bytes.get(8..12).unwrap().try_into().unwrap();
        assert_eq!(12 + u32::from_le_bytes(length) as usize, bytes.len());
        assert_eq!(bytes.len() % ALIGNMENT, 0);
    }
}
