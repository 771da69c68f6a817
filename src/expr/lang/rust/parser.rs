//! Expressions and types as Rust writes them.

use super::lexer::spaced;
use crate::EvalError;
use crate::syntax::parser::Parser;
use crate::syntax::token::{Token, syntax_error};
use crate::syntax::tree::{
    BaseType, BinaryOperator, Derivation, Node, NodeKind, RustNode, TypeExpression, UnaryOperator,
};
use model::ErrorCode;
use std::sync::Arc;

/// How strongly a sign binds, and the operator it is, unless it is `&&`, `||` or `@`.
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

impl Parser<'_> {
    /// All of a text: an expression, or else a type.
    pub(crate) fn whole_of_rust(&mut self) -> Result<Node, EvalError> {
        let root = self.range()?;
        if self.peek(0).is_some() { Err(self.rust_fault()) } else { Ok(root) }
    }

    fn rust_fault(&self) -> EvalError {
        let near = syntax_error(self.source(), self.position()).message;
        let near = near.strip_prefix("A syntax error in expression, near `").unwrap_or_default();
        let near = near.strip_suffix("'.").unwrap_or_default();
        self.said(format!("Syntax error near '{near}'"))
    }

    fn said(&self, message: impl Into<String>) -> EvalError {
        EvalError::new(ErrorCode::DEBUGGER, message).at(self.position())
    }

    fn expect(&mut self, sign: &str) -> Result<(), EvalError> {
        if self.eat(sign) { Ok(()) } else { Err(self.said(format!("'{sign}' expected"))) }
    }

    /// `low..high`, either of which may be missing.
    fn range(&mut self) -> Result<Node, EvalError> {
        let position = self.position();
        let begins = self.is_sign(0, "..") || self.is_sign(0, "..=");
        let low = if begins { None } else { Some(self.deeper(Self::rust_assignment)?) };
        let inclusive = self.is_sign(0, "..=");
        let low = match low {
            Some(node) if !inclusive && !self.is_sign(0, "..") => return Ok(node),
            low => low.map(Box::new),
        };
        self.advance();
        let ends = self.peek(0).is_none() || [")", "]", ",", "}"].iter().any(|sign| self.is_sign(0, sign));
        let high = if ends { None } else { Some(self.deeper(Self::rust_assignment)?.into()) };
        if inclusive && high.is_none() {
            return Err(self.said("unexpected token"));
        }
        Node::new(NodeKind::Rust(RustNode::Span { low, high, inclusive }), position)
    }

    fn rust_assignment(&mut self) -> Result<Node, EvalError> {
        let left = self.rust_binary(1)?;
        let position = self.position();
        let Some(Token::Sign(sign)) = self.peek(0) else { return Ok(left) };
        let operator = match *sign {
            "=" => None,
            "<=" | ">=" | "==" | "!=" => return Ok(left),
            sign => match sign.strip_suffix('=').and_then(BinaryOperator::of_sign) {
                Some((operator, _)) => Some(operator),
                None => return Ok(left),
            },
        };
        self.advance();
        let right = self.deeper(Self::rust_assignment)?;
        Node::new(NodeKind::Assign(operator, left.into(), right.into()), position)
    }

    fn rust_binary(&mut self, lowest: u8) -> Result<Node, EvalError> {
        let mut left = self.conversions()?;
        loop {
            let position = self.position();
            let Some(Token::Sign(sign)) = self.peek(0) else { return Ok(left) };
            let Some(strength) = strength(sign).filter(|strength| *strength >= lowest) else { return Ok(left) };
            self.advance();
            let right = self.deeper(|parser| parser.rust_binary(strength + 1))?;
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

    /// `value as Type as Type`.
    fn conversions(&mut self) -> Result<Node, EvalError> {
        let mut node = self.deeper(Self::rust_unary)?;
        while self.is_word("as") {
            let position = self.position();
            self.advance();
            let ty = self.rust_type()?;
            node = Node::new(NodeKind::Cast(ty, node.into()), position)?;
        }
        Ok(node)
    }

    fn is_word(&self, wanted: &str) -> bool {
        matches!(self.peek(0), Some(Token::Word(word)) if **word == *wanted)
    }

    fn rust_unary(&mut self) -> Result<Node, EvalError> {
        let position = self.position();
        let operator = match self.peek(0) {
            Some(Token::Sign("+")) => UnaryOperator::Plus,
            Some(Token::Sign("-")) => UnaryOperator::Negate,
            Some(Token::Sign("!")) => UnaryOperator::Not,
            Some(Token::Sign("*")) => UnaryOperator::Dereference,
            Some(Token::Sign("&")) => UnaryOperator::AddressOf,
            _ => return self.rust_postfix(),
        };
        self.advance();
        if operator == UnaryOperator::AddressOf && self.is_word("mut") {
            self.advance();
        }
        let of = self.deeper(Self::rust_unary)?.into();
        Node::new(NodeKind::Unary(operator, of), position)
    }

    fn rust_postfix(&mut self) -> Result<Node, EvalError> {
        let mut node = self.rust_primary()?;
        loop {
            let position = self.position();
            let Some(Token::Sign(sign)) = self.peek(0) else { return Ok(node) };
            let kind = match *sign {
                "." => {
                    self.advance();
                    let Some(Token::Word(name)) = self.peek(0) else { return Err(self.said("field name expected")) };
                    self.advance();
                    NodeKind::Member { of: node.into(), name: name.clone(), arrow: false }
                }
                "[" => {
                    self.advance();
                    let index = self.deeper(Self::range)?;
                    self.expect("]")?;
                    NodeKind::Index(node.into(), index.into())
                }
                "(" => {
                    self.advance();
                    NodeKind::Call(node.into(), self.list(")")?)
                }
                _ => return Ok(node),
            };
            node = Node::new(kind, position)?;
        }
    }

    /// Values between commas, up to a bracket.
    fn list(&mut self, close: &str) -> Result<Vec<Node>, EvalError> {
        let mut values = Vec::new();
        while !self.eat(close) {
            if !values.is_empty() && !self.eat(",") {
                return Err(self.said(format!("',' or '{close}' expected")));
            }
            values.push(self.deeper(Self::range)?);
        }
        Ok(values)
    }

    fn rust_primary(&mut self) -> Result<Node, EvalError> {
        let position = self.position();
        let kind = match self.peek(0) {
            Some(Token::Word(word)) if **word == *"sizeof" => {
                self.advance();
                return self.size_of_rust(position);
            }
            Some(Token::Word(name)) if self.is_sign(1, "{") => {
                let base = BaseType::Named(None, name.clone());
                let ty = TypeExpression { base, is_const: false, is_volatile: false, derived: Vec::new(), position };
                self.advance();
                return self.structure(ty, position);
            }
            Some(Token::Word(name)) => NodeKind::Name(name.clone()),
            Some(Token::Register(name)) => NodeKind::Register(name.clone()),
            Some(Token::Integer(value, ty)) => NodeKind::Integer(*value, *ty),
            Some(Token::Float(value, ty)) => NodeKind::Float(*value, *ty),
            Some(Token::Character(value, ty)) => NodeKind::Character(*value, *ty),
            Some(Token::Text(units, ty)) => NodeKind::Text(units.clone(), *ty),
            Some(Token::Sign("(")) => {
                self.advance();
                if self.eat(")") {
                    return Node::new(NodeKind::Rust(RustNode::Unit), position);
                }
                let node = self.deeper(Self::range)?;
                if self.eat(",") {
                    return Err(self.said("Tuple expressions not supported yet"));
                }
                return if self.eat(")") { Ok(node) } else { Err(self.said("',' or ')' expected")) };
            }
            Some(Token::Sign("[")) => {
                self.advance();
                return self.array(position);
            }
            _ => return Err(self.said("unexpected token")),
        };
        self.advance();
        Node::new(kind, position)
    }

    /// Behind `[`.
    fn array(&mut self, position: u32) -> Result<Node, EvalError> {
        if self.eat("]") {
            return Node::new(NodeKind::Rust(RustNode::Array(Vec::new())), position);
        }
        let first = self.deeper(Self::range)?;
        if self.eat(";") {
            let count = self.deeper(Self::range)?;
            self.expect("]")?;
            return Node::new(NodeKind::Rust(RustNode::Repeated(first.into(), count.into())), position);
        }
        let mut elements = vec![first];
        if !self.eat("]") {
            if !self.eat(",") {
                return Err(self.said("',', ';', or ']' expected"));
            }
            elements.extend(self.list("]")?);
        }
        Node::new(NodeKind::Rust(RustNode::Array(elements)), position)
    }

    /// Behind the name of a type, at `{`.
    fn structure(&mut self, ty: TypeExpression, position: u32) -> Result<Node, EvalError> {
        self.advance();
        let (mut fields, mut base) = (Vec::new(), None);
        while !self.eat("}") {
            if !fields.is_empty() && !self.eat(",") {
                return Err(self.said("',' or '}' expected"));
            }
            if self.eat("..") {
                base = Some(self.deeper(Self::rust_assignment)?.into());
                self.expect("}")?;
                break;
            }
            let Some(Token::Word(name)) = self.peek(0) else {
                return Err(self.said("'}', '..', or identifier expected"));
            };
            let at = self.position();
            self.advance();
            let value =
                if self.eat(":") { self.deeper(Self::range)? } else { Node::new(NodeKind::Name(name.clone()), at)? };
            fields.push((name.clone(), value));
        }
        Node::new(NodeKind::Rust(RustNode::Struct { ty, fields, base }), position)
    }

    fn size_of_rust(&mut self, position: u32) -> Result<Node, EvalError> {
        self.expect("(")?;
        let start = self.next_token();
        if let Ok(of) = self.deeper(Self::range)
            && self.eat(")")
        {
            return Node::new(NodeKind::SizeOf(of.into()), position);
        }
        self.back_to(start);
        let ty = self.rust_type()?;
        self.expect(")")?;
        Node::new(NodeKind::SizeOfType(ty), position)
    }

    /// A type.
    pub(crate) fn rust_type(&mut self) -> Result<TypeExpression, EvalError> {
        self.deeper(Self::type_of_rust)
    }

    fn type_of_rust(&mut self) -> Result<TypeExpression, EvalError> {
        let position = self.position();
        let start = self.next_token();
        let named = |name: String| TypeExpression {
            base: BaseType::Named(None, Arc::from(name)),
            is_const: false,
            is_volatile: false,
            derived: Vec::new(),
            position,
        };
        let pointer = Derivation::Pointer { is_const: false, is_volatile: false };
        match self.peek(0) {
            Some(Token::Sign("*")) => {
                self.advance();
                if !self.is_word("mut") && !self.is_word("const") {
                    return Err(self.said("'mut' or 'const' expected"));
                }
                self.advance();
                let mut ty = self.rust_type()?;
                ty.derived.push(pointer);
                Ok(ty)
            }
            Some(Token::Sign("&")) => {
                self.advance();
                if self.is_word("mut") {
                    self.advance();
                }
                let slice = self.is_sign(0, "[") || self.is_word("str") || self.is_word("dyn");
                let mut ty = self.rust_type()?;
                if slice && ty.derived.is_empty() {
                    // References to what has no size of its own are types of their own.
                    return Ok(named(self.written(start)));
                }
                ty.derived.push(pointer);
                Ok(ty)
            }
            Some(Token::Sign("[")) => {
                self.advance();
                let mut ty = self.rust_type()?;
                if self.eat(";") {
                    let Some(Token::Integer(count, _)) = self.peek(0) else {
                        return Err(self.said("integer expected"));
                    };
                    self.advance();
                    self.expect("]")?;
                    ty.derived.push(Derivation::Array(Some(*count)));
                    return Ok(ty);
                }
                self.expect("]")?;
                Ok(named(self.written(start)))
            }
            Some(Token::Sign("(")) => {
                self.advance();
                self.types_until(")")?;
                Ok(named(self.written(start)))
            }
            Some(Token::Word(word)) if **word == *"fn" => {
                self.advance();
                self.expect("(")?;
                let parameters = self.types_until(")")?;
                let mut ty = if self.eat("->") { self.rust_type()? } else { named("()".to_owned()) };
                ty.derived.push(Derivation::Function { parameters, variadic: false, prototyped: true });
                Ok(ty)
            }
            Some(Token::Word(word)) if **word == *"dyn" => {
                self.advance();
                self.rust_type()?;
                while self.eat("+") {
                    self.rust_type()?;
                }
                Ok(named(self.written(start)))
            }
            Some(Token::Word(_)) => {
                self.advance();
                if self.is_sign(0, "<") {
                    self.angle_brackets()?;
                }
                Ok(named(self.written(start)))
            }
            _ => Err(self.said("unexpected token")),
        }
    }

    fn types_until(&mut self, close: &str) -> Result<Vec<TypeExpression>, EvalError> {
        let mut types = Vec::new();
        while !self.eat(close) {
            if !types.is_empty() && !self.eat(",") {
                return Err(self.said(format!("',' or '{close}' expected")));
            }
            types.push(self.rust_type()?);
        }
        Ok(types)
    }

    fn angle_brackets(&mut self) -> Result<(), EvalError> {
        let mut depth = 0_i32;
        loop {
            match self.peek(0) {
                Some(Token::Sign("<")) => depth += 1,
                Some(Token::Sign("<<")) => depth += 2,
                Some(Token::Sign(">")) => depth -= 1,
                Some(Token::Sign(">>")) => depth -= 2,
                Some(_) => {}
                None => return Err(self.said("'>' expected")),
            }
            self.advance();
            if depth <= 0 {
                return Ok(());
            }
        }
    }

    /// What was written from a word on, up to here.
    fn written(&self, start: usize) -> String {
        let end = self.position() as usize;
        let from = self.position_of(start) as usize;
        spaced(&self.source().chars().take(end).skip(from).collect::<String>())
    }
}
