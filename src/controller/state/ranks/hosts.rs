//! The hosts of a job, with their ranks.

use model::{ProcessSet, Rank};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A host with its ranks.
#[derive(Clone, Debug)]
pub struct JobHost {
    /// Its name; empty for the ranks whose host is not known.
    pub name: Arc<str>,
    /// Its ranks.
    pub ranks: ProcessSet,
}

/// The hosts of a job: found by rank, by name, and in the order of their lowest ranks.
#[derive(Clone, Debug)]
pub struct JobHosts {
    hosts: Vec<JobHost>,
    by_name: FxHashMap<Arc<str>, u32>,
    of_rank: Vec<u32>,
    /// The hosts that have ranks, by their lowest ranks.
    order: Vec<u32>,
    unknown: JobHost,
    widest: usize,
}

impl Default for JobHosts {
    fn default() -> Self {
        Self::new(0)
    }
}

/// The host of ranks whose host is not known.
const NO_HOST: u32 = u32::MAX;

impl JobHosts {
    /// So many ranks, whose hosts are not known yet.
    pub(super) fn new(size: u32) -> Self {
        Self {
            hosts: Vec::new(),
            by_name: FxHashMap::default(),
            of_rank: vec![NO_HOST; size as usize],
            order: Vec::new(),
            unknown: JobHost { name: "".into(), ranks: ProcessSet::all(size) },
            widest: 0,
        }
    }

    /// Records the host of ranks.
    pub(super) fn place(&mut self, ranks: &ProcessSet, name: &str) {
        if name.is_empty() {
            return;
        }
        let host = match self.by_name.get(name) {
            Some(&host) => host,
            None => self.add(name),
        };
        let mut fresh = ProcessSet::new();
        let mut left: FxHashMap<u32, ProcessSet> = FxHashMap::default();
        for rank in ranks.iter() {
            let Some(of) = self.of_rank.get_mut(rank.index()).filter(|of| **of != host) else { continue };
            left.entry(std::mem::replace(of, host)).or_default().insert(rank);
            fresh.insert(rank);
        }
        for (from, ranks) in left {
            self.change(from, |of| of.remove_all(&ranks));
        }
        if !fresh.is_empty() {
            self.change(host, |of| of.extend_with(&fresh));
        }
    }

    fn add(&mut self, name: &str) -> u32 {
        let (host, name) = (self.hosts.len() as u32, Arc::<str>::from(name));
        self.widest = self.widest.max(name.chars().count());
        self.hosts.push(JobHost { name: name.clone(), ranks: ProcessSet::new() });
        self.by_name.insert(name, host);
        host
    }

    /// Changes the ranks of a host, and its place in the order if its lowest rank becomes another.
    fn change(&mut self, host: u32, change: impl FnOnce(&mut ProcessSet)) {
        let Some(of) = self.hosts.get_mut(host as usize) else { return change(&mut self.unknown.ranks) };
        let before = of.ranks.first();
        change(&mut of.ranks);
        let after = of.ranks.first();
        if before == after {
            return;
        }
        if before.is_some() {
            self.order.retain(|&other| other != host);
        }
        if after.is_some() {
            let at = self.order.partition_point(|&other| self.hosts[other as usize].ranks.first() < after);
            self.order.insert(at, host);
        }
    }

    /// The name of a rank's host; empty if it is not known.
    pub fn name_of(&self, rank: Rank) -> &str {
        let host = self.of_rank.get(rank.index()).and_then(|&host| self.hosts.get(host as usize));
        host.map_or("", |host| &host.name)
    }

    /// The hosts that are known, in the order of their lowest ranks.
    pub fn known(&self) -> impl Iterator<Item = &JobHost> {
        self.order.iter().filter_map(|&host| self.hosts.get(host as usize))
    }

    /// As [`Self::known`], and at the end the ranks whose host is not known.
    pub fn iter(&self) -> impl Iterator<Item = &JobHost> {
        self.known().chain(Some(&self.unknown).filter(|unknown| !unknown.ranks.is_empty()))
    }

    /// The host at a place of this order.
    pub fn get(&self, place: usize) -> Option<&JobHost> {
        match self.order.get(place) {
            Some(&host) => self.hosts.get(host as usize),
            None => Some(&self.unknown).filter(|unknown| place == self.order.len() && !unknown.ranks.is_empty()),
        }
    }

    /// The place of a rank's host in this order.
    pub fn place_of(&self, rank: Rank) -> usize {
        let host = self.of_rank.get(rank.index()).and_then(|&host| self.hosts.get(host as usize));
        let first = host.and_then(|host| host.ranks.first());
        match first {
            Some(first) => self.order.partition_point(|&other| self.hosts[other as usize].ranks.first() < Some(first)),
            None => self.order.len(),
        }
    }

    /// The number of hosts in this order.
    pub fn len(&self) -> usize {
        self.order.len() + usize::from(!self.unknown.ranks.is_empty())
    }

    /// True if there are no ranks.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The characters of the longest name.
    pub fn widest(&self) -> usize {
        self.widest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn hosts_agree_with_a_plain_list(
            places in proptest::collection::vec((proptest::collection::vec(0u32..40, 0..20), 0usize..5), 0..12)
        ) {
            let mut hosts = JobHosts::new(36);
            let mut plain = vec![""; 36];
            for (ranks, host) in places {
                let name = ["", "a", "bb", "ccc", "dddd"][host];
                hosts.place(&ranks.iter().copied().map(Rank).collect(), name);
                for rank in ranks.into_iter().filter(|rank| *rank < 36 && !name.is_empty()) {
                    plain[rank as usize] = name;
                }
            }
            let mut names: Vec<&str> = Vec::new();
            for name in plain.iter().copied().filter(|name| !name.is_empty()) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            names.extend(plain.contains(&"").then_some(""));
            prop_assert_eq!(hosts.iter().map(|host| &*host.name).collect::<Vec<_>>(), names.clone());
            prop_assert_eq!(hosts.len(), names.len());
            for (rank, name) in (0..).map(Rank).zip(&plain) {
                let host = hosts.get(hosts.place_of(rank)).unwrap();
                prop_assert_eq!((hosts.name_of(rank), &*host.name), (*name, *name));
                prop_assert!(host.ranks.contains(rank));
            }
            prop_assert_eq!(hosts.iter().map(|host| host.ranks.len()).sum::<usize>(), 36);
            prop_assert!(hosts.get(hosts.len()).is_none());
        }
    }
}
