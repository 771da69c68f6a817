//! Questions of the screen that ranks leave unanswered: each is asked once more by itself, and an answer that comes after
//! that still goes to the pane that asked.

use super::glance::{Glance, Kind, Subject};
use model::{ErrorCode, Failure, ProcessSet, TransactionId};
use rustc_hash::FxHashMap;
use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

/// Questions whose late answers are awaited; of more, those to the oldest are dropped.
const MOST: usize = 64;

/// Questions that were not answered in time.
#[derive(Debug, Default)]
pub(in crate::core) struct Unanswered {
    retries: FxHashMap<Kind, Retry>,
    late: BTreeMap<TransactionId, (Glance, ProcessSet)>,
}

#[derive(Debug)]
struct Retry {
    subject: Subject,
    /// When it was asked first.
    since: Instant,
    /// When it is to be asked again; `None`: that was done.
    at: Option<Instant>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core) enum Turn {
    /// For the first time.
    First,
    /// Once more: when it was asked first.
    Again(Instant),
    Later,
}

impl Unanswered {
    /// The screen wants to ask this.
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

    /// Questions that are due and have not been asked again are not wanted any more.
    pub(in crate::core) fn drop_due(&mut self, now: Instant) {
        self.retries.retain(|_, retry| retry.at.is_none_or(|at| at > now));
    }

    /// When the next question is asked again.
    pub(in crate::core) fn next_retry(&self) -> Option<Instant> {
        self.retries.values().filter_map(|retry| retry.at).min()
    }

    /// It was answered.
    pub(in crate::core) fn settled(&mut self, kind: &Kind) {
        self.retries.remove(kind);
    }

    /// What these ranks may still answer.
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

    /// Ranks have not answered a question of the screen: whether it is to be asked again, once, and the words for the pane.
    pub(in crate::core) fn leave(
        &mut self,
        glance: &Glance,
        silent: &ProcessSet,
        patience: Duration,
        now: Instant,
    ) -> (bool, Failure) {
        let Glance { kind, subject, since } = glance;
        // Whose server cannot be reached is told to be silent at once, while the way to it may be mended.
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
