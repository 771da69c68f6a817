//! Merges equal reports of ranks.

use crate::{Report, ReportSink};
use model::{Answer, Event, ProcessSet, Rank, TransactionId};
use rustc_hash::FxHasher;
use std::{
    collections::{BTreeMap, HashMap},
    hash::{Hash, Hasher},
};

/// A report that may differ between ranks in load addresses and in the values of arguments only.
pub(super) trait Mergeable: PartialEq + Sized {
    /// The report that stands for both, if there is one.
    fn joined(&self, other: &Self) -> Option<Self>;
    /// Hashes equally for values that are equal without addresses.
    fn digest(&self, state: &mut FxHasher);
}

impl Mergeable for Answer {
    fn joined(&self, other: &Self) -> Option<Self> {
        Self::joined(self, other)
    }

    fn digest(&self, state: &mut FxHasher) {
        match self {
            Self::Stack(frames) => frames.iter().for_each(|f| f.without_address().hash(state)),
            Self::Data(datum) => datum.hash(state),
            Self::Variables(variables) => variables.hash(state),
            Self::Memory(address, bytes) => (address, bytes).hash(state),
            Self::Registers(registers) => registers.hash(state),
            Self::Failed(failure) => failure.hash(state),
            Self::Text(text) | Self::Type(text) => text.hash(state),
            Self::Depth(depth) => depth.hash(state),
            Self::Threads(threads) => threads.iter().for_each(|t| {
                t.id.hash(state);
                t.frame.as_ref().map(|f| f.code.offset).hash(state);
            }),
            // A digest that all ranks share would have each answer compared with all others.
            _ => self.without_addresses().hash(state),
        }
    }
}

impl Mergeable for Vec<Event> {
    fn joined(&self, other: &Self) -> Option<Self> {
        let both = || self.iter().zip(other).map(|(own, also)| own.joined(also)).collect();
        if self.len() == other.len() { both() } else { None }
    }

    fn digest(&self, state: &mut FxHasher) {
        for event in self {
            std::mem::discriminant(event).hash(state);
            match event {
                Event::Stopped(stop) => (&stop.reason, stop.frame.code.offset, stop.thread, &stop.note).hash(state),
                Event::Output(stream, text) => (stream, text).hash(state),
                Event::Exited(code) => code.hash(state),
                Event::Killed(termination) => termination.hash(state),
                Event::SignalSeen(signal) => signal.hash(state),
                Event::Acquired { pid } => pid.hash(state),
                _ => event.without_addresses().hash(state),
            }
        }
    }
}

/// Distinct values with the ranks that report them, in the order of their first rank.
pub(super) struct Merged<T> {
    found: Vec<(T, ProcessSet)>,
    by_digest: HashMap<u64, Vec<usize>>,
}

impl<T> Default for Merged<T> {
    fn default() -> Self {
        Self { found: Vec::new(), by_digest: HashMap::new() }
    }
}

impl<T: Mergeable> Merged<T> {
    /// Adds what a rank reports; returns its number, for ranks that are known to report the same.
    pub(super) fn add(&mut self, rank: Rank, thing: T) -> usize {
        let mut hasher = FxHasher::default();
        thing.digest(&mut hasher);
        let candidates = self.by_digest.entry(hasher.finish()).or_default();
        for at in candidates.iter() {
            let Some((known, ranks)) = self.found.get_mut(*at) else { continue };
            if *known != thing {
                let Some(both) = known.joined(&thing) else { continue };
                *known = both;
            }
            ranks.insert(rank);
            return *at;
        }
        let at = self.found.len();
        candidates.push(at);
        self.found.push((thing, ProcessSet::one(rank)));
        at
    }

    pub(super) fn add_same(&mut self, rank: Rank, at: usize) {
        if let Some((_, ranks)) = self.found.get_mut(at) {
            ranks.insert(rank);
        }
    }

    pub(super) fn into_vec(self) -> Vec<(T, ProcessSet)> {
        self.found
    }
}

/// Events that wait to be sent. Those of a rank are merged as they come: the ranks may be a million.
#[derive(Default)]
pub(super) struct Pending(BTreeMap<TransactionId, Merged<Vec<Event>>>);

impl Pending {
    /// Adds all events that a rank has until the next [`Pending::flush`], in their order, and takes them.
    pub(super) fn add(&mut self, rank: Rank, tid: TransactionId, events: &mut Vec<Event>) {
        if !events.is_empty() {
            self.0.entry(tid).or_default().add(rank, std::mem::take(events));
        }
    }

    /// Sends all events; a closed sink is ignored, since then the engine is unused.
    pub(super) fn flush(&mut self, sink: &ReportSink) {
        for (tid, merged) in std::mem::take(&mut self.0) {
            for (events, ranks) in merged.into_vec() {
                for event in events {
                    let _ = sink.send(Report::Event { tid, ranks: ranks.clone(), event });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{ErrorCode, Failure, Observation, VirtualAddress};

    fn digest<T: Mergeable>(thing: &T) -> u64 {
        let mut hasher = FxHasher::default();
        thing.digest(&mut hasher);
        hasher.finish()
    }

    /// A million ranks may each say something else: equal digests would have all of it compared with all.
    #[test]
    fn answers_of_any_kind_that_differ_have_different_digests() {
        let observed = |fingerprint| {
            Answer::Observed(Box::new(Observation { fingerprint: Some(fingerprint), ..Observation::default() }))
        };
        let failed = |message: &str| Answer::Failed(Failure::new(ErrorCode::RUNNING, message));
        let kinds = [
            (observed(1), observed(2)),
            (failed("one"), failed("other")),
            (Answer::Text("one".into()), Answer::Text("other".into())),
            (Answer::Depth(1), Answer::Depth(2)),
            (Answer::Memory(VirtualAddress(0), vec![1]), Answer::Memory(VirtualAddress(0), vec![2])),
        ];
        for (one, other) in kinds {
            assert_ne!(digest(&one), digest(&other), "{one:?}");
        }
    }
}
