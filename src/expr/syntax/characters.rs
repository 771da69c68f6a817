//! The characters of an expression, and the tokens that several languages spell alike.

use super::token::{Token, syntax_error};
use crate::EvalError;
use model::ErrorCode;

/// The characters of an expression, and how far they have been read.
pub(crate) struct Characters<'a> {
    text: &'a str,
    all: Vec<char>,
    at: usize,
}

pub(crate) fn begins_word(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

pub(crate) fn in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

impl<'a> Characters<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, all: text.chars().collect(), at: 0 }
    }

    pub(crate) fn position(&self) -> usize {
        self.at
    }

    pub(crate) fn peek(&self, ahead: usize) -> Option<char> {
        self.all.get(self.at + ahead).copied()
    }

    pub(crate) fn rest(&self) -> &[char] {
        self.all.get(self.at..).unwrap_or_default()
    }

    pub(crate) fn at(&self, signs: &str) -> bool {
        signs.chars().enumerate().all(|(ahead, c)| self.peek(ahead) == Some(c))
    }

    pub(crate) fn advance(&mut self, length: usize) {
        self.at += length;
    }

    pub(crate) fn take(&mut self, length: usize) -> String {
        let taken = self.rest().iter().take(length).collect();
        self.at += length;
        taken
    }

    pub(crate) fn take_while(&mut self, fits: impl Fn(char) -> bool) -> String {
        let length = self.rest().iter().take_while(|c| fits(**c)).count();
        self.take(length)
    }

    /// Skips blanks; returns `false` at the end of the text.
    pub(crate) fn skip_blanks(&mut self) -> bool {
        self.take_while(char::is_whitespace);
        self.peek(0).is_some()
    }

    pub(crate) fn fault(&self, position: usize, message: impl Into<String>) -> EvalError {
        EvalError::new(ErrorCode::DEBUGGER, message).at(position as u32)
    }

    pub(crate) fn syntax_error(&self, position: usize) -> EvalError {
        syntax_error(self.text, position as u32)
    }

    /// Reads the first of the signs that matches here.
    pub(crate) fn sign(&mut self, signs: &[&'static str]) -> Option<Token> {
        let sign = signs.iter().find(|sign| self.at(sign))?;
        self.at += sign.len();
        Some(Token::Sign(sign))
    }

    /// Reads `$rip`.
    pub(crate) fn register(&mut self) -> Option<Token> {
        if self.peek(0) != Some('$') {
            return None;
        }
        self.at += 1;
        Some(Token::Register(self.take_while(|c| in_word(c) || c == '$').into()))
    }

    /// Reads a qualified name: `std::cout`, `::x`. `arguments` reads the template arguments after a name.
    pub(crate) fn scoped_name(&mut self, arguments: fn(&mut Self, &str) -> String) -> String {
        let mut name = String::new();
        loop {
            if self.at("::") && self.peek(2).is_some_and(begins_word) {
                self.at += 2;
                name.push_str("::");
            }
            let part = self.take_while(in_word);
            if part.is_empty() {
                self.at += usize::from(name.is_empty());
                return name;
            }
            name.push_str(&part);
            name.push_str(&arguments(self, &part));
            if !self.at("::") {
                return name;
            }
        }
    }

    /// Reads a name in single quotes, which may contain any characters (a file, an overload), and a `::` part after it.
    /// One character in quotes is a character constant.
    pub(crate) fn quoted_name(&mut self, arguments: fn(&mut Self, &str) -> String) -> Option<Token> {
        let (quote, rest) = self.rest().split_first()?;
        if *quote != '\'' {
            return None;
        }
        let length = rest.iter().position(|c| *c == '\'')?;
        let inside = rest.get(..length)?;
        if length < 2 || inside.contains(&'\\') {
            return None;
        }
        let mut name: String = inside.iter().collect();
        self.at += length + 2;
        if self.at("::") && self.peek(2).is_some_and(begins_word) {
            self.at += 2;
            name.push_str("::");
            name.push_str(&self.scoped_name(arguments));
        }
        Some(Token::Word(name.into()))
    }
}

/// Used as `arguments` by languages without template arguments.
pub(crate) fn no_arguments(_: &mut Characters<'_>, _: &str) -> String {
    String::new()
}
