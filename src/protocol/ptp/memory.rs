//! Memory in the base dialect: rows of words in one of gdb's formats. Words are little endian, as on all supported
//! machines.

use super::translate_record::address_text;
use super::{MemoryRow, RankEvent};
use model::{ErrorCode, Failure, VirtualAddress};
use std::fmt::Write as _;

/// The most bytes that one command may ask for.
const LARGEST: u32 = 1 << 20;

/// The shape that a DataReadMemory asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MemoryShape {
    format: u8,
    word: u32,
    columns: u32,
    total: u32,
    filler: Option<char>,
}

impl MemoryShape {
    /// Checks the shape before any memory is read.
    pub(super) fn new(format: &str, word: i32, rows: i32, columns: i32, as_char: &str) -> Result<Self, Failure> {
        let fault = |message: String| Failure::new(ErrorCode::BAD_MESSAGE, message);
        let format = format_letter(format)?;
        let sizes = [word, rows, columns].map(|number| u32::try_from(number).ok().filter(|&number| number > 0));
        let [Some(word), Some(rows), Some(columns)] = sizes else {
            return Err(fault(format!("word size {word}, rows {rows}, columns {columns}: each must be at least 1")));
        };
        if !matches!(word, 1 | 2 | 4 | 8) {
            return Err(fault(format!("invalid word size {word}: expected 1, 2, 4 or 8 bytes")));
        }
        let total = word.checked_mul(rows).and_then(|bytes| bytes.checked_mul(columns));
        let total = total.filter(|&total| total <= LARGEST).ok_or_else(|| {
            fault(format!("{rows} rows of {columns} words of {word} bytes exceed the limit of {LARGEST} bytes"))
        })?;
        Ok(Self { format, word, columns, total, filler: as_char.chars().next() })
    }

    /// Returns the number of bytes to read.
    pub(super) fn length(&self) -> u32 {
        self.total
    }

    /// Returns the MemoryInfo for bytes read from this address on; they may be fewer than asked for.
    pub(super) fn show(&self, address: VirtualAddress, data: &[u8]) -> RankEvent {
        let row_length = self.word * self.columns;
        let at = |offset: i64| address_text(VirtualAddress(address.0.wrapping_add_signed(offset)));
        let (row, page) = (i64::from(row_length), i64::from(self.total));
        let rows = data.chunks(row_length as usize).enumerate().map(|(i, bytes)| MemoryRow {
            address: at(i as i64 * row),
            ascii: self.ascii(bytes),
            words: bytes.chunks_exact(self.word as usize).map(|word| show_word(self.format, word)).collect(),
        });
        RankEvent::MemoryInfo {
            address: at(0),
            next_row: at(row),
            previous_row: at(-row),
            next_page: at(page),
            previous_page: at(-page),
            bytes: data.len() as i64,
            total: page,
            rows: rows.collect(),
        }
    }

    fn ascii(&self, bytes: &[u8]) -> String {
        let Some(filler) = self.filler else { return String::new() };
        bytes.iter().map(|&b| if matches!(b, b' '..=b'~') { b as char } else { filler }).collect()
    }
}

fn format_letter(text: &str) -> Result<u8, Failure> {
    match text.as_bytes() {
        [letter @ (b'x' | b'd' | b'u' | b'o' | b't' | b'a' | b'c' | b'f')] => Ok(*letter),
        _ => Err(Failure::new(
            ErrorCode::BAD_MESSAGE,
            format!(
                "invalid format {text:?}: expected x, d, u, o, t, a, \
            c or f"
            ),
        )),
    }
}

fn show_word(format: u8, word: &[u8]) -> String {
    let mut bytes = [0; 8];
    bytes.iter_mut().zip(word).for_each(|(to, from)| *to = *from);
    let unsigned = u64::from_le_bytes(bytes);
    let spare = 64 - 8 * word.len().clamp(1, 8) as u32;
    let signed = (unsigned << spare).cast_signed() >> spare;
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = match format {
        b'd' => write!(text, "{signed}"),
        b'u' => write!(text, "{unsigned}"),
        b'o' => write!(text, "0{unsigned:0width$o}", width = (8 * word.len()).div_ceil(3)),
        b't' => write!(text, "{unsigned:0width$b}", width = 8 * word.len()),
        b'a' => write!(text, "{unsigned:#x}"),
        b'c' => match char::from(unsigned as u8) {
            c @ ' '..='~' => write!(text, "{signed} '{c}'"),
            _ => write!(text, "{signed} '\\{:03o}'", unsigned as u8),
        },
        b'f' if word.len() == 4 => write!(text, "{}", f32::from_bits(unsigned as u32)),
        b'f' if word.len() == 8 => write!(text, "{}", f64::from_bits(unsigned)),
        b'f' => write!(text, "{signed}"),
        _ => write!(text, "{unsigned:#0width$x}", width = 2 + 2 * word.len()),
    };
    text
}

/// Returns the bytes of DataWriteMemory's word: integers as in C, decimal floats with format `f`.
pub(super) fn word_bytes(format: &str, size: i32, value: &str) -> Result<Vec<u8>, Failure> {
    let fault = |message: String| Failure::new(ErrorCode::BAD_MESSAGE, message);
    let letter = format_letter(format)?;
    let text = value.trim();
    let bytes = match (letter, size) {
        (b'f', 4) => text.parse::<f32>().ok().map(|number| number.to_le_bytes().to_vec()),
        (b'f', 8) => text.parse::<f64>().ok().map(|number| number.to_le_bytes().to_vec()),
        (_, 1 | 2 | 4 | 8) => integer(text)
            .filter(|&number| number < 1 << (8 * size) && number >= -(1 << (8 * size - 1)))
            .map(|number| number.to_le_bytes()[..size as usize].to_vec()),
        _ => return Err(fault(format!("invalid word size {size}: expected 1, 2, 4 or 8 bytes"))),
    };
    bytes.ok_or_else(|| fault(format!("{value:?} does not fit in a word of {size} bytes")))
}

fn integer(text: &str) -> Option<i128> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    let (radix, digits) = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(digits) => (16, digits),
        None if digits.len() > 1 && digits.starts_with('0') => (8, digits),
        None => (10, digits),
    };
    let magnitude = u64::from_str_radix(digits, radix).ok().filter(|_| !digits.starts_with('+'))?;
    Some(sign * i128::from(magnitude))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_in_every_format() {
        for (format, bytes, text) in [
            ("x", &[0x0b, 0, 0, 0][..], "0x0000000b"),
            ("x", &[0xff], "0xff"),
            ("d", &[0xfe, 0xff], "-2"),
            ("u", &[0xfe, 0xff], "65534"),
            ("o", &[8], "0010"),
            ("t", &[5], "00000101"),
            ("a", &[0, 0x10, 0, 0, 0, 0, 0, 0], "0x1000"),
            ("c", b"A", "65 'A'"),
            ("c", &[0], "0 '\\000'"),
            ("c", &[0xff], "-1 '\\377'"),
            ("f", &[0, 0, 0, 0x3f], "0.5"),
        ] {
            assert_eq!(show_word(format_letter(format).unwrap(), bytes), text);
        }
    }

    #[test]
    fn rows_say_where_they_are_and_what_could_be_read() {
        let shape = MemoryShape::new("x", 2, 2, 2, ".").unwrap();
        assert_eq!(shape.length(), 8);
        let RankEvent::MemoryInfo { address, next_row, previous_page, bytes, total, rows, .. } =
            shape.show(VirtualAddress(0x10), b"ab\0d12")
        else {
            panic!("no memory");
        };
        assert_eq!((address.as_str(), next_row.as_str()), ("0x0000000000000010", "0x0000000000000014"));
        assert_eq!(previous_page, "0x0000000000000008");
        assert_eq!((bytes, total), (6, 8));
        assert_eq!(rows.len(), 2);
        assert_eq!((rows[0].ascii.as_str(), rows[0].words.join(" ").as_str()), ("ab.d", "0x6261 0x6400"));
        assert_eq!((rows[1].address.as_str(), rows[1].words.join(" ").as_str()), ("0x0000000000000014", "0x3231"));
    }

    #[test]
    fn shapes_that_cannot_be_are_errors() {
        for (format, word, rows, columns) in [
            ("y", 4, 1, 1),
            ("xx", 4, 1, 1),
            ("x", 3, 1, 1),
            ("x", 4, 0, 1),
            ("x", 4, -1, -1),
            ("x", 8, i32::MAX, i32::MAX),
        ] {
            let failure = MemoryShape::new(format, word, rows, columns, "").unwrap_err();
            assert_eq!(failure.code, ErrorCode::BAD_MESSAGE);
        }
    }

    #[test]
    fn words_are_read_as_c_writes_them() {
        assert_eq!(word_bytes("d", 4, "-1").unwrap(), [0xff; 4]);
        assert_eq!(word_bytes("x", 2, "0x1234").unwrap(), [0x34, 0x12]);
        assert_eq!(word_bytes("o", 1, "017").unwrap(), [15]);
        assert_eq!(word_bytes("u", 8, "18446744073709551615").unwrap(), [0xff; 8]);
        assert_eq!(word_bytes("f", 8, "0.5").unwrap(), 0.5f64.to_le_bytes());
        for (size, value) in
            [(1, "256"), (1, "-129"), (4, "x"), (3, "1"), (4, ""), (0, "0"), (8, "-99999999999999999999")]
        {
            assert_eq!(word_bytes("d", size, value).unwrap_err().code, ErrorCode::BAD_MESSAGE, "{size} {value}");
        }
    }

    proptest! {
        #[test]
        fn what_is_shown_reads_back(word: u64, size in prop_oneof![Just(1usize), Just(2), Just(4), Just(8)]) {
            let bytes = &word.to_le_bytes()[..size];
            for format in ["x", "d", "u", "o"] {
                let text = show_word(format.as_bytes()[0], bytes);
                prop_assert_eq!(&word_bytes(format, size as i32, &text).unwrap()[..], bytes);
            }
        }

        #[test]
        fn nothing_panics(format in "\\PC{0,2}", sizes: [i32; 3], value in "\\PC{0,24}", data: Vec<u8>, at: u64) {
            let _ = word_bytes(&format, sizes[0], &value);
            let _ = word_bytes("x", sizes[0].rem_euclid(10), &value);
            if let Ok(shape) = MemoryShape::new("c", 4, sizes[1] % 100, sizes[2] % 100, &value) {
                shape.show(VirtualAddress(at), &data);
            }
        }
    }
}
