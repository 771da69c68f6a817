//! The session that an interactive front end attends to, whether it draws a screen or says lines: replies and requests pass
//! through here, and its end is noticed here.

use super::leave::{Leave, is_starting, start_failure};
use crate::files::Files;
use crate::link::{Arrival, SessionLink};
use crate::reverse::{RequestNews, RequestWatcher};
use controller::Controller;
use controller::state::Phase;
use model::printable;
use std::time::{Duration, Instant};

/// Replies processed before the user sees something of them.
const BATCH: usize = 512;
/// How long to wait for the session to end.
const PATIENCE: Duration = Duration::from_secs(8);

pub(crate) struct AttendedSession {
    pub(crate) controller: Controller,
    pub(crate) link: SessionLink,
    pub(crate) watcher: RequestWatcher,
    pub(crate) files: Files,
    /// False once the link is closed.
    pub(crate) linked: bool,
    /// When the user asked for the end.
    asked_to_end: Option<Instant>,
    /// The reason why no session started.
    failure: Option<String>,
    /// True while the only job starts: if that fails, there is nothing to debug.
    starting: bool,
    /// The host of the batch job whose request was accepted.
    host: Option<String>,
}

impl AttendedSession {
    /// Attends to a session; `one_job`: a job starts, and without it there is nothing to do.
    pub(crate) fn new(controller: Controller, link: SessionLink, watcher: RequestWatcher, one_job: bool) -> Self {
        Self {
            controller,
            link,
            watcher,
            files: Files::default(),
            linked: true,
            asked_to_end: None,
            failure: None,
            starting: one_job,
            host: None,
        }
    }

    /// Processes what the link has brought, and the replies that have arrived after it; `None`: it has closed.
    pub(crate) fn take_in(&mut self, arrival: Option<Arrival>) {
        let mut next = Some(arrival.unwrap_or_else(|| Err("the session has ended".to_owned())));
        let mut taken = 0;
        while let Some(reply) = next.take() {
            match reply {
                Ok(reply) => self.controller.receive(reply),
                Err(why) => {
                    self.linked = false;
                    self.controller.disconnected(&why);
                }
            }
            taken += 1;
            if self.linked && taken < BATCH {
                next = self.link.ready();
            }
        }
    }

    /// Lets time pass. If this process was suspended, its replies are waiting, so none of them was too late.
    pub(crate) fn tick(&mut self) {
        if self.linked
            && let Some(waiting) = self.link.ready()
        {
            self.take_in(Some(waiting));
        }
        self.controller.tick();
    }

    /// Takes in news of a batch job's request; an accepted one is the session from now on.
    pub(crate) fn told(&mut self, news: RequestNews) {
        let host = news.host().map(printable);
        if let Some(link) = news.told(&mut self.controller, &self.link) {
            self.link = link;
            self.linked = true;
            self.host = host;
        }
    }

    /// Reads and writes the files that commands have asked for. That may end them: nothing else would wake the loop.
    pub(crate) fn serve(&mut self) {
        self.files.serve(&mut self.controller);
        self.watcher.attend(&mut self.controller);
    }

    /// Sends the controller's requests.
    pub(crate) fn send(&mut self) {
        for request in self.controller.take_requests() {
            self.link.send(request);
        }
    }

    /// True once the only job could not be started: the front end quits, and the terminal shows the reason.
    pub(crate) fn has_nothing(&mut self) -> bool {
        let has_nothing = self.starting && start_failure(self.controller.state()).is_some();
        self.starting = self.starting && !has_nothing && is_starting(self.controller.state());
        has_nothing
    }

    /// Notes that the user quits.
    pub(crate) fn quits(&mut self) {
        self.failure = self.failure.take().or_else(|| start_failure(self.controller.state()));
        self.asked_to_end.get_or_insert_with(Instant::now);
    }

    /// True once the session has ended that the user left, but not the front end: it goes on without one.
    pub(crate) fn goes_on_without(&mut self, is_leaving: bool) -> bool {
        let goes_on = is_leaving && self.controller.state().phase == Phase::Idle;
        if goes_on {
            self.asked_to_end = None;
            self.failure = None;
        }
        goes_on
    }

    /// Returns how the front end ends by itself, if it does.
    pub(crate) fn is_over(&self, is_leaving: bool) -> Option<Leave> {
        let left = Leave::by_itself(self.controller.state(), self.failure.as_deref(), is_leaving);
        let is_late = self.patience().is_some_and(|until| until <= Instant::now());
        left.or_else(|| is_late.then(|| Leave::unconfirmed(self.controller.state(), self.host.as_deref())))
    }

    /// The time until which the end of the session is awaited.
    pub(crate) fn patience(&self) -> Option<Instant> {
        self.asked_to_end.map(|since| since + PATIENCE)
    }

    /// Leaves the session running, if there is one.
    pub(crate) fn left_alone(&self) -> Leave {
        Leave::alone(self.controller.state(), self.host.as_deref())
    }

    /// Leaves because the user wants to.
    pub(crate) fn wanted(&self) -> Leave {
        Leave::wanted(self.controller.state(), self.host.as_deref())
    }
}
