//! The values that a Suspend names as changed: those of partial expressions, which the client keeps by their keys.

use crate::ptp::partition::Partition;
use model::{Datum, ProcessSet, Stop, TransactionId};
use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};

/// The last seen values of partial expressions, and the stops whose changes are being found out.
#[derive(Clone, Debug, Default)]
pub(super) struct Changes {
    /// Digests of the values, by key and rank.
    seen: BTreeMap<String, Partition<u64>>,
    digests: RandomState,
    last: u32,
    stops: BTreeMap<u32, Survey>,
}

/// A stop whose ranks are evaluating the expressions again.
#[derive(Clone, Debug)]
struct Survey {
    client: TransactionId,
    stop: Stop,
    /// For each rank, the depth of its stack, the number of answers to come, and the keys of changed values.
    ranks: Partition<(u32, usize, Vec<String>)>,
}

impl Changes {
    /// Begins with a stop whose ranks evaluate this many expressions again; returns its number.
    pub(super) fn begin(
        &mut self,
        client: TransactionId,
        ranks: &ProcessSet,
        stop: Stop,
        depth: u32,
        expressions: usize,
    ) -> u32 {
        self.last = self.last.wrapping_add(1);
        let mut survey = Survey { client, stop, ranks: Partition::default() };
        survey.ranks.set(ranks, (depth, expressions, Vec::new()));
        self.stops.insert(self.last, survey);
        self.last
    }

    /// Remembers the value of a key. Returns for which ranks it differs from the last one.
    pub(super) fn note(&mut self, ranks: &ProcessSet, key: &str, datum: &Datum) -> Vec<(ProcessSet, bool)> {
        let digest = self.digests.hash_one(datum);
        let seen = self.seen.entry(key.to_owned()).or_default();
        let differs = |(ranks, known): (ProcessSet, Option<&u64>)| (ranks, known.is_some_and(|known| *known != digest));
        let parts = seen.split(ranks).into_iter().map(differs).collect();
        seen.set(ranks, digest);
        parts
    }

    /// Forgets a key that the client has deleted.
    pub(super) fn forget(&mut self, key: &str) {
        self.seen.remove(key);
    }

    /// Counts the answer of ranks about a key; returns the stops that are complete with it.
    pub(super) fn counted(&mut self, stop: u32, ranks: &ProcessSet, changed: Option<&str>) -> Vec<Complete> {
        let Some(survey) = self.stops.get_mut(&stop) else { return Vec::new() };
        let parts: Vec<_> = survey.ranks.split(ranks).into_iter().map(|(ranks, part)| (ranks, part.cloned())).collect();
        let mut complete = Vec::new();
        for (ranks, part) in parts {
            let Some((depth, left, mut keys)) = part else { continue };
            keys.extend(changed.map(str::to_owned));
            let left = left.saturating_sub(1);
            if left > 0 {
                survey.ranks.set(&ranks, (depth, left, keys));
            } else {
                survey.ranks.clear(&ranks);
                keys.sort();
                complete.push(Complete { client: survey.client, ranks, stop: survey.stop.clone(), depth, keys });
            }
        }
        if survey.ranks.is_empty() {
            self.stops.remove(&stop);
        }
        complete
    }
}

/// A stop with all that its Suspend says.
pub(super) struct Complete {
    pub(super) client: TransactionId,
    pub(super) ranks: ProcessSet,
    pub(super) stop: Stop,
    pub(super) depth: u32,
    pub(super) keys: Vec<String>,
}
