//! Parses tokens into a tree, for C and for languages whose grammar is close to it. Names are not looked up: where
//! `(name)` could be a cast or a parenthesis, the name is recorded, and the caller parses again if it turns out to be a
//! type.

use super::cast_syntax::{at_cast, can_only_be_type};
use super::type_names::{at_type, type_expression};
use crate::EvalError;
use crate::syntax::lexer::{Lexer, tokens};
use crate::syntax::token::Token;
use crate::syntax::token_cursor::TokenCursor;
use crate::syntax::tree::{
    BinaryOperator, CppNode, Derivation, Node, NodeKind, Parsed, REPEAT_STRENGTH, TypeExpression, UnaryOperator,
};
use std::sync::Arc;

/// Differences of a language's grammar from C's.
pub(crate) struct Grammar {
    /// A text that begins with the name of a type is a type, not an expression.
    pub(crate) types_first: bool,
    /// The component operator in addition to `.` and `->`, in whose names case does not matter.
    pub(crate) component: Option<&'static str>,
    /// A call may have `low:high:stride` among its arguments.
    pub(crate) subscript_ranges: bool,
}

pub(crate) static C: Grammar = Grammar { types_first: true, component: None, subscript_ranges: false };

/// Parses a whole text; `types` are names known to be types.
pub(crate) fn parse(text: &str, lexer: &dyn Lexer, types: &[Arc<str>], grammar: &Grammar) -> Result<Parsed, EvalError> {
    let tokens = tokens(text, lexer)?;
    let mut parser = CParser::new(text, &tokens, types, grammar);
    if grammar.types_first && at_type(&parser.tokens, types) {
        // `unsigned long` and `struct cell *` are types for whatis; a cast begins with a parenthesis.
        let root = parser.whole_type()?;
        return Ok(Parsed { root, doubtful: Vec::new() });
    }
    match parser.whole_expression() {
        Ok(root) => Ok(Parsed { root, doubtful: parser.doubtful }),
        Err(error) => {
            // `cell_t *` is not an expression, but it may be a type.
            let mut parser = CParser::new(text, &tokens, types, grammar);
            match tokens.first() {
                Some((Token::Word(word), _)) if **word != *"sizeof" => {
                    parser.whole_type().map(|root| Parsed { root, doubtful: Vec::new() }).map_err(|_| error)
                }
                _ => Err(error),
            }
        }
    }
}

struct CParser<'a> {
    tokens: TokenCursor<'a>,
    grammar: &'a Grammar,
    types: &'a [Arc<str>],
    doubtful: Vec<Arc<str>>,
}

impl<'a> CParser<'a> {
    fn new(text: &'a str, tokens: &'a [(Token, u32)], types: &'a [Arc<str>], grammar: &'a Grammar) -> Self {
        Self { tokens: TokenCursor::new(text, tokens), grammar, types, doubtful: Vec::new() }
    }

    /// Calls `parse` one level deeper in the nesting.
    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T, EvalError>) -> Result<T, EvalError> {
        self.tokens.enter()?;
        let parsed = parse(self);
        self.tokens.leave();
        parsed
    }

    fn whole_type(&mut self) -> Result<Node, EvalError> {
        let position = self.tokens.position();
        let ty = self.ty()?;
        self.tokens.need_end()?;
        Node::new(NodeKind::Type(ty), position)
    }

    fn ty(&mut self) -> Result<TypeExpression, EvalError> {
        let (grammar, types) = (self.grammar, self.types);
        type_expression(&mut self.tokens, &|tokens| {
            let mut parser = CParser { tokens: tokens.clone(), grammar, types, doubtful: Vec::new() };
            let node = parser.comma();
            *tokens = parser.tokens;
            node
        })
    }

    fn whole_expression(&mut self) -> Result<Node, EvalError> {
        let root = self.comma()?;
        self.tokens.need_end()?;
        Ok(root)
    }

    fn comma(&mut self) -> Result<Node, EvalError> {
        let mut left = self.assignment()?;
        loop {
            let position = self.tokens.position();
            if !self.tokens.eat(",") {
                return Ok(left);
            }
            let right = self.assignment()?;
            left = Node::new(NodeKind::Comma(left.into(), right.into()), position)?;
        }
    }

    fn assignment(&mut self) -> Result<Node, EvalError> {
        self.deeper(|parser| {
            let left = parser.conditional()?;
            let position = parser.tokens.position();
            let Some(Token::Sign(sign)) = parser.tokens.peek(0) else { return Ok(left) };
            let operator = match *sign {
                "=" => None,
                sign => match sign.strip_suffix('=').and_then(BinaryOperator::of_sign) {
                    Some((operator, _)) if !is_comparison(sign) => Some(operator),
                    _ => return Ok(left),
                },
            };
            parser.tokens.advance();
            let right = parser.assignment()?;
            Node::new(NodeKind::Assign(operator, left.into(), right.into()), position)
        })
    }

    fn conditional(&mut self) -> Result<Node, EvalError> {
        let condition = self.binary(0)?;
        let position = self.tokens.position();
        if !self.tokens.eat("?") {
            return Ok(condition);
        }
        let yes = self.deeper(Self::comma)?;
        self.tokens.need(":")?;
        let no = self.deeper(Self::conditional)?;
        Node::new(NodeKind::Conditional(condition.into(), yes.into(), no.into()), position)
    }

    /// Parses binary operators that bind at least as strongly as `lowest`.
    fn binary(&mut self, lowest: u8) -> Result<Node, EvalError> {
        let mut left = self.deeper(Self::unary)?;
        loop {
            let position = self.tokens.position();
            let Some(Token::Sign(sign)) = self.tokens.peek(0) else { return Ok(left) };
            if *sign == "@" && lowest <= REPEAT_STRENGTH {
                self.tokens.advance();
                let right = self.deeper(|parser| parser.binary(REPEAT_STRENGTH + 1))?;
                left = Node::new(NodeKind::Repeat(left.into(), right.into()), position)?;
                continue;
            }
            // They bind more strongly than all other operators between operands.
            if let ".*" | "->*" = *sign {
                let arrow = *sign == "->*";
                self.tokens.advance();
                let member = self.deeper(Self::unary)?.into();
                let kind = CppNode::PointedMember { of: left.into(), member, arrow };
                left = Node::new(NodeKind::Cpp(kind), position)?;
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
            self.tokens.advance();
            // `**` is right associative.
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
        let position = self.tokens.position();
        if let Some(Token::Word(word)) = self.tokens.peek(0)
            && matches!(&**word, "sizeof" | "_Alignof" | "alignof")
        {
            let aligns = **word != *"sizeof";
            // In C, `alignof` is a macro: the program may have a variable of that name.
            if **word != *"alignof" || self.tokens.is_sign(1, "(") {
                self.tokens.advance();
                let size = self.size_of(position)?;
                return if aligns { Node::new(NodeKind::AlignOf(size.into()), position) } else { Ok(size) };
            }
        }
        let Some(Token::Sign(sign)) = self.tokens.peek(0) else { return self.postfix() };
        let operator = match *sign {
            "+" => UnaryOperator::Plus,
            "-" => UnaryOperator::Negate,
            "~" => UnaryOperator::Complement,
            "!" => UnaryOperator::Not,
            "*" => UnaryOperator::Dereference,
            "&" => UnaryOperator::AddressOf,
            "++" | "--" => {
                let by = if *sign == "++" { 1 } else { -1 };
                self.tokens.advance();
                let of = self.deeper(Self::unary)?.into();
                return Node::new(NodeKind::Step { of, by, postfix: false }, position);
            }
            "{" => {
                // `{int} address` is the object of this type at the address.
                let Some(mut ty) = self.type_in_braces() else { return self.postfix() };
                ty.derived.push(Derivation::Pointer { is_const: false, is_volatile: false });
                let of = self.deeper(Self::unary)?.into();
                let pointer = Node::new(NodeKind::Cast(ty, of), position)?;
                return Node::new(NodeKind::Unary(UnaryOperator::Dereference, pointer.into()), position);
            }
            "(" if at_cast(&mut self.tokens, self.types, &mut self.doubtful) => {
                self.tokens.advance();
                let ty = self.ty()?;
                self.tokens.need(")")?;
                let of = self.deeper(Self::unary)?.into();
                return Node::new(NodeKind::Cast(ty, of), position);
            }
            _ => return self.postfix(),
        };
        self.tokens.advance();
        let of = self.deeper(Self::unary)?.into();
        Node::new(NodeKind::Unary(operator, of), position)
    }

    /// Takes a type in braces before an operand; `None` if these are the braces of an array or a structure.
    fn type_in_braces(&mut self) -> Option<TypeExpression> {
        let start = self.tokens.next_token();
        self.tokens.advance();
        let is_type = at_type(&self.tokens, self.types);
        let ty = self.ty().ok().filter(|_| self.tokens.eat("}"));
        let operand = match self.tokens.peek(0) {
            Some(Token::Sign(sign)) => matches!(*sign, "(" | "*" | "&" | "-" | "+" | "~" | "!" | "++" | "--" | "{"),
            other => other.is_some(),
        };
        let ty = ty.filter(|_| is_type || operand);
        if ty.is_none() {
            self.tokens.back_to(start);
        }
        ty
    }

    fn size_of(&mut self, position: u32) -> Result<Node, EvalError> {
        if self.tokens.is_sign(0, "(") {
            if let Some(Token::Word(word)) = self.tokens.peek(1) {
                self.doubtful.push(word.clone());
            }
            self.tokens.advance();
            if can_only_be_type(&self.tokens) || at_type(&self.tokens, self.types) {
                let ty = self.ty()?;
                self.tokens.need(")")?;
                return Node::new(NodeKind::SizeOfType(ty), position);
            }
            self.tokens.back_to(self.tokens.next_token() - 1);
        }
        let of = self.deeper(Self::unary)?.into();
        Node::new(NodeKind::SizeOf(of), position)
    }

    /// Parses `static_cast<T>(e)` and its kin.
    fn named_cast(&mut self) -> Result<Option<Node>, EvalError> {
        let position = self.tokens.position();
        let Some(Token::Word(word)) = self.tokens.peek(0) else { return Ok(None) };
        if **word == *"typeid" && self.tokens.is_sign(1, "(") {
            return self.type_id(position).map(Some);
        }
        let is_cast = matches!(&**word, "static_cast" | "reinterpret_cast" | "const_cast" | "dynamic_cast");
        if !is_cast || !self.tokens.is_sign(1, "<") {
            return Ok(None);
        }
        self.tokens.advance();
        self.tokens.advance();
        let ty = self.ty()?;
        self.tokens.need(">")?;
        self.tokens.need("(")?;
        let of = self.deeper(Self::comma)?.into();
        self.tokens.need(")")?;
        let kind = match &**word {
            "static_cast" => NodeKind::Cast(ty, of),
            "dynamic_cast" => NodeKind::Cpp(CppNode::DynamicCast(ty, of)),
            _ => NodeKind::Cpp(CppNode::Reinterpreted(ty, of)),
        };
        Node::new(kind, position).map(Some)
    }

    /// Parses `typeid(e)` and `typeid(T)`.
    fn type_id(&mut self, position: u32) -> Result<Node, EvalError> {
        self.tokens.advance();
        self.tokens.advance();
        let start = self.tokens.position();
        let of = if can_only_be_type(&self.tokens) || at_type(&self.tokens, self.types) {
            let ty = self.ty()?;
            Node::new(NodeKind::Type(ty), start)?
        } else {
            self.deeper(Self::comma)?
        };
        self.tokens.need(")")?;
        Node::new(NodeKind::Cpp(CppNode::TypeId(of.into())), position)
    }

    fn postfix(&mut self) -> Result<Node, EvalError> {
        let mut node = match self.named_cast()? {
            Some(cast) => cast,
            None => self.primary()?,
        };
        loop {
            let position = self.tokens.position();
            let Some(Token::Sign(sign)) = self.tokens.peek(0) else { return Ok(node) };
            let kind = match *sign {
                "." | "->" => {
                    let arrow = *sign == "->";
                    self.tokens.advance();
                    let name = self.tokens.need_word()?.clone();
                    NodeKind::Member { of: node.into(), name, arrow }
                }
                sign if self.grammar.component == Some(sign) => {
                    self.tokens.advance();
                    let name = self.tokens.need_word()?.to_lowercase().into();
                    NodeKind::Member { of: node.into(), name, arrow: false }
                }
                "[" => {
                    self.tokens.advance();
                    let index = self.deeper(Self::comma)?;
                    if self.tokens.eat(":") {
                        let last = self.deeper(Self::comma)?;
                        self.tokens.need("]")?;
                        NodeKind::Slice(node.into(), index.into(), last.into())
                    } else {
                        self.tokens.need("]")?;
                        NodeKind::Index(node.into(), index.into())
                    }
                }
                "(" => {
                    self.tokens.advance();
                    let mut arguments = Vec::new();
                    while !self.tokens.eat(")") {
                        if !arguments.is_empty() {
                            self.tokens.need(",")?;
                        }
                        arguments.push(self.argument()?);
                    }
                    NodeKind::Call(node.into(), arguments)
                }
                "++" | "--" => {
                    let by = if *sign == "++" { 1 } else { -1 };
                    self.tokens.advance();
                    NodeKind::Step { of: node.into(), by, postfix: true }
                }
                _ => return Ok(node),
            };
            node = Node::new(kind, position)?;
        }
    }

    /// Parses an argument of a call; it may be a range of subscripts.
    fn argument(&mut self) -> Result<Node, EvalError> {
        if !self.grammar.subscript_ranges {
            return self.deeper(Self::assignment);
        }
        let position = self.tokens.position();
        let part = |parser: &mut Self| {
            let none = [":", ",", ")"].iter().any(|sign| parser.tokens.is_sign(0, sign));
            if none { Ok(None) } else { parser.deeper(Self::assignment).map(|node| Some(Box::new(node))) }
        };
        let low = part(self)?;
        if !self.tokens.eat(":") {
            return low.map(|node| *node).ok_or_else(|| self.tokens.fault());
        }
        let high = part(self)?;
        let stride = if self.tokens.eat(":") { part(self)? } else { None };
        Node::new(NodeKind::Range(low, high, stride), position)
    }

    fn primary(&mut self) -> Result<Node, EvalError> {
        let position = self.tokens.position();
        let kind = match self.tokens.peek(0) {
            Some(Token::Word(name)) => NodeKind::Name(name.clone()),
            Some(Token::Register(name)) => NodeKind::Register(name.clone()),
            Some(Token::Integer(value, ty)) => NodeKind::Integer(*value, *ty),
            Some(Token::Float(value, ty)) => NodeKind::Float(*value, *ty),
            Some(Token::Character(value, ty)) => NodeKind::Character(*value, *ty),
            Some(Token::Text(units, ty)) => {
                let (mut units, ty) = (units.clone(), *ty);
                while let Some(Token::Text(more, _)) = self.tokens.peek(1) {
                    units.extend(more);
                    self.tokens.advance();
                }
                NodeKind::Text(units, ty)
            }
            Some(Token::Sign("{")) => {
                self.tokens.advance();
                let mut elements = Vec::new();
                while !self.tokens.eat("}") {
                    if !elements.is_empty() {
                        self.tokens.need(",")?;
                    }
                    elements.push(self.deeper(Self::assignment)?);
                }
                return Node::new(NodeKind::Braces(elements), position);
            }
            Some(Token::Sign("(")) => {
                self.tokens.advance();
                let node = self.deeper(Self::comma)?;
                self.tokens.need(")")?;
                return Ok(node);
            }
            _ => return Err(self.tokens.fault()),
        };
        self.tokens.advance();
        Node::new(kind, position)
    }
}

fn is_comparison(sign: &str) -> bool {
    matches!(sign, "<=" | ">=" | "==" | "!=")
}
