//! Parses expressions by operator precedence.

use super::lex::{Fault, Token};
use super::syntax::{Expression, ExpressionKind as Kind};
use super::{
    super::ctype::{CHAR, INT, LONG, UNSIGNED, UNSIGNED_LONG},
    Parser,
};

/// Weakest operators first.
const LEVELS: &[&[&str]] = &[
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", ">", "<=", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

const ASSIGNMENTS: &[(&str, Option<&str>)] = &[
    ("=", None),
    ("+=", Some("+")),
    ("-=", Some("-")),
    ("*=", Some("*")),
    ("/=", Some("/")),
    ("%=", Some("%")),
    ("&=", Some("&")),
    ("|=", Some("|")),
    ("^=", Some("^")),
    ("<<=", Some("<<")),
    (">>=", Some(">>")),
];

/// Maximum nesting, beyond any realistic program, so that deeper text cannot exhaust the stack.
const DEEPEST: usize = 200;

impl Parser {
    fn made(&self, kind: Kind, place: (u32, u32)) -> Expression {
        Expression { kind, line: place.0, position: place.1 }
    }

    pub(super) fn expression(&mut self) -> Result<Expression, Fault> {
        self.assignment(0)
    }

    fn assignment(&mut self, depth: usize) -> Result<Expression, Fault> {
        if depth > DEEPEST {
            return Err(self.fault("the expression is nested too deeply"));
        }
        let place = self.place();
        let left = self.choice(depth)?;
        for (sign, operation) in ASSIGNMENTS {
            if self.accept(sign) {
                let right = self.assignment(depth + 1)?;
                return Ok(self.made(Kind::Assign(*operation, Box::new(left), Box::new(right)), place));
            }
        }
        Ok(left)
    }

    fn choice(&mut self, depth: usize) -> Result<Expression, Fault> {
        let place = self.place();
        let condition = self.binary(0, depth)?;
        if !self.accept("?") {
            return Ok(condition);
        }
        let yes = self.assignment(depth + 1)?;
        self.expect(":")?;
        let no = self.assignment(depth + 1)?;
        Ok(self.made(Kind::Choice(Box::new(condition), Box::new(yes), Box::new(no)), place))
    }

    fn binary(&mut self, level: usize, depth: usize) -> Result<Expression, Fault> {
        let Some(signs) = LEVELS.get(level) else { return self.unary(depth) };
        let mut left = self.binary(level + 1, depth)?;
        loop {
            let place = self.place();
            let Some(sign) = signs.iter().find(|sign| self.accept(sign)) else { return Ok(left) };
            let right = self.binary(level + 1, depth)?;
            left = self.made(Kind::Binary(sign, Box::new(left), Box::new(right)), place);
        }
    }

    fn unary(&mut self, depth: usize) -> Result<Expression, Fault> {
        if depth > DEEPEST {
            return Err(self.fault("the expression is nested too deeply"));
        }
        let place = self.place();
        for sign in ["-", "!", "~", "*", "&"] {
            if self.accept(sign) {
                let operand = self.unary(depth + 1)?;
                return Ok(self.made(Kind::Unary(sign, Box::new(operand)), place));
            }
        }
        if self.accept("+") {
            return self.unary(depth + 1);
        }
        for (sign, by) in [("++", 1), ("--", -1)] {
            if self.accept(sign) {
                let operand = self.unary(depth + 1)?;
                return Ok(self.made(Kind::Increment(Box::new(operand), by, false), place));
            }
        }
        if self.at_word("sizeof") {
            self.next();
            if matches!(self.peek(), Token::Sign("(")) && self.starts_type(self.peek_after()) {
                self.next();
                let ty = self.type_name()?;
                self.expect(")")?;
                return Ok(self.made(Kind::SizeOfType(ty), place));
            }
            let operand = self.unary(depth + 1)?;
            return Ok(self.made(Kind::SizeOf(Box::new(operand)), place));
        }
        if matches!(self.peek(), Token::Sign("(")) && self.starts_type(self.peek_after()) {
            self.next();
            let ty = self.type_name()?;
            self.expect(")")?;
            let operand = self.unary(depth + 1)?;
            return Ok(self.made(Kind::Cast(ty, Box::new(operand)), place));
        }
        self.postfix(depth)
    }

    fn postfix(&mut self, depth: usize) -> Result<Expression, Fault> {
        let mut left = self.primary(depth)?;
        loop {
            let place = self.place();
            let kind = if self.accept("[") {
                let index = self.assignment(depth + 1)?;
                self.expect("]")?;
                Kind::Index(Box::new(left), Box::new(index))
            } else if self.accept(".") {
                Kind::Member(Box::new(left), self.name()?, false)
            } else if self.accept("->") {
                Kind::Member(Box::new(left), self.name()?, true)
            } else if self.accept("++") {
                Kind::Increment(Box::new(left), 1, true)
            } else if self.accept("--") {
                Kind::Increment(Box::new(left), -1, true)
            } else {
                return Ok(left);
            };
            left = self.made(kind, place);
        }
    }

    fn primary(&mut self, depth: usize) -> Result<Expression, Fault> {
        let place = self.place();
        let kind = match self.peek().clone() {
            Token::Integer(value, unsigned, long) => {
                self.next();
                let fits = i32::try_from(value).is_ok() || (unsigned && u32::try_from(value).is_ok());
                let ty = match (unsigned, long || !fits) {
                    (false, false) => INT,
                    (true, false) => UNSIGNED,
                    (false, true) => LONG,
                    (true, true) => UNSIGNED_LONG,
                };
                Kind::Integer(value as i64, ty)
            }
            Token::Float(value) => {
                self.next();
                Kind::Float(value)
            }
            Token::Character(byte) => {
                self.next();
                Kind::Integer(i64::from(byte), CHAR)
            }
            Token::Text(mut bytes) => {
                self.next();
                while let Token::Text(more) = self.peek().clone() {
                    self.next();
                    bytes.extend(more);
                }
                Kind::Text(bytes)
            }
            Token::Name(name) => {
                self.next();
                if self.accept("(") {
                    let mut arguments = Vec::new();
                    while !self.accept(")") {
                        arguments.push(self.assignment(depth + 1)?);
                        if !self.accept(",") {
                            self.expect(")")?;
                            break;
                        }
                    }
                    Kind::Call(name, arguments)
                } else if let Some((value, ty)) = self.names.constants.get(&name) {
                    Kind::Integer(*value, ty.clone())
                } else {
                    Kind::Name(name)
                }
            }
            Token::Sign("(") => {
                self.next();
                let inner = self.assignment(depth + 1)?;
                self.expect(")")?;
                return Ok(inner);
            }
            Token::End => return Err(self.fault("expected an operand")),
            Token::Sign(sign) => return Err(self.fault(format!("expected an operand, not {sign:?}"))),
        };
        Ok(self.made(kind, place))
    }
}
