//! Front ends that come and go: which one has the session, and which ask for it.

use super::replay::PendingReplay;
use crate::link_tasks::LinkNews;
use crate::master::ending::Ending;
use crate::master::job::Job;
use crate::master::state::Master;
use model::{Event, Operation, ProcessState, Severity, TransactionId};
use protocol::{Reply, Request, SessionCommand, SessionEvent, WaitPolicy};
use std::time::{Duration, Instant};

/// Minimum time between two reports to the front end of refused connections; the log has them all.
const WARNED: Duration = Duration::from_secs(60);

/// A new front end gets the known state after this time, even if servers owe its predecessor answers.
const PATIENCE: Duration = Duration::from_secs(1);

impl Master {
    /// Handles a refused connection of a stranger.
    pub(in crate::master) fn refused(&mut self, now: Instant, why: &str) {
        if self.warned.is_some_and(|warned| now < warned + WARNED) {
            return;
        }
        self.warned = Some(now);
        let log = self.setup.directory.log("master");
        let words = format!("refused a connection to this session: {why}; see {}", log.display());
        self.front.tell(TransactionId(0), SessionEvent::Message(Severity::Warning, words));
    }

    /// Handles a message or change of a link to a present or prospective front end.
    pub(in crate::master) fn front_news(&mut self, now: Instant, news: LinkNews<Reply, Request>) {
        match news {
            LinkNews::Opened(link, sender) if self.front.is_there() => self.front.applies(link, sender),
            LinkNews::Opened(link, sender) => {
                self.front.opened(link, sender);
                self.front_changed();
            }
            LinkNews::Said(link, request) => {
                if self.front.is(link) {
                    self.request(now, request);
                } else if let Some(sender) = self.front.applicant(link) {
                    let take = Request::Session { tid: TransactionId(0), command: SessionCommand::Join { take: true } };
                    if self.front.is_there() && request != take {
                        let event = SessionEvent::Failed("another front end is connected to this session".to_owned());
                        // It is not let in, whether it reads that or is gone.
                        let _ = sender.send(&Reply::Session { tid: TransactionId(0), event });
                        return;
                    }
                    self.stop_looking(now);
                    self.front.tell(TransactionId(0), SessionEvent::Taken);
                    self.front.opened(link, sender);
                    self.front_changed();
                    self.request(now, request);
                }
            }
            LinkNews::Refused(_) => {}
            LinkNews::Closed(link, why) => {
                let _ = self.front.applicant(link);
                if self.front.is(link) {
                    tracing::info!("the front end disconnected: {why}");
                    self.front.closed();
                    self.front_changed();
                    self.stop_looking(now);
                    if matches!(self.job, Job::Running) {
                        // Ranks that wait for the front end to look at their libraries continue without it.
                        let tid = self.front.ids.own();
                        self.pass_down(now, tid, self.ranks.all(), WaitPolicy::All, Operation::Reevaluate);
                    }
                    if self.setup.unattended && matches!(self.job, Job::Running | Job::Assembling(_)) {
                        // Nobody comes back: the job must not wait at its next stop.
                        self.end(now, Ending::exit(false, None));
                    }
                    if matches!(self.job, Job::None) {
                        // There is nothing to come back to.
                        self.end(now, Ending::exit(true, None));
                    }
                }
            }
        }
    }

    /// Forgets the previous front end's requests; the session's state on disk shows who has it.
    fn front_changed(&mut self) {
        self.replay = None;
        match &mut self.job {
            Job::Assembling(assembly) => assembly.tid = TransactionId(0),
            Job::Ending(ending) => ending.forget_asker(),
            Job::None | Job::Running => {}
        }
        if let Ok(mut info) = self.setup.directory.info() {
            info.attended = self.front.is_there();
            if let Err(error) = self.setup.directory.write_info(&info) {
                tracing::warn!("{error}");
            }
        }
    }

    /// Ends the ranks' pending queries with what is known so far: nobody waits for them.
    fn stop_looking(&mut self, now: Instant) {
        if matches!(self.job, Job::Running) {
            let (tid, all) = (self.front.ids.own(), self.ranks.all());
            self.pass_down(now, tid, all, WaitPolicy::All, Operation::StopLooking);
        }
    }

    /// Sends a new front end the whole state once its predecessor's last requests have been answered: a continue
    /// request that is on its way makes the known stops outdated.
    pub(in crate::master) fn replay_once_known(&mut self, now: Instant, tid: TransactionId) {
        let open = self.front.left_behind(|inner| self.node.relay().is_open(inner));
        if open.is_empty() {
            self.replay(tid);
        } else {
            self.replay = Some(PendingReplay { tid, open, latest: now + PATIENCE });
        }
    }

    /// Does so now, if the answers have arrived or are overdue.
    pub(in crate::master) fn watch_replay(&mut self, now: Instant) {
        let Some(pending) = &mut self.replay else { return };
        pending.open.retain(|&inner| self.node.relay().is_open(inner));
        if pending.open.is_empty() || pending.latest <= now {
            let tid = pending.tid;
            self.replay = None;
            self.replay(tid);
        }
    }

    /// Sends the whole state to a new front end.
    fn replay(&mut self, tid: TransactionId) {
        match &self.job {
            Job::Running | Job::Ending(_) if self.ranks.size() > 0 => {
                self.front.tell(tid, self.ranks.session_event(self.setup.directory.name()));
            }
            Job::Assembling(assembly) => self.front.tell(tid, SessionEvent::Progress(assembly.progress())),
            Job::None | Job::Running | Job::Ending(_) => {}
        }
        let event = SessionEvent::State {
            breakpoints: self.breakpoints.list(),
            states: self.node.states().entries().to_vec(),
            ranks: self.ranks.list(),
            kept: self.kept.clone(),
        };
        self.front.tell(tid, event);
        for (engine, ranks) in self.ranks.engines() {
            let event = Event::UnderEngine(Some(engine));
            self.front.say(&Reply::Event { tid: TransactionId(0), ranks: ranks.clone(), event });
        }
        self.front.tell_past();
    }

    /// Ends an abandoned session when its time has come.
    pub(in crate::master) fn watch_abandoned(&mut self, now: Instant) {
        let lives = !self.node.states().ranks_that(|state| !ProcessState::is_ended(state)).is_empty();
        let is_idle = !self.front.is_there() && !lives && matches!(self.job, Job::Running);
        if self.idle.is_over(now, is_idle) {
            tracing::info!("no front end reconnected and no rank is alive: the session ends");
            self.end(now, Ending::exit(true, None));
        }
    }
}
