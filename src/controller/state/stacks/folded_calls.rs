//! Calls of libraries in merged stacks that are shown as one line.

use super::stack_tree::TreeNode;
use model::called_name;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Calls of libraries, two or more, with those that they make in turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoldedCalls<'a> {
    /// The outermost function by the name that its caller uses; `None` if it has no known name.
    pub call: Option<Arc<str>>,
    /// The fewest and the most frames of a thread in them.
    pub frames: RangeInclusive<usize>,
    /// The innermost of them that all the threads share.
    pub last: &'a TreeNode,
    /// The calls that are shown below the line: those of a library that calls the user's code again.
    pub children: &'a [TreeNode],
}

impl FoldedCalls<'_> {
    /// The number of frames, such as `8` or `4-8`.
    pub fn count(&self) -> String {
        let (fewest, most) = (self.frames.start(), self.frames.end());
        if fewest == most { most.to_string() } else { format!("{fewest}-{most}") }
    }
}

impl TreeNode {
    /// Returns the line that stands for this call and those below it, if they are of libraries.
    pub fn folded(&self, caller: Option<&str>) -> Option<FoldedCalls<'_>> {
        if !self.is_library() {
            return None;
        }
        let call = self.frame.function.as_deref().map(|name| called_name(name, caller).into());
        if self.has_only_libraries() {
            let frames = self.depths();
            return (*frames.end() > 1).then_some(FoldedCalls { call, frames, last: self, children: &[] });
        }
        let (mut last, mut count) = (self, 1_usize);
        while let [child] = last.children.as_slice()
            && child.is_library()
            && child.threads == last.threads
        {
            (last, count) = (child, count + 1);
        }
        (count > 1).then(|| FoldedCalls { call, frames: count..=count, last, children: &last.children })
    }

    /// The least and the greatest depth at which threads are.
    fn depths(&self) -> RangeInclusive<usize> {
        let (mut fewest, mut most) = (usize::MAX, 1);
        for child in &self.children {
            let below = child.depths();
            (fewest, most) = (fewest.min(below.start() + 1), most.max(below.end() + 1));
        }
        if self.ends().is_empty() { fewest.min(most)..=most } else { 1..=most }
    }
}

#[cfg(test)]
mod tests {
    use crate::state::{StackTree, TreeNode};
    use model::{CodePlace, Frame, ProcessSet, SourcePlace};
    use proptest::prelude::*;

    /// A stack from names, the outermost first: those with a capital are of a library.
    fn stack(names: &str) -> Vec<Frame> {
        let frame = |(level, letter): (usize, char)| Frame {
            level: level as u32,
            function: Some(letter.to_string().into()),
            source: letter.is_lowercase().then(|| SourcePlace { file: "/home/me/app.c".into(), line: 1 }),
            code: CodePlace { module: Some("/lib/libmpi.so".into()), offset: 1, address: None },
            inlined: false,
            guessed: false,
            thread: None,
        };
        let mut frames: Vec<Frame> = names.chars().rev().enumerate().map(frame).collect();
        for frame in frames.iter_mut().filter(|frame| frame.source.is_some()) {
            frame.code.module = Some("/home/me/app".into());
        }
        frames
    }

    fn tree(stacks: &[&str]) -> StackTree {
        let mut tree = StackTree::default();
        for (rank, names) in (0..).zip(stacks) {
            tree.add(&ProcessSet::range(rank, rank + 1), &stack(names));
        }
        tree.finish();
        tree
    }

    /// The rows of a tree: a name, and the number of frames of a folded one.
    fn rows(nodes: &[TreeNode], caller: Option<&str>, into: &mut Vec<String>) {
        for node in nodes {
            let name = node.frame.function.as_deref();
            match node.folded(caller) {
                Some(fold) => {
                    into.push(format!("{} {} frames", fold.call.as_deref().unwrap(), fold.count()));
                    rows(fold.children, fold.last.frame.function.as_deref(), into);
                }
                None => {
                    into.push(name.unwrap().to_owned());
                    rows(&node.children, name, into);
                }
            }
        }
    }

    fn folded(stacks: &[&str]) -> Vec<String> {
        let mut found = Vec::new();
        rows(&tree(stacks).roots, None, &mut found);
        found
    }

    #[test]
    fn wherever_ranks_are_in_a_library_they_are_in_one_call() {
        assert_eq!(folded(&["mABC", "mAD", "mE", "mABC"]), ["m", "A 2-3 frames", "E"]);
        assert_eq!(folded(&["mA", "mAB"]), ["m", "A 1-2 frames"]);
    }

    #[test]
    fn a_library_that_calls_the_users_code_again_is_folded_up_to_that() {
        assert_eq!(folded(&["STmQRcX", "STmQRc"]), ["S 2 frames", "m", "Q 2 frames", "c", "X"]);
        assert_eq!(folded(&["mQRc", "mQX"]), ["m", "Q", "R", "c", "X"], "ranks part within the library");
    }

    proptest! {
        #[test]
        fn no_user_function_is_hidden(stacks in proptest::collection::vec("m[a-cA-C]{0,6}", 1..5)) {
            let names: Vec<&str> = stacks.iter().map(String::as_str).collect();
            let shown = folded(&names);
            let users = |names: &[String]| names.iter().filter(|name| name.chars().all(char::is_lowercase)).count();
            let mut all = Vec::new();
            fn walk(nodes: &[TreeNode], all: &mut Vec<String>) {
                for node in nodes {
                    all.push(node.frame.function.as_deref().unwrap().to_owned());
                    walk(&node.children, all);
                }
            }
            walk(&tree(&names).roots, &mut all);
            prop_assert_eq!(users(&shown), users(&all));
            prop_assert!(shown.len() <= all.len());
        }
    }
}
