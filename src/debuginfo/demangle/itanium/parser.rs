//! What all rules of the grammar are made of.

use super::{Id, Node};

/// Rules within rules; more are not of a compiler.
const DEEPEST: u32 = 200;
/// Nodes of one symbol.
const MOST: usize = 20_000;

/// Reads a symbol once from left to right.
pub(super) struct Parser<'a> {
    rest: &'a [u8],
    pub(super) nodes: Vec<Node>,
    /// What can be referred to by number.
    pub(super) substitutions: Vec<Id>,
    depth: u32,
}

impl<'a> Parser<'a> {
    pub(super) fn new(rest: &'a [u8]) -> Self {
        Self { rest, nodes: Vec::new(), substitutions: Vec::new(), depth: 0 }
    }

    pub(super) fn at_end(&self) -> bool {
        self.rest.is_empty()
    }

    pub(super) fn peek(&self) -> u8 {
        self.rest.first().copied().unwrap_or(0)
    }

    pub(super) fn second(&self) -> u8 {
        self.rest.get(1).copied().unwrap_or(0)
    }

    pub(super) fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    pub(super) fn eat(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text.as_bytes());
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    pub(super) fn expect(&mut self, text: &str) -> Option<()> {
        self.eat(text).then_some(())
    }

    pub(super) fn starts_with(&self, text: &str) -> bool {
        self.rest.starts_with(text.as_bytes())
    }

    pub(super) fn take(&mut self, length: usize) -> Option<&'a str> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        std::str::from_utf8(taken).ok()
    }

    pub(super) fn digits(&mut self) -> Option<&'a str> {
        let length = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if length == 0 { None } else { self.take(length) }
    }

    pub(super) fn number(&mut self) -> Option<usize> {
        self.digits()?.parse().ok()
    }

    /// `_` for 0, `0_` for 1 and so on, in a base.
    pub(super) fn sequence(&mut self, base: u32) -> Option<usize> {
        let length = self.rest.iter().position(|byte| *byte == b'_')?;
        let digits = self.take(length)?;
        self.expect("_")?;
        if digits.is_empty() {
            return Some(0);
        }
        usize::from_str_radix(digits, base).ok()?.checked_add(1)
    }

    pub(super) fn add(&mut self, node: Node) -> Option<Id> {
        self.nodes.push(node);
        (self.nodes.len() < MOST).then_some(self.nodes.len() - 1)
    }

    pub(super) fn name_of(&mut self, text: &str) -> Option<Id> {
        self.add(Node::Name(text.to_owned()))
    }

    /// A node that can be referred to from now on.
    pub(super) fn remember(&mut self, id: Id) -> Id {
        self.substitutions.push(id);
        id
    }

    /// A rule within a rule.
    pub(super) fn within<T>(&mut self, rule: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= DEEPEST {
            return None;
        }
        self.depth += 1;
        let read = rule(self);
        self.depth -= 1;
        read
    }

    /// As many as there are before `E`.
    pub(super) fn until_end(&mut self, mut one: impl FnMut(&mut Self) -> Option<Id>) -> Option<Vec<Id>> {
        let mut all = Vec::new();
        while !self.eat("E") {
            all.push(one(self)?);
        }
        Some(all)
    }
}
