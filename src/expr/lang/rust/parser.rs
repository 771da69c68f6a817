//! Parses Rust expressions.

use super::type_names::{expect, said, ty};
use crate::EvalError;
use crate::syntax::lexer::{Lexer, tokens};
use crate::syntax::token::{Token, syntax_error};
use crate::syntax::token_cursor::TokenCursor;
use crate::syntax::tree::{BaseType, BinaryOperator, Node, NodeKind, Parsed, RustNode, TypeExpression, UnaryOperator};

/// Returns how strongly a sign binds, and its operator, unless it is `&&`, `||` or `@`.
fn strength(sign: &str) -> Option<u8> {
    Some(match sign {
        "*" | "/" | "%" => 10,
        "@" => 9,
        "+" | "-" => 8,
        "<<" | ">>" => 7,
        "&" => 6,
        "^" => 5,
        "|" => 4,
        "==" | "!=" | "<" | "<=" | ">" | ">=" => 3,
        "&&" => 2,
        "||" => 1,
        _ => return None,
    })
}

/// Parses a whole text: an expression, or else a type.
pub(super) fn parse(text: &str, lexer: &dyn Lexer) -> Result<Parsed, EvalError> {
    let tokens = tokens(text, lexer)?;
    let parser = || RustParser { tokens: TokenCursor::new(text, &tokens) };
    let root = parser().whole_expression().or_else(|error| parser().whole_type().map_err(|_| error))?;
    Ok(Parsed { root, doubtful: Vec::new() })
}

struct RustParser<'a> {
    tokens: TokenCursor<'a>,
}

impl RustParser<'_> {
    fn whole_expression(&mut self) -> Result<Node, EvalError> {
        let root = self.range()?;
        if self.tokens.peek(0).is_some() { Err(self.near()) } else { Ok(root) }
    }

    fn whole_type(&mut self) -> Result<Node, EvalError> {
        let position = self.tokens.position();
        let ty = ty(&mut self.tokens)?;
        self.tokens.need_end()?;
        Node::new(NodeKind::Type(ty), position)
    }

    /// Calls `parse` one level deeper in the nesting.
    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T, EvalError>) -> Result<T, EvalError> {
        self.tokens.enter()?;
        let parsed = parse(self);
        self.tokens.leave();
        parsed
    }

    /// Returns a syntax error at the next token, in gdb's words for Rust.
    fn near(&self) -> EvalError {
        let near = syntax_error(self.tokens.source(), self.tokens.position()).message;
        let near = near.strip_prefix("A syntax error in expression, near `").unwrap_or_default();
        let near = near.strip_suffix("'.").unwrap_or_default();
        said(&self.tokens, format!("Syntax error near '{near}'"))
    }

    /// Parses `low..high`; either may be missing.
    fn range(&mut self) -> Result<Node, EvalError> {
        let position = self.tokens.position();
        let begins = self.tokens.is_sign(0, "..") || self.tokens.is_sign(0, "..=");
        let low = if begins { None } else { Some(self.deeper(Self::assignment)?) };
        let inclusive = self.tokens.is_sign(0, "..=");
        let low = match low {
            Some(node) if !inclusive && !self.tokens.is_sign(0, "..") => return Ok(node),
            low => low.map(Box::new),
        };
        self.tokens.advance();
        let ends =
            self.tokens.peek(0).is_none() || [")", "]", ",", "}"].iter().any(|sign| self.tokens.is_sign(0, sign));
        let high = if ends { None } else { Some(self.deeper(Self::assignment)?.into()) };
        if inclusive && high.is_none() {
            return Err(said(&self.tokens, "unexpected token"));
        }
        Node::new(NodeKind::Rust(RustNode::Span { low, high, inclusive }), position)
    }

    fn assignment(&mut self) -> Result<Node, EvalError> {
        let left = self.binary(1)?;
        let position = self.tokens.position();
        let Some(Token::Sign(sign)) = self.tokens.peek(0) else { return Ok(left) };
        let operator = match *sign {
            "=" => None,
            "<=" | ">=" | "==" | "!=" => return Ok(left),
            sign => match sign.strip_suffix('=').and_then(BinaryOperator::of_sign) {
                Some((operator, _)) => Some(operator),
                None => return Ok(left),
            },
        };
        self.tokens.advance();
        let right = self.deeper(Self::assignment)?;
        Node::new(NodeKind::Assign(operator, left.into(), right.into()), position)
    }

    fn binary(&mut self, lowest: u8) -> Result<Node, EvalError> {
        let mut left = self.conversions()?;
        loop {
            let position = self.tokens.position();
            let Some(Token::Sign(sign)) = self.tokens.peek(0) else { return Ok(left) };
            let Some(strength) = strength(sign).filter(|strength| *strength >= lowest) else { return Ok(left) };
            self.tokens.advance();
            let right = self.deeper(|parser| parser.binary(strength + 1))?;
            let (a, b) = (left.into(), right.into());
            let kind = match (*sign, BinaryOperator::of_sign(sign)) {
                ("@", _) => NodeKind::Repeat(a, b),
                ("||", _) => NodeKind::Or(a, b),
                (_, Some((operator, _))) => NodeKind::Binary(operator, a, b),
                _ => NodeKind::And(a, b),
            };
            left = Node::new(kind, position)?;
        }
    }

    /// Parses `value as Type as Type`.
    fn conversions(&mut self) -> Result<Node, EvalError> {
        let mut node = self.deeper(Self::unary)?;
        while self.tokens.is_word("as") {
            let position = self.tokens.position();
            self.tokens.advance();
            let ty = ty(&mut self.tokens)?;
            node = Node::new(NodeKind::Cast(ty, node.into()), position)?;
        }
        Ok(node)
    }

    fn unary(&mut self) -> Result<Node, EvalError> {
        let position = self.tokens.position();
        let operator = match self.tokens.peek(0) {
            Some(Token::Sign("+")) => UnaryOperator::Plus,
            Some(Token::Sign("-")) => UnaryOperator::Negate,
            Some(Token::Sign("!")) => UnaryOperator::Not,
            Some(Token::Sign("*")) => UnaryOperator::Dereference,
            Some(Token::Sign("&")) => UnaryOperator::AddressOf,
            _ => return self.postfix(),
        };
        self.tokens.advance();
        if operator == UnaryOperator::AddressOf && self.tokens.is_word("mut") {
            self.tokens.advance();
        }
        let of = self.deeper(Self::unary)?.into();
        Node::new(NodeKind::Unary(operator, of), position)
    }

    fn postfix(&mut self) -> Result<Node, EvalError> {
        let mut node = self.primary()?;
        loop {
            let position = self.tokens.position();
            let Some(Token::Sign(sign)) = self.tokens.peek(0) else { return Ok(node) };
            let kind = match *sign {
                "." => {
                    self.tokens.advance();
                    let Some(Token::Word(name)) = self.tokens.peek(0) else {
                        return Err(said(&self.tokens, "field name expected"));
                    };
                    self.tokens.advance();
                    NodeKind::Member { of: node.into(), name: name.clone(), arrow: false }
                }
                "[" => {
                    self.tokens.advance();
                    let index = self.deeper(Self::range)?;
                    expect(&mut self.tokens, "]")?;
                    NodeKind::Index(node.into(), index.into())
                }
                "(" => {
                    self.tokens.advance();
                    NodeKind::Call(node.into(), self.list(")")?)
                }
                _ => return Ok(node),
            };
            node = Node::new(kind, position)?;
        }
    }

    /// Parses values separated by commas, up to a bracket.
    fn list(&mut self, close: &str) -> Result<Vec<Node>, EvalError> {
        let mut values = Vec::new();
        while !self.tokens.eat(close) {
            if !values.is_empty() && !self.tokens.eat(",") {
                return Err(said(&self.tokens, format!("',' or '{close}' expected")));
            }
            values.push(self.deeper(Self::range)?);
        }
        Ok(values)
    }

    fn primary(&mut self) -> Result<Node, EvalError> {
        let position = self.tokens.position();
        let kind = match self.tokens.peek(0) {
            Some(Token::Word(word)) if **word == *"sizeof" => {
                self.tokens.advance();
                return self.size_of(position);
            }
            Some(Token::Word(name)) if self.tokens.is_sign(1, "{") => {
                let base = BaseType::Named(None, name.clone());
                let ty = TypeExpression { base, is_const: false, is_volatile: false, derived: Vec::new(), position };
                self.tokens.advance();
                return self.structure(ty, position);
            }
            Some(Token::Word(name)) => NodeKind::Name(name.clone()),
            Some(Token::Register(name)) => NodeKind::Register(name.clone()),
            Some(Token::Integer(value, ty)) => NodeKind::Integer(*value, *ty),
            Some(Token::Float(value, ty)) => NodeKind::Float(*value, *ty),
            Some(Token::Character(value, ty)) => NodeKind::Character(*value, *ty),
            Some(Token::Text(units, ty)) => NodeKind::Text(units.clone(), *ty),
            Some(Token::Sign("(")) => {
                self.tokens.advance();
                if self.tokens.eat(")") {
                    return Node::new(NodeKind::Rust(RustNode::Unit), position);
                }
                let node = self.deeper(Self::range)?;
                if self.tokens.eat(",") {
                    return Err(said(&self.tokens, "Tuple expressions not supported yet"));
                }
                return if self.tokens.eat(")") { Ok(node) } else { Err(said(&self.tokens, "',' or ')' expected")) };
            }
            Some(Token::Sign("[")) => {
                self.tokens.advance();
                return self.array(position);
            }
            _ => return Err(said(&self.tokens, "unexpected token")),
        };
        self.tokens.advance();
        Node::new(kind, position)
    }

    /// Parses an array whose opening bracket has been read.
    fn array(&mut self, position: u32) -> Result<Node, EvalError> {
        if self.tokens.eat("]") {
            return Node::new(NodeKind::Rust(RustNode::Array(Vec::new())), position);
        }
        let first = self.deeper(Self::range)?;
        if self.tokens.eat(";") {
            let count = self.deeper(Self::range)?;
            expect(&mut self.tokens, "]")?;
            return Node::new(NodeKind::Rust(RustNode::Repeated(first.into(), count.into())), position);
        }
        let mut elements = vec![first];
        if !self.tokens.eat("]") {
            if !self.tokens.eat(",") {
                return Err(said(&self.tokens, "',', ';', or ']' expected"));
            }
            elements.extend(self.list("]")?);
        }
        Node::new(NodeKind::Rust(RustNode::Array(elements)), position)
    }

    /// Parses the fields of a struct, from `{` on.
    fn structure(&mut self, ty: TypeExpression, position: u32) -> Result<Node, EvalError> {
        self.tokens.advance();
        let (mut fields, mut base) = (Vec::new(), None);
        while !self.tokens.eat("}") {
            if !fields.is_empty() && !self.tokens.eat(",") {
                return Err(said(&self.tokens, "',' or '}' expected"));
            }
            if self.tokens.eat("..") {
                base = Some(self.deeper(Self::assignment)?.into());
                expect(&mut self.tokens, "}")?;
                break;
            }
            let Some(Token::Word(name)) = self.tokens.peek(0) else {
                return Err(said(&self.tokens, "'}', '..', or identifier expected"));
            };
            let at = self.tokens.position();
            self.tokens.advance();
            let value = if self.tokens.eat(":") {
                self.deeper(Self::range)?
            } else {
                Node::new(NodeKind::Name(name.clone()), at)?
            };
            fields.push((name.clone(), value));
        }
        Node::new(NodeKind::Rust(RustNode::Struct { ty, fields, base }), position)
    }

    fn size_of(&mut self, position: u32) -> Result<Node, EvalError> {
        expect(&mut self.tokens, "(")?;
        let start = self.tokens.next_token();
        if let Ok(of) = self.deeper(Self::range)
            && self.tokens.eat(")")
        {
            return Node::new(NodeKind::SizeOf(of.into()), position);
        }
        self.tokens.back_to(start);
        let ty = ty(&mut self.tokens)?;
        expect(&mut self.tokens, ")")?;
        Node::new(NodeKind::SizeOfType(ty), position)
    }
}
