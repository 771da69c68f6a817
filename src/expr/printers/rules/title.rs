//! Titles of printers: text with expressions in braces.

use super::checked_expression::CheckedExpression;
use crate::EvalError;
use crate::context::EvalContext;
use model::Datum;
use model::aif::{FormatLetter, FormatOptions, format};

/// Longest title, in characters.
const LONGEST: usize = 4096;

#[derive(Debug)]
pub(super) struct Title(Vec<Piece>);

#[derive(Debug)]
enum Piece {
    Text(String),
    Value(CheckedExpression, Option<FormatLetter>),
}

impl Title {
    /// Parses `text {expression} {/x expression}`; `{{` and `}}` stand for braces.
    pub(super) fn parse(
        text: &str,
        expression: &dyn Fn(&str) -> Result<CheckedExpression, String>,
    ) -> Result<Self, String> {
        let mut pieces = Vec::new();
        let mut plain = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(['{', '}']) {
            let (before, from) = rest.split_at(at);
            plain.push_str(before);
            if let Some(after) = ["{{", "}}"].iter().find_map(|pair| from.strip_prefix(pair)) {
                plain.extend(from.chars().next());
                rest = after;
                continue;
            }
            let Some(inside) = from.strip_prefix('{') else {
                return Err("\"}\" without \"{\"; \"}}\" stands for one".into());
            };
            let Some(end) = end_of_expression(inside) else { return Err("\"{\" without \"}\"".into()) };
            let (inside, after) = inside.split_at(end);
            if !plain.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut plain)));
            }
            let (letter, inside) = letter(inside)?;
            pieces.push(Piece::Value(expression(inside)?, letter));
            rest = after.strip_prefix('}').unwrap_or(after);
        }
        plain.push_str(rest);
        if !plain.is_empty() {
            pieces.push(Piece::Text(plain));
        }
        Ok(Self(pieces))
    }

    /// Returns the text for a value, whose scope `context` is.
    pub(super) fn text(&self, context: &EvalContext<'_>) -> Result<String, EvalError> {
        let mut text = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Text(plain) => text.push_str(plain),
                Piece::Value(expression, letter) => {
                    let value = expression.evaluate(context)?;
                    let datum = value.to_datum(context)?;
                    let options = FormatOptions { letter: *letter, ..FormatOptions::within(context.limits()) };
                    let shown = format(&Datum { type_name: String::new(), ..datum }, &options)?;
                    text.push_str(match letter {
                        Some(FormatLetter::String) => without_address(&shown),
                        _ => &shown,
                    });
                }
            }
            if let Some((end, _)) = text.char_indices().nth(LONGEST) {
                text.truncate(end);
                text.push_str("...");
                break;
            }
        }
        Ok(text)
    }
}

/// Returns the place of the brace that ends an expression; those within it, and in its literals, are its own.
fn end_of_expression(text: &str) -> Option<usize> {
    let (mut depth, mut quote, mut escaped) = (0_u32, None, false);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '{') => depth += 1,
            (None, '}') if depth == 0 => return Some(at),
            (None, '}') => depth -= 1,
            (None, _) => {}
        }
    }
    None
}

/// Splits `/x expression` as `print` has it.
fn letter(text: &str) -> Result<(Option<FormatLetter>, &str), String> {
    let Some(rest) = text.trim_start().strip_prefix('/') else { return Ok((None, text)) };
    let mut signs = rest.chars();
    let letter = signs.next().and_then(FormatLetter::of_letter);
    match (letter, signs.next()) {
        (Some(letter), Some(' ')) => Ok((Some(letter), signs.as_str())),
        _ => Err(format!("\"/\" is followed by a format letter of \"print\" and a blank, not {rest:?}")),
    }
}

/// Removes the address before the text that it points to.
fn without_address(shown: &str) -> &str {
    let text = shown.find(" \"").filter(|_| shown.starts_with("0x"));
    text.and_then(|at| shown.get(at + 1..)).unwrap_or(shown)
}
