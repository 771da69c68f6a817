//! The end of a job: a request goes down the tree, then processes that do not end are killed.

use super::ending::{Ending, Then};
use super::job::Job;
use super::job_ranks::JobRanks;
use super::processes::{kill_now, servers_alive};
use super::state::Master;
use model::{Operation, ProcessSet, ProcessState};
use nix::sys::signal::Signal;
use nix::unistd::Pid;
use protocol::{LaunchPlan, SessionEvent, TreeDown, WaitPolicy};
use std::time::{Duration, Instant};

/// Time for servers and the launcher to end in order.
const PATIENCE: Duration = Duration::from_secs(5);
/// Time between asking the launcher to end and killing it.
const LAUNCHER_PATIENCE: Duration = Duration::from_secs(2);

impl Master {
    /// Begins the end of the job, or changes what follows if it has begun.
    pub(super) fn end(&mut self, now: Instant, ending: Ending) {
        if let Job::Ending(present) = &mut self.job {
            if let (Then::Exit(_), Then::Launch { tid, .. }) = (&ending.then, &present.then) {
                self.front.tell(*tid, SessionEvent::Failed("the session is ending".to_owned()));
            }
            present.kill |= ending.kill;
            present.then = ending.then;
        } else {
            let running = matches!(self.job, Job::Running);
            let ranks_had_ended = running && self.node.states().ranks_that(|state| !state.is_ended()).is_empty();
            // What is left of the job is what was detached, and goes on with its launcher.
            let goes_on = ranks_had_ended && !self.detached().is_empty() && matches!(ending.then, Then::Exit(_));
            let kill = ending.kill && !goes_on;
            if let (Some(step), false) = (&mut self.step, kill) {
                step.let_go();
            }
            if kill && running {
                self.kill_attached(now);
            }
            self.servers.start_no_more();
            self.node.broadcast(&TreeDown::Shutdown { kill });
            self.job = Job::Ending(Ending { kill, ranks_had_ended, ..ending });
        }
        self.advance_ending(now);
    }

    /// Kills the ranks that a launcher has started and whose processes were attached to: servers detach those, and they
    /// would run on until the launcher has ended.
    fn kill_attached(&mut self, now: Instant) {
        if !matches!(self.plan, Some(LaunchPlan::Starter { .. })) {
            return;
        }
        let ranks = self.node.states().ranks_that(|state| !state.is_ended());
        if !ranks.is_empty() {
            let tid = self.front.ids.own();
            self.pass_down(now, tid, ranks, WaitPolicy::All, Operation::Terminate);
        }
    }

    fn detached(&self) -> ProcessSet {
        self.node.states().ranks_that(|state| *state == ProcessState::Detached)
    }

    /// Checks which processes are left, and does what is due.
    pub(super) fn advance_ending(&mut self, now: Instant) {
        let detached = self.detached();
        let Job::Ending(ending) = &mut self.job else { return };
        // A link is read to its end after its server is gone: it carries the ranks' last output.
        let unread = self.node.links() > 0 && now < ending.begun + 2 * PATIENCE;
        if unread && now < ending.begun + PATIENCE {
            // Servers are looked for once: there may be a thousand, each of which reports its end.
            return;
        }
        let alive = servers_alive(&self.setup.directory);
        // A server with a detached rank leaves the tree, and lives on for as long as that writes.
        let lives_on = |server| !ending.kill || self.ranks.are_of(&detached, server);
        let running = self.servers.running.iter().filter(|(server, _)| !lives_on(**server));
        let left: Vec<Pid> = running.map(|(_, pid)| *pid).chain(alive).collect();
        let servers_left = !left.is_empty();
        if servers_left && now >= ending.begun + PATIENCE && !ending.killing {
            tracing::error!("killing the servers that have not ended: {left:?}");
            ending.killing = true;
            left.into_iter().for_each(kill_now);
        }
        if servers_left || unread {
            return;
        }
        if let Some(launcher) = &self.launcher
            && launcher.ended.is_none()
            && ending.kill
        {
            match ending.launcher_asked {
                // Its own end gives the status, and it has nothing more to wait for.
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
        // The ranks' last reports go out before the end is reported.
        let up = self.node.flush();
        self.heard(now, up);
        // So does what they have written, if their launcher writes it.
        self.pass_words();
        let Job::Ending(ending) = std::mem::replace(&mut self.job, Job::None) else { return };
        if let (Some(launcher), true) = (self.launcher.take(), ending.kill) {
            // Processes that the launcher left behind in its group.
            launcher.signal(Signal::SIGKILL);
        }
        self.servers.job_over();
        self.node.reset();
        self.dialler.forget_places();
        self.ranks = JobRanks::default();
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
