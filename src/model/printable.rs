//! Text of others on our screens.

use std::fmt::Write as _;

/// Text in which characters that steer a terminal or change the direction of writing are spelled out: what a file or a
/// process says must not be able to pose as something else.
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || is_steering(c) {
            // Writing into a string cannot fail.
            let _ = write!(shown, "{}", c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Line separators and the controls of bidirectional text (Unicode Standard Annex 9).
fn is_steering(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_spelled_out() {
        assert_eq!(printable("grün 日本 -n4"), "grün 日本 -n4");
        assert_eq!(printable("a\u{1b}[2J\nb\u{7f}"), "a\\u{1b}[2J\\nb\\u{7f}");
        assert_eq!(printable("x\u{202e}y\u{2069}"), "x\\u{202e}y\\u{2069}");
    }
}
