//! The selected frames: each thread of each rank has its own, in its own stack.

use model::{Frame, ProcessSet, Rank, ThreadId};
use std::collections::BTreeMap;

/// The selected frames of every rank, kept by ranks that share one. A thread without an entry has its innermost frame.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChosenFrames {
    /// The sets of one thread are disjoint.
    chosen: Vec<Chosen>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Chosen {
    ranks: ProcessSet,
    /// The thread of the stack; `None`: the one that the rank stopped in.
    thread: Option<ThreadId>,
    /// `None`: the innermost one was selected, so that nothing else stands for it.
    frame: Option<Frame>,
}

impl ChosenFrames {
    /// Selects this frame of a thread in these ranks.
    pub fn choose(&mut self, ranks: &ProcessSet, thread: Option<ThreadId>, frame: &Frame) {
        // Equal code at different addresses makes one entry.
        self.put(ranks, thread, Some(frame).filter(|frame| frame.level > 0).map(Frame::without_address));
    }

    /// Selects the innermost frames of these ranks in the stack of a thread, so that nothing stands for them.
    pub fn choose_innermost(&mut self, ranks: &ProcessSet, thread: Option<ThreadId>) {
        self.put(ranks, thread, None);
    }

    fn put(&mut self, ranks: &ProcessSet, thread: Option<ThreadId>, frame: Option<Frame>) {
        self.forget_if(ranks, |known| known.thread == thread);
        if ranks.is_empty() {
            return;
        }
        match self.chosen.iter_mut().find(|known| known.thread == thread && known.frame == frame) {
            Some(known) => known.ranks.extend_with(ranks),
            None => self.chosen.push(Chosen { ranks: ranks.clone(), thread, frame }),
        }
    }

    fn of(&self, thread: Option<ThreadId>) -> impl Iterator<Item = &Chosen> {
        self.chosen.iter().filter(move |known| known.thread == thread)
    }

    /// Returns the ranks with a selection in the stack of a thread.
    pub fn chosen_in(&self, thread: Option<ThreadId>) -> ProcessSet {
        let mut ranks = ProcessSet::new();
        for known in self.of(thread) {
            ranks.extend_with(&known.ranks);
        }
        ranks
    }

    /// Returns the selections of these ranks.
    pub fn among(&self, ranks: &ProcessSet) -> Self {
        let own = |known: &Chosen| Chosen { ranks: known.ranks.intersection(ranks), ..known.clone() };
        Self { chosen: self.chosen.iter().map(own).filter(|known| !known.ranks.is_empty()).collect() }
    }

    /// Selects again, in these ranks, what was forgotten; a newer selection is kept.
    pub fn put_back(&mut self, forgotten: Self, ranks: &ProcessSet) {
        for Chosen { ranks: own, thread, frame } in forgotten.chosen {
            let without = own.intersection(ranks).difference(&self.chosen_in(thread));
            self.put(&without, thread, frame);
        }
    }

    /// Selects the innermost frames of these ranks again, in all threads.
    pub fn forget(&mut self, ranks: &ProcessSet) {
        self.forget_if(ranks, |_| true);
    }

    fn forget_if(&mut self, ranks: &ProcessSet, is_meant: impl Fn(&Chosen) -> bool) {
        for known in self.chosen.iter_mut().filter(|known| is_meant(known)) {
            known.ranks.remove_all(ranks);
        }
        self.chosen.retain(|known| !known.ranks.is_empty());
    }

    /// Returns the selected frame of a rank; `None` if it is the innermost.
    pub fn frame(&self, rank: Rank, thread: Option<ThreadId>) -> Option<&Frame> {
        self.of(thread).find(|known| known.ranks.contains(rank))?.frame.as_ref()
    }

    /// True if the innermost frame of a thread was selected, not only because no other was.
    pub fn is_innermost_chosen(&self, rank: Rank, thread: Option<ThreadId>) -> bool {
        self.of(thread).any(|known| known.frame.is_none() && known.ranks.contains(rank))
    }

    /// Returns the level of a rank's selected frame; 0 is the innermost.
    pub fn level(&self, rank: Rank, thread: Option<ThreadId>) -> u32 {
        self.frame(rank, thread).map_or(0, |frame| frame.level)
    }

    /// Splits ranks by the levels of their selected frames.
    pub fn parts(&self, ranks: &ProcessSet, thread: Option<ThreadId>) -> Vec<(u32, ProcessSet)> {
        let mut rest = ranks.clone();
        let mut levels: BTreeMap<u32, ProcessSet> = BTreeMap::new();
        for (frame, known) in self.of(thread).filter_map(|known| Some((known.frame.as_ref()?, &known.ranks))) {
            let common = rest.intersection(known);
            if !common.is_empty() {
                rest.remove_all(&common);
                levels.entry(frame.level).or_default().extend_with(&common);
            }
        }
        if !rest.is_empty() {
            levels.entry(0).or_default().extend_with(&rest);
        }
        levels.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{CodePlace, VirtualAddress};

    fn frame(level: u32, address: u64) -> Frame {
        let code = CodePlace { module: None, offset: 64, address: Some(VirtualAddress(address)) };
        Frame { level, function: None, source: None, code, inlined: false, guessed: false, thread: None }
    }

    fn parts(chosen: &ChosenFrames, thread: Option<ThreadId>) -> Vec<(u32, String)> {
        let parts = chosen.parts(&ProcessSet::all(8), thread).into_iter();
        parts.map(|(level, ranks)| (level, ranks.to_string())).collect()
    }

    #[test]
    fn every_rank_has_a_chosen_frame_of_its_own() {
        let mut chosen = ChosenFrames::default();
        assert_eq!(parts(&chosen, None), [(0, "0-7".into())]);
        chosen.choose(&ProcessSet::range(0, 2), None, &frame(2, 1));
        chosen.choose(&ProcessSet::range(2, 4), None, &frame(2, 2));
        chosen.choose(&ProcessSet::range(4, 6), None, &frame(3, 1));
        assert_eq!(chosen.chosen.len(), 2, "equal frames are kept once: {chosen:?}");
        assert_eq!(parts(&chosen, None), [(0, "6-7".into()), (2, "0-3".into()), (3, "4-5".into())]);
        assert_eq!(chosen.level(Rank(5), None), 3);
        assert_eq!(chosen.level(Rank(5), Some(ThreadId(2))), 0, "another thread has another stack");
        chosen.choose(&ProcessSet::range(1, 5), Some(ThreadId(2)), &frame(1, 1));
        assert_eq!(parts(&chosen, None), [(0, "6-7".into()), (2, "0-3".into()), (3, "4-5".into())], "both are kept");
        chosen.choose(&ProcessSet::range(5, 6), None, &frame(0, 1));
        assert!(chosen.is_innermost_chosen(Rank(5), None) && !chosen.is_innermost_chosen(Rank(5), Some(ThreadId(2))));
        assert_eq!(parts(&chosen, None), [(0, "5-7".into()), (2, "0-3".into()), (3, "4".into())]);
        let mut again = chosen.clone();
        let before = again.among(&ProcessSet::range(0, 5));
        again.forget(&ProcessSet::range(0, 5));
        again.choose(&ProcessSet::range(3, 4), None, &frame(1, 1));
        again.put_back(before, &ProcessSet::range(2, 8));
        assert_eq!(parts(&again, None), [(0, "0-1,5-7".into()), (1, "3".into()), (2, "2".into()), (3, "4".into())]);
        chosen.forget(&ProcessSet::range(0, 3));
        assert_eq!(parts(&chosen, Some(ThreadId(2))), [(0, "0-2,5-7".into()), (1, "3-4".into())]);
        assert_eq!(parts(&chosen, None), [(0, "0-2,5-7".into()), (2, "3".into()), (3, "4".into())]);
    }
}
