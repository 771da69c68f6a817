//! Command-line words that are not UTF-8, as text and back. A word passes as text through the command line, the wire
//! and the screen, and reaches the program with its original bytes. Bytes that are not UTF-8 are represented by the
//! last characters of Unicode's private planes, which have no other use.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

/// Represents byte 0; only those for bytes from 128 are used.
const FIRST: u32 = 0x10_ff00;

fn is_byte(c: char) -> bool {
    (FIRST + 0x80..=FIRST + 0xff).contains(&u32::from(c))
}

fn of_byte(byte: u8) -> char {
    char::from_u32(FIRST + u32::from(byte)).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// Converts a word to text.
pub fn raw_text(word: &OsStr) -> String {
    let mut text = String::new();
    for chunk in word.as_bytes().utf8_chunks() {
        for c in chunk.valid().chars() {
            // A literal character of that range is represented byte by byte, too.
            if is_byte(c) {
                text.extend(c.encode_utf8(&mut [0; 4]).bytes().map(of_byte));
            } else {
                text.push(c);
            }
        }
        text.extend(chunk.invalid().iter().copied().map(of_byte));
    }
    text
}

/// Converts a text from [`raw_text`] back to the word.
pub fn raw_word(text: &str) -> OsString {
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        match u8::try_from(u32::from(c).wrapping_sub(FIRST)) {
            Ok(byte) if is_byte(c) => bytes.push(byte),
            _ => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    OsString::from_vec(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_comes_out_as_it_went_in() {
        let all: Vec<u8> = (0..=255).collect();
        let own = "\u{10ff80}x\u{10ffff}\u{10ff7f}".as_bytes();
        for bytes in [&b""[..], b"plain", "grün ∂".as_bytes(), b"caf\xe9", b"\xff\xfe", b"\xe2\x82", own, &all] {
            let text = raw_text(OsStr::from_bytes(bytes));
            assert_eq!(raw_word(&text).as_bytes(), bytes, "{text:?}");
        }
        assert_eq!(raw_text(OsStr::new("grün")), "grün");
    }
}
