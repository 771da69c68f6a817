//! Parses the simulated language, a subset of C that a C compiler accepts, too.

mod declaration;
mod expression;
pub(super) mod lex;
mod statement;
pub(super) mod syntax;

use self::lex::{Fault, Token, Word, words};
use self::syntax::{Declaration, Expression, FunctionText};
use super::ctype::{CType, Structure};

use model::ErrorCode;
use std::{collections::HashMap, sync::Arc};

/// The types and constants of a program.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    pub(super) structures: HashMap<Arc<str>, Arc<Structure>>,
    pub(super) types: HashMap<Arc<str>, CType>,
    pub(super) constants: HashMap<Arc<str>, (i64, CType)>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct FileText {
    pub(super) names: Names,
    pub(super) globals: Vec<Declaration>,
    pub(super) functions: Vec<FunctionText>,
}

pub(super) fn parse_file(text: &str) -> Result<FileText, Fault> {
    let mut parser = Parser { words: words(text)?, at: 0, names: Names::default() };
    let mut file = FileText::default();
    while *parser.peek() != Token::End {
        parser.external(&mut file)?;
    }
    file.names = parser.names;
    Ok(file)
}

pub(super) fn parse_expression(text: &str, names: &Names) -> Result<Expression, Fault> {
    let mut parser = Parser { words: words(text)?, at: 0, names: names.clone() };
    let expression = parser.expression()?;
    match parser.peek() {
        Token::End => Ok(expression),
        _ => Err(parser.fault("expected the end of the expression")),
    }
}

/// Parses a type name of the user, such as `struct cell *`; `None` if it is not a type.
pub(super) fn parse_type(text: &str, names: &Names) -> Option<CType> {
    let mut parser = Parser { words: words(text).ok()?, at: 0, names: names.clone() };
    let ty = parser.at_type().then(|| parser.type_name())?.ok()?;
    (*parser.peek() == Token::End).then_some(ty)
}

struct Parser {
    words: Vec<Word>,
    at: usize,
    names: Names,
}

impl Parser {
    fn peek(&self) -> &Token {
        self.words.get(self.at).map_or(&Token::End, |word| &word.token)
    }

    fn peek_after(&self) -> &Token {
        self.words.get(self.at + 1).map_or(&Token::End, |word| &word.token)
    }

    fn place(&self) -> (u32, u32) {
        self.words.get(self.at).or(self.words.last()).map_or((1, 0), |word| (word.line, word.position))
    }

    fn line(&self) -> u32 {
        self.place().0
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.at = (self.at + 1).min(self.words.len().saturating_sub(1));
        token
    }

    fn fault(&self, message: impl Into<String>) -> Fault {
        let (line, position) = self.place();
        Fault { code: ErrorCode::DEBUGGER, message: message.into(), line, position }
    }

    fn accept(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Token::Sign(s) if *s == sign);
        if found {
            self.next();
        }
        found
    }

    fn expect(&mut self, sign: &str) -> Result<(), Fault> {
        if self.accept(sign) { Ok(()) } else { Err(self.fault(format!("expected {sign:?}"))) }
    }

    fn at_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Name(name) if &**name == word)
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.next();
        }
        found
    }

    fn name(&mut self) -> Result<Arc<str>, Fault> {
        match self.peek().clone() {
            Token::Name(name) => {
                self.next();
                Ok(name)
            }
            _ => Err(self.fault("expected a name")),
        }
    }
}
