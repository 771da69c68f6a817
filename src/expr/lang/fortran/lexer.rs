//! Words of an expression that only Fortran has.

use crate::EvalError;
use crate::syntax::token::{Lexer, Token};
use debuginfo::types::builtin::Builtin;

/// Operators between dots, and what they are in C.
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

impl Lexer<'_> {
    /// A word of Fortran's own that begins here.
    pub(crate) fn fortran(&mut self) -> Result<Option<Token>, EvalError> {
        let token = match (self.peek(0), self.peek(1)) {
            (Some('.'), _) => match self.dotted(0) {
                Some((token, length)) => {
                    self.at += length;
                    return Ok(Some(token));
                }
                None => return Ok(None),
            },
            (Some('*'), Some('*')) => Token::Sign("**"),
            (Some('/'), Some('=')) => Token::Sign("!="),
            (Some(quote @ ('\'' | '"')), _) => return self.fortran_text(quote).map(Some),
            _ => return Ok(None),
        };
        self.at += 2;
        Ok(Some(token))
    }

    /// The operator or constant between dots, and its length, that is so many characters ahead.
    pub(crate) fn dotted(&self, ahead: usize) -> Option<(Token, usize)> {
        if self.peek(ahead) != Some('.') {
            return None;
        }
        let word: String =
            (ahead + 1..ahead + 7).map_while(|n| self.peek(n)).take_while(char::is_ascii_alphabetic).collect();
        if self.peek(ahead + 1 + word.len()) != Some('.') {
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

    /// A text ends at its quote, unless that is there twice.
    fn fortran_text(&mut self, quote: char) -> Result<Token, EvalError> {
        let start = self.at;
        self.at += 1;
        let mut units = Vec::new();
        loop {
            match self.peek(0) {
                None => return Err(self.fault(start, "Unmatched single quote.")),
                Some(c) if c == quote && self.peek(1) != Some(quote) => {
                    self.at += 1;
                    return Ok(Token::Text(units, Builtin::Char));
                }
                Some(c) => {
                    self.at += if c == quote { 2 } else { 1 };
                    units.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
                }
            }
        }
    }
}
