//! The stacks of many ranks as one tree: callers first, ranks on each branch.

use crate::model::{CodePlace, Frame, ProcessSet, SourcePlace};
use std::sync::Arc;

/// What makes frames of different ranks one node: load addresses do not.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TreeFrame {
    /// `None` when it has no name.
    pub function: Option<Arc<str>>,
    /// The line; `None` when there is none.
    pub source: Option<SourcePlace>,
    /// Where the code is, when neither function nor line is known.
    pub code: Option<CodePlace>,
}

impl TreeFrame {
    fn of(frame: &Frame) -> Self {
        let named = frame.function.is_some() || frame.source.is_some();
        Self {
            function: frame.function.clone(),
            source: frame.source.clone(),
            code: (!named).then(|| frame.code.without_address()),
        }
    }
}

/// A call that some ranks share, callers above.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeNode {
    /// The function and the line in it.
    pub frame: TreeFrame,
    /// Who is there.
    pub ranks: ProcessSet,
    /// What they call from there, in the order of their lowest ranks.
    pub children: Vec<TreeNode>,
}

/// The merged stacks of some ranks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StackTree {
    /// Whose.
    pub ranks: ProcessSet,
    /// The outermost calls; one, unless ranks run different programs or threads.
    pub roots: Vec<TreeNode>,
}

impl StackTree {
    /// Adds a stack, innermost frame first.
    pub fn add(&mut self, ranks: &ProcessSet, stack: &[Frame]) {
        self.ranks.extend_with(ranks);
        let mut level = &mut self.roots;
        for frame in stack.iter().rev() {
            let frame = TreeFrame::of(frame);
            let index = level.iter().position(|node| node.frame == frame).unwrap_or_else(|| {
                level.push(TreeNode { frame, ranks: ProcessSet::new(), children: Vec::new() });
                level.len() - 1
            });
            let node = &mut level[index];
            node.ranks.extend_with(ranks);
            level = &mut node.children;
        }
    }

    /// Puts branches into the order of their lowest ranks.
    pub fn sort(&mut self) {
        fn sort(nodes: &mut [TreeNode]) {
            nodes.sort_by_key(|node| node.ranks.first());
            for node in nodes {
                sort(&mut node.children);
            }
        }
        sort(&mut self.roots);
    }
}
