//! Texts in quotation marks, as in C.

use model::raw_word;
use std::os::unix::ffi::OsStrExt as _;
use winnow::{
    Parser,
    error::ModalResult,
    token::{any, take_while},
};

/// Quotes a text. Bytes other than printable ASCII are written in octal, as gdb does.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    // A word that is not valid UTF-8 goes to gdb as its original bytes.
    for &byte in raw_word(text).as_bytes() {
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\t' => out.push_str("\\t"),
            b'\r' => out.push_str("\\r"),
            b' '..=b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("\\{byte:03o}")),
        }
    }
    out.push('"');
    out
}

/// Parses the output of [`quoted`], and the other escapes of C.
pub(super) fn text(input: &mut &str) -> ModalResult<String> {
    '"'.parse_next(input)?;
    let mut bytes = Vec::new();
    loop {
        let plain: &str = take_while(0.., |c| c != '"' && c != '\\').parse_next(input)?;
        bytes.extend_from_slice(plain.as_bytes());
        if any.parse_next(input)? == '"' {
            return Ok(String::from_utf8_lossy(&bytes).into_owned());
        }
        escape(input, &mut bytes)?;
    }
}

fn escape(input: &mut &str, bytes: &mut Vec<u8>) -> ModalResult<()> {
    let octal: &str = take_while(0..=3, '0'..='7').parse_next(input)?;
    if !octal.is_empty() {
        // Three octal digits may exceed a byte; then the low bits count, as in C compilers.
        bytes.push(u16::from_str_radix(octal, 8).unwrap_or_default() as u8);
        return Ok(());
    }
    match any.parse_next(input)? {
        'n' => bytes.push(b'\n'),
        't' => bytes.push(b'\t'),
        'r' => bytes.push(b'\r'),
        'a' => bytes.push(7),
        'b' => bytes.push(8),
        'v' => bytes.push(11),
        'f' => bytes.push(12),
        'e' => bytes.push(27),
        other => bytes.extend_from_slice(other.encode_utf8(&mut [0; 4]).as_bytes()),
    }
    Ok(())
}
