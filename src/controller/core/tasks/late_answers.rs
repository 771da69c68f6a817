//! Replies that come after the timeout, from ranks that are only slow. They are shown, marked as late, and the requests
//! that follow from them are made, too.

use super::task::Asked;
use super::then::{Change, Then};
use crate::report::Origin;
use model::{Answer, ProcessSet, ThreadId, TransactionId};
use std::collections::BTreeMap;

/// Requests whose late replies are awaited; beyond this number the oldest are dropped.
const MOST: usize = 64;

/// Requests of commands that have ended, to ranks that have not replied yet.
#[derive(Debug, Default)]
pub(in crate::core) struct Latecomers(BTreeMap<TransactionId, Awaited>);

#[derive(Debug)]
struct Awaited {
    origin: Origin,
    then: Then,
    slot: usize,
    /// The thread asked, if others were asked with it.
    thread: Option<ThreadId>,
    ranks: ProcessSet,
}

/// True if the answer is shown, and changes no state of the front end that was settled without these ranks. Breakpoints
/// are kept for each rank.
fn is_shown(then: &Then) -> bool {
    match then {
        // It would begin to count again on ranks that have counted since.
        Then::Change(_, Change::EnableFor(_)) => false,
        Then::Value(..)
        | Then::Breakpoint(_)
        | Then::Breakpoints(_)
        | Then::Change(..)
        | Then::Displays(_, None)
        | Then::Type(_)
        | Then::Statistics(_)
        | Then::Array(_)
        | Then::Found(..)
        | Then::Depths(_)
        | Then::Stacks(_)
        | Then::FrameVariables(..)
        | Then::Symbols(..)
        | Then::SymbolAt(_)
        | Then::Threads(_)
        | Then::CurrentThread(_)
        | Then::FindThreads(_)
        | Then::Variables(..)
        | Then::Registers
        | Then::Memory(..)
        | Then::Instructions { .. }
        | Then::Signals
        | Then::Libraries(_)
        | Then::Limits
        | Then::SymbolList(..)
        | Then::BytesFound { .. }
        | Then::ProcessFacts
        | Then::CoreFiles
        | Then::Queues
        | Then::UnderEngine(_)
        | Then::Told
        | Then::EngineText => true,
        Then::Displays(_, Some(_))
        | Then::Compare(_)
        | Then::Snapshot(_)
        | Then::Colours(..)
        | Then::CartesianCall(_)
        | Then::CartesianSizes
        | Then::Saving(_)
        | Then::Restoring(_)
        | Then::Why(_)
        | Then::Sampled(_)
        | Then::Run { .. }
        | Then::EachFunction(_)
        | Then::Assigned(_)
        | Then::Configured
        | Then::SourceRules
        | Then::Printers
        | Then::Sent
        | Then::Acknowledged(_)
        | Then::UserFrames(_)
        | Then::ChooseFrame(_)
        | Then::ChooseFunction(..)
        | Then::Apply(..)
        | Then::EachThread(_)
        | Then::Clear(..)
        | Then::CodeOf(_)
        | Then::InlinedCode(..)
        | Then::Decide(..)
        | Then::Formatted(_)
        | Then::Line(_)
        | Then::Output(..)
        | Then::Noted
        | Then::ChooseThread(_)
        | Then::NameThread(..)
        | Then::Search(_)
        | Then::CodeText { .. }
        | Then::Focus(..)
        | Then::Places(_)
        | Then::LastLine(..)
        | Then::Edit(..)
        | Then::Lines { .. }
        | Then::FrameArguments(_)
        | Then::NearestFunction(_) => false,
    }
}

impl Latecomers {
    /// Awaits the late replies of these ranks to a command that has ended.
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

    /// Stops awaiting late replies.
    pub(in crate::core) fn clear(&mut self) {
        self.0.clear();
    }

    /// Returns the request that these ranks still have to answer.
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
