//! Stacks of many ranks as a tree of their calls, callers first (the call graph prefix tree of STAT: Arnold et al., 2007).
//! Trees of parts, merged in any order, are the tree of the whole.

use super::rank_threads::RankThreads;
use super::thread_stacks::ThreadStacks;
use crate::{Frame, ProcessSet, Rank, ThreadId};
use serde::{Deserialize, Serialize};
use std::mem;

/// A call that stacks share.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct MergedCall {
    /// The number of calls around it.
    pub depth: u32,
    /// The frame, without what differs between the ranks: its level and addresses.
    pub frame: Frame,
    /// The threads whose stacks end here, or are cut here. Those of the call are these and those of the calls made from
    /// it.
    #[serde(default, skip_serializing_if = "RankThreads::is_empty")]
    pub ends: RankThreads,
}

/// The stacks of some ranks, as a tree of a limited size.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct MergedStacks {
    /// The calls, each before those made from it; these are in the order of their lowest threads of
    /// their lowest ranks.
    calls: Vec<MergedCall>,
    /// Threads of which no call is kept: their stacks are empty, or too different.
    bare: RankThreads,
    /// True if calls are left out, those that have too many calls around them.
    is_cut: bool,
    /// True if ranks have left out the stacks of threads.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    lacks_threads: bool,
}

/// Merged stacks as a message brings them.
#[derive(Deserialize)]
struct Unchecked {
    calls: Vec<MergedCall>,
    bare: RankThreads,
    is_cut: bool,
    #[serde(default)]
    lacks_threads: bool,
}

impl TryFrom<Unchecked> for MergedStacks {
    type Error = &'static str;

    fn try_from(Unchecked { calls, bare, is_cut, lacks_threads }: Unchecked) -> Result<Self, Self::Error> {
        let mut deepest = 0;
        for call in &calls {
            if call.depth > deepest {
                return Err("expected each call after the one that makes it");
            }
            deepest = call.depth.saturating_add(1);
        }
        if calls.len() > MergedStacks::MOST {
            return Err("too many calls");
        }
        Ok(Self { calls, bare, is_cut, lacks_threads })
    }
}

impl MergedStacks {
    /// The most calls that are kept: what a person can still look through.
    pub const MOST: usize = 1024;

    /// True if the stacks have more calls than these.
    pub fn is_cut(&self) -> bool {
        self.is_cut || self.lacks_threads
    }

    /// The stacks, innermost frame first and each with its threads, as far as they are kept. The innermost frame that is
    /// kept has level 0.
    pub fn stacks(&self) -> Vec<(RankThreads, Vec<Frame>)> {
        let mut stacks = Vec::new();
        if !self.bare.is_empty() {
            stacks.push((self.bare.clone(), Vec::new()));
        }
        let mut around: Vec<&Frame> = Vec::new();
        for call in &self.calls {
            around.truncate(usize::try_from(call.depth).unwrap_or(usize::MAX));
            around.push(&call.frame);
            if !call.ends.is_empty() {
                let frames = (0..).zip(around.iter().rev()).map(|(level, frame)| Frame { level, ..(*frame).clone() });
                stacks.push((call.ends.clone(), frames.collect()));
            }
        }
        stacks
    }
}

/// A call while stacks are merged.
#[derive(Debug)]
struct Node {
    frame: Frame,
    ends: RankThreads,
    depth: usize,
    calls: Vec<usize>,
}

/// Merges stacks. All calls up to a depth are kept: the greatest one at which there are not too many.
#[derive(Debug, Default)]
pub struct StackMerger {
    nodes: Vec<Node>,
    outermost: Vec<usize>,
    bare: RankThreads,
    /// Calls with as many calls around them are left out; `None`: all are kept.
    limit: Option<usize>,
    /// True if ranks have left out the stacks of threads.
    lacks_threads: bool,
}

impl StackMerger {
    /// Adds the stack of some ranks, innermost frame first.
    pub fn add(&mut self, ranks: &ProcessSet, stack: &[Frame]) {
        self.end_of(stack).add_ranks(ranks);
        self.cut();
    }

    /// Adds the stacks of all threads of some ranks.
    pub fn add_threads(&mut self, ranks: &ProcessSet, threads: &ThreadStacks) {
        for stack in &threads.stacks {
            let end = self.end_of(&stack.frames);
            stack.threads.iter().for_each(|thread| end.add(thread, ranks));
            self.cut();
        }
        self.lacks_threads |= threads.is_cut;
    }

    /// Adds the stacks that another merger had.
    pub fn join(&mut self, other: &MergedStacks) {
        for (threads, stack) in other.stacks() {
            self.end_of(&stack).extend_with(&threads);
            self.cut();
        }
        if other.is_cut {
            let depth = other.calls.iter().map(|call| call.depth as usize + 1).max().unwrap_or(0);
            self.cut_at(depth.min(self.limit.unwrap_or(usize::MAX)));
        }
        self.lacks_threads |= other.lacks_threads;
    }

    /// The merged stacks.
    pub fn finish(self) -> MergedStacks {
        let mut calls = Vec::with_capacity(self.nodes.len());
        self.list(&self.outermost, &mut calls);
        MergedStacks { calls, bare: self.bare, is_cut: self.limit.is_some(), lacks_threads: self.lacks_threads }
    }

    /// The threads whose stack this is, as far as its calls are kept.
    fn end_of(&mut self, stack: &[Frame]) -> &mut RankThreads {
        let mut at = None;
        for (depth, frame) in stack.iter().rev().enumerate() {
            if self.limit.is_some_and(|limit| depth >= limit) {
                break;
            }
            at = Some(self.call(at, depth, frame));
        }
        match at.and_then(|at| self.nodes.get_mut(at)) {
            Some(node) => &mut node.ends,
            None => &mut self.bare,
        }
    }

    /// Returns the call of a frame from a caller, which is a new one if none of these ranks was in it.
    fn call(&mut self, caller: Option<usize>, depth: usize, frame: &Frame) -> usize {
        let siblings = match caller {
            None => &self.outermost,
            Some(caller) => self.nodes.get(caller).map_or(&self.outermost, |node| &node.calls),
        };
        let is_same = |node: &&usize| self.nodes.get(**node).is_some_and(|known| is_same_call(&known.frame, frame));
        let plain = Frame { level: 0, thread: None, ..frame.without_address() };
        if let Some(&known) = siblings.iter().find(is_same) {
            if let Some(node) = self.nodes.get_mut(known)
                && (&plain.code.module, plain.code.offset) < (&node.frame.code.module, node.frame.code.offset)
            {
                node.frame.code = plain.code;
            }
            return known;
        }
        let new = self.nodes.len();
        self.nodes.push(Node { frame: plain, ends: RankThreads::default(), depth, calls: Vec::new() });
        match caller.and_then(|caller| self.nodes.get_mut(caller)) {
            Some(node) => node.calls.push(new),
            None => self.outermost.push(new),
        }
        new
    }

    /// Leaves out the deepest calls while there are too many.
    fn cut(&mut self) {
        if self.nodes.len() <= MergedStacks::MOST {
            return;
        }
        let deepest = self.nodes.iter().map(|node| node.depth).max().unwrap_or(0);
        let mut at_depth = vec![0usize; deepest + 1];
        self.nodes.iter().for_each(|node| {
            if let Some(count) = at_depth.get_mut(node.depth) {
                *count += 1;
            }
        });
        let mut all = 0;
        let fits = |count: &&usize| {
            all += **count;
            all <= MergedStacks::MOST
        };
        self.cut_at(at_depth.iter().take_while(fits).count());
    }

    /// Leaves out the calls with as many calls around them. Their ranks end where the call is made from.
    fn cut_at(&mut self, limit: usize) {
        self.limit = Some(limit);
        let old = mem::take(&mut self.nodes);
        let outermost = mem::take(&mut self.outermost);
        let mut old: Vec<Option<Node>> = old.into_iter().map(Some).collect();
        // Each with the call that it is made from, as it is numbered now.
        let mut waiting: Vec<(Option<usize>, usize)> = outermost.into_iter().rev().map(|node| (None, node)).collect();
        while let Some((caller, at)) = waiting.pop() {
            let Some(Node { frame, ends, depth, calls }) = old.get_mut(at).and_then(Option::take) else { continue };
            let place = if depth < limit {
                let new = self.nodes.len();
                self.nodes.push(Node { frame, ends: RankThreads::default(), depth, calls: Vec::new() });
                match caller.and_then(|caller| self.nodes.get_mut(caller)) {
                    Some(node) => node.calls.push(new),
                    None => self.outermost.push(new),
                }
                Some(new)
            } else {
                caller
            };
            match place.and_then(|place| self.nodes.get_mut(place)) {
                Some(node) => node.ends.extend_with(&ends),
                None => self.bare.extend_with(&ends),
            }
            waiting.extend(calls.into_iter().rev().map(|call| (place, call)));
        }
    }

    /// Lists calls, each before those made from it.
    fn list(&self, outermost: &[usize], into: &mut Vec<MergedCall>) {
        let lowest = self.lowest_threads();
        let in_order = |calls: &[usize]| {
            let mut calls = calls.to_vec();
            // The last one is listed first.
            calls.sort_by_key(|call| std::cmp::Reverse(lowest.get(*call).copied().flatten()));
            calls
        };
        let mut waiting = in_order(outermost);
        while let Some(at) = waiting.pop() {
            let Some(Node { frame, ends, depth, calls }) = self.nodes.get(at) else { continue };
            let depth = u32::try_from(*depth).unwrap_or(u32::MAX);
            into.push(MergedCall { depth, frame: frame.clone(), ends: ends.clone() });
            waiting.extend(in_order(calls));
        }
    }

    /// The lowest thread of the lowest rank of each call. A call is behind the one that it is made from.
    fn lowest_threads(&self) -> Vec<Option<(Rank, Option<ThreadId>)>> {
        let mut lowest: Vec<_> = self.nodes.iter().map(|node| node.ends.first()).collect();
        for (at, node) in self.nodes.iter().enumerate().rev() {
            let of_calls = node.calls.iter().filter_map(|call| lowest.get(*call).copied().flatten()).min();
            if let Some(own) = lowest.get_mut(at) {
                *own = own.iter().copied().chain(of_calls).min();
            }
        }
        lowest
    }
}

/// True if the frames are at one place, as precisely as it is shown.
fn is_same_call(one: &Frame, other: &Frame) -> bool {
    (one.inlined, one.guessed) == (other.inlined, other.guessed) && one.place() == other.place()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CodePlace, NamedThread, ThreadStackList, VirtualAddress};
    use proptest::prelude::*;

    /// A stack from letters, outermost first.
    fn stack(names: &str, rank: u32) -> Vec<Frame> {
        let frame = |(level, letter): (usize, char)| Frame {
            level: level as u32,
            function: Some(letter.to_string().into()),
            source: None,
            code: CodePlace {
                module: None,
                offset: u64::from(rank % 3),
                address: Some(VirtualAddress(u64::from(rank))),
            },
            inlined: false,
            guessed: false,
            thread: None,
        };
        names.chars().rev().enumerate().map(frame).collect()
    }

    fn merged(stacks: &[(u32, String)]) -> MergedStacks {
        let mut merger = StackMerger::default();
        stacks.iter().for_each(|(rank, names)| merger.add(&ProcessSet::one(Rank(*rank)), &stack(names, *rank)));
        merger.finish()
    }

    fn told(stacks: &MergedStacks) -> Vec<String> {
        let name = |frame: &Frame| frame.function.as_deref().unwrap().to_owned();
        let told = |(threads, frames): (RankThreads, Vec<Frame>)| {
            format!("{}: {}", threads.ranks(), frames.iter().rev().map(name).collect::<String>())
        };
        stacks.stacks().into_iter().map(told).collect()
    }

    #[test]
    fn each_stack_is_there_once_with_its_ranks() {
        let said = ["mab", "mac", "mab", "m", "", "mb"].map(str::to_owned);
        let all = merged(&(0..).zip(said).collect::<Vec<_>>());
        assert_eq!(told(&all), ["4: ", "3: m", "0,2: mab", "1: mac", "5: mb"]);
        assert_eq!(all.calls.len(), 5);
        assert!(!all.is_cut());
    }

    #[test]
    fn too_many_calls_are_cut_at_the_depth_where_they_fit() {
        // The third call is different in each rank.
        let rank = |rank: u32| (rank, format!("ma{}x", char::from_u32(0x4e00 + rank).unwrap()));
        let all = merged(&(0..2000).map(rank).collect::<Vec<_>>());
        assert!(all.is_cut());
        assert_eq!(told(&all), ["0-1999: ma"]);
        let without_root = |rank: u32| (rank, char::from_u32(0x4e00 + rank).unwrap().to_string());
        let none = merged(&(0..2000).map(without_root).collect::<Vec<_>>());
        assert_eq!(told(&none), ["0-1999: "]);
    }

    #[test]
    fn messages_with_impossible_trees_are_refused() {
        let all = merged(&[(0, "mab".into()), (1, "mb".into())]);
        let text = serde_json::to_string(&all).unwrap();
        assert_eq!(serde_json::from_str::<MergedStacks>(&text).unwrap(), all);
        assert!(serde_json::from_str::<MergedStacks>(&text.replacen("\"depth\":0", "\"depth\":1", 1)).is_err());
        assert!(serde_json::from_str::<MergedStacks>(&text.replacen("\"depth\":2", "\"depth\":3", 1)).is_err());
    }

    /// The stacks of the threads of a rank, in groups of equal ones as a rank says them.
    fn of_threads(rank: u32, stacks: &[String]) -> ThreadStacks {
        let mut list = ThreadStackList::default();
        for (id, names) in (1..).zip(stacks) {
            let name = if id % 3 == 0 { "io" } else { "" };
            list.add(NamedThread { id: ThreadId(id), name: name.into() }, stack(names, rank));
        }
        list.finish()
    }

    fn merged_threads(ranks: &[(u32, Vec<String>)]) -> MergedStacks {
        let mut merger = StackMerger::default();
        ranks.iter().for_each(|(rank, said)| {
            merger.add_threads(&ProcessSet::one(Rank(*rank)), &of_threads(*rank, said));
        });
        merger.finish()
    }

    #[test]
    fn threads_of_a_rank_part_where_their_calls_do() {
        let said = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let all = merged_threads(&[
            (0, said(&["mab", "wx", "wx"])),
            (1, said(&["mab", "wx"])),
            (2, said(&["ma", "wx", "w"])),
        ]);
        let told = |(threads, frames): (RankThreads, Vec<Frame>)| {
            let alike = threads.alike();
            let sets: Vec<String> =
                alike.iter().map(|(ranks, ids)| format!("{ranks}.{ids:?}").replace("ThreadId", "")).collect();
            let name = |frame: &Frame| frame.function.as_deref().unwrap().to_owned();
            format!("{} {}", sets.join(" "), frames.iter().rev().map(name).collect::<String>())
        };
        let told: Vec<String> = all.stacks().into_iter().map(told).collect();
        assert_eq!(told, ["2.[(1)] ma", "0-1.[(1)] mab", "2.[(3)] w", "0-2.[(2)] 0.[(3)] wx"]);
        assert!(
            all.stacks()
                .iter()
                .all(|(threads, _)| threads.named().iter().all(|(t, _)| (t.id.0 == 3) == (&*t.name == "io")))
        );
    }

    proptest! {
        #[test]
        fn trees_of_all_threads_of_parts_are_the_tree_of_the_whole(
            said in proptest::collection::vec(proptest::collection::vec("[mw][a-e]{0,5}", 1..5), 1..40),
            // So many different calls at one depth that the tree is cut, or none.
            wide in proptest::option::of(1000u32..1100),
            cut in any::<proptest::sample::Index>(),
        ) {
            let mut said: Vec<(u32, Vec<String>)> = (0..).zip(said).collect();
            if let Some(count) = wide {
                let name = |number| format!("w{}a", char::from_u32(0x4e00 + number).unwrap());
                said.push((said.len() as u32, (0..count).map(name).collect()));
            }
            let whole = merged_threads(&said);
            let (low, high) = said.split_at(cut.index(said.len()));
            for parts in [[low, high], [high, low]] {
                let mut joined = StackMerger::default();
                parts.iter().for_each(|part| joined.join(&merged_threads(part)));
                prop_assert_eq!(joined.finish(), whole.clone());
            }
            let threads: usize = whole.stacks().iter().map(|(threads, _)| threads.count()).sum();
            prop_assert_eq!(threads, said.iter().map(|(_, stacks)| stacks.len()).sum::<usize>());
            let text = serde_json::to_string(&whole).unwrap();
            prop_assert_eq!(serde_json::from_str::<MergedStacks>(&text).unwrap(), whole);
        }

        #[test]
        fn trees_of_parts_are_the_tree_of_the_whole(
            said in proptest::collection::vec("m?[a-e]{0,6}", 1..60),
            // So many different calls at one depth that the tree is cut, or none.
            wide in proptest::option::of((0usize..4, 1000u32..1100)),
            cut in any::<proptest::sample::Index>(),
        ) {
            let mut said: Vec<(u32, String)> = (0..).zip(said).collect();
            if let Some((depth, count)) = wide {
                let first = said.len() as u32;
                let name = |number| format!("{}{}a", "m".repeat(depth), char::from_u32(0x4e00 + number).unwrap());
                said.extend((0..count).map(|number| (first + number, name(number))));
            }
            let whole = merged(&said);
            let (low, high) = said.split_at(cut.index(said.len()));
            for parts in [[low, high], [high, low]] {
                let mut joined = StackMerger::default();
                parts.iter().for_each(|part| joined.join(&merged(part)));
                prop_assert_eq!(joined.finish(), whole.clone());
            }
            let ranks: usize = whole.stacks().iter().map(|(threads, _)| threads.count()).sum();
            prop_assert_eq!(ranks, said.len());
            prop_assert!(whole.calls.len() <= MergedStacks::MOST);
        }
    }
}
