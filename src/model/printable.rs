//! Makes text from files and processes safe for the terminal.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Escapes the characters that control a terminal or change the writing direction, so that text from a file or a
/// process cannot pose as something else.
pub fn printable(text: &str) -> String {
    spelled_out(text, |c| !steers(c), |shown, c| write!(shown, "{}", c.escape_default())).into_owned()
}

/// As [`printable`], but keeps newlines and tabs.
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    let stays = |c| matches!(c, '\n' | '\t') || !steers(c);
    spelled_out(text, stays, |shown, c| write!(shown, "{}", c.escape_default()))
}

/// Escapes the characters that JSON allows but a terminal would obey (C1, DEL, the writing direction). They occur only
/// in strings, so the JSON keeps its meaning.
pub fn printable_json(json: &str) -> Cow<'_, str> {
    let escape = |shown: &mut String, c: char| {
        let mut units = [0; 2];
        c.encode_utf16(&mut units).iter().try_for_each(|unit| write!(shown, "\\u{unit:04x}"))
    };
    spelled_out(json, |c| c == '\n' || !steers(c), escape)
}

/// Escapes the characters for which `stays` is false.
fn spelled_out(
    text: &str,
    stays: impl Fn(char) -> bool,
    escape: impl Fn(&mut String, char) -> std::fmt::Result,
) -> Cow<'_, str> {
    let Some(first) = text.find(|c| !stays(c)) else { return Cow::Borrowed(text) };
    let (plain, rest) = text.split_at(first);
    let mut shown = plain.to_owned();
    for c in rest.chars() {
        if stays(c) {
            shown.push(c);
        } else {
            // Writing into a string cannot fail.
            let _ = escape(&mut shown, c);
        }
    }
    Cow::Owned(shown)
}

/// Controls (C0, DEL and C1), line separators, and the controls of bidirectional text (Unicode Standard Annex 9).
fn steers(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_spelled_out() {
        assert_eq!(printable("grün 日本 -n4"), "grün 日本 -n4");
        assert_eq!(printable("a\u{1b}[2J\nb\u{7f}"), "a\\u{1b}[2J\\nb\\u{7f}");
        assert_eq!(printable("x\u{202e}y\u{2069}"), "x\\u{202e}y\\u{2069}");
        assert_eq!(printable_lines("a\tb\nc\u{9b}2J\r\n"), "a\tb\nc\\u{9b}2J\\r\n");
    }

    #[test]
    fn json_without_controls_says_the_same() {
        let text = "grün\u{1b}[2J\u{7f}\u{9b}2J\u{202e}\n\t\u{10ffff}";
        let json = serde_json::to_string(&[text]).unwrap();
        let shown = printable_json(&json);
        assert!(!shown.chars().any(steers), "{shown}");
        assert!(shown.contains(r"\u009b2J") && shown.contains("grün"), "{shown}");
        assert_eq!(serde_json::from_str::<[String; 1]>(&shown).unwrap(), [text]);
    }
}
