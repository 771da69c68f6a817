//! Looks at the stacks of running ranks, one after another, as one tree: how often each call was seen, and which ranks
//! moved (the sampling of a profiler, over all ranks; STAT calls it traces over time).

use super::stack_tree::{Looks, StackTree, is_cut, stacks_of};
use model::{Answer, CodePlace, Frame, FramePlace, MyCode, ProcessSet, RankThreads};
use std::collections::HashMap;
use std::time::Duration;

/// The looks so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SampledStacks {
    tree: StackTree,
    my_code: MyCode,
    looks: Looks,
    /// The stacks of the last look, with their threads.
    last: HashMap<Vec<Frame>, RankThreads>,
    /// The ranks that were seen at it.
    last_ranks: ProcessSet,
}

impl SampledStacks {
    /// Nothing was looked at yet; other calls than the user's are those of libraries.
    pub fn new(my_code: MyCode) -> Self {
        Self { tree: StackTree::new(my_code.clone()), my_code, ..Self::default() }
    }

    /// The number of looks.
    pub fn count(&self) -> u32 {
        self.looks.count
    }

    /// Adds a look: the answers of ranks, each rank once.
    pub fn add<'a>(&mut self, answers: impl Iterator<Item = (&'a ProcessSet, &'a Answer)>) {
        let mut now: HashMap<Vec<Frame>, RankThreads> = HashMap::new();
        let mut ranks = ProcessSet::new();
        for (of, answer) in answers {
            for (threads, frames) in stacks_of(of, answer) {
                self.tree.add_threads(&threads, &frames);
                ranks.extend_with(&threads.ranks());
                now.entry(places(&frames, &self.my_code)).or_default().extend_with(&threads);
            }
            self.tree.is_cut |= is_cut(answer);
        }
        for (stack, threads) in &now {
            let mut elsewhere = threads.clone();
            if let Some(before) = self.last.get(stack) {
                elsewhere.remove_all(before);
            }
            self.looks.moved.extend_with(&elsewhere.ranks().intersection(&self.last_ranks));
        }
        self.looks.count += 1;
        (self.last, self.last_ranks) = (now, ranks);
    }

    /// The tree of all looks, which have lasted so long.
    pub fn tree(&self, lasted: Duration) -> StackTree {
        let mut tree = self.tree.clone();
        tree.looks = Some(Looks { lasted, ..self.looks.clone() });
        tree.finish();
        tree
    }
}

/// The places of a stack in the user's code: a rank that polls in a library has not moved. Without such code, all.
fn places(frames: &[Frame], my_code: &MyCode) -> Vec<Frame> {
    let own: Vec<Frame> = frames.iter().filter(|frame| my_code.has(frame)).map(at_its_place).collect();
    if own.is_empty() { frames.iter().map(at_its_place).collect() } else { own }
}

/// The frame without what differs within its place, such as the instruction.
fn at_its_place(frame: &Frame) -> Frame {
    let code = match frame.place() {
        FramePlace::Instruction(..) => frame.code.without_address(),
        FramePlace::Line(..) | FramePlace::Function(..) => {
            CodePlace { module: frame.code.module.clone(), offset: 0, address: None }
        }
    };
    Frame { level: 0, code, thread: None, ..frame.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{SourcePlace, VirtualAddress};

    /// A stack, outermost call first, each letter with the line it is at.
    fn stack(calls: &[(&str, u32)], offset: u64) -> Answer {
        let frame = |(level, (function, line)): (usize, &(&str, u32))| Frame {
            level: level as u32,
            function: Some((*function).into()),
            source: Some(SourcePlace { file: "/src/ring.c".into(), line: *line }),
            code: CodePlace { module: None, offset, address: Some(VirtualAddress(offset)) },
            inlined: false,
            guessed: false,
            thread: None,
        };
        Answer::Stack(calls.iter().rev().enumerate().map(frame).collect())
    }

    fn set(text: &str) -> ProcessSet {
        ProcessSet::parse(text).unwrap()
    }

    #[test]
    fn calls_count_how_often_they_were_seen_and_ranks_move_when_their_line_changes() {
        let mut looks = SampledStacks::new(MyCode::default());
        let (busy, waits) = (stack(&[("main", 9), ("work", 3)], 1), stack(&[("main", 12), ("wait", 7)], 1));
        looks.add([(&set("0-2"), &busy), (&set("3"), &waits)].into_iter());
        // Another instruction of the line is no move.
        looks.add([(&set("0-1"), &stack(&[("main", 9), ("work", 3)], 2)), (&set("2-3"), &waits)].into_iter());
        // A rank that was not seen before has not moved.
        looks.add([(&set("0"), &stack(&[("main", 9), ("work", 4)], 2)), (&set("1"), &busy)].into_iter());
        looks.add([(&set("1"), &busy), (&set("2-3"), &busy)].into_iter());
        let tree = looks.tree(Duration::from_secs(2));
        let found = tree.looks.clone().unwrap();
        assert_eq!((found.count, found.moved.to_string(), tree.seen), (4, "0,2".to_owned(), 13));
        let [main] = tree.roots.as_slice() else { panic!("{tree:?}") };
        let calls: Vec<_> = main.children.iter().map(|call| (call.frame.function.as_deref(), call.seen)).collect();
        assert_eq!((main.seen, calls), (13, vec![(Some("work"), 10), (Some("wait"), 3)]), "most seen first");
        let lines: Vec<_> = main.children[0].lines.iter().map(|at| (at.line, at.seen, at.seen_last)).collect();
        assert_eq!(lines, [(3, 9, 9), (4, 1, 1)]);
        assert_eq!(main.lines.iter().map(|at| at.seen_last).sum::<u64>(), 0);
    }

    #[test]
    fn a_rank_that_polls_in_a_library_has_not_moved() {
        let frame = |level, function: &str, source: Option<SourcePlace>| Frame {
            level,
            function: Some(function.into()),
            code: CodePlace {
                module: Some(if source.is_some() { "/home/u/ring" } else { "/usr/lib/libmpi.so" }.into()),
                offset: 0,
                address: None,
            },
            source,
            inlined: false,
            guessed: false,
            thread: None,
        };
        let main = frame(1, "main", Some(SourcePlace { file: "/home/u/ring.c".into(), line: 8 }));
        let polls = |name| Answer::Stack(vec![frame(0, name, None), main.clone()]);
        let mut looks = SampledStacks::new(MyCode::default());
        for name in ["poll_shared", "poll_network", "poll_shared"] {
            looks.add([(&set("0"), &polls(name))].into_iter());
        }
        assert_eq!(looks.tree(Duration::ZERO).looks.unwrap().moved, ProcessSet::new());
        let mut bare = SampledStacks::new(MyCode::default());
        for name in ["poll_shared", "poll_network"] {
            bare.add([(&set("0"), &Answer::Stack(vec![frame(0, name, None)]))].into_iter());
        }
        assert_eq!(bare.tree(Duration::ZERO).looks.unwrap().moved, set("0"));
    }
}
