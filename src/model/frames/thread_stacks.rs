//! The stacks of all threads of a rank.

use super::rank_threads::NamedThread;
use crate::Frame;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

/// A stack that threads of a rank share.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ThreadsStack {
    /// The threads.
    pub threads: Vec<NamedThread>,
    /// Their frames, innermost first; none if they were not read.
    pub frames: Vec<Frame>,
}

/// The stacks of the threads of a rank.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ThreadStacks {
    /// The different stacks.
    pub stacks: Vec<ThreadsStack>,
    /// True if a limit has left out the frames of threads.
    pub is_cut: bool,
}

impl ThreadStacks {
    /// The same without load addresses.
    pub(crate) fn without_address(&self) -> Self {
        let bare = |stack: &ThreadsStack| ThreadsStack {
            threads: stack.threads.clone(),
            frames: stack.frames.iter().map(Frame::without_address).collect(),
        };
        Self { stacks: self.stacks.iter().map(bare).collect(), is_cut: self.is_cut }
    }
}

/// Collects the stacks of threads, each of them once, up to a limit.
#[derive(Debug, Default)]
pub struct ThreadStackList {
    stacks: Vec<ThreadsStack>,
    known: HashMap<u64, Vec<usize>>,
    hasher: RandomState,
    frames: usize,
    is_cut: bool,
}

impl ThreadStackList {
    /// The most frames that are kept of a rank: those of a hundred different stacks of a hundred frames.
    pub const MOST_FRAMES: usize = 10_000;

    /// True if no more frames are kept: further threads have none.
    pub fn is_full(&self) -> bool {
        self.frames >= Self::MOST_FRAMES
    }

    /// Adds a thread with its frames, innermost first.
    pub fn add(&mut self, thread: NamedThread, frames: Vec<Frame>) {
        let mut frames = if self.is_full() { Vec::new() } else { frames };
        self.is_cut |= self.is_full();
        // Which thread it is says `thread`.
        frames.iter_mut().for_each(|frame| frame.thread = None);
        let alike = self.known.entry(self.hasher.hash_one(&frames)).or_default();
        for index in alike.iter() {
            if let Some(known) = self.stacks.get_mut(*index).filter(|known| known.frames == frames) {
                known.threads.push(thread);
                return;
            }
        }
        alike.push(self.stacks.len());
        self.frames += frames.len();
        self.stacks.push(ThreadsStack { threads: vec![thread], frames });
    }

    /// Adds a thread whose frames are not read, since time or room is used up.
    pub fn leave_out(&mut self, thread: NamedThread) {
        self.add(thread, Vec::new());
        self.is_cut = true;
    }

    /// Returns what was collected.
    pub fn finish(self) -> ThreadStacks {
        ThreadStacks { stacks: self.stacks, is_cut: self.is_cut }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CodePlace, ThreadId};

    fn frames(count: u32, offset: u64) -> Vec<Frame> {
        let frame = |level| Frame {
            level,
            function: None,
            source: None,
            code: CodePlace { module: None, offset, address: None },
            inlined: false,
            guessed: false,
            thread: None,
        };
        (0..count).map(frame).collect()
    }

    fn thread(id: u32) -> NamedThread {
        NamedThread { id: ThreadId(id), name: "".into() }
    }

    #[test]
    fn threads_at_one_place_share_a_stack() {
        let mut list = ThreadStackList::default();
        for (id, offset) in [(1, 7), (2, 8), (3, 7)] {
            list.add(thread(id), frames(2, offset));
        }
        let told = list.finish();
        let threads: Vec<Vec<u32>> =
            told.stacks.iter().map(|stack| stack.threads.iter().map(|thread| thread.id.0).collect()).collect();
        assert_eq!((threads, told.is_cut), (vec![vec![1, 3], vec![2]], false));
    }

    #[test]
    fn threads_beyond_the_limit_are_named_without_frames() {
        let mut list = ThreadStackList::default();
        (1..=12).for_each(|id| list.add(thread(id), frames(1000, id.into())));
        let told = list.finish();
        assert!(told.is_cut);
        assert_eq!(told.stacks.iter().map(|stack| stack.frames.len()).sum::<usize>(), ThreadStackList::MOST_FRAMES);
        assert_eq!(told.stacks.last().unwrap().threads, [thread(11), thread(12)]);
    }
}
