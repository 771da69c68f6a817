//! Memory as `x` shows it: numbers or texts.

use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The format in which `x` shows bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Examination {
    /// Numbers of this size in bytes.
    Units(u32),
    /// Texts, each ended by a zero or by the limit.
    Texts {
        /// The largest number of texts.
        count: u32,
        /// Bytes per character.
        unit: u32,
        /// The length in characters after which a new text begins.
        limit: u32,
    },
    /// Shows nothing; the address is where `x` continues.
    Place,
}

impl Examination {
    /// The offset of the last complete number, or of the last text; `None` if there is none.
    pub fn last(self, bytes: &[u8]) -> Option<usize> {
        match self {
            Self::Units(unit) => {
                let unit = unit.max(1) as usize;
                (bytes.len() / unit).checked_sub(1).map(|units| units * unit)
            }
            Self::Texts { count, unit, limit } => {
                texts(bytes, unit, limit).take(count as usize).last().map(|text| text.characters.start)
            }
            Self::Place => Some(0),
        }
    }
}

/// A text among bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextSpan {
    /// The range of its characters, in bytes.
    pub characters: Range<usize>,
    /// The offset of the next text.
    pub next: usize,
    /// True if the limit cut the text short.
    pub goes_on: bool,
}

/// Splits bytes into texts whose characters have `unit` bytes. A text longer than the limit becomes several; one
/// without a terminating zero extends to the end of the bytes.
pub fn texts(bytes: &[u8], unit: u32, limit: u32) -> impl Iterator<Item = TextSpan> {
    let (unit, limit) = (unit.max(1) as usize, limit.max(1) as usize);
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = bytes.get(at..).filter(|rest| rest.len() >= unit)?;
        let characters = rest.chunks_exact(unit).take(limit);
        let length = characters.take_while(|character| character.iter().any(|byte| *byte != 0)).count();
        let cut = length == limit;
        let end = at + length * unit;
        let next = if cut { end } else { (end + unit).min(bytes.len()) };
        let follows = |bytes: &[u8]| bytes.len() == unit && bytes.iter().any(|byte| *byte != 0);
        let goes_on = cut && follows(bytes.get(end..(end + unit).min(bytes.len())).unwrap_or(&[]));
        let text = TextSpan { characters: at..end, next, goes_on };
        at = next;
        Some(text)
    })
}

#[cfg(test)]
mod tests {
    use super::Examination::{Texts, Units};
    use super::{TextSpan, texts};

    #[test]
    fn the_last_of_what_is_examined() {
        let bytes_in = |count| Texts { count, unit: 1, limit: 200 };
        for (examined, bytes, last) in [
            (Units(4), &[0u8; 12][..], Some(8)),
            (Units(4), &[0; 11], Some(4)),
            (Units(4), &[0; 3], None),
            (Units(0), &[0; 3], Some(2)),
            (bytes_in(1), b"ab\0c\0", Some(0)),
            (bytes_in(2), b"ab\0c\0d", Some(3)),
            (bytes_in(3), b"ab\0c\0d", Some(5)),
            (bytes_in(9), b"ab\0c\0", Some(3)),
            (bytes_in(9), b"", None),
            (bytes_in(0), b"ab", None),
            (Texts { count: 2, unit: 2, limit: 9 }, b"a\0\0\0b\0\0\0", Some(4)),
            (Texts { count: 2, unit: 4, limit: 9 }, b"a\0\0\0\0\0\0\0", Some(0)),
            (Texts { count: 2, unit: 1, limit: 3 }, b"abcdefgh\0", Some(3)),
        ] {
            assert_eq!(examined.last(bytes), last, "{examined:?} of {bytes:?}");
        }
    }

    #[test]
    fn a_long_text_goes_on_where_it_was_cut_off() {
        let of = |bytes: &[u8], limit| texts(bytes, 1, limit).collect::<Vec<_>>();
        let text = |begin, end, next, goes_on| TextSpan { characters: begin..end, next, goes_on };
        assert_eq!(
            of(b"abcdefg\0x", 3),
            [text(0, 3, 3, true), text(3, 6, 6, true), text(6, 7, 8, false), text(8, 9, 9, false)]
        );
        // As in gdb, the rest is an empty text.
        assert_eq!(of(b"abc\0", 3), [text(0, 3, 3, false), text(3, 3, 4, false)]);
        assert_eq!(of(b"", 3), []);
    }
}
