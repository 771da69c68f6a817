//! The ranks of the job: the server and the engine of each.

use model::{EngineName, ProcessSet, Rank};
use protocol::{JobRank, ServerIndex, SessionEvent};
use std::collections::BTreeMap;

#[derive(Debug, Default)]
pub(super) struct JobRanks {
    /// 0 until all ranks are there.
    size: u32,
    /// The process of each rank on its host.
    pids: BTreeMap<Rank, u32>,
    hosts: BTreeMap<String, ProcessSet>,
    by_server: BTreeMap<ServerIndex, ProcessSet>,
    /// Ranks under other engines than that of their server.
    engines: BTreeMap<EngineName, ProcessSet>,
}

impl JobRanks {
    /// Records the ranks of a server; returns them as a set.
    pub(super) fn acquired(&mut self, server: ServerIndex, ranks: Vec<JobRank>) -> ProcessSet {
        let set: ProcessSet = ranks.iter().map(|rank| rank.rank).collect();
        self.by_server.entry(server).or_default().extend_with(&set);
        let again: ProcessSet = set.iter().filter(|rank| self.has(*rank)).collect();
        if !again.is_empty() {
            self.hosts.values_mut().for_each(|those| those.remove_all(&again));
            self.hosts.retain(|_, those| !those.is_empty());
        }
        let mut here: Option<(String, ProcessSet)> = None;
        for JobRank { rank, host, pid } in ranks {
            self.pids.insert(rank, pid);
            match &mut here {
                // Mostly, a server is on one host.
                Some((name, those)) if *name == host => drop(those.insert(rank)),
                _ => {
                    let before = here.replace((host, ProcessSet::one(rank)));
                    self.are_on(before);
                }
            }
        }
        self.are_on(here);
        set
    }

    fn are_on(&mut self, host: Option<(String, ProcessSet)>) {
        if let Some((host, ranks)) = host {
            self.hosts.entry(host).or_default().extend_with(&ranks);
        }
    }

    /// True if a server has some of these ranks.
    pub(super) fn are_of(&self, ranks: &ProcessSet, server: ServerIndex) -> bool {
        self.by_server.get(&server).is_some_and(|own| own.meets(ranks))
    }

    /// All ranks have started.
    pub(super) fn complete(&mut self, size: u32) {
        self.size = size;
    }

    /// Removes and returns the ranks of a lost server; `None` if it had none.
    pub(super) fn server_lost(&mut self, server: ServerIndex) -> Option<ProcessSet> {
        self.by_server.remove(&server)
    }

    /// Records the engine of some ranks; `None` is the engine of their server.
    pub(super) fn under_engine(&mut self, ranks: &ProcessSet, engine: Option<EngineName>) {
        self.engines.values_mut().for_each(|those| those.remove_all(ranks));
        self.engines.retain(|_, those| !those.is_empty());
        if let Some(engine) = engine {
            self.engines.entry(engine).or_default().extend_with(ranks);
        }
    }

    pub(super) fn size(&self) -> u32 {
        self.size
    }

    pub(super) fn all(&self) -> ProcessSet {
        ProcessSet::all(self.size)
    }

    pub(super) fn has(&self, rank: Rank) -> bool {
        self.pids.contains_key(&rank)
    }

    /// All ranks, in their order.
    pub(super) fn list(&self) -> Vec<JobRank> {
        let of_host = |(host, ranks): (&String, &ProcessSet)| -> Vec<JobRank> {
            let pid = |rank| self.pids.get(&rank).copied().unwrap_or(0);
            ranks.iter().map(|rank| JobRank { rank, host: host.clone(), pid: pid(rank) }).collect()
        };
        let mut list: Vec<JobRank> = self.hosts.iter().flat_map(of_host).collect();
        list.sort_by_key(|rank| rank.rank);
        list
    }

    pub(super) fn engines(&self) -> impl Iterator<Item = (EngineName, &ProcessSet)> {
        self.engines.iter().map(|(engine, ranks)| (*engine, ranks))
    }

    /// Describes the job for the front end.
    pub(super) fn session_event(&self, session: &str) -> SessionEvent {
        let hosts = self.hosts.iter().map(|(host, ranks)| (host.clone(), ranks.clone())).collect();
        SessionEvent::Session { session: session.to_owned(), size: self.size, hosts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranks(of: &[(u32, &str)]) -> Vec<JobRank> {
        of.iter().map(|(rank, host)| JobRank { rank: Rank(*rank), host: (*host).to_owned(), pid: 100 + rank }).collect()
    }

    #[test]
    fn ranks_are_listed_with_their_hosts() {
        let mut job = JobRanks::default();
        assert_eq!(
            job.acquired(ServerIndex(0), ranks(&[(3, "b"), (0, "a"), (1, "b")])),
            [3, 0, 1].map(Rank).into_iter().collect()
        );
        job.acquired(ServerIndex(1), ranks(&[(2, "a")]));
        assert_eq!(job.list(), ranks(&[(0, "a"), (1, "b"), (2, "a"), (3, "b")]));
        // One that is there again, elsewhere.
        job.acquired(ServerIndex(1), ranks(&[(1, "c"), (3, "c")]));
        assert_eq!(job.list(), ranks(&[(0, "a"), (1, "c"), (2, "a"), (3, "c")]));
        let SessionEvent::Session { hosts, .. } = job.session_event("s") else { panic!() };
        let hosts: Vec<(String, String)> =
            hosts.iter().map(|(host, ranks)| (host.clone(), ranks.to_string())).collect();
        assert_eq!(hosts, [("a", "0,2"), ("c", "1,3")].map(|(host, ranks)| (host.to_owned(), ranks.to_owned())));
        assert!(job.has(Rank(3)) && !job.has(Rank(4)));
    }
}
