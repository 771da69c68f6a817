//! The ranks of the job: where each is, and which engine has it.

use model::{EngineName, ProcessSet, Rank};
use protocol::{JobRank, ServerIndex, SessionEvent};
use std::collections::BTreeMap;

#[derive(Debug, Default)]
pub(super) struct JobRanks {
    /// 0 until all ranks are there.
    size: u32,
    ranks: BTreeMap<Rank, JobRank>,
    by_server: BTreeMap<ServerIndex, ProcessSet>,
    /// Ranks that other engines have than that of their servers.
    engines: BTreeMap<EngineName, ProcessSet>,
}

impl JobRanks {
    /// A server has these ranks now; as a set.
    pub(super) fn acquired(&mut self, server: ServerIndex, ranks: Vec<JobRank>) -> ProcessSet {
        let set: ProcessSet = ranks.iter().map(|rank| rank.rank).collect();
        self.by_server.entry(server).or_default().extend_with(&set);
        self.ranks.extend(ranks.into_iter().map(|rank| (rank.rank, rank)));
        set
    }

    /// All ranks are there.
    pub(super) fn complete(&mut self, size: u32) {
        self.size = size;
    }

    /// The ranks that go with a server; `None` when it had none.
    pub(super) fn server_lost(&mut self, server: ServerIndex) -> Option<ProcessSet> {
        self.by_server.remove(&server)
    }

    /// `None`: the engine of their server.
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

    /// The job as the front end is told it.
    pub(super) fn session_event(&self, session: &str) -> SessionEvent {
        let mut hosts: BTreeMap<String, ProcessSet> = BTreeMap::new();
        for rank in self.ranks.values() {
            hosts.entry(rank.host.clone()).or_default().insert(rank.rank);
        }
        SessionEvent::Session { session: session.to_owned(), size: self.size, hosts: hosts.into_iter().collect() }
    }
}
