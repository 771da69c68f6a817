//! The selected frames: each rank has its own, in its own stack.

use model::{Frame, ProcessSet, Rank, ThreadId};
use std::collections::BTreeMap;

/// The selected frame of every rank, kept by ranks that share one. A rank without an entry has its innermost frame.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChosenFrames {
    /// The sets are disjoint.
    chosen: Vec<Chosen>,
    /// The ranks for which the innermost frame was selected: nothing stands for it.
    innermost: ProcessSet,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Chosen {
    ranks: ProcessSet,
    /// The thread of the stack; other threads have their innermost frame.
    thread: Option<ThreadId>,
    frame: Frame,
}

impl ChosenFrames {
    /// Selects this frame of a thread in these ranks.
    pub fn choose(&mut self, ranks: &ProcessSet, thread: Option<ThreadId>, frame: &Frame) {
        self.forget(ranks);
        if frame.level == 0 {
            self.innermost.extend_with(ranks);
        }
        if frame.level == 0 || ranks.is_empty() {
            return;
        }
        // Equal code at different addresses makes one entry.
        let frame = frame.without_address();
        match self.chosen.iter_mut().find(|known| known.thread == thread && known.frame == frame) {
            Some(known) => known.ranks.extend_with(ranks),
            None => self.chosen.push(Chosen { ranks: ranks.clone(), thread, frame }),
        }
    }

    /// Selects the innermost frames of these ranks again.
    pub fn forget(&mut self, ranks: &ProcessSet) {
        self.innermost.remove_all(ranks);
        for known in &mut self.chosen {
            known.ranks.remove_all(ranks);
        }
        self.chosen.retain(|known| !known.ranks.is_empty());
    }

    /// Returns the selected frame of a rank; `None` if it is the innermost.
    pub fn frame(&self, rank: Rank, thread: Option<ThreadId>) -> Option<&Frame> {
        let found = self.chosen.iter().find(|known| known.thread == thread && known.ranks.contains(rank));
        found.map(|known| &known.frame)
    }

    /// True if the innermost frame of a rank was selected, not only because no other was.
    pub fn is_innermost_chosen(&self, rank: Rank) -> bool {
        self.innermost.contains(rank)
    }

    /// Returns the level of a rank's selected frame; 0 is the innermost.
    pub fn level(&self, rank: Rank, thread: Option<ThreadId>) -> u32 {
        self.frame(rank, thread).map_or(0, |frame| frame.level)
    }

    /// Splits ranks by the levels of their selected frames.
    pub fn parts(&self, ranks: &ProcessSet, thread: Option<ThreadId>) -> Vec<(u32, ProcessSet)> {
        let mut rest = ranks.clone();
        let mut levels: BTreeMap<u32, ProcessSet> = BTreeMap::new();
        for known in self.chosen.iter().filter(|known| known.thread == thread) {
            let common = rest.intersection(&known.ranks);
            if !common.is_empty() {
                rest.remove_all(&common);
                levels.entry(known.frame.level).or_default().extend_with(&common);
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
        assert_eq!(parts(&chosen, None), [(0, "1-4,6-7".into()), (2, "0".into()), (3, "5".into())]);
        chosen.choose(&ProcessSet::range(5, 6), None, &frame(0, 1));
        chosen.forget(&ProcessSet::range(0, 3));
        assert_eq!(parts(&chosen, Some(ThreadId(2))), [(0, "0-2,5-7".into()), (1, "3-4".into())]);
        assert_eq!(parts(&chosen, None), [(0, "0-7".into())]);
    }
}
