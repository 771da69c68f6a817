//! The merged stacks of many ranks as a tree: callers first, with the ranks, or their threads, on each branch.

use model::{Answer, CodePlace, Frame, MyCode, ProcessSet, RankThreads, SourcePlace, ThreadsStack};
use std::cmp::Reverse;
use std::sync::Arc;
use std::time::Duration;

/// A call that the ranks of a node share.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TreeFrame {
    /// The function; `None` if it has no name.
    pub function: Option<Arc<str>>,
    /// The line; `None` if there is none, or if the ranks are at several.
    pub source: Option<SourcePlace>,
    /// The place of the code, if neither function nor line is known.
    pub code: Option<CodePlace>,
}

/// A line of a function at which threads are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallLine {
    /// The number of the line.
    pub line: u32,
    /// The threads that are there, or were.
    pub threads: RankThreads,
    /// How often a thread was seen there.
    pub seen: u64,
    /// How often that was in its innermost call.
    pub seen_last: u64,
}

/// Several looks at the stacks of ranks that were running.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Looks {
    /// The number of looks.
    pub count: u32,
    /// The time from the first look to the end of the last.
    pub lasted: Duration,
    /// The ranks that were at another line, or in another call, at one look than at the one before.
    pub moved: ProcessSet,
}

/// A call that some ranks share. Functions of one name in one file are the same call, whatever the line, so that all
/// ranks of a program have one root.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeNode {
    /// The function called.
    pub frame: TreeFrame,
    /// The ranks in this call.
    pub ranks: ProcessSet,
    /// Their threads in this call.
    pub threads: RankThreads,
    /// The file of its lines, known also if ranks are at several lines.
    pub file: Option<Arc<str>>,
    /// The lines at which they are, ascending.
    pub lines: Vec<CallLine>,
    /// How often a thread was seen in this call: once each, if there was one look.
    pub seen: u64,
    /// The calls made from here, in the order of the lowest threads of their lowest ranks.
    pub children: Vec<TreeNode>,
    /// True if it is a call of a library.
    is_library: bool,
    /// True if it and all calls below are of libraries.
    has_only_libraries: bool,
}

impl TreeNode {
    fn new(frame: &Frame, my_code: &MyCode) -> Self {
        let is_library = !my_code.has(frame);
        let named = frame.function.is_some() || frame.source.is_some();
        let file = frame.source.as_ref().map(|place| place.file.clone());
        let frame = TreeFrame {
            function: frame.function.clone(),
            source: frame.source.clone(),
            code: (!named).then(|| frame.code.without_address()),
        };
        let (ranks, threads, lines, children) = Default::default();
        Self { frame, ranks, threads, file, lines, seen: 0, children, is_library, has_only_libraries: is_library }
    }

    /// The threads whose stacks end here.
    pub fn ends(&self) -> RankThreads {
        let mut ends = self.threads.clone();
        self.children.iter().for_each(|child| ends.remove_all(&child.threads));
        ends
    }

    /// True if it is a call of a library.
    pub fn is_library(&self) -> bool {
        self.is_library
    }

    /// True if this call and all below are of libraries.
    pub fn has_only_libraries(&self) -> bool {
        self.has_only_libraries
    }

    /// True if the frame belongs to this call. Load addresses do not matter.
    fn is(&self, frame: &Frame) -> bool {
        match (&self.frame.code, &frame.function, &frame.source) {
            (Some(code), None, None) => *code == frame.code.without_address(),
            (None, function, source) => {
                self.frame.function == *function && self.file.as_ref() == source.as_ref().map(|place| &place.file)
            }
            _ => false,
        }
    }

    fn add(&mut self, threads: &RankThreads, ranks: &ProcessSet, frame: &Frame, is_last: bool) {
        let seen = threads.count() as u64;
        self.ranks.extend_with(ranks);
        self.threads.extend_with(threads);
        self.seen += seen;
        let Some(place) = &frame.source else { return };
        let at = self.lines.binary_search_by_key(&place.line, |known| known.line).unwrap_or_else(|at| {
            let fresh = CallLine { line: place.line, threads: RankThreads::default(), seen: 0, seen_last: 0 };
            self.lines.insert(at, fresh);
            at
        });
        if let Some(known) = self.lines.get_mut(at) {
            known.threads.extend_with(threads);
            known.seen += seen;
            known.seen_last += if is_last { seen } else { 0 };
        }
    }
}

/// The merged stacks of some ranks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StackTree {
    /// The ranks whose stacks are merged.
    pub ranks: ProcessSet,
    /// The threads whose stacks are merged.
    pub threads: RankThreads,
    /// The outermost calls; one, unless ranks run different programs or threads.
    pub roots: Vec<TreeNode>,
    /// True if the servers have left out the innermost calls, because there are too many different ones.
    pub is_cut: bool,
    /// How often threads were seen.
    pub seen: u64,
    /// The looks that the tree is made of; `None`: one, at stopped ranks.
    pub looks: Option<Looks>,
    my_code: MyCode,
}

impl StackTree {
    /// More different stacks than this are merged before they come.
    pub(crate) const MOST_STACKS: u32 = 256;

    /// A tree without stacks, in which other calls than the user's are those of libraries.
    pub fn new(my_code: MyCode) -> Self {
        Self { my_code, ..Self::default() }
    }

    /// True if the user's code is in one of the stacks: without it, no call is folded.
    pub fn has_user_code(&self) -> bool {
        self.roots.iter().any(|root| !root.has_only_libraries)
    }

    /// Adds the stack of some ranks, innermost frame first.
    pub fn add(&mut self, ranks: &ProcessSet, stack: &[Frame]) {
        self.add_threads(&RankThreads::of_ranks(ranks.clone()), stack);
    }

    /// Adds the stack of some threads, innermost frame first.
    pub fn add_threads(&mut self, threads: &RankThreads, stack: &[Frame]) {
        let ranks = threads.ranks();
        self.ranks.extend_with(&ranks);
        self.threads.extend_with(threads);
        self.seen += threads.count() as u64;
        let mut level = &mut self.roots;
        for (inner, frame) in stack.iter().enumerate().rev() {
            let index = level.iter().position(|node| node.is(frame)).unwrap_or_else(|| {
                level.push(TreeNode::new(frame, &self.my_code));
                level.len() - 1
            });
            let Some(node) = level.get_mut(index) else { return };
            node.add(threads, &ranks, frame, inner == 0);
            level = &mut node.children;
        }
    }

    /// Adds stacks as ranks answer them, but for ranks that are in the tree already.
    pub(crate) fn add_answer(&mut self, ranks: &ProcessSet, answer: &Answer) {
        let known = self.ranks.clone();
        for (threads, frames) in stacks_of(ranks, answer) {
            let fresh = threads.without_ranks(&known);
            if !fresh.is_empty() {
                self.add_threads(&fresh, &frames);
            }
        }
        self.is_cut |= is_cut(answer);
    }

    /// Sorts branches by the lowest threads of their lowest ranks, those of several looks by how often they were seen, and removes the line of calls whose ranks are at several.
    pub fn finish(&mut self) {
        fn finish(nodes: &mut [TreeNode], by_looks: bool) {
            nodes.sort_by_key(|node| (Reverse(if by_looks { node.seen } else { 0 }), node.threads.first()));
            for node in nodes {
                if node.lines.len() > 1 {
                    node.frame.source = None;
                }
                finish(&mut node.children, by_looks);
                node.has_only_libraries = node.is_library && node.children.iter().all(|child| child.has_only_libraries);
            }
        }
        finish(&mut self.roots, self.looks.is_some());
    }
}

/// Returns the stacks that ranks answer with, innermost frame first, each with its threads.
pub(super) fn stacks_of(ranks: &ProcessSet, answer: &Answer) -> Vec<(RankThreads, Vec<Frame>)> {
    match answer {
        Answer::Stack(frames) => vec![(RankThreads::of_ranks(ranks.clone()), frames.clone())],
        Answer::ThreadStacks(of_rank) => {
            let of_stack = |stack: &ThreadsStack| {
                let mut threads = RankThreads::default();
                stack.threads.iter().for_each(|thread| threads.add(thread, ranks));
                (threads, stack.frames.clone())
            };
            of_rank.stacks.iter().map(of_stack).collect()
        }
        Answer::MergedStacks(merged) => merged.stacks(),
        _ => Vec::new(),
    }
}

/// True if calls, or threads, are left out of an answer.
pub(super) fn is_cut(answer: &Answer) -> bool {
    match answer {
        Answer::ThreadStacks(of_rank) => of_rank.is_cut,
        Answer::MergedStacks(merged) => merged.is_cut(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(level: u32, function: &str, line: u32) -> Frame {
        Frame {
            level,
            function: Some(function.into()),
            source: Some(SourcePlace { file: "/src/ring.c".into(), line }),
            code: CodePlace { module: None, offset: u64::from(line), address: None },
            inlined: false,
            guessed: false,
            thread: None,
        }
    }

    #[test]
    fn a_rank_that_answers_late_joins_the_calls_that_others_are_in_at_several_lines() {
        let mut tree = StackTree::default();
        tree.add(&ProcessSet::range(0, 1), &[frame(0, "even", 3), frame(1, "main", 18)]);
        tree.add(&ProcessSet::range(1, 2), &[frame(0, "even", 4), frame(1, "main", 20)]);
        tree.finish();
        tree.add(&ProcessSet::range(2, 3), &[frame(0, "even", 4), frame(1, "main", 18)]);
        tree.finish();
        let [main] = tree.roots.as_slice() else { panic!("{tree:?}") };
        let [even] = main.children.as_slice() else { panic!("{main:?}") };
        assert_eq!((main.ranks.to_string(), even.ranks.to_string()), ("0-2".into(), "0-2".into()));
        assert_eq!(even.file.as_deref(), Some("/src/ring.c"));
    }

    #[test]
    fn ranks_part_where_they_call_different_functions() {
        let mut tree = StackTree::default();
        tree.add(&ProcessSet::range(1, 2), &[frame(0, "even", 3), frame(1, "odd", 8), frame(2, "main", 20)]);
        tree.add(&ProcessSet::range(0, 1), &[frame(0, "even", 3), frame(1, "main", 18)]);
        tree.add(&ProcessSet::range(2, 4), &[frame(0, "even", 4), frame(1, "main", 18)]);
        tree.finish();
        assert_eq!(tree.ranks, ProcessSet::all(4));
        let [main] = tree.roots.as_slice() else { panic!("{tree:?}") };
        assert_eq!((main.ranks.to_string().as_str(), &main.frame.source), ("0-3", &None));
        let lines: Vec<_> = main.lines.iter().map(|at| (at.line, at.threads.ranks().to_string())).collect();
        assert_eq!(lines, [(18, "0,2-3".to_owned()), (20, "1".to_owned())]);
        let children: Vec<_> =
            main.children.iter().map(|c| (c.frame.function.as_deref(), c.ranks.to_string())).collect();
        assert_eq!(children, [(Some("even"), "0,2-3".to_owned()), (Some("odd"), "1".to_owned())]);
        assert_eq!(main.children[1].frame.source.as_ref().unwrap().line, 8);
    }
}
