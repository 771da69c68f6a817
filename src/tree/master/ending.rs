//! The end of a job: first it is asked for down the tree, then those that do not end are killed.

use super::actor::Master;
use super::job::Job;
use super::processes::{kill_now, servers_alive};
use model::TransactionId;
use nix::sys::signal::Signal;
use protocol::{LaunchPlan, SessionEvent, TreeDown};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Servers and the launcher have this long to end in order.
const PATIENCE: Duration = Duration::from_secs(5);
/// The launcher has this long between being asked and being killed.
const LAUNCHER_PATIENCE: Duration = Duration::from_secs(2);
/// How often it is looked who is left.
const LOOK: Duration = Duration::from_millis(10);

/// What comes after the end of a job.
#[derive(Clone, Debug)]
pub(super) enum Then {
    /// No job.
    Nothing,
    /// The job again.
    Launch {
        /// Of the request for it.
        tid: TransactionId,
        /// How.
        plan: LaunchPlan,
        /// Whether it takes the breakpoints of the one before.
        again: bool,
    },
    /// The end of the session; with the request for it, if one asked.
    Exit(Option<TransactionId>),
}

/// A job on its way out.
#[derive(Debug)]
pub(super) struct Ending {
    /// Whether ranks are killed, or let go.
    pub(super) kill: bool,
    then: Then,
    begun: Instant,
    /// All ranks had ended by themselves.
    ranks_had_ended: bool,
    launcher_asked: Option<Instant>,
    killing: bool,
}

impl Ending {
    /// An end that begins now.
    pub(super) fn new(kill: bool, then: Then) -> Self {
        Self { kill, then, begun: Instant::now(), ranks_had_ended: false, launcher_asked: None, killing: false }
    }

    /// The end of the session.
    pub(super) fn exit(kill: bool, asked: Option<TransactionId>) -> Self {
        Self::new(kill, Then::Exit(asked))
    }

    /// Begins a job as soon as this one is gone, unless something else has been decided.
    pub(super) fn and_then_launch(&mut self, tid: TransactionId, plan: &LaunchPlan) -> bool {
        let free = matches!(self.then, Then::Nothing);
        if free {
            self.then = Then::Launch { tid, plan: plan.clone(), again: false };
        }
        free
    }

    /// Who asked for what comes is gone.
    pub(super) fn forget_asker(&mut self) {
        match &mut self.then {
            Then::Nothing => {}
            Then::Launch { tid, .. } => *tid = TransactionId(0),
            Then::Exit(asked) => *asked = None,
        }
    }

    /// When to look again.
    pub(super) fn next_look(&self) -> Instant {
        Instant::now() + LOOK
    }
}

impl Master {
    /// Begins the end of the job, or changes what comes after when it has begun.
    pub(super) fn end(&mut self, now: Instant, ending: Ending) {
        if let Job::Ending(present) = &mut self.job {
            if let (Then::Exit(_), Then::Launch { tid, .. }) = (&ending.then, &present.then) {
                self.front.tell(*tid, SessionEvent::Failed("the session is ending".to_owned()));
            }
            present.kill |= ending.kill;
            present.then = ending.then;
        } else {
            self.node.broadcast(&TreeDown::Shutdown { kill: ending.kill });
            let running = matches!(self.job, Job::Running);
            let ranks_had_ended = running && self.node.states().ranks_that(|state| !state.is_ended()).is_empty();
            self.job = Job::Ending(Ending { ranks_had_ended, ..ending });
        }
        self.advance_ending(now);
    }

    /// Looks who is left, and does what is due.
    pub(super) fn advance_ending(&mut self, now: Instant) {
        let Job::Ending(ending) = &mut self.job else { return };
        let alive = servers_alive(&self.setup.directory);
        // A server whose ranks were let go leaves the tree, and lives on for as long as they write.
        let servers_left = (ending.kill && !self.servers.is_empty()) || !alive.is_empty();
        if servers_left && now >= ending.begun + PATIENCE && !ending.killing {
            tracing::error!("servers that do not end are killed: {:?}, {alive:?}", self.servers);
            ending.killing = true;
            self.servers.values().copied().chain(alive).for_each(kill_now);
        }
        // A link is read to its end after its server is gone: the last words of the ranks come by it.
        let unread = self.node.links() > 0 && now < ending.begun + 2 * PATIENCE;
        if servers_left || unread {
            return;
        }
        if let Some(launcher) = &self.launcher
            && launcher.ended.is_none()
            && ending.kill
        {
            match ending.launcher_asked {
                // Its own end is its status, and it has nothing more to wait for.
                None if ending.ranks_had_ended && now < ending.begun + PATIENCE => {}
                None => {
                    ending.launcher_asked = Some(now);
                    launcher.signal(Signal::SIGTERM);
                }
                Some(asked) if now >= asked + LAUNCHER_PATIENCE => launcher.signal(Signal::SIGKILL),
                Some(_) => {}
            }
            return;
        }
        self.ended(now);
    }

    fn ended(&mut self, now: Instant) {
        // Whatever the ranks said last goes out before the end is told.
        let up = self.node.flush();
        self.heard(now, up);
        let Job::Ending(ending) = std::mem::replace(&mut self.job, Job::None) else { return };
        if let (Some(launcher), true) = (self.launcher.take(), ending.kill) {
            // What the launcher left behind in its group.
            launcher.signal(Signal::SIGKILL);
        }
        self.end_meeting();
        self.node.reset();
        self.placed.clear();
        self.ranks = BTreeMap::new();
        self.server_ranks = BTreeMap::new();
        self.engines = BTreeMap::new();
        self.server_hosts = BTreeMap::new();
        self.size = 0;
        match ending.then {
            Then::Nothing => {
                self.plan = None;
                if !self.front.is_there() {
                    self.is_over = true;
                }
            }
            Then::Launch { tid, plan, again } => self.launch(now, tid, plan, again),
            Then::Exit(asked) => {
                self.front.let_out_all();
                self.front.tell(asked.unwrap_or_default(), SessionEvent::Ended);
                self.is_over = true;
            }
        }
    }
}
