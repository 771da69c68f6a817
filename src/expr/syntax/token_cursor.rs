//! A cursor over the tokens of an expression.

use super::token::{Token, syntax_error};
use crate::EvalError;
use model::ErrorCode;

/// Deepest nesting of an expression that is parsed.
const MAX_DEPTH: u32 = 60;

/// The tokens of an expression, the next one to read, and the current nesting depth.
#[derive(Clone)]
pub(crate) struct TokenCursor<'a> {
    text: &'a str,
    tokens: &'a [(Token, u32)],
    next: usize,
    depth: u32,
}

impl<'a> TokenCursor<'a> {
    pub(crate) fn new(text: &'a str, tokens: &'a [(Token, u32)]) -> Self {
        Self { text, tokens, next: 0, depth: 0 }
    }

    pub(crate) fn peek(&self, ahead: usize) -> Option<&'a Token> {
        self.tokens.get(self.next + ahead).map(|(token, _)| token)
    }

    pub(crate) fn source(&self) -> &'a str {
        self.text
    }

    /// Returns the position of the next token, in characters.
    pub(crate) fn position(&self) -> u32 {
        self.position_of(self.next)
    }

    pub(crate) fn position_of(&self, token: usize) -> u32 {
        match self.tokens.get(token) {
            Some((_, position)) => *position,
            None => self.text.chars().count() as u32,
        }
    }

    pub(crate) fn next_token(&self) -> usize {
        self.next
    }

    pub(crate) fn back_to(&mut self, token: usize) {
        self.next = token;
    }

    pub(crate) fn advance(&mut self) {
        self.next += 1;
    }

    pub(crate) fn is_word(&self, wanted: &str) -> bool {
        matches!(self.peek(0), Some(Token::Word(word)) if **word == *wanted)
    }

    pub(crate) fn is_sign(&self, ahead: usize, sign: &str) -> bool {
        matches!(self.peek(ahead), Some(Token::Sign(s)) if *s == sign)
    }

    pub(crate) fn eat(&mut self, sign: &str) -> bool {
        let found = self.is_sign(0, sign);
        self.next += usize::from(found);
        found
    }

    pub(crate) fn need(&mut self, sign: &str) -> Result<(), EvalError> {
        if self.eat(sign) { Ok(()) } else { Err(self.fault()) }
    }

    /// Reads a word; fails on any other token.
    pub(crate) fn need_word(&mut self) -> Result<&'a std::sync::Arc<str>, EvalError> {
        let Some(Token::Word(name)) = self.peek(0) else { return Err(self.fault()) };
        self.advance();
        Ok(name)
    }

    pub(crate) fn need_end(&self) -> Result<(), EvalError> {
        if self.peek(0).is_some() { Err(self.fault()) } else { Ok(()) }
    }

    pub(crate) fn fault(&self) -> EvalError {
        syntax_error(self.text, self.position())
    }

    /// Enters one level of nesting, until [`TokenCursor::leave`].
    pub(crate) fn enter(&mut self) -> Result<(), EvalError> {
        if self.depth >= MAX_DEPTH {
            let message = format!("The expression is nested deeper than {MAX_DEPTH} levels.");
            return Err(EvalError::new(ErrorCode::DEBUGGER, message).at(self.position()));
        }
        self.depth += 1;
        Ok(())
    }

    pub(crate) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Calls `parse` one level deeper in the nesting.
    pub(crate) fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T, EvalError>) -> Result<T, EvalError> {
        self.enter()?;
        let parsed = parse(self);
        self.leave();
        parsed
    }
}
