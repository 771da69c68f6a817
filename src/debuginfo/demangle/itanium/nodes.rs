//! The parts of a symbol read so far.

use super::{Id, Node};

/// The limit on nodes of one symbol.
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

    /// Registers a node that later substitutions can refer to.
    pub(super) fn remember(&mut self, id: Id) -> Id {
        self.substitutions.push(id);
        id
    }

    /// Returns the node registered under this number.
    pub(super) fn substitution(&self, number: usize) -> Option<Id> {
        self.substitutions.get(number).copied()
    }

    /// True if the mangling includes a return type: for template functions, except constructors and conversions.
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
