//! The observations of many ranks as one answer. Each rank has its own registers, so that few observations are equal;
//! what they have in common is kept once, and what each rank has of its own as few bytes.

use super::observation::Observation;
use super::process_set::ProcessSet;
use super::rank::Rank;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// The observations of ranks, joined by the servers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ObservedRanks {
    /// What ranks have in common: observations without what is in `own`.
    pub shared: Vec<(ProcessSet, Observation)>,
    /// What each rank has of its own, in the order of the ranks: fingerprint, time, process, arguments.
    pub own: Vec<u8>,
}

/// What a rank has of its own, on the wire: a byte with a bit for each of fingerprint (1) and time on a processor (2) if it
/// is known; the fingerprint, 8 bytes, the first the least; then as LEB128 (DWARF 5, 7.6) the time, the process, the number
/// of arguments, and each argument: 0 if it is unknown, else one more than its bits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Own {
    fingerprint: Option<u64>,
    ran: Option<u64>,
    pid: u32,
    passed: Vec<Option<u64>>,
}

const HAS_FINGERPRINT: u8 = 1;
const HAS_RAN: u8 = 2;

/// Arguments of a rank that are read: an observation has some tens at most.
const MOST_PASSED: u128 = 256;

impl Own {
    fn of(observation: &Observation) -> Self {
        let Observation { fingerprint, ran, pid, passed, .. } = observation;
        Self { fingerprint: *fingerprint, ran: *ran, pid: *pid, passed: passed.clone() }
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        let flag = |is_known: bool, flag: u8| if is_known { flag } else { 0 };
        bytes.push(flag(self.fingerprint.is_some(), HAS_FINGERPRINT) | flag(self.ran.is_some(), HAS_RAN));
        bytes.extend(self.fingerprint.into_iter().flat_map(u64::to_le_bytes));
        if let Some(ran) = self.ran {
            write_leb128(bytes, ran.into());
        }
        write_leb128(bytes, self.pid.into());
        write_leb128(bytes, self.passed.len() as u128);
        for argument in &self.passed {
            write_leb128(bytes, argument.map_or(0, |bits| u128::from(bits) + 1));
        }
    }

    /// Reads what [`Own::write`] has written; `None` if the bytes end, or are none.
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let (flags, rest) = bytes.split_first()?;
        *bytes = rest;
        let mut own = Self::default();
        if flags & HAS_FINGERPRINT != 0 {
            let (first, rest) = bytes.split_first_chunk::<8>()?;
            own.fingerprint = Some(u64::from_le_bytes(*first));
            *bytes = rest;
        }
        if flags & HAS_RAN != 0 {
            own.ran = Some(u64::try_from(read_leb128(bytes)?).ok()?);
        }
        own.pid = u32::try_from(read_leb128(bytes)?).ok()?;
        let count = read_leb128(bytes).filter(|count| *count <= MOST_PASSED)?;
        for _ in 0..count {
            let argument = read_leb128(bytes)?;
            let bits = argument.checked_sub(1).map(u64::try_from).transpose().ok()?;
            own.passed.push(bits);
        }
        Some(own)
    }
}

fn write_leb128(bytes: &mut Vec<u8>, mut value: u128) {
    loop {
        let low = (value & 0x7f) as u8;
        value >>= 7;
        if value == 0 {
            return bytes.push(low);
        }
        bytes.push(low | 0x80);
    }
}

fn read_leb128(bytes: &mut &[u8]) -> Option<u128> {
    // 64 bits and one more for what is unknown.
    const MOST: u32 = 10;
    let mut value = 0;
    for at in 0..MOST {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u128::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

impl ObservedRanks {
    /// Gives each rank its observation. It ends early if the bytes are not those of the ranks.
    pub fn each(&self, mut take: impl FnMut(Rank, Observation)) {
        let mut of_rank: BTreeMap<Rank, &Observation> = BTreeMap::new();
        for (ranks, observation) in &self.shared {
            of_rank.extend(ranks.iter().map(|rank| (rank, observation)));
        }
        let mut bytes = self.own.as_slice();
        for (rank, shared) in of_rank {
            let Some(Own { fingerprint, ran, pid, passed }) = Own::read(&mut bytes) else { return };
            take(rank, Observation { fingerprint, ran, passed, pid, ..shared.clone() });
        }
    }

    /// The ranks that have been observed.
    pub fn ranks(&self) -> ProcessSet {
        self.shared.iter().fold(ProcessSet::new(), |sum, (ranks, _)| sum.union(ranks))
    }
}

/// Joins observations.
#[derive(Debug, Default)]
pub struct ObservationMerger {
    shared: HashMap<Observation, ProcessSet>,
    own: BTreeMap<Rank, Own>,
}

impl ObservationMerger {
    /// Adds the observation of some ranks.
    pub fn add(&mut self, ranks: &ProcessSet, observation: &Observation) {
        let own = Own::of(observation);
        self.own.extend(ranks.iter().map(|rank| (rank, own.clone())));
        let shared = Observation { fingerprint: None, ran: None, pid: 0, passed: Vec::new(), ..observation.clone() };
        self.shared.entry(shared).or_default().extend_with(ranks);
    }

    /// Adds joined observations of other ranks.
    pub fn join(&mut self, part: &ObservedRanks) {
        let mut bytes = part.own.as_slice();
        let ranks = part.ranks();
        let mut known = ProcessSet::new();
        for rank in ranks.iter() {
            let Some(own) = Own::read(&mut bytes) else { break };
            self.own.insert(rank, own);
            known.insert(rank);
        }
        for (ranks, observation) in &part.shared {
            let ranks = ranks.intersection(&known);
            if !ranks.is_empty() {
                self.shared.entry(observation.clone()).or_default().extend_with(&ranks);
            }
        }
    }

    /// Returns all observations as one.
    pub fn finish(self) -> ObservedRanks {
        let mut shared: Vec<(ProcessSet, Observation)> =
            self.shared.into_iter().map(|(observation, ranks)| (ranks, observation)).collect();
        shared.sort_by_key(|(ranks, _)| ranks.first());
        let mut own = Vec::new();
        self.own.values().for_each(|of_rank| of_rank.write(&mut own));
        ObservedRanks { shared, own }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn observations() -> impl Strategy<Value = Vec<Observation>> {
        let one = (any::<Option<u64>>(), any::<Option<u64>>(), any::<u32>(), any::<Vec<Option<u64>>>(), 0_usize..3);
        let one = one.prop_map(|(fingerprint, ran, pid, mut passed, called)| {
            passed.truncate(12);
            let called = ["MPI_Send", "MPI_Recv"].get(called).map(|name| (*name).to_owned());
            Observation { fingerprint, ran, passed, called, pid, ..Observation::default() }
        });
        proptest::collection::vec(one, 0..40)
    }

    fn all(observed: &ObservedRanks) -> Vec<(Rank, Observation)> {
        let mut found = Vec::new();
        observed.each(|rank, observation| found.push((rank, observation)));
        found
    }

    proptest! {
        #[test]
        fn every_tree_gives_each_rank_its_observation(said in observations(), servers in 1_usize..5) {
            let single = |rank: usize| ProcessSet::one(Rank(rank as u32));
            let mut flat = ObservationMerger::default();
            let mut below: Vec<ObservationMerger> = (0..servers).map(|_| ObservationMerger::default()).collect();
            for (rank, observation) in said.iter().enumerate() {
                flat.add(&single(rank), observation);
                below[rank % servers].add(&single(rank), observation);
            }
            let mut root = ObservationMerger::default();
            for server in below {
                root.join(&server.finish());
            }
            let (flat, tree) = (flat.finish(), root.finish());
            prop_assert_eq!(&flat, &tree);
            let expected: Vec<_> = (0..).map(Rank).zip(said).collect();
            prop_assert_eq!(all(&tree), expected);
        }

        #[test]
        fn foreign_bytes_give_no_more_ranks_than_there_are(own in any::<Vec<u8>>(), ranks in 0_u32..20) {
            let shared = vec![(ProcessSet::all(ranks), Observation::default())];
            let observed = ObservedRanks { shared, own };
            prop_assert!(all(&observed).len() <= ranks as usize);
            let mut merger = ObservationMerger::default();
            merger.join(&observed);
            prop_assert_eq!(all(&merger.finish()), all(&observed));
        }
    }

    #[test]
    fn many_ranks_take_few_bytes() {
        let mut merger = ObservationMerger::default();
        for rank in 0..1000 {
            let fingerprint = Some(u64::MAX - u64::from(rank));
            let observation = Observation { fingerprint, ran: Some(1000), pid: 4000 + rank, ..Observation::default() };
            merger.add(&ProcessSet::one(Rank(rank)), &observation);
        }
        let observed = merger.finish();
        assert_eq!((observed.shared.len(), observed.own.len()), (1, 14_000));
    }
}
