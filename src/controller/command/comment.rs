//! Comments in lines.

/// Returns the line without its comment: a `#` that begins a word outside quotes starts one. Within a word it is part
/// of a name (`{impl#0}`, `{lambda(int)#1}`).
pub(super) fn without_comment(line: &str) -> &str {
    let (mut before, mut skipped) = (' ', 0);
    for (at, c) in line.char_indices() {
        if at < skipped {
            before = c;
            continue;
        }
        match c {
            '"' | '\'' => skipped = closing_quote(line, at, c).map_or(at, |end| end + 1),
            '#' if before.is_whitespace() => return line.get(..at).unwrap_or(line).trim_end(),
            _ => {}
        }
        before = c;
    }
    line.trim_end()
}

/// Returns the byte of the closing quote; an unclosed quote is an apostrophe or a lifetime.
fn closing_quote(line: &str, opened: usize, quote: char) -> Option<usize> {
    let mut escaped = false;
    let inside = line.char_indices().skip_while(|(at, _)| *at <= opened);
    inside.into_iter().find_map(|(at, c)| {
        let closes = c == quote && !escaped;
        escaped = c == '\\' && !escaped;
        closes.then_some(at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_begins_a_word_and_is_in_no_quotes() {
        for (line, plain) in [
            ("break r::{impl#0}::area", "break r::{impl#0}::area"),
            ("break f(int)::{lambda(int)#1}::operator() # the first", "break f(int)::{lambda(int)#1}::operator()"),
            ("print '#' # a character", "print '#'"),
            ("print \"a # b\" #c", "print \"a # b\""),
            ("break <impl S<'a>>::f # a lifetime", "break <impl S<'a>>::f"),
            ("\t# all of it", ""),
            ("print \"a\\\" # b\"", "print \"a\\\" # b\""),
        ] {
            assert_eq!(without_comment(line), plain, "{line}");
        }
    }
}
