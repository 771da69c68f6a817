//! Splits Fortran expressions into tokens: those of C, except for dots, quotes and exponents.

use crate::EvalError;
use crate::lang::c::lexer::{at_number, literal, number, sign, take_number};
use crate::syntax::characters::{Characters, begins_word, no_arguments};
use crate::syntax::lexer::Lexer;
use crate::syntax::token::Token;
use debuginfo::types::builtin::Builtin;

/// Operators between dots, and their C equivalents.
const DOTTED: &[(&str, &str)] = &[
    ("and", "&&"),
    ("or", "||"),
    ("not", "!"),
    ("eqv", "=="),
    ("neqv", "!="),
    ("xor", "!="),
    ("eq", "=="),
    ("ne", "!="),
    ("lt", "<"),
    ("le", "<="),
    ("gt", ">"),
    ("ge", ">="),
];

pub(crate) struct FortranLexer;

impl Lexer for FortranLexer {
    fn token(&self, text: &mut Characters<'_>, _: &[(Token, u32)]) -> Result<Token, EvalError> {
        if let Some((token, length)) = dotted(text, 0).or_else(|| signs(text)) {
            text.advance(length);
            return Ok(token);
        }
        if let Some(quote @ ('\'' | '"')) = text.peek(0) {
            return quoted(text, quote);
        }
        if let Some(literal) = literal(text)? {
            return Ok(literal);
        }
        if text.peek(0).is_some_and(begins_word) {
            return Ok(Token::Word(text.scoped_name(no_arguments).into()));
        }
        if let Some(register) = text.register() {
            return Ok(register);
        }
        if at_number(text) {
            let start = text.position();
            let written = take_number(text, &['d', 'D'], |text, ahead| dotted(text, ahead).is_some());
            let mut lower = written.to_ascii_lowercase();
            if !lower.starts_with("0x") {
                lower = lower.replace('d', "e");
            }
            return number(start, &written, &lower);
        }
        sign(text)
    }
}

/// Reads an operator that C does not have or that means something else there.
fn signs(text: &Characters<'_>) -> Option<(Token, usize)> {
    match (text.peek(0)?, text.peek(1)?) {
        ('*', '*') => Some((Token::Sign("**"), 2)),
        ('/', '=') => Some((Token::Sign("!="), 2)),
        _ => None,
    }
}

/// Reads the operator or constant between dots that begins `ahead` characters from here; returns its length too.
fn dotted(text: &Characters<'_>, ahead: usize) -> Option<(Token, usize)> {
    if text.peek(ahead) != Some('.') {
        return None;
    }
    let word: String =
        (ahead + 1..ahead + 7).map_while(|n| text.peek(n)).take_while(char::is_ascii_alphabetic).collect();
    if text.peek(ahead + 1 + word.len()) != Some('.') {
        return None;
    }
    let lower = word.to_ascii_lowercase();
    let token = match lower.as_str() {
        "true" => Token::Integer(1, Builtin::Logical),
        "false" => Token::Integer(0, Builtin::Logical),
        word => Token::Sign(DOTTED.iter().find(|(name, _)| *name == word)?.1),
    };
    Some((token, word.len() + 2))
}

/// A string ends at its quote, unless the quote is doubled.
fn quoted(text: &mut Characters<'_>, quote: char) -> Result<Token, EvalError> {
    let start = text.position();
    text.advance(1);
    let mut units = Vec::new();
    loop {
        match text.peek(0) {
            None => return Err(text.fault(start, "Unmatched single quote.")),
            Some(c) if c == quote && text.peek(1) != Some(quote) => {
                text.advance(1);
                return Ok(Token::Text(units, Builtin::Char));
            }
            Some(c) => {
                text.advance(if c == quote { 2 } else { 1 });
                units.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
            }
        }
    }
}
