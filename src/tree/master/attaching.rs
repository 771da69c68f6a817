//! A job that runs already: its processes are looked for beside the master, then shared out among servers.

use super::actor::{Input, Master};
use super::assembly::Assembly;
use super::job::{Job, LOCAL_LIMIT};
use crate::model::{Event, LaunchSpec, Severity, TransactionId};
use crate::protocol::{AttachTarget, ServerIndex, SessionEvent, TreeDown};
use crate::tree::attach::{Roster, find};
use std::time::Instant;

impl Master {
    /// Has the processes looked for.
    pub(super) fn seek_processes(&mut self, tid: TransactionId, target: &AttachTarget) -> Result<Assembly, String> {
        let (inputs, target) = (self.inputs.clone(), target.clone());
        // The master may have ended meanwhile.
        let seek = move || drop(inputs.send(Input::Found(tid, find(&target))));
        let started = std::thread::Builder::new().name("finder".into()).spawn(seek);
        started.map_err(|error| format!("cannot look for the processes: {error}"))?;
        Ok(Assembly::new(tid, None, None, Some(Instant::now() + LOCAL_LIMIT)))
    }

    /// The processes are known, or why they are not.
    pub(super) fn found(&mut self, now: Instant, tid: TransactionId, found: Result<Roster, String>) {
        if !matches!(&self.job, Job::Assembling(assembly) if assembly.tid == tid) {
            return;
        }
        let begun = found.and_then(|roster| {
            let processes = roster.processes().len() as u32;
            if processes == 0 {
                return Err(roster.explanation());
            }
            Ok((self.start_servers(processes)?, roster))
        });
        let (servers, roster) = match begun {
            Ok(begun) => begun,
            Err(why) => return self.fault(now, why),
        };
        for note in &roster.notes {
            self.front.tell(TransactionId(0), SessionEvent::Message(Severity::Note, note.clone()));
        }
        if let Job::Assembling(assembly) = &mut self.job {
            assembly.expect(servers, roster.size(), roster.partial, now + LOCAL_LIMIT);
            for (ranks, why) in roster.absent() {
                assembly.without(&ranks, &why);
            }
        }
        self.roster = roster;
    }

    /// Shares the processes out among the servers.
    pub(super) fn attach(&mut self, spec: &LaunchSpec) {
        let processes = self.roster.processes();
        let share = self.setup.ranks_per_server.map_or(processes.len(), |share| share as usize).max(1);
        for (server, processes) in (0..).map(ServerIndex).zip(processes.chunks(share)) {
            let (processes, spec) = (processes.to_vec(), spec.clone());
            let (size, held) = (self.roster.size(), self.roster.held);
            self.node.pass_down(server, TreeDown::Attach { server, processes, size, held, spec });
        }
    }

    /// Says of the ranks that were not there to be attached to that they have failed.
    pub(super) fn tell_absent(&mut self, now: Instant) {
        for (ranks, why) in std::mem::take(&mut self.roster).absent() {
            let up = self.node.speak_for(now, ranks, Event::Failed(why));
            self.heard(now, up);
        }
    }
}
