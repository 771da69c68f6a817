//! Expressions in template arguments or array sizes (Itanium C++ ABI, 5.1.6), as far as signatures have them.

use super::operators::operator;
use super::parser::Parser;
use super::{Id, Node};

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Option<Id> {
        self.within(Self::expression_of)
    }

    fn expression_of(&mut self) -> Option<Id> {
        match (self.text.peek(), self.text.second()) {
            (b'L', _) => return self.literal(),
            (b'T', _) => return self.template_parameter(),
            (b's', b'r') => return self.scoped(),
            (b's', b'p') => {
                self.text.take(2)?;
                let of = self.expression()?;
                return self.nodes.add(Node::Expansion(of));
            }
            (b's', b't') => return self.word("sizeof ", Self::ty),
            (b's', b'z') => return self.word("sizeof ", Self::expression),
            (b's', b'Z') => return self.word("sizeof...", Self::template_parameter),
            (b'f', b'p') => {
                self.text.take(2)?;
                self.qualifiers();
                let number = self.text.sequence(10)? + 1;
                return self.nodes.add(Node::Name(format!("{{parm#{number}}}")));
            }
            (b'c', b'l') => {
                self.text.take(2)?;
                let function = self.expression()?;
                let arguments = self.until_end(Self::expression)?;
                return self.nodes.add(Node::Call(function, arguments));
            }
            (b'c', b'v') => {
                self.text.take(2)?;
                let ty = self.ty()?;
                let arguments =
                    if self.text.eat("_") { self.until_end(Self::expression)? } else { vec![self.expression()?] };
                return self.nodes.add(Node::Cast(ty, arguments));
            }
            (b's', b'c') => return self.cast("static_cast"),
            (b'd', b'c') => return self.cast("dynamic_cast"),
            (b'c', b'c') => return self.cast("const_cast"),
            (b'r', b'c') => return self.cast("reinterpret_cast"),
            (b'o', b'n') => {
                self.text.take(2)?;
                return self.unresolved();
            }
            (b'0'..=b'9', _) => return self.unresolved(),
            _ => {}
        }
        let operator = operator(self.text.take(2)?)?;
        match operator.operands {
            1 => {
                let of = self.expression()?;
                self.nodes.add(Node::Unary(operator.sign, of))
            }
            2 if operator.sign == "." || operator.sign == "->" => {
                let left = self.expression()?;
                let right = self.unresolved()?;
                self.nodes.add(Node::Binary(operator.sign, left, right))
            }
            2 => {
                let left = self.expression()?;
                let right = self.expression()?;
                self.nodes.add(Node::Binary(operator.sign, left, right))
            }
            _ => None,
        }
    }

    fn word(&mut self, word: &'static str, of: impl FnOnce(&mut Self) -> Option<Id>) -> Option<Id> {
        self.text.take(2)?;
        let of = of(self)?;
        self.nodes.add(Node::Word(word, of))
    }

    fn cast(&mut self, word: &'static str) -> Option<Id> {
        self.text.take(2)?;
        let ty = self.ty()?;
        let of = self.expression()?;
        self.nodes.add(Node::NamedCast(word, ty, of))
    }

    /// Reads an unresolved `T::x`.
    fn scoped(&mut self) -> Option<Id> {
        self.text.take(2)?;
        if !self.text.peek().is_ascii_digit() {
            let scope = self.ty()?;
            let name = self.unresolved()?;
            return self.nodes.add(Node::Nested(scope, name));
        }
        let levels = self.until_end(Self::unresolved)?;
        let name = self.unresolved()?;
        let (first, rest) = levels.split_first()?;
        let mut scope = *first;
        for level in rest.iter().chain([&name]) {
            scope = self.nodes.add(Node::Nested(scope, *level))?;
        }
        Some(scope)
    }

    fn unresolved(&mut self) -> Option<Id> {
        let name = self.source_name()?;
        if self.text.peek() == b'I' { self.with_arguments(name) } else { Some(name) }
    }

    /// Reads a typed number, or a function or variable.
    pub(super) fn literal(&mut self) -> Option<Id> {
        self.text.expect("L")?;
        if self.text.eat("_Z") || self.text.eat("Z") {
            let id = self.encoding(false)?;
            self.text.expect("E")?;
            return Some(id);
        }
        let ty = self.ty()?;
        let minus = if self.text.eat("n") { "-" } else { "" };
        let mut digits = String::new();
        while !self.text.eat("E") {
            digits.push(char::from(self.text.next()?));
        }
        self.nodes.add(Node::Literal(ty, format!("{minus}{digits}")))
    }
}
