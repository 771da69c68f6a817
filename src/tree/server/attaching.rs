//! Processes that run already come under this server.

use super::actor::Server;
use crate::engine::{Acquisition, Adoption, Engine, Report};
use crate::model::{Event, LaunchSpec, ProcessSet, Rank, Severity, TransactionId};
use crate::tree::attach::processes::Processes;
use std::time::Instant;

impl Server {
    /// Attaches to processes of this host.
    pub(super) fn attach(&mut self, processes: Vec<(Rank, i32)>, held: bool, spec: &LaunchSpec) {
        let adoption = if held { Adoption::Held } else { Adoption::Running };
        for (rank, pid) in self.programs(processes) {
            self.engine.acquire(Acquisition::Attach { rank, pid, spec: spec.clone(), adoption });
        }
    }

    /// On another host than the master's nobody has looked yet what the processes are: of wrappers the program is taken.
    fn programs(&mut self, processes: Vec<(Rank, i32)>) -> Vec<(Rank, i32)> {
        if self.setup.host.is_none() {
            return processes;
        }
        let all = Processes::now();
        let mut notes = Vec::new();
        let found = processes.into_iter().map(|(rank, pid)| {
            let (pid, note) = all.below_shells(pid);
            notes.extend(note.map(|note| (rank, note)));
            (rank, pid)
        });
        let found = found.collect();
        for (rank, note) in notes {
            let event = Event::Message(Severity::Note, note);
            let report = Report::Event { tid: TransactionId(0), ranks: ProcessSet::one(rank), event };
            let up = self.node.engine_said(Instant::now(), report);
            self.pass_up(up);
        }
        found
    }
}
