//! The screen's requests that time out: each is repeated once automatically, and an answer that comes after that still
//! goes to the pane that requested it.

use super::glance::{Glance, Kind, Subject};
use model::{ErrorCode, Failure, ProcessSet, TransactionId};
use rustc_hash::FxHashMap;
use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

/// Requests whose late answers are awaited; beyond this number the oldest are dropped.
const MOST: usize = 64;

/// Requests that were not answered in time.
#[derive(Debug, Default)]
pub(in crate::core) struct Unanswered {
    retries: FxHashMap<Kind, Retry>,
    late: BTreeMap<TransactionId, (Glance, ProcessSet)>,
}

#[derive(Debug)]
struct Retry {
    subject: Subject,
    /// The time of the first try.
    since: Instant,
    /// The time of the second try; `None`: it was made.
    at: Option<Instant>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core) enum Turn {
    /// The first try.
    First,
    /// The second try; holds the time of the first.
    Again(Instant),
    Later,
}

impl Unanswered {
    /// Returns which try of a request this is.
    pub(in crate::core) fn turn(&mut self, kind: &Kind, subject: &Subject, now: Instant) -> Turn {
        match self.retries.get_mut(kind).filter(|retry| retry.subject == *subject) {
            None => Turn::First,
            Some(Retry { at: Some(at), .. }) if *at > now => Turn::Later,
            Some(retry) => {
                retry.at = None;
                Turn::Again(retry.since)
            }
        }
    }

    /// Drops second tries that are due: the screen no longer wants them.
    pub(in crate::core) fn drop_due(&mut self, now: Instant) {
        self.retries.retain(|_, retry| retry.at.is_none_or(|at| at > now));
    }

    /// Returns the time of the next second try.
    pub(in crate::core) fn next_retry(&self) -> Option<Instant> {
        self.retries.values().filter_map(|retry| retry.at).min()
    }

    /// Forgets a request that was answered.
    pub(in crate::core) fn settled(&mut self, kind: &Kind) {
        self.retries.remove(kind);
    }

    /// Awaits late answers of these ranks.
    pub(in crate::core) fn await_also(&mut self, tid: TransactionId, glance: Glance, ranks: ProcessSet) {
        if self.late.len() >= MOST {
            self.late.pop_first();
        }
        self.late.insert(tid, (glance, ranks));
    }

    pub(in crate::core) fn take_late(
        &mut self,
        tid: TransactionId,
        ranks: &ProcessSet,
    ) -> Option<(Glance, ProcessSet)> {
        let (glance, awaited) = self.late.get_mut(&tid)?;
        let fresh = awaited.intersection(ranks);
        awaited.remove_all(&fresh);
        let taken = (glance.clone(), fresh);
        if awaited.is_empty() {
            self.late.remove(&tid);
        }
        (!taken.1.is_empty()).then_some(taken)
    }

    /// Records ranks that have not answered a request: returns whether it is tried again, and the text for the pane.
    pub(in crate::core) fn leave(
        &mut self,
        glance: &Glance,
        silent: &ProcessSet,
        patience: Duration,
        now: Instant,
    ) -> (bool, Failure) {
        let Glance { kind, subject, since } = glance;
        // Ranks of an unreachable server are reported silent at once, while the link to it may be restored.
        let at = now.max(*since + patience);
        let first = self.retries.get(kind).is_none_or(|retry| retry.subject != *subject);
        let what_next = if first {
            self.retries.insert(kind.clone(), Retry { subject: subject.clone(), since: *since, at: Some(at) });
            "asking again"
        } else {
            "a late reply will be shown here"
        };
        let seconds = now.saturating_duration_since(*since).as_secs();
        let waited = if seconds > 0 { format!(" for {seconds} s") } else { String::new() };
        let (who, verb) = if silent.len() == 1 { ("rank", "has") } else { ("ranks", "have") };
        let words = format!("{who} {silent} {verb} not replied{waited}; {what_next}");
        (first, Failure::new(ErrorCode::DEBUGGER, words))
    }
}
