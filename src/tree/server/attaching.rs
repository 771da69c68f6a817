//! Brings processes that others have started under this server.

use super::joiners::JoinRequest;
use super::state::Server;
use crate::attach::processes::Processes;
use engine::{Acquisition, Adoption, Engine, Report};
use model::{Event, LaunchSpec, ProcessSet, Rank, Severity, TransactionId};
use protocol::TreeUp;
use std::time::Instant;

impl Server {
    /// Takes a process that a launcher has started.
    pub(super) fn join(&mut self, join: JoinRequest) {
        if self.ending.is_some() {
            // The joiner sees that its request was dropped.
            return;
        }
        if self.size != 0 && self.size != join.size {
            let JoinRequest { rank, size, .. } = join;
            let message =
                format!("rank {rank} has a job size of {size} in its environment, other ranks one of {}", self.size);
            self.parent.send(TreeUp::LaunchFailed { server: self.setup.index, message });
        }
        self.size = self.size.max(join.size);
        self.offered.push(join.rank);
        let JoinRequest { rank, pid, spec, stdout, stderr, ready, size: _ } = join;
        self.engine.acquire(Acquisition::Join { rank, pid, spec, stdout, stderr, ready });
    }

    /// Fails the job if two processes claim one rank; any other refusal is reported as the rank's own failure.
    pub(super) fn refused(&mut self, rank: Rank, pid: i32, why: &str) {
        if self.offered.iter().filter(|offered| **offered == rank).count() > 1 {
            // Outside every launcher a process is rank 0 of 1.
            let is_alone = rank == Rank(0) && self.size == 1;
            let advice = if is_alone {
                "; if no variable numbers the processes, set RANKSCOPE_RANK and RANKSCOPE_SIZE for each"
            } else {
                ""
            };
            let message = format!("process {pid} is rank {rank} by its environment: {why}{advice}");
            self.parent.send(TreeUp::LaunchFailed { server: self.setup.index, message });
        }
    }

    /// Attaches to processes of this host.
    pub(super) fn attach(&mut self, processes: Vec<(Rank, i32)>, held: bool, spec: &LaunchSpec) {
        let adoption = if held { Adoption::Held } else { Adoption::Running };
        for (rank, pid) in self.programs(processes) {
            self.engine.acquire(Acquisition::Attach { rank, pid, spec: spec.clone(), adoption });
        }
    }

    /// Returns the programs in place of their wrappers: on another host than the master's, the processes have not been
    /// examined yet.
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
