//! Names of operators: `operator+`, `operator()`, `operator new[]`, `operator bool`.

use crate::syntax::characters::{Characters, in_word};

/// Signs that follow `operator` in a name, longer ones before their prefixes.
const SIGNS: &[&str] = &[
    "<<=", ">>=", "<=>", "->*", "()", "[]", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=",
    "-=", "*=", "/=", "%=", "&=", "|=", "^=", "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "<", ">", "=", ",",
];

/// Reads what follows the word `operator` in a name; returns an empty string if it is a name by itself, as C has it.
/// Blanks before a sign are dropped, as debug information has none there.
pub(crate) fn rest_of_operator(text: &mut Characters<'_>) -> String {
    let blanks = text.rest().iter().take_while(|c| c.is_whitespace()).count();
    let rest = text.rest().get(blanks..).unwrap_or_default();
    let is_at = |sign: &str| sign.chars().enumerate().all(|(at, c)| rest.get(at) == Some(&c));
    if let Some(sign) = SIGNS.iter().find(|sign| is_at(sign)) {
        let behind = rest.get(sign.len()..).unwrap_or_default();
        // An operand after the sign: `operator` is the left one.
        if !can_follow(behind) {
            return String::new();
        }
        text.advance(blanks + sign.len());
        return (*sign).to_owned();
    }
    let length = conversion(rest);
    if blanks == 0 || length == 0 {
        return String::new();
    }
    text.advance(blanks);
    format!(" {}", text.take(length).trim_end())
}

/// True if the rest can follow the name of a function.
fn can_follow(rest: &[char]) -> bool {
    matches!(rest.iter().find(|c| !c.is_whitespace()), None | Some('(' | ')' | ',' | ']'))
}

/// Returns the length of the type that a conversion (`operator unsigned long`) gives, or of `new[]` and the like.
fn conversion(rest: &[char]) -> usize {
    let mut depth = 0_u32;
    let end = rest.iter().position(|c| {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => return true,
            c => return !in_word(*c) && !matches!(c, ' ' | ':' | '*' | '&' | ',' | '[' | ']'),
        }
        false
    });
    if rest.first().is_some_and(|c| in_word(*c) && !c.is_numeric()) { end.unwrap_or(rest.len()) } else { 0 }
}
