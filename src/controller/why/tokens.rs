//! Source text of C or C++ as words and signs, each with its line.

use super::call_text::Language;
use std::collections::HashSet;

/// A file of C or C++.
pub(super) struct SourceText<'a> {
    pub(super) text: &'a str,
    pub(super) language: Language,
    pub(super) tokens: Vec<Token<'a>>,
    /// The macros with arguments that the file defines.
    macros: HashSet<&'a str>,
}

impl<'a> SourceText<'a> {
    pub(super) fn new(file: &str, text: &'a str) -> Self {
        let language = Language::of_file(file).of_text(text);
        // What begins a comment in C is something else in Fortran, of which no functions are read.
        let tokens = if language == Language::Fortran { Vec::new() } else { tokens(text) };
        Self { text, language, tokens, macros: text.lines().filter_map(defined_macro).collect() }
    }

    /// True if a name before a parenthesis is that of a macro: those of other files have capital letters alone.
    pub(super) fn is_macro(&self, name: &str) -> bool {
        self.macros.contains(name) || !name.contains(char::is_lowercase)
    }
}

fn defined_macro(line: &str) -> Option<&str> {
    let definition = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define")?.trim_start();
    let (name, behind) = definition.split_at(definition.find(|sign| !is_of_word(sign))?);
    behind.starts_with('(').then_some(name)
}

/// A word, number or sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    /// From 1.
    pub(super) line: u32,
}

impl Token<'_> {
    pub(super) fn is_word(&self) -> bool {
        self.text.starts_with(|sign: char| sign.is_alphabetic() || sign == '_')
    }
}

/// Signs of several characters, the longer ones first.
const SIGNS: [&str; 23] = [
    "<<=", ">>=", "...", "->", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "==", "!=", "<=", ">=",
    "&&", "||", "<<", ">>", "::",
];

/// Returns the tokens of a text without comments, strings and lines of the preprocessor. Of these, those that choose
/// between two texts become `#`.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut line = 1;
    let mut begins_line = true;
    while let Some(sign) = rest.chars().next() {
        let length = match sign {
            '\n' => {
                begins_line = true;
                line += 1;
                rest = rest.get(1..).unwrap_or("");
                continue;
            }
            '#' if begins_line => {
                let length = length_of_directive(rest);
                let word = rest.get(1..length).unwrap_or("").trim_start();
                if word.starts_with("if") || word.starts_with("el") {
                    found.push(Token { text: "#", line });
                }
                length
            }
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '"' | '\'' => length_of_quoted(rest, sign),
            _ if is_of_word(sign) => rest.find(|sign| !is_of_word(sign)).unwrap_or(rest.len()),
            _ => SIGNS.iter().find(|known| rest.starts_with(**known)).map_or(sign.len_utf8(), |known| known.len()),
        };
        let (token, behind) = rest.split_at_checked(length).unwrap_or((rest, ""));
        let is_skipped = sign.is_whitespace() || sign == '#' || token.starts_with("//") || token.starts_with("/*");
        if !is_skipped {
            found.push(Token { text: token, line });
        }
        begins_line &= sign.is_whitespace();
        line += token.matches('\n').count() as u32;
        rest = behind;
    }
    found
}

/// True for the name of a variable or function, without members, elements and scopes.
pub(super) fn is_plain_name(text: &str) -> bool {
    text.chars().all(is_of_word) && text.starts_with(|sign: char| !sign.is_ascii_digit())
}

pub(super) fn is_of_word(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_'
}

/// The bytes up to the end of the line, or of those that a backslash joins to it.
fn length_of_directive(text: &str) -> usize {
    let mut ends = text.match_indices('\n').map(|(end, _)| end);
    let end = ends.find(|end| !text.get(..*end).is_some_and(|line| line.trim_end_matches('\r').ends_with('\\')));
    end.unwrap_or(text.len())
}

fn length_of_quoted(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, sign) in text.char_indices().skip(1) {
        match sign {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            // Text that is not closed ends with its line.
            '\n' => return at,
            sign if sign == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The token before a place.
pub(super) fn before<'a>(tokens: &[Token<'a>], at: usize) -> &'a str {
    at.checked_sub(1).and_then(|before| tokens.get(before)).map_or("", |token| token.text)
}

/// The token behind a place.
pub(super) fn behind<'a>(tokens: &[Token<'a>], at: usize) -> &'a str {
    tokens.get(at + 1).map_or("", |token| token.text)
}

/// The places of a name before a parenthesis.
pub(super) fn places(tokens: &[Token<'_>], name: &str) -> Vec<usize> {
    let pairs = tokens.windows(2).enumerate();
    pairs
        .filter(|(_, pair)| matches!(pair, [word, open] if word.text == name && open.text == "("))
        .map(|(at, _)| at)
        .collect()
}

/// Deeper brackets are not what people write; to look for their ends would take too long.
const DEEPEST: usize = 64;

/// Returns the place of the bracket that closes the one at a place.
pub(super) fn closing(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        match depth {
            0 => return Some(at),
            DEEPEST.. => return None,
            _ => {}
        }
    }
    None
}

/// The text of tokens, with a space where two words would become one.
pub(super) fn joined(tokens: &[Token<'_>]) -> String {
    let mut text = String::new();
    for token in tokens {
        if text.ends_with(is_of_word) && token.text.starts_with(is_of_word) {
            text.push(' ');
        }
        text += token.text;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn comments_and_directives_are_left_out() {
        const TEXT: &str = "#define A \\\n  b\nint x2 = a->b; // c\n/* d\n e */ f(\"g \\\" h\", 'i') <<= j;\n#if K\n";
        let found = tokens(TEXT);
        let texts: Vec<&str> = found.iter().map(|token| token.text).collect();
        let expected =
            ["int", "x2", "=", "a", "->", "b", ";", "f", "(", "\"g \\\" h\"", ",", "'i'", ")", "<<=", "j", ";", "#"];
        assert_eq!(texts, expected);
        assert_eq!((found[0].line, found[7].line, found[16].line), (3, 5, 6));
    }

    #[test]
    fn macros_are_those_of_the_file_or_of_capital_letters() {
        let text = SourceText::new("a.c", "#define swap(a, b) c\n # define NEXT (1)\n#define other 3\n");
        let found = ["swap", "NEXT", "MPI_CHECK", "other", "send_to"].map(|name| text.is_macro(name));
        assert_eq!(found, [true, true, true, false, false]);
    }

    proptest! {
        #[test]
        fn any_text_is_survived(text in "[a-b0#/*\"'\\\\\n +=é-]{0,60}") {
            let lines = text.lines().count().max(1) as u32;
            for token in tokens(&text) {
                prop_assert!(!token.text.is_empty() && (1..=lines).contains(&token.line));
            }
        }
    }
}
