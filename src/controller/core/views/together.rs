//! Lets the other ranks of the focus follow a selection on the screen: each selects its frame of the same function,
//! since the next command applies to them, too.

use crate::state::State;
use model::{Answer, Frame, Operation, ProcessSet, ThreadId, TransactionId};
use std::sync::Arc;

/// The wanted frame, and the known stacks of the ranks.
#[derive(Debug, Default)]
pub(in crate::core) struct Together {
    wish: Option<Wish>,
    /// The thread of the stacks.
    thread: Option<ThreadId>,
    /// The stacks of ranks that have not moved since.
    known: Vec<(ProcessSet, Vec<Frame>)>,
    open: Option<(TransactionId, ProcessSet)>,
}

/// The next step towards ranks that show the same frame.
#[derive(Debug)]
pub(in crate::core) enum Step {
    Nothing,
    /// Request these stacks.
    Ask(ProcessSet, Operation),
    /// Report why these ranks keep their frames.
    Tell(ProcessSet, String),
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
        /// The number of frames of the function farther out: a recursive one has several.
        outer: usize,
    },
    /// The innermost frame with source.
    Source,
}

impl Goal {
    /// Returns the matching frame of a stack.
    fn of<'a>(&self, frames: &'a [Frame], state: &State) -> Option<&'a Frame> {
        match self {
            Self::Function { name, outer } => {
                frames.iter().rev().filter(|frame| frame.function.as_ref() == Some(name)).nth(*outer)
            }
            Self::Source => {
                let my_code = state.variables.my_code();
                let is_readable = |frame: &&Frame| frame.source.as_ref().is_some_and(|place| state.may_be_read(place));
                let readable = || frames.iter().filter(is_readable);
                readable().find(|frame| my_code.has(frame)).or_else(|| readable().next())
            }
        }
    }
}

impl Together {
    /// Sets the thread whose stacks are shown; stacks of another are dropped.
    pub(in crate::core) fn in_thread(&mut self, thread: Option<ThreadId>) {
        if self.thread != thread {
            *self = Self { thread, ..Self::default() };
        }
    }

    pub(in crate::core) fn has_wish(&self) -> bool {
        self.wish.is_some()
    }

    pub(in crate::core) fn forget_wish(&mut self) {
        self.wish = None;
    }

    /// Lets ranks select their frame of a function with as many frames of it farther out.
    pub(in crate::core) fn follow(
        &mut self,
        ranks: ProcessSet,
        name: Arc<str>,
        outer: usize,
        state: &mut State,
    ) -> Step {
        self.wish = Some(Wish { ranks, goal: Goal::Function { name, outer } });
        self.go(state)
    }

    /// Lets ranks select their innermost frame with source.
    pub(in crate::core) fn follow_to_source(&mut self, ranks: ProcessSet, state: &mut State) -> Step {
        self.wish = Some(Wish { ranks, goal: Goal::Source });
        self.go(state)
    }

    /// Records that the request of a [`Step`] was sent.
    pub(in crate::core) fn asked(&mut self, tid: TransactionId, ranks: ProcessSet) {
        self.open = Some((tid, ranks));
    }

    /// Requests the unknown stacks; once all are known, selects the frames.
    fn go(&mut self, state: &mut State) -> Step {
        let together = &*self;
        let Some(wish) = &together.wish else { return Step::Nothing };
        if together.open.is_some() {
            return Step::Nothing;
        }
        let mut unknown = wish.ranks.clone();
        for (ranks, _) in &together.known {
            unknown.remove_all(ranks);
        }
        if unknown.is_empty() {
            return self.gone(state).map_or(Step::Nothing, |(ranks, words)| Step::Tell(ranks, words));
        }
        let high = Some(state.most_frames().saturating_sub(1));
        let operation = Operation::Stack { thread: together.thread, low: 0, high, most: None };
        Step::Ask(unknown, operation)
    }

    /// Records the stacks of ranks, or that they do not come.
    pub(in crate::core) fn stacks_known(
        &mut self,
        tid: TransactionId,
        ranks: &ProcessSet,
        answer: Option<Answer>,
        complete: bool,
        state: &mut State,
    ) -> Option<(ProcessSet, String)> {
        let together = &mut *self;
        let (_, asked) = together.open.as_mut().filter(|(open, _)| *open == tid)?;
        // Ranks that continued meanwhile are no longer awaited.
        let fresh = ranks.intersection(asked);
        asked.remove_all(&fresh);
        if let Some(Answer::Stack(frames)) = answer
            && !fresh.is_empty()
        {
            together.known.push((fresh, frames));
        }
        if !complete {
            return None;
        }
        together.open = None;
        self.gone(state)
    }

    /// Selects the frames once all stacks are known; returns the message about ranks without one.
    fn gone(&mut self, state: &mut State) -> Option<(ProcessSet, String)> {
        let wish = self.wish.take()?;
        let mut without = ProcessSet::new();
        for (ranks, frames) in &self.known {
            let ranks = ranks.intersection(&wish.ranks);
            match wish.goal.of(frames, state) {
                Some(frame) => state.frames.choose(&ranks, self.thread, frame),
                None => without.extend_with(&ranks),
            }
        }
        if let Goal::Function { name, .. } = wish.goal
            && !without.is_empty()
        {
            let verb = if without.len() == 1 { "keeps its frame" } else { "keep their frames" };
            return Some((without, format!("not in {name}: {verb}")));
        }
        None
    }

    /// Drops the stacks of ranks that moved.
    pub(in crate::core) fn part_from(&mut self, ranks: &ProcessSet) {
        let together = &mut *self;
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
