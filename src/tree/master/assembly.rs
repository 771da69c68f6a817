//! A job being started: its servers, its ranks and its failures so far. No process, no socket.

use crate::merging::output_lane::OutputLane;
use crate::merging::window::Spoken;
use model::{Event, ProcessSet, Severity, TransactionId, join_processes};
use protocol::{Reply, ServerIndex};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// After the first failure the others have this long to report theirs, so that one message names them all.
const FAILURE_PATIENCE: Duration = Duration::from_secs(2);
/// Between two reports of the progress: the words list ranks, and a million of them arrive one by one.
const PROGRESS_PAUSE: Duration = Duration::from_millis(100);
/// Time for another server or rank of this host to come after the last one.
const NEXT_LIMIT: Duration = Duration::from_secs(60);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Gathering,
    /// Servers are moving to their parents.
    Moving,
    /// Servers are launching or attaching to their ranks.
    Acquiring,
}

/// A job that is being started.
#[derive(Debug)]
pub(super) struct Assembly {
    /// The request for the job, as the front end numbers it.
    pub(super) tid: TransactionId,
    pub(super) stage: Stage,
    /// Number of servers; `None` while the launcher decides.
    pub(super) servers: Option<u32>,
    /// Number of ranks; `None` while only the launcher knows.
    pub(super) size: Option<u32>,
    /// True if breakpoints are to be set again.
    pub(super) again: bool,
    here: BTreeSet<ServerIndex>,
    acquired: ProcessSet,
    failed: ProcessSet,
    reasons: Vec<(ProcessSet, String)>,
    general: Vec<String>,
    failing_since: Option<Instant>,
    limit: Option<Instant>,
    held: Vec<Reply>,
    /// What ranks that run already write.
    output: OutputLane,
    /// Ranks that cannot be had, if the others are enough; `None` if all are needed.
    absent: Option<ProcessSet>,
    /// When the progress was last reported.
    reported: Option<Instant>,
    /// True if there has been progress since.
    has_news: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Open,
    /// Every rank is there.
    Complete,
    /// The job cannot start; holds the reason.
    Failed(String),
}

impl Assembly {
    /// Starts with what is known of the job; `limit` is when it must be complete.
    pub(super) fn new(tid: TransactionId, servers: Option<u32>, size: Option<u32>, limit: Option<Instant>) -> Self {
        Self {
            tid,
            stage: Stage::Gathering,
            servers,
            size,
            again: false,
            here: BTreeSet::new(),
            acquired: ProcessSet::new(),
            failed: ProcessSet::new(),
            reasons: Vec::new(),
            general: Vec::new(),
            failing_since: None,
            limit,
            held: Vec::new(),
            output: OutputLane::default(),
            absent: None,
            reported: None,
            has_news: false,
        }
    }

    /// Sets the numbers of servers and ranks once they are known. With `partial`, ranks that cannot be had are lost and
    /// the others are debugged.
    pub(super) fn expect(&mut self, servers: u32, size: u32, partial: bool, limit: Instant) {
        self.servers = Some(servers);
        self.size = Some(size);
        self.limit = Some(limit);
        self.absent = partial.then(ProcessSet::new);
    }

    /// Marks ranks that will not come, with the reason.
    pub(super) fn without(&mut self, ranks: &ProcessSet, why: &str) {
        self.absent.get_or_insert_default().extend_with(ranks);
        self.reason(ranks, why);
    }

    /// A server has announced itself.
    pub(super) fn server_here(&mut self, now: Instant, server: ServerIndex) {
        if self.here.insert(server) {
            self.progressed(now);
        }
    }

    fn progressed(&mut self, now: Instant) {
        self.has_news = true;
        self.limit = self.limit.map(|limit| limit.max(now + NEXT_LIMIT));
    }

    /// True if all expected servers are there.
    pub(super) fn all_here(&self) -> bool {
        self.servers.is_some_and(|servers| (0..servers).all(|i| self.here.contains(&ServerIndex(i))))
    }

    /// Number of servers that have announced themselves.
    pub(super) fn servers_here(&self) -> u32 {
        self.here.len() as u32
    }

    /// Adds ranks that came, and the job size they claim. A contradiction is a failure: waiting would be in vain.
    pub(super) fn ranks_here(&mut self, now: Instant, ranks: &ProcessSet, size: u32) {
        let twice = self.acquired.intersection(ranks);
        if !twice.is_empty() {
            self.fault(now, format!("processes on several hosts claim ranks [{twice}] in their environments"));
        }
        self.acquired.extend_with(ranks);
        self.progressed(now);
        let known = *self.size.get_or_insert(size);
        if known != size {
            let words = format!(
                "ranks [{ranks}] have a job size of {size} in their environments, other ranks one \
                of {known}"
            );
            self.fault(now, words);
        }
    }

    /// Adds a failure that does not concern single ranks.
    pub(super) fn fault(&mut self, now: Instant, message: String) {
        self.failing_since.get_or_insert(now);
        if !self.general.contains(&message) {
            self.general.push(message);
        }
    }

    /// Keeps replies of ranks until the front end knows the job, and records the failures among them.
    pub(super) fn hold(&mut self, now: Instant, reply: Reply) {
        if let Reply::Event { ranks, event, .. } = &reply {
            match event {
                Event::Failed(why) | Event::Lost(why) if self.absent.is_some() => {
                    self.reason(ranks, why);
                    if let Some(absent) = &mut self.absent {
                        absent.extend_with(ranks);
                    }
                }
                Event::Failed(why) | Event::Lost(why) => {
                    self.failing_since.get_or_insert(now);
                    self.failed.extend_with(ranks);
                    let known = self.reasons.iter().any(|(those, _)| those.meets(ranks));
                    if !known {
                        self.reason(ranks, why);
                    }
                    return;
                }
                Event::Message(Severity::Error, why) if !ranks.is_subset(&self.acquired) => {
                    self.reason(ranks, why);
                    return;
                }
                _ => {}
            }
        }
        match reply {
            Reply::Event { tid, ranks, event } if event.endless_bytes().is_some() => {
                self.output.push(tid, ranks, event);
            }
            Reply::Event { tid, ranks, event } => {
                self.held.extend(self.output.let_out_before(&ranks, &event).into_iter().map(Spoken::into_reply));
                self.held.push(Reply::Event { tid, ranks, event });
            }
            other => self.held.push(other),
        }
    }

    pub(super) fn take_held(&mut self) -> Vec<Reply> {
        let output = self.output.let_out_all().into_iter().map(Spoken::into_reply);
        std::mem::take(&mut self.held).into_iter().chain(output).collect()
    }

    pub(super) fn outcome(&self, now: Instant) -> Outcome {
        if let Some(since) = self.failing_since {
            let accounted = self.acquired.union(&self.failed).len();
            let all = self.size.is_some_and(|size| accounted >= size as usize) || !self.general.is_empty();
            if all || now >= since + FAILURE_PATIENCE {
                return Outcome::Failed(self.explanation());
            }
            return Outcome::Open;
        }
        let absent = self.absent.as_ref().map_or(0, ProcessSet::len);
        if self.size.is_some_and(|size| self.acquired.len() + absent >= size as usize) {
            let nobody = self.acquired.is_empty() && absent > 0;
            return if nobody { Outcome::Failed(self.explanation()) } else { Outcome::Complete };
        }
        match self.limit {
            Some(limit) if now >= limit => {
                Outcome::Failed(format!("the job did not start in time: {}", self.progress()))
            }
            _ => Outcome::Open,
        }
    }

    /// Returns when [`Self::outcome`] may change by itself.
    pub(super) fn deadline(&self) -> Option<Instant> {
        let report = self.reported.filter(|_| self.has_news).map(|reported| reported + PROGRESS_PAUSE);
        self.failing_since.map(|since| since + FAILURE_PATIENCE).into_iter().chain(self.limit).chain(report).min()
    }

    /// Returns the progress if it is to be reported now.
    pub(super) fn news(&mut self, now: Instant) -> Option<String> {
        if !self.has_news || self.reported.is_some_and(|reported| now < reported + PROGRESS_PAUSE) {
            return None;
        }
        self.has_news = false;
        self.reported = Some(now);
        Some(self.progress())
    }

    /// Describes the progress for the user.
    pub(super) fn progress(&self) -> String {
        match (self.size, self.servers) {
            (Some(size), Some(servers)) if self.stage != Stage::Acquiring => {
                format!("{} of {servers} servers connected, for {size} ranks", self.here.len())
            }
            (Some(size), _) => {
                let absent = ProcessSet::all(size).difference(&self.acquired);
                let absent = if absent.is_empty() { String::new() } else { format!("; waiting for [{absent}]") };
                format!("{} of {size} ranks connected{absent}", self.acquired.len())
            }
            (None, _) => "waiting for the launcher to start the first rank".to_owned(),
        }
    }

    fn reason(&mut self, ranks: &ProcessSet, why: &str) {
        for (those, known) in &mut self.reasons {
            if join_processes(known, why) {
                those.extend_with(ranks);
                return;
            }
        }
        self.reasons.push((ranks.clone(), why.to_owned()));
    }

    fn explanation(&self) -> String {
        let ranks = self.reasons.iter().map(|(ranks, why)| format!("[{ranks}] {why}"));
        self.general.iter().cloned().chain(ranks).collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> ProcessSet {
        ProcessSet::parse(text).unwrap()
    }

    fn event(ranks: &str, event: Event) -> Reply {
        Reply::Event { tid: TransactionId(0), ranks: set(ranks), event }
    }

    fn job() -> Assembly {
        Assembly::new(TransactionId(1), Some(2), Some(4), None)
    }

    #[test]
    fn a_job_is_complete_when_every_rank_is_there() {
        let (mut job, now) = (job(), Instant::now());
        job.server_here(now, ServerIndex(0));
        assert!(!job.all_here());
        job.server_here(now, ServerIndex(1));
        assert!(job.all_here());
        job.ranks_here(now, &set("0-2"), 4);
        assert_eq!(job.outcome(now), Outcome::Open);
        job.ranks_here(now, &set("3"), 4);
        assert_eq!(job.outcome(now), Outcome::Complete);
    }

    #[test]
    fn a_job_has_time_for_as_long_as_something_comes() {
        let begun = Instant::now();
        let limit = begun + NEXT_LIMIT;
        let mut job = Assembly::new(TransactionId(1), Some(2), Some(4), Some(limit));
        job.server_here(limit, ServerIndex(0));
        assert_eq!(job.outcome(limit), Outcome::Open);
        job.server_here(limit + NEXT_LIMIT / 2, ServerIndex(0));
        let Outcome::Failed(why) = job.outcome(limit + NEXT_LIMIT) else { panic!("nothing new came") };
        assert_eq!(why, "the job did not start in time: 1 of 2 servers connected, for 4 ranks");
    }

    #[test]
    fn progress_is_reported_now_and_then_and_at_last() {
        let (mut job, now) = (job(), Instant::now());
        job.stage = Stage::Acquiring;
        assert_eq!(job.news(now), None);
        job.ranks_here(now, &set("0"), 4);
        assert_eq!(job.news(now).unwrap(), "1 of 4 ranks connected; waiting for [1-3]");
        job.ranks_here(now, &set("1"), 4);
        job.ranks_here(now, &set("3"), 4);
        assert_eq!((job.news(now), job.deadline()), (None, Some(now + PROGRESS_PAUSE)));
        assert_eq!(job.news(now + PROGRESS_PAUSE).unwrap(), "3 of 4 ranks connected; waiting for [2]");
        assert_eq!((job.news(now + 2 * PROGRESS_PAUSE), job.deadline()), (None, None));
    }

    #[test]
    fn ranks_that_do_not_fit_together_are_a_fault() {
        for (ranks, size, words) in [("0", 4, "ranks [0]"), ("1", 3, "ranks [1] have a job size of 3")] {
            let (mut job, now) = (job(), Instant::now());
            job.ranks_here(now, &set("0"), 4);
            job.ranks_here(now, &set(ranks), size);
            let Outcome::Failed(why) = job.outcome(now) else { panic!("{ranks} of {size}") };
            assert!(why.contains(words), "{why}");
        }
        let mut job = Assembly::new(TransactionId(1), None, None, None);
        job.ranks_here(Instant::now(), &set("0,2"), 4);
        job.stage = Stage::Acquiring;
        assert_eq!(job.progress(), "2 of 4 ranks connected; waiting for [1,3]");
    }

    #[test]
    fn equal_failures_are_said_once_with_their_ranks() {
        let (mut job, now) = (job(), Instant::now());
        for rank in ["0", "1", "2", "3"] {
            job.hold(now, event(rank, Event::Message(Severity::Error, "./x: no such file".into())));
            job.hold(now, event(rank, Event::Lost("not started".into())));
        }
        assert_eq!(job.outcome(now), Outcome::Failed("[0-3] ./x: no such file".into()));
        assert!(job.take_held().is_empty());
    }

    #[test]
    fn one_failure_waits_a_moment_for_the_others() {
        let (mut job, now) = (job(), Instant::now());
        job.ranks_here(now, &set("0-1"), 4);
        job.hold(now, event("2", Event::Lost("no".into())));
        assert_eq!(job.outcome(now), Outcome::Open);
        assert_eq!(job.outcome(now + FAILURE_PATIENCE), Outcome::Failed("[2] no".into()));
        assert_eq!(job.deadline(), Some(now + FAILURE_PATIENCE));
    }

    #[test]
    fn a_job_may_be_complete_without_those_that_cannot_be_had() {
        let (mut job, now) = (Assembly::new(TransactionId(1), None, None, None), Instant::now());
        assert_eq!(job.outcome(now), Outcome::Open);
        job.expect(1, 4, true, now + FAILURE_PATIENCE);
        job.without(&set("1"), "gone");
        job.ranks_here(now, &set("0,2"), 4);
        assert_eq!(job.outcome(now), Outcome::Open);
        job.hold(now, event("3", Event::Lost("traced".into())));
        assert_eq!((job.outcome(now), job.take_held().len()), (Outcome::Complete, 1));
        let mut nobody = Assembly::new(TransactionId(1), None, None, None);
        nobody.expect(1, 2, true, now + FAILURE_PATIENCE);
        nobody.without(&set("0-1"), "gone");
        assert_eq!(nobody.outcome(now), Outcome::Failed("[0-1] gone".into()));
    }

    #[test]
    fn what_ranks_say_is_kept() {
        let (mut job, now) = (job(), Instant::now());
        job.ranks_here(now, &set("0"), 4);
        job.hold(now, event("0", Event::Message(Severity::Error, "of one that is there".into())));
        job.hold(now, event("0", Event::Running));
        assert_eq!(job.take_held().len(), 2);
    }
}
