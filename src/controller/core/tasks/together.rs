//! A frame that is chosen on the screen: the other ranks of the focus go to theirs of the same function, since what is
//! typed next means them, too.

use super::task::Owner;
use crate::core::Controller;
use crate::state::State;
use model::{Answer, Frame, Operation, ProcessSet, Severity, ThreadId, TransactionId};
use std::sync::Arc;

/// The frame that others are to have, and what is known of their stacks.
#[derive(Debug, Default)]
pub(in crate::core) struct Together {
    wish: Option<Wish>,
    /// Of which thread the stacks are.
    thread: Option<ThreadId>,
    /// Stacks of ranks that have not moved since.
    known: Vec<(ProcessSet, Vec<Frame>)>,
    /// Being asked.
    open: Option<(TransactionId, ProcessSet)>,
}

#[derive(Debug)]
struct Wish {
    ranks: ProcessSet,
    goal: Goal,
}

#[derive(Debug)]
enum Goal {
    Function {
        name: Arc<str>,
        /// Frames of the function farther out: a recursive one has several.
        outer: usize,
    },
    /// The innermost frame with source.
    Source,
}

impl Goal {
    /// The frame of a stack that is meant.
    fn of<'a>(&self, frames: &'a [Frame], state: &State) -> Option<&'a Frame> {
        match self {
            Self::Function { name, outer } => {
                frames.iter().rev().filter(|frame| frame.function.as_ref() == Some(name)).nth(*outer)
            }
            Self::Source => {
                frames.iter().find(|frame| frame.source.as_ref().is_some_and(|place| state.may_be_read(place)))
            }
        }
    }
}

impl Controller {
    /// The lead's frame of this level was chosen in its stack as it is shown.
    pub(in crate::core) fn choose_on_screen(&mut self, level: u32) {
        let (lead, thread) = (ProcessSet::one(self.state.lead), self.state.thread);
        let Some(stack) = self.state.inspection.stack.value() else { return };
        let Some(frame) = stack.iter().find(|frame| frame.level == level).cloned() else { return };
        let farther_out = stack.iter().filter(|other| other.level > level && other.function == frame.function);
        let outer = farther_out.count();
        self.state.frames.choose(&lead, thread, &frame);
        self.glances.chosen_by_user(&lead);
        self.listed = None;
        self.glances.together.wish = None;
        if self.glances.together.thread != thread {
            self.glances.together = Together { thread, ..Together::default() };
        }
        // The thread of one rank says nothing of the threads of others.
        if thread != self.state.focus.thread || !self.state.focus.set.contains(self.state.lead) {
            return;
        }
        let others = self.state.focus.set.intersection(&self.at_rest()).difference(&lead);
        self.glances.chosen_by_user(&others);
        if level == 0 {
            self.state.frames.forget(&others);
            return;
        }
        let Some(name) = frame.function.clone().filter(|_| !others.is_empty()) else { return };
        self.glances.together.wish = Some(Wish { ranks: others, goal: Goal::Function { name, outer } });
        self.go_together();
    }

    /// These ranks are to look at their innermost frames with source, as the lead does.
    pub(in crate::core) fn look_at_source(&mut self, ranks: ProcessSet) {
        let thread = self.state.thread;
        if self.glances.together.thread != thread {
            self.glances.together = Together { thread, ..Together::default() };
        }
        if self.glances.together.wish.is_none() {
            self.glances.by_source.extend_with(&ranks);
            self.glances.together.wish = Some(Wish { ranks, goal: Goal::Source });
            self.go_together();
        }
    }

    /// Asks for the stacks that are not known; with all of them known, the frames are chosen.
    fn go_together(&mut self) {
        let together = &self.glances.together;
        let Some(wish) = &together.wish else { return };
        if together.open.is_some() {
            return;
        }
        let mut unknown = wish.ranks.clone();
        for (ranks, _) in &together.known {
            unknown.remove_all(ranks);
        }
        if unknown.is_empty() {
            self.gone_together();
            return;
        }
        let operation =
            Operation::Stack { thread: together.thread, low: 0, high: Some(self.most_frames().saturating_sub(1)) };
        let tid = self.send(Owner::Together, unknown.clone(), operation);
        self.glances.together.open = Some((tid, unknown));
    }

    /// Ranks say what their stacks are, or will not.
    pub(in crate::core) fn stacks_for_frames(
        &mut self,
        tid: TransactionId,
        ranks: &ProcessSet,
        answer: Option<Answer>,
        complete: bool,
    ) {
        let together = &mut self.glances.together;
        let Some((_, asked)) = together.open.as_mut().filter(|(open, _)| *open == tid) else { return };
        // Those that went on meanwhile are not awaited any more.
        let fresh = ranks.intersection(asked);
        asked.remove_all(&fresh);
        if let Some(Answer::Stack(frames)) = answer
            && !fresh.is_empty()
        {
            together.known.push((fresh, frames));
        }
        if complete {
            together.open = None;
            self.gone_together();
        }
    }

    fn gone_together(&mut self) {
        let together = &mut self.glances.together;
        let Some(wish) = together.wish.take() else { return };
        let mut without = ProcessSet::new();
        for (ranks, frames) in &together.known {
            let ranks = ranks.intersection(&wish.ranks);
            match wish.goal.of(frames, &self.state) {
                Some(frame) => self.state.frames.choose(&ranks, together.thread, frame),
                None => without.extend_with(&ranks),
            }
        }
        if let Goal::Function { name, .. } = wish.goal
            && !without.is_empty()
        {
            let verb = if without.len() == 1 { "keeps its frame" } else { "keep their frames" };
            self.tell(Severity::Note, without, &format!("not in {name}: {verb}"));
        }
    }

    /// Ranks moved: what was known of their stacks is old.
    pub(in crate::core) fn part_from(&mut self, ranks: &ProcessSet) {
        self.glances.look_anew(ranks);
        let together = &mut self.glances.together;
        for (known, _) in &mut together.known {
            known.remove_all(ranks);
        }
        together.known.retain(|(known, _)| !known.is_empty());
        if let Some((_, asked)) = &mut together.open {
            asked.remove_all(ranks);
        }
        if let Some(wish) = &mut together.wish {
            wish.ranks.remove_all(ranks);
        }
    }
}
