//! Formats characters and strings as gdb does: escapes, repetitions, truncation.

use crate::aif::CharStyle;
use std::fmt::Write;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Encoding {
    /// Stands before the opening quote.
    prefix: &'static str,
    /// Bytes per character.
    size: u32,
}

impl Encoding {
    /// The encoding of `char` (`None`) or another character kind.
    pub(super) fn new(style: Option<CharStyle>, size: u32) -> Self {
        let prefix = match style {
            Some(CharStyle::Wide) => "L",
            Some(CharStyle::Utf16) => "u",
            Some(CharStyle::Utf32) => "U",
            Some(CharStyle::Unsigned | CharStyle::Utf8) | None => "",
        };
        Self { prefix, size }
    }

    /// Returns the next character of a text and its length in units; `None` if the units are not a valid character.
    fn decode(self, units: &[u32]) -> (Option<char>, usize) {
        let Some(first) = units.first().copied() else { return (None, 0) };
        match self.size {
            1 => {
                let length = match first {
                    0..0x80 => return (char::from_u32(first), 1),
                    0xc2..0xe0 => 2,
                    0xe0..0xf0 => 3,
                    0xf0..0xf5 => 4,
                    _ => return (None, 1),
                };
                let bytes: Vec<u8> = units.iter().take(length).map(|unit| *unit as u8).collect();
                match std::str::from_utf8(&bytes) {
                    Ok(text) => (text.chars().next(), length),
                    Err(_) => (None, 1),
                }
            }
            2 => match char::decode_utf16(units.iter().take(2).map(|unit| *unit as u16)).next() {
                Some(Ok(c)) => (Some(c), c.len_utf16()),
                _ => (None, 1),
            },
            _ => (char::from_u32(first), 1),
        }
    }

    /// True if the text ends within a character. For glibc's `iconv`, which gdb uses, that is any lead byte of the
    /// original UTF-8 followed by fewer continuation bytes than it announces.
    fn is_cut_short(self, units: &[u32]) -> bool {
        let Some((first, rest)) = units.split_first() else { return false };
        let announced = match (self.size, *first) {
            (2, 0xd800..0xdc00) => return rest.is_empty(),
            (1, 0xc2..0xe0) => 2,
            (1, 0xe0..0xf0) => 3,
            (1, 0xf0..0xf8) => 4,
            (1, 0xf8..0xfc) => 5,
            (1, 0xfc..0xfe) => 6,
            _ => return false,
        };
        units.len() < announced && rest.iter().all(|unit| unit & 0xc0 == 0x80)
    }
}

/// True if the character is printable: as `iswprint` in a UTF-8 locale of glibc.
fn is_printable(c: char) -> bool {
    if c.is_ascii() {
        return !c.is_ascii_control();
    }
    match c {
        // Blanks, format controls and private characters, which Rust escapes.
        '\u{a0}'
        | '\u{ad}'
        | '\u{600}'..='\u{605}'
        | '\u{61c}'
        | '\u{6dd}'
        | '\u{70f}'
        | '\u{890}'..='\u{891}'
        | '\u{8e2}'
        | '\u{1680}'
        | '\u{180e}'
        | '\u{2000}'..='\u{200f}'
        | '\u{202a}'..='\u{202f}'
        | '\u{205f}'..='\u{2064}'
        | '\u{2066}'..='\u{206f}'
        | '\u{3000}'
        | '\u{e000}'..='\u{f8ff}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0001}'
        | '\u{e0020}'..='\u{e007f}'
        | '\u{f0000}'..='\u{ffffd}'
        | '\u{100000}'..='\u{10fffd}' => true,
        // Tested after another character: Rust escapes a combining one that stands alone.
        _ => String::from_iter(['a', c]).escape_debug().eq(['a', c]),
    }
}

/// Writes one character of a literal. `after_hex`: the previous character was a hexadecimal escape, which a digit would
/// extend.
fn write_element(out: &mut String, c: Option<char>, units: &[u32], quote: char, after_hex: &mut bool) {
    let guarded = std::mem::take(after_hex);
    let escape = match c {
        Some('\x07') => "\\a",
        Some('\x08') => "\\b",
        Some('\x0c') => "\\f",
        Some('\n') => "\\n",
        Some('\r') => "\\r",
        Some('\t') => "\\t",
        Some('\x0b') => "\\v",
        Some(c) if is_printable(c) && !(guarded && c.is_ascii_digit()) => {
            if c == quote || c == '\\' {
                out.push('\\');
            }
            out.push(c);
            return;
        }
        _ => {
            for unit in units {
                let written = if *unit <= 0o777 {
                    write!(out, "\\{unit:03o}")
                } else {
                    *after_hex = true;
                    write!(out, "\\x{unit:x}")
                };
                debug_assert!(written.is_ok(), "a String takes everything");
            }
            return;
        }
    };
    out.push_str(escape);
}

/// Formats a character literal: `'q'`, `L'\xffffffff'`.
pub(super) fn character(unit: u32, encoding: Encoding) -> String {
    let mut out = format!("{}'", encoding.prefix);
    let (c, _) = encoding.decode(&[unit]);
    write_element(&mut out, c, &[unit], '\'', &mut false);
    out.push('\'');
    out
}

/// A run of equal characters.
struct Run<'a> {
    character: Option<char>,
    units: &'a [u32],
    repetitions: usize,
    cut_short: bool,
}

fn runs(mut units: &[u32], encoding: Encoding, limit: usize) -> (Vec<Run<'_>>, bool) {
    let mut runs: Vec<Run> = Vec::new();
    let mut total = 0;
    while !units.is_empty() {
        let (character, length) = encoding.decode(units);
        let (element, rest) = units.split_at_checked(length.max(1)).unwrap_or((units, &[]));
        // gdb drops the character right before an incomplete one: `iconv` had already converted it when it failed.
        let (character, element, rest, cut_short) = match character {
            Some(_) if encoding.is_cut_short(rest) => (None, rest, &[][..], true),
            None if encoding.is_cut_short(units) => (None, units, &[][..], true),
            _ => (character, element, rest, false),
        };
        match runs.last_mut() {
            Some(last) if last.units == element => last.repetitions += 1,
            _ if total >= limit => return (runs, false),
            _ => runs.push(Run { character, units: element, repetitions: 1, cut_short }),
        }
        total += 1;
        units = rest;
    }
    (runs, true)
}

/// Formats a string literal: `"abc"`, `'a' <repeats 30 times>, "b"...`. No new run begins after `limit` characters;
/// more than `threshold` equal characters are written once.
pub(super) fn string(units: &[u32], encoding: Encoding, goes_on: bool, limit: usize, threshold: usize) -> String {
    text(units, encoding, '"', goes_on, limit, threshold)
}

/// As [`string`], with the quotes of another language.
pub(super) fn text(
    units: &[u32],
    encoding: Encoding,
    quote: char,
    goes_on: bool,
    limit: usize,
    threshold: usize,
) -> String {
    let units = match units.split_last() {
        Some((0, rest)) if !goes_on => rest,
        _ => units,
    };
    if units.is_empty() {
        return format!("{}{quote}{quote}{}", encoding.prefix, if goes_on { "..." } else { "" });
    }
    let (runs, finished) = runs(units, encoding, limit);
    let mut out = encoding.prefix.to_owned();
    let mut quoted = false;
    let mut after_hex = false;
    for (number, run) in runs.iter().enumerate() {
        let single = run.repetitions <= threshold && !run.cut_short;
        if quoted && !single {
            out.push(quote);
            quoted = false;
        }
        if number > 0 && !quoted {
            out.push_str(", ");
        }
        if run.cut_short {
            out.push_str("<incomplete sequence ");
            write_element(&mut out, None, run.units, quote, &mut after_hex);
            out.push('>');
        } else if single {
            if !quoted {
                out.push(quote);
                after_hex = false;
                quoted = true;
            }
            for _ in 0..run.repetitions {
                write_element(&mut out, run.character, run.units, quote, &mut after_hex);
            }
        } else {
            out.push('\'');
            // gdb escapes the string's quote here, too.
            write_element(&mut out, run.character, run.units, quote, &mut after_hex);
            out.push('\'');
            let written = write!(out, " <repeats {} times>", run.repetitions);
            debug_assert!(written.is_ok(), "a String takes everything");
        }
    }
    if quoted {
        out.push(quote);
    }
    if goes_on || !finished {
        out.push_str("...");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(text: &[u8]) -> String {
        let units: Vec<u32> = text.iter().map(|b| u32::from(*b)).collect();
        string(&units, Encoding::new(None, 1), false, 200, 10)
    }

    #[test]
    fn strings_as_gdb_13_prints_them() {
        for (text, expected) in [
            (&b"hello\0"[..], r#""hello""#),
            (b"hello\0\0\0\0\0\0\0\0\0\0\0", r#""hello\000\000\000\000\000\000\000\000\000\000""#),
            (b"ab\0cd\0\0\0", r#""ab\000cd\000\000""#),
            (b"\0", r#""""#),
            (b"tab\tnl\nq\"bs\\del\x7fe\x1bhi\xff\xc12end\0", r#""tab\tnl\nq\"bs\\del\177e\033hi\377\3012end""#),
            ("h\u{e9}llo \u{4e2d}!\0".as_bytes(), "\"h\u{e9}llo \u{4e2d}!\""),
            (b"ab\xc3(x\0", r#""ab\303(x""#),
            (b"\xc2\x85x\0", r#""\302\205x""#),
            (b"hello", r#""hello""#),
            ("a\u{378}z\u{ad}\u{e000}\u{fffe}\0".as_bytes(), "\"a\\315\\270z\u{ad}\u{e000}\\357\\277\\276\""),
            (b"ab\xed\xa0\x80\0", r#""ab\355\240\200""#),
            (b"ab\xf5\x80\x80\x80z\0", r#""ab\365\200\200\200z""#),
            (b"\"\"\"\"\"\"\"\"\"\"\"\"\"", r#"'\"' <repeats 13 times>"#),
            (b"'''''''''''''", "''' <repeats 13 times>"),
        ] {
            assert_eq!(bytes(text), expected);
        }
    }

    #[test]
    fn texts_that_end_within_a_character_as_gdb_13_prints_them() {
        for (text, expected) in [
            (&b"abc\xc3"[..], r#""ab", <incomplete sequence \303>"#),
            (b"\xc3", r"<incomplete sequence \303>"),
            (b"a\xff\xe4\xb8", r#""a\377", <incomplete sequence \344\270>"#),
            (b"a\xc3\xa9\xc3", r#""a", <incomplete sequence \303>"#),
            (b"ab\xed\xa0", r#""a", <incomplete sequence \355\240>"#),
            (b"ab\xe0\x80", r#""a", <incomplete sequence \340\200>"#),
            (b"ab\xf5\x80\x80", r#""a", <incomplete sequence \365\200\200>"#),
            (b"ab\xf8\x80", r#""a", <incomplete sequence \370\200>"#),
            (b"ab\xfd", r#""a", <incomplete sequence \375>"#),
            (b"ab\xfe", r#""ab\376""#),
            (b"ab\xc0", r#""ab\300""#),
            (b"xxxxxxxxxxxxxxxxxxxx\xc3", r"'x' <repeats 19 times>, <incomplete sequence \303>"),
            (b"xxxxxxxxxxxxxxxxxxxxy\xc3", r"'x' <repeats 20 times>, <incomplete sequence \303>"),
            (b"a\0\0\0\0\xc3", r#""a\000\000\000", <incomplete sequence \303>"#),
        ] {
            assert_eq!(bytes(text), expected);
        }
        let utf16 = |units: &[u32]| string(units, Encoding::new(Some(CharStyle::Utf16), 2), false, 200, 10);
        assert_eq!(utf16(&[97, 98, 0xd83d]), r#"u"a", <incomplete sequence \xd83d>"#);
    }

    #[test]
    fn repetitions_as_gdb_13_prints_them() {
        let mut text = vec![b'a'; 30];
        text.extend(b"bcd\0\0\0\0\0\0\0");
        assert_eq!(bytes(&text), r#"'a' <repeats 30 times>, "bcd\000\000\000\000\000\000""#);
        assert_eq!(bytes(&[0; 20]), r"'\000' <repeats 19 times>");
        assert_eq!(bytes(b"aaaaaaaaaa"), r#""aaaaaaaaaa""#);
        assert_eq!(bytes(b"aaaaaaaaaaa\0"), "'a' <repeats 11 times>");
        let mut text = vec![b'x'; 150];
        text.extend([b'y'; 149]);
        text.push(0);
        assert_eq!(bytes(&text), "'x' <repeats 150 times>, 'y' <repeats 149 times>");
        let text: Vec<u8> = (0..250).map(|k| b'a' + (k % 26) as u8).collect();
        let shown = bytes(&text);
        assert!(shown.ends_with("nopqr\"...") && shown.len() == 205, "{shown}");
    }

    #[test]
    fn wide_strings_as_gdb_13_prints_them() {
        let wide = |units: &[u32], style, size| string(units, Encoding::new(Some(style), size), false, 200, 10);
        assert_eq!(
            wide(&[97, 0x85, 0x10_ffff, 0xd800, 0x7a, 0x11_0000, 0], CharStyle::Wide, 4),
            r#"L"a\205\x10ffff\xd800z\x110000""#
        );
        assert_eq!(wide(&[97, 0xd83d, 0xde00, 0xd800, 122, 0], CharStyle::Utf16, 2), "u\"a\u{1f600}\\xd800z\"");
        assert_eq!(wide(&[0x11_0000, 49, 0x1ff, 50, 7, 0], CharStyle::Utf32, 4), "U\"\\x110000\\061\u{1ff}2\\a\"");
        assert_eq!(wide(&[[97; 19].as_slice(), &[0]].concat(), CharStyle::Wide, 4), "L'a' <repeats 19 times>");
    }

    #[test]
    fn characters_as_gdb_13_prints_them() {
        let plain = Encoding::new(None, 1);
        for (unit, expected) in [
            (113, "'q'"),
            (0xff, r"'\377'"),
            (0, r"'\000'"),
            (10, r"'\n'"),
            (27, r"'\033'"),
            (39, r"'\''"),
            (34, "'\"'"),
            (92, r"'\\'"),
            (7, r"'\a'"),
            (127, r"'\177'"),
        ] {
            assert_eq!(character(unit, plain), expected);
        }
        assert_eq!(character(0x4e2d, Encoding::new(Some(CharStyle::Wide), 4)), "L'\u{4e2d}'");
        assert_eq!(character(u32::MAX, Encoding::new(Some(CharStyle::Wide), 4)), r"L'\xffffffff'");
        assert_eq!(character(0xd800, Encoding::new(Some(CharStyle::Utf16), 2)), r"u'\xd800'");
    }
}
