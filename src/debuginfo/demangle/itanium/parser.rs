//! The state that all rules of the grammar share.

use super::Id;
use super::characters::Characters;
use super::nodes::Nodes;

/// No compiler nests rules deeper than this.
const DEEPEST: u32 = 200;
/// Reads a symbol once, from left to right.
pub(super) struct Parser<'a> {
    pub(super) text: Characters<'a>,
    pub(super) nodes: Nodes,
    depth: u32,
}

impl<'a> Parser<'a> {
    pub(super) fn new(rest: &'a [u8]) -> Self {
        Self { text: Characters::new(rest), nodes: Nodes::default(), depth: 0 }
    }

    /// Applies a rule one level deeper, within the limit.
    pub(super) fn within<T>(&mut self, rule: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= DEEPEST {
            return None;
        }
        self.depth += 1;
        let read = rule(self);
        self.depth -= 1;
        read
    }

    /// Reads items up to `E`.
    pub(super) fn until_end(&mut self, mut one: impl FnMut(&mut Self) -> Option<Id>) -> Option<Vec<Id>> {
        let mut all = Vec::new();
        while !self.text.eat("E") {
            all.push(one(self)?);
        }
        Some(all)
    }
}
