//! Attaching to a running job: the master finds its processes in another thread, then divides them among servers.

use super::assembly::Assembly;
use super::input::Input;
use super::job::{Job, LAUNCHER_POLL, LOCAL_LIMIT};
use super::job_ranks::JobRanks;
use super::state::Master;
use crate::attach::starter::StarterNews;
use crate::attach::{RankTable, Share, find};
use model::{
    Answer, ErrorCode, Event, Failure, LaunchSpec, Operation, ProcessSet, ProcessState, Rank, Severity, TransactionId,
};
use protocol::{AttachTarget, ServerIndex, SessionEvent, TreeDown};
use std::time::Instant;
use tokio::sync::mpsc::UnboundedSender;

impl Master {
    /// Handles a report of a launcher under the debugger.
    pub(super) fn starter_says(&mut self, now: Instant, tid: TransactionId, news: StarterNews) {
        let tell = |severity, words: String| {
            self.front.tell(TransactionId(0), SessionEvent::Message(severity, words));
        };
        match news {
            StarterNews::Ready(mut rank_table) => {
                if !rank_table.held {
                    let words = "this launcher starts its ranks before a debugger can attach: they stop wherever \
                        they are, usually in MPI_Init";
                    rank_table.notes.push(words.to_owned());
                }
                self.found(now, tid, Ok(rank_table));
            }
            StarterNews::Aborting(why) => {
                let why = why.map_or_else(String::new, |why| format!(": {why}"));
                tell(Severity::Warning, format!("the launcher is ending the job{why}"));
            }
            StarterNews::Failed(why) => self.fault(now, why),
            StarterNews::Ended { code, mute } => {
                if mute {
                    let words = "this launcher provides no MPIR process table: run it without --mpir";
                    self.fault(now, words.to_owned());
                }
                self.launcher_ended(now, code);
            }
        }
    }

    /// Returns when to look for output of a launcher under the debugger.
    pub(super) fn words_due(&self) -> Option<Instant> {
        let speaks =
            self.launcher.as_ref().is_some_and(|launcher| launcher.speaks_for_ranks() && launcher.ended.is_none());
        (speaks && matches!(self.job, Job::Running)).then(|| Instant::now() + LAUNCHER_POLL)
    }

    /// Passes on output of ranks that arrives through a launcher under the debugger.
    pub(super) fn pass_words(&mut self) {
        let Some(launcher) = self.launcher.as_mut().filter(|launcher| launcher.speaks_for_ranks()) else { return };
        // The rest waits in its file.
        while self.front.reads()
            && let Some(words) = launcher.news()
        {
            self.front.tell(TransactionId(0), SessionEvent::LauncherOutput(words));
        }
    }

    /// Handles the result of the search for processes.
    pub(super) fn found(&mut self, now: Instant, tid: TransactionId, found: Result<RankTable, String>) {
        if !matches!(&self.job, Job::Assembling(assembly) if assembly.tid == tid) {
            return;
        }
        let begun = found.and_then(|mut rank_table| {
            if rank_table.processes().is_empty() {
                return Err(rank_table.explanation());
            }
            rank_table.slurm = rank_table.slurm.or_else(|| std::env::var("SLURM_JOB_ID").ok());
            Ok((self.servers.start_for(&rank_table)?, rank_table))
        });
        let (servers, rank_table) = match begun {
            Ok(begun) => begun,
            Err(why) => return self.fault(now, why),
        };
        for note in &rank_table.notes {
            self.front.tell(TransactionId(0), SessionEvent::Message(Severity::Note, note.clone()));
        }
        if let Job::Assembling(assembly) = &mut self.job {
            assembly.expect(servers, rank_table.size(), rank_table.partial, now + LOCAL_LIMIT);
            for (ranks, why) in rank_table.absent() {
                assembly.without(&ranks, &why);
            }
        }
        self.rank_table = rank_table;
    }

    /// Divides the processes among the servers.
    pub(super) fn attach(&mut self, spec: &LaunchSpec) {
        let shares = self.rank_table.shares(self.setup.ranks_per_server);
        let (size, held) = (self.rank_table.size(), self.rank_table.held);
        let core_of = |rank: Rank| Some((rank, self.rank_table.core_files.get(&rank)?.clone()));
        for (server, Share { processes, .. }) in (0..).map(ServerIndex).zip(shares) {
            let cores: Vec<_> = processes.iter().filter_map(|(rank, _)| core_of(*rank)).collect();
            if !cores.is_empty() {
                self.node.pass_down(server, TreeDown::OpenCores { server, cores, size, spec: spec.clone() });
                continue;
            }
            self.node.pass_down(server, TreeDown::Attach { server, processes, size, held, spec: spec.clone() });
        }
    }

    /// Reports the ranks that could not be attached to as failed.
    pub(super) fn tell_absent(&mut self, now: Instant) {
        for (ranks, why) in std::mem::take(&mut self.rank_table).absent() {
            let up = self.node.speak_for(now, ranks, Event::Failed(why));
            self.heard(now, up);
        }
    }
}

/// Starts the search for the processes.
pub(super) fn seek_processes(
    inputs: &UnboundedSender<Input>,
    tid: TransactionId,
    target: &AttachTarget,
) -> Result<Assembly, String> {
    let (inputs, target) = (inputs.clone(), target.clone());
    // The master may have ended meanwhile.
    let seek = move || drop(inputs.send(Input::Found(tid, find(&target))));
    let started = std::thread::Builder::new().name("finder".into()).spawn(seek);
    started.map_err(|error| format!("cannot look for the processes: {error}"))?;
    Ok(Assembly::new(tid, None, None, Some(Instant::now() + LOCAL_LIMIT)))
}

/// Returns answers for ranks that could not be attached to. Like ended ranks, they do not refuse breakpoints.
pub(super) fn absent_say(
    states: &[(ProcessSet, ProcessState)],
    job: &JobRanks,
    asked: &ProcessSet,
    operation: &Operation,
) -> Vec<(ProcessSet, Answer)> {
    let absent = states.iter().filter_map(|(ranks, state)| match state {
        ProcessState::Failed(why) => {
            let ranks = ranks.intersection(asked);
            let absent: ProcessSet = ranks.iter().filter(|rank| !job.has(*rank)).collect();
            Some((absent, why))
        }
        _ => None,
    });
    let answer = |why: &String| {
        let failed =
            || Answer::Failed(Failure::new(ErrorCode::NOT_RUN, format!("The rank could not be attached: {why}.")));
        operation.without_process().unwrap_or_else(failed)
    };
    absent.filter(|(ranks, _)| !ranks.is_empty()).map(|(ranks, why)| (ranks, answer(why))).collect()
}
