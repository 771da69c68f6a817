//! The ranks of the job: the server and the engine of each.

use model::{EngineName, ProcessSet, Rank};
use protocol::{JobRank, ServerIndex, SessionEvent};
use std::collections::BTreeMap;

#[derive(Debug, Default)]
pub(super) struct JobRanks {
    /// 0 until all ranks are there.
    size: u32,
    ranks: BTreeMap<Rank, JobRank>,
    by_server: BTreeMap<ServerIndex, ProcessSet>,
    /// Ranks under other engines than that of their server.
    engines: BTreeMap<EngineName, ProcessSet>,
}

impl JobRanks {
    /// Records the ranks of a server; returns them as a set.
    pub(super) fn acquired(&mut self, server: ServerIndex, ranks: Vec<JobRank>) -> ProcessSet {
        let set: ProcessSet = ranks.iter().map(|rank| rank.rank).collect();
        self.by_server.entry(server).or_default().extend_with(&set);
        self.ranks.extend(ranks.into_iter().map(|rank| (rank.rank, rank)));
        set
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
        self.ranks.contains_key(&rank)
    }

    pub(super) fn list(&self) -> Vec<JobRank> {
        self.ranks.values().cloned().collect()
    }

    pub(super) fn engines(&self) -> impl Iterator<Item = (EngineName, &ProcessSet)> {
        self.engines.iter().map(|(engine, ranks)| (*engine, ranks))
    }

    /// Describes the job for the front end.
    pub(super) fn session_event(&self, session: &str) -> SessionEvent {
        let mut hosts: BTreeMap<String, ProcessSet> = BTreeMap::new();
        for rank in self.ranks.values() {
            hosts.entry(rank.host.clone()).or_default().insert(rank.rank);
        }
        SessionEvent::Session { session: session.to_owned(), size: self.size, hosts: hosts.into_iter().collect() }
    }
}
