//! Template arguments, which belong to the name before them: `Box<int>`, `limits<int>::max`.

use super::operator_names::rest_of_operator;
use crate::syntax::characters::{Characters, begins_word, in_word};

const CASTS: [&str; 4] = ["static_cast", "reinterpret_cast", "const_cast", "dynamic_cast"];

/// Words that may follow a type where an operand cannot.
const QUALIFIERS: [&str; 2] = ["const", "volatile"];

/// Reads the template arguments that begin here, or the rest of the name of an operator; returns an empty string if `<` is an operator. Names are not looked
/// up, so the syntax decides: the bracket follows the name directly, its contents could be types and numbers, and no
/// operand follows it.
pub(crate) fn template_arguments(text: &mut Characters<'_>, name: &str) -> String {
    if name == "operator" {
        return rest_of_operator(text);
    }
    if text.peek(0) == Some('(') {
        return parameters_of_scope(text);
    }
    if text.peek(0) != Some('<') || CASTS.contains(&name) {
        return String::new();
    }
    let rest = text.rest();
    let Some(end) = end_of_arguments(rest) else { return String::new() };
    let (arguments, behind) = rest.split_at_checked(end + 1).unwrap_or_default();
    let in_scope = matches!(behind, [':', ':', first, ..] if begins_word(*first));
    let is_type = are_arguments(arguments) && can_follow(behind);
    if !in_scope && !is_type {
        return String::new();
    }
    text.take(end + 1)
}

/// Reads the parameters of a function whose name is a scope: `counter(int)::calls`.
fn parameters_of_scope(text: &mut Characters<'_>) -> String {
    let Some(end) = end_of_arguments(text.rest()) else { return String::new() };
    match text.rest().get(end + 1..).unwrap_or_default() {
        [':', ':', first, ..] if begins_word(*first) => text.take(end + 1),
        _ => String::new(),
    }
}

/// Returns the index of the bracket that closes the one at the beginning.
fn end_of_arguments(text: &[char]) -> Option<usize> {
    let mut depth = 0_u32;
    text.iter().position(|c| {
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    })
}

/// True if the text between the brackets could be types and numbers: no operand follows a pointer or reference sign.
fn are_arguments(text: &[char]) -> bool {
    let mut before = ' ';
    text.iter().enumerate().all(|(at, c)| {
        let rest = text.get(at + 1..).unwrap_or_default();
        let fits = match c {
            '*' | '&' => ends_type(rest),
            '-' => matches!(before, '<' | ',') && rest.first().is_some_and(char::is_ascii_digit),
            ':' => before == ':' || rest.first() == Some(&':'),
            '<' | '>' | ',' | '(' | ')' | '[' | ']' => true,
            c => in_word(*c) || c.is_whitespace(),
        };
        if !c.is_whitespace() {
            before = *c;
        }
        fits
    })
}

/// True if no operand follows a pointer or reference sign.
fn ends_type(rest: &[char]) -> bool {
    let next = rest.iter().position(|c| !c.is_whitespace());
    let rest = next.and_then(|next| rest.get(next..)).unwrap_or_default();
    matches!(rest.first(), Some('*' | '&' | ',' | '>' | ')' | '(' | '[')) || is_qualifier(rest)
}

fn is_qualifier(rest: &[char]) -> bool {
    let word: String = rest.iter().take_while(|c| in_word(**c)).collect();
    QUALIFIERS.contains(&word.as_str())
}

/// True if the rest can follow a type or a function.
fn can_follow(rest: &[char]) -> bool {
    let next = rest.iter().position(|c| !c.is_whitespace());
    let rest = next.and_then(|next| rest.get(next..)).unwrap_or_default();
    match rest {
        [] => true,
        ['&' | '*', ..] => ends_declarator(rest),
        [')' | '(' | ',' | ']' | '[' | '>' | '}' | '@', ..] => true,
        rest => is_qualifier(rest),
    }
}

/// True if the end of a type follows pointer or reference signs.
fn ends_declarator(rest: &[char]) -> bool {
    let next = rest.iter().position(|c| !matches!(c, '*' | '&') && !c.is_whitespace());
    let rest = next.and_then(|next| rest.get(next..)).unwrap_or_default();
    matches!(rest.first(), None | Some(')' | ',' | ']' | '[' | '>' | '}' | '(')) || is_qualifier(rest)
}
