//! From words to the tree of an expression. Names are not looked up: where `(name)` could be a cast or a parenthesis
//! the name is noted, and the caller parses again when it turns out to be a type.

use super::token::{Dialect, Token, syntax_error, tokens};
use super::tree::{BinaryOperator, Derivation, Node, NodeKind, REPEAT_STRENGTH, UnaryOperator};
use crate::EvalError;
use model::ErrorCode;
use std::sync::Arc;

/// Deepest nesting of an expression.
const MAX_DEPTH: u32 = 60;

/// A tree, and the names whose being a type would change it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Parsed {
    pub root: Node,
    pub doubtful: Vec<Arc<str>>,
}

/// Parses a whole text; `types` are names known to be types.
pub(crate) fn parse(text: &str, types: &[Arc<str>], dialect: Dialect) -> Result<Parsed, EvalError> {
    let tokens = tokens(text, dialect)?;
    let mut parser = Parser::new(text, &tokens, types, dialect);
    if dialect == Dialect::C && parser.at_type() {
        // `unsigned long` and `struct cell *` are types for whatis; a cast begins with a bracket.
        let root = parser.whole_type()?;
        return Ok(Parsed { root, doubtful: Vec::new() });
    }
    if dialect == Dialect::Rust {
        return parse_rust(text, &tokens).map(|root| Parsed { root, doubtful: Vec::new() });
    }
    match parser.whole_expression() {
        Ok(root) => Ok(Parsed { root, doubtful: parser.doubtful }),
        Err(error) => {
            // `cell_t *` is no expression, but it may be a type.
            let mut parser = Parser::new(text, &tokens, types, dialect);
            match tokens.first() {
                Some((Token::Word(word), _)) if **word != *"sizeof" => {
                    parser.whole_type().map(|root| Parsed { root, doubtful: Vec::new() }).map_err(|_| error)
                }
                _ => Err(error),
            }
        }
    }
}

/// An expression, or else a type.
fn parse_rust(text: &str, tokens: &[(Token, u32)]) -> Result<Node, EvalError> {
    let parser = || Parser::new(text, tokens, &[], Dialect::Rust);
    parser().whole_of_rust().or_else(|error| parser().whole_type().map_err(|_| error))
}

pub(crate) struct Parser<'a> {
    text: &'a str,
    tokens: &'a [(Token, u32)],
    next: usize,
    depth: u32,
    dialect: Dialect,
    types: &'a [Arc<str>],
    doubtful: Vec<Arc<str>>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, tokens: &'a [(Token, u32)], types: &'a [Arc<str>], dialect: Dialect) -> Self {
        Self { text, tokens, next: 0, depth: 0, dialect, types, doubtful: Vec::new() }
    }

    pub(crate) fn peek(&self, ahead: usize) -> Option<&'a Token> {
        self.tokens.get(self.next + ahead).map(|(token, _)| token)
    }

    pub(crate) fn source(&self) -> &'a str {
        self.text
    }

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

    pub(crate) fn fault(&self) -> EvalError {
        syntax_error(self.text, self.position())
    }

    /// Whether the word is known to be a type.
    pub(crate) fn is_type_name(&self, word: &str) -> bool {
        self.types.iter().any(|name| **name == *word)
    }

    /// Calls `parse` one level deeper.
    pub(crate) fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T, EvalError>) -> Result<T, EvalError> {
        if self.depth >= MAX_DEPTH {
            let message = format!("The expression is nested deeper than {MAX_DEPTH} levels.");
            return Err(EvalError::new(ErrorCode::DEBUGGER, message).at(self.position()));
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    fn whole_type(&mut self) -> Result<Node, EvalError> {
        let position = self.position();
        let ty = if self.dialect == Dialect::Rust { self.rust_type()? } else { self.type_expression()? };
        if self.peek(0).is_some() {
            return Err(self.fault());
        }
        Node::new(NodeKind::Type(ty), position)
    }

    fn whole_expression(&mut self) -> Result<Node, EvalError> {
        let root = self.comma()?;
        if self.peek(0).is_some() { Err(self.fault()) } else { Ok(root) }
    }

    fn comma(&mut self) -> Result<Node, EvalError> {
        let mut left = self.assignment()?;
        loop {
            let position = self.position();
            if !self.eat(",") {
                return Ok(left);
            }
            let right = self.assignment()?;
            left = Node::new(NodeKind::Comma(left.into(), right.into()), position)?;
        }
    }

    fn assignment(&mut self) -> Result<Node, EvalError> {
        self.deeper(|parser| {
            let left = parser.conditional()?;
            let position = parser.position();
            let Some(Token::Sign(sign)) = parser.peek(0) else { return Ok(left) };
            let operator = match *sign {
                "=" => None,
                sign => match sign.strip_suffix('=').and_then(BinaryOperator::of_sign) {
                    Some((operator, _)) if !is_comparison(sign) => Some(operator),
                    _ => return Ok(left),
                },
            };
            parser.advance();
            let right = parser.assignment()?;
            Node::new(NodeKind::Assign(operator, left.into(), right.into()), position)
        })
    }

    fn conditional(&mut self) -> Result<Node, EvalError> {
        let condition = self.binary(0)?;
        let position = self.position();
        if !self.eat("?") {
            return Ok(condition);
        }
        let yes = self.deeper(Self::comma)?;
        self.need(":")?;
        let no = self.deeper(Self::conditional)?;
        Node::new(NodeKind::Conditional(condition.into(), yes.into(), no.into()), position)
    }

    /// Binary operators that bind at least as strongly as `lowest`.
    fn binary(&mut self, lowest: u8) -> Result<Node, EvalError> {
        let mut left = self.deeper(Self::unary)?;
        loop {
            let position = self.position();
            let Some(Token::Sign(sign)) = self.peek(0) else { return Ok(left) };
            if *sign == "@" && lowest <= REPEAT_STRENGTH {
                self.advance();
                let right = self.deeper(|parser| parser.binary(REPEAT_STRENGTH + 1))?;
                left = Node::new(NodeKind::Repeat(left.into(), right.into()), position)?;
                continue;
            }
            let (logic, strength) = match *sign {
                "||" => (Some(true), 1),
                "&&" => (Some(false), 2),
                sign => match BinaryOperator::of_sign(sign) {
                    Some((_, strength)) => (None, strength),
                    None => return Ok(left),
                },
            };
            if strength < lowest {
                return Ok(left);
            }
            self.advance();
            // Powers of powers are taken from the right.
            let further = if *sign == "**" { strength } else { strength + 1 };
            let right = self.deeper(|parser| parser.binary(further))?;
            let (a, b) = (left.into(), right.into());
            let kind = match (logic, BinaryOperator::of_sign(sign)) {
                (Some(true), _) => NodeKind::Or(a, b),
                (_, Some((operator, _))) => NodeKind::Binary(operator, a, b),
                _ => NodeKind::And(a, b),
            };
            left = Node::new(kind, position)?;
        }
    }

    fn unary(&mut self) -> Result<Node, EvalError> {
        let position = self.position();
        if let Some(Token::Word(word)) = self.peek(0)
            && matches!(&**word, "sizeof" | "_Alignof")
        {
            self.advance();
            return self.size_of(position);
        }
        let Some(Token::Sign(sign)) = self.peek(0) else { return self.postfix() };
        let operator = match *sign {
            "+" => UnaryOperator::Plus,
            "-" => UnaryOperator::Negate,
            "~" => UnaryOperator::Complement,
            "!" => UnaryOperator::Not,
            "*" => UnaryOperator::Dereference,
            "&" => UnaryOperator::AddressOf,
            "++" | "--" => {
                let by = if *sign == "++" { 1 } else { -1 };
                self.advance();
                let of = self.deeper(Self::unary)?.into();
                return Node::new(NodeKind::Step { of, by, postfix: false }, position);
            }
            "{" => {
                // `{int} address` is what an address has of a type.
                self.advance();
                let mut ty = self.type_expression()?;
                self.need("}")?;
                ty.derived.push(Derivation::Pointer { is_const: false, is_volatile: false });
                let of = self.deeper(Self::unary)?.into();
                let pointer = Node::new(NodeKind::Cast(ty, of), position)?;
                return Node::new(NodeKind::Unary(UnaryOperator::Dereference, pointer.into()), position);
            }
            "(" if self.at_cast() => {
                self.advance();
                let ty = self.type_expression()?;
                self.need(")")?;
                let of = self.deeper(Self::unary)?.into();
                return Node::new(NodeKind::Cast(ty, of), position);
            }
            _ => return self.postfix(),
        };
        self.advance();
        let of = self.deeper(Self::unary)?.into();
        Node::new(NodeKind::Unary(operator, of), position)
    }

    fn size_of(&mut self, position: u32) -> Result<Node, EvalError> {
        if self.is_sign(0, "(") {
            if let Some(Token::Word(word)) = self.peek(1) {
                self.doubtful.push(word.clone());
            }
            let stars = self.stars();
            let named = stars > 0 && matches!(self.peek(1), Some(Token::Word(_))) && self.is_sign(2 + stars, ")");
            self.advance();
            if named || self.at_type() {
                let ty = self.type_expression()?;
                self.need(")")?;
                return Node::new(NodeKind::SizeOfType(ty), position);
            }
            self.next -= 1;
        }
        let of = self.deeper(Self::unary)?.into();
        Node::new(NodeKind::SizeOf(of), position)
    }

    /// Stars behind the word that is behind the bracket here.
    fn stars(&self) -> usize {
        self.tokens.iter().skip(self.next + 2).take_while(|(token, _)| *token == Token::Sign("*")).count()
    }

    /// Whether the bracket here opens a cast.
    fn at_cast(&mut self) -> bool {
        self.next += 1;
        let at_type = self.at_type();
        self.next -= 1;
        if at_type {
            return true;
        }
        let Some(Token::Word(name)) = self.peek(1) else { return false };
        let stars = self.stars();
        if !self.is_sign(2 + stars, ")") {
            return false;
        }
        let after = self.peek(3 + stars);
        if stars > 0 {
            return after.is_some();
        }
        match after {
            Some(Token::Sign("(" | "*" | "&" | "-" | "+" | "++" | "--")) => {
                self.doubtful.push(name.clone());
                false
            }
            Some(Token::Sign("~" | "!")) => true,
            Some(Token::Sign(_)) | None => false,
            Some(_) => true,
        }
    }

    /// `static_cast<T>(e)` and its kin.
    fn named_cast(&mut self) -> Result<Option<Node>, EvalError> {
        let position = self.position();
        let Some(Token::Word(word)) = self.peek(0) else { return Ok(None) };
        let is_cast = matches!(&**word, "static_cast" | "reinterpret_cast" | "const_cast" | "dynamic_cast");
        if !is_cast || !self.is_sign(1, "<") {
            return Ok(None);
        }
        self.next += 2;
        let ty = self.type_expression()?;
        self.need(">")?;
        self.need("(")?;
        let of = self.deeper(Self::comma)?.into();
        self.need(")")?;
        Node::new(NodeKind::Cast(ty, of), position).map(Some)
    }

    fn postfix(&mut self) -> Result<Node, EvalError> {
        let mut node = match self.named_cast()? {
            Some(cast) => cast,
            None => self.primary()?,
        };
        loop {
            let position = self.position();
            let Some(Token::Sign(sign)) = self.peek(0) else { return Ok(node) };
            let kind = match *sign {
                "." | "->" => {
                    let arrow = *sign == "->";
                    self.advance();
                    let Some(Token::Word(name)) = self.peek(0) else { return Err(self.fault()) };
                    self.advance();
                    NodeKind::Member { of: node.into(), name: name.clone(), arrow }
                }
                "%" if self.dialect == Dialect::Fortran => {
                    self.advance();
                    let Some(Token::Word(name)) = self.peek(0) else { return Err(self.fault()) };
                    self.advance();
                    NodeKind::Member { of: node.into(), name: name.to_lowercase().into(), arrow: false }
                }
                "[" => {
                    self.advance();
                    let index = self.deeper(Self::comma)?;
                    if self.eat(":") {
                        let last = self.deeper(Self::comma)?;
                        self.need("]")?;
                        NodeKind::Slice(node.into(), index.into(), last.into())
                    } else {
                        self.need("]")?;
                        NodeKind::Index(node.into(), index.into())
                    }
                }
                "(" => {
                    self.advance();
                    let mut arguments = Vec::new();
                    while !self.eat(")") {
                        if !arguments.is_empty() {
                            self.need(",")?;
                        }
                        arguments.push(self.argument()?);
                    }
                    NodeKind::Call(node.into(), arguments)
                }
                "++" | "--" => {
                    let by = if *sign == "++" { 1 } else { -1 };
                    self.advance();
                    NodeKind::Step { of: node.into(), by, postfix: true }
                }
                _ => return Ok(node),
            };
            node = Node::new(kind, position)?;
        }
    }

    /// An argument of a call; in Fortran it may be a range of subscripts.
    fn argument(&mut self) -> Result<Node, EvalError> {
        if self.dialect == Dialect::C {
            return self.deeper(Self::assignment);
        }
        let position = self.position();
        let part = |parser: &mut Self| {
            let none = [":", ",", ")"].iter().any(|sign| parser.is_sign(0, sign));
            if none { Ok(None) } else { parser.deeper(Self::assignment).map(|node| Some(Box::new(node))) }
        };
        let low = part(self)?;
        if !self.eat(":") {
            return low.map(|node| *node).ok_or_else(|| self.fault());
        }
        let high = part(self)?;
        let stride = if self.eat(":") { part(self)? } else { None };
        Node::new(NodeKind::Range(low, high, stride), position)
    }

    fn primary(&mut self) -> Result<Node, EvalError> {
        let position = self.position();
        let kind = match self.peek(0) {
            Some(Token::Word(name)) => NodeKind::Name(name.clone()),
            Some(Token::Register(name)) => NodeKind::Register(name.clone()),
            Some(Token::Integer(value, ty)) => NodeKind::Integer(*value, *ty),
            Some(Token::Float(value, ty)) => NodeKind::Float(*value, *ty),
            Some(Token::Character(value, ty)) => NodeKind::Character(*value, *ty),
            Some(Token::Text(units, ty)) => {
                let (mut units, ty) = (units.clone(), *ty);
                while let Some(Token::Text(more, _)) = self.peek(1) {
                    units.extend(more);
                    self.advance();
                }
                NodeKind::Text(units, ty)
            }
            Some(Token::Sign("(")) => {
                self.advance();
                let node = self.deeper(Self::comma)?;
                self.need(")")?;
                return Ok(node);
            }
            _ => return Err(self.fault()),
        };
        self.advance();
        Node::new(kind, position)
    }
}

fn is_comparison(sign: &str) -> bool {
    matches!(sign, "<=" | ">=" | "==" | "!=")
}
