//! The parts of a symbol, as far as they have been read.

use super::{Id, Node};

/// Nodes of one symbol.
const MOST: usize = 20_000;

#[derive(Default)]
pub(super) struct Nodes {
    all: Vec<Node>,
    substitutions: Vec<Id>,
}

impl Nodes {
    pub(super) fn all(&self) -> &[Node] {
        &self.all
    }

    pub(super) fn add(&mut self, node: Node) -> Option<Id> {
        self.all.push(node);
        (self.all.len() < MOST).then_some(self.all.len() - 1)
    }

    pub(super) fn name_of(&mut self, text: &str) -> Option<Id> {
        self.add(Node::Name(text.to_owned()))
    }

    /// A node that can be referred to from now on.
    pub(super) fn remember(&mut self, id: Id) -> Id {
        self.substitutions.push(id);
        id
    }

    /// The node that was remembered under this number.
    pub(super) fn substitution(&self, number: usize) -> Option<Id> {
        self.substitutions.get(number).copied()
    }

    /// Only functions that are made of templates say what they return, and of those not all.
    pub(super) fn says_returned(&self, name: Id) -> bool {
        match self.all.get(name) {
            Some(Node::Template(of, _)) => !self.is_made_of_type(*of),
            Some(Node::Local(_, inner)) => self.says_returned(*inner),
            _ => false,
        }
    }

    fn is_made_of_type(&self, name: Id) -> bool {
        match self.all.get(name) {
            Some(Node::Constructor(..) | Node::Conversion(_)) => true,
            Some(Node::Nested(_, last) | Node::Tagged(last, _)) => self.is_made_of_type(*last),
            _ => false,
        }
    }
}
