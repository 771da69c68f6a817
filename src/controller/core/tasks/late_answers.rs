//! Answers that come after patience has ended: of ranks that are only slow. They are shown, marked, and what they lead to
//! is asked as well.

use super::task::Asked;
use super::then::Then;
use crate::report::Origin;
use model::{Answer, ProcessSet, ThreadId, TransactionId};
use std::collections::BTreeMap;

/// Questions whose late answers are awaited; of more, those to the oldest are dropped.
const MOST: usize = 64;

/// Questions of commands that are over, to ranks that have not answered yet.
#[derive(Debug, Default)]
pub(in crate::core) struct Latecomers(BTreeMap<TransactionId, Awaited>);

#[derive(Debug)]
struct Awaited {
    origin: Origin,
    then: Then,
    slot: usize,
    /// The thread that it asks, where others were asked with it.
    thread: Option<ThreadId>,
    ranks: ProcessSet,
}

/// The answer is only shown: changes of the front end's state were settled without these ranks.
fn is_shown(then: &Then) -> bool {
    match then {
        Then::Value(..)
        | Then::Displays(_, None)
        | Then::Type(_)
        | Then::Depths(_)
        | Then::Stacks(_)
        | Then::FrameVariables(_)
        | Then::Symbols(..)
        | Then::SymbolAt(_)
        | Then::Threads
        | Then::Variables(_)
        | Then::Registers
        | Then::Memory(..)
        | Then::Instructions { .. }
        | Then::Signals
        | Then::Libraries
        | Then::UnderEngine
        | Then::Told
        | Then::EngineText => true,
        Then::Displays(_, Some(_))
        | Then::Compare(_)
        | Then::Run { .. }
        | Then::Breakpoint(_)
        | Then::Change(..)
        | Then::Assigned(_)
        | Then::Configured
        | Then::ChooseFrame(_)
        | Then::ChooseFunction(..)
        | Then::Apply(..)
        | Then::Clear(..)
        | Then::CodeOf(_)
        | Then::Noted
        | Then::ChooseThread(_)
        | Then::Focus(..)
        | Then::Places(_)
        | Then::Lines { .. } => false,
    }
}

impl Latecomers {
    /// The command is over without these.
    pub(in crate::core) fn await_also(
        &mut self,
        tid: TransactionId,
        origin: &Origin,
        then: &Then,
        (slot, thread): (usize, Option<ThreadId>),
        ranks: ProcessSet,
    ) {
        if !is_shown(then) {
            return;
        }
        if self.0.len() >= MOST {
            self.0.pop_first();
        }
        self.0.insert(tid, Awaited { origin: origin.clone(), then: then.clone(), slot, thread, ranks });
    }

    /// Nobody waits for any of them.
    pub(in crate::core) fn clear(&mut self) {
        self.0.clear();
    }

    /// What these ranks were asked, if they still are to answer it.
    pub(in crate::core) fn take(
        &mut self,
        tid: TransactionId,
        ranks: &ProcessSet,
        answer: Answer,
    ) -> Option<(Origin, Then, Asked, ProcessSet)> {
        let awaited = self.0.get_mut(&tid)?;
        let fresh = awaited.ranks.intersection(ranks);
        if fresh.is_empty() {
            return None;
        }
        awaited.ranks.remove_all(&fresh);
        let answer = match awaited.thread {
            Some(thread) => answer.of_thread(thread).cloned(),
            None => Some(answer),
        };
        let answers = answer.map(|answer| (awaited.slot, fresh.clone(), answer)).into_iter().collect();
        let asked = Asked { answers, ..Asked::default() };
        let taken = (awaited.origin.clone(), awaited.then.clone(), asked, fresh);
        if awaited.ranks.is_empty() {
            self.0.remove(&tid);
        }
        Some(taken)
    }
}
