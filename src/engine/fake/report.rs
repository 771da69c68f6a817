//! Merges equal reports of ranks.

use crate::{Report, ReportSink};
use model::{Answer, Event, ProcessSet, Rank, TransactionId};
use std::{
    collections::{BTreeMap, HashMap, hash_map::DefaultHasher},
    hash::{Hash, Hasher},
};

/// A report that may differ between ranks in load addresses and in the values of arguments only.
pub(super) trait Mergeable: PartialEq + Sized {
    /// The report that stands for both, if there is one.
    fn joined(&self, other: &Self) -> Option<Self>;
    /// Hashes equally for values that are equal without addresses.
    fn digest(&self, state: &mut DefaultHasher);
}

impl Mergeable for Answer {
    fn joined(&self, other: &Self) -> Option<Self> {
        Self::joined(self, other)
    }

    fn digest(&self, state: &mut DefaultHasher) {
        match self {
            Self::Stack(frames) => frames.iter().for_each(|f| f.without_address().hash(state)),
            Self::FrameArguments(_) => self.without_addresses().hash(state),
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
            _ => {}
        }
    }
}

impl Mergeable for Vec<Event> {
    fn joined(&self, other: &Self) -> Option<Self> {
        let both = || self.iter().zip(other).map(|(own, also)| own.joined(also)).collect();
        if self.len() == other.len() { both() } else { None }
    }

    fn digest(&self, state: &mut DefaultHasher) {
        for event in self {
            std::mem::discriminant(event).hash(state);
            match event {
                Event::Stopped(stop) => (&stop.reason, stop.frame.code.offset, stop.thread, &stop.note).hash(state),
                Event::Output(stream, text) => (stream, text).hash(state),
                Event::Exited(code) => code.hash(state),
                Event::Killed(termination) => termination.hash(state),
                Event::SignalSeen(signal) => signal.hash(state),
                Event::Acquired { pid } => pid.hash(state),
                _ => {}
            }
        }
    }
}

/// Distinct values with the ranks that report them, in the order of their first rank.
pub(super) struct Merged<T> {
    found: Vec<(T, ProcessSet)>,
    by_digest: HashMap<u64, Vec<usize>>,
}

impl<T: Mergeable> Merged<T> {
    pub(super) fn new() -> Self {
        Self { found: Vec::new(), by_digest: HashMap::new() }
    }

    pub(super) fn add(&mut self, rank: Rank, thing: T) {
        let mut hasher = DefaultHasher::new();
        thing.digest(&mut hasher);
        let candidates = self.by_digest.entry(hasher.finish()).or_default();
        for at in candidates.iter() {
            let Some((known, ranks)) = self.found.get_mut(*at) else { continue };
            if *known != thing {
                let Some(both) = known.joined(&thing) else { continue };
                *known = both;
            }
            ranks.insert(rank);
            return;
        }
        candidates.push(self.found.len());
        self.found.push((thing, ProcessSet::one(rank)));
    }

    pub(super) fn into_vec(self) -> Vec<(T, ProcessSet)> {
        self.found
    }
}

/// Events of ranks that wait to be merged, in order for each rank.
#[derive(Default)]
pub(super) struct Pending(BTreeMap<Rank, (TransactionId, Vec<Event>)>);

impl Pending {
    pub(super) fn add(&mut self, rank: Rank, tid: TransactionId, event: Event) {
        let (of, events) = self.0.entry(rank).or_default();
        *of = tid;
        events.push(event);
    }

    /// Sends all events; a closed sink is ignored, since then the engine is unused.
    pub(super) fn flush(&mut self, sink: &ReportSink) {
        let mut by_tid: BTreeMap<TransactionId, Merged<Vec<Event>>> = BTreeMap::new();
        for (rank, (tid, events)) in std::mem::take(&mut self.0) {
            by_tid.entry(tid).or_insert_with(Merged::new).add(rank, events);
        }
        for (tid, merged) in by_tid {
            for (events, ranks) in merged.into_vec() {
                for event in events {
                    let _ = sink.send(Report::Event { tid, ranks: ranks.clone(), event });
                }
            }
        }
    }
}
