//! The controller itself.

use crate::controller::report::{Content, Origin, Report};
use crate::controller::settings::{Settings, Start};
use crate::controller::state::{Gaze, Phase, State};
use crate::model::{ProcessSet, Severity, TransactionId};
use crate::protocol::{Reply, Request, SessionCommand};
use std::time::{Duration, Instant};

mod events;

/// A command line given to [`Controller::execute`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommandId(pub u32);

/// Commands and replies in; requests, reports and [`State`] out. Owned by one task, which does the I/O.
#[derive(Debug)]
pub struct Controller {
    state: State,
    requests: Vec<Request>,
    reports: Vec<Report>,
    next_tid: u32,
    next_command: u32,
}

impl Controller {
    /// A controller that asks for what the settings say first.
    pub fn new(settings: Settings) -> Self {
        let mut controller = Self {
            state: State { program: settings.program, ..State::default() },
            requests: Vec::new(),
            reports: Vec::new(),
            next_tid: 1,
            next_command: 1,
        };
        let command = match settings.start {
            Start::Nothing => return controller,
            Start::Launch(plan) => SessionCommand::Launch(plan),
            Start::Replay => SessionCommand::Replay,
        };
        controller.state.phase = Phase::Connecting;
        let tid = controller.new_tid();
        controller.requests.push(Request::Session { tid, command });
        controller
    }

    /// What is known.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Begins a command line. Its outcome, a line that makes no sense included, comes as reports that bear the id, the
    /// last of them [`Content::Done`].
    pub fn execute(&mut self, line: &str, now: Instant) -> CommandId {
        let _ = now;
        let id = CommandId(self.next_command);
        self.next_command += 1;
        let origin = Origin { id, line: line.trim().into() };
        let message = "the command language is not connected".to_owned();
        let error = Content::Error { ranks: ProcessSet::new(), message, position: None };
        self.reports.push(Report { origin: Some(origin.clone()), content: error });
        let done = Content::Done { elapsed: Duration::ZERO, answered: ProcessSet::new(), failed: true };
        self.reports.push(Report { origin: Some(origin), content: done });
        id
    }

    /// Takes in what the master says.
    pub fn receive(&mut self, reply: Reply, now: Instant) {
        let _ = now;
        match reply {
            Reply::Answer { .. } | Reply::Missing { .. } => {}
            Reply::Event { ranks, event, .. } => self.rank_event(&ranks, event),
            Reply::Session { event, .. } => self.session_event(event),
        }
        self.touch();
    }

    /// The link to the master is gone.
    pub fn disconnected(&mut self, why: &str) {
        if self.state.phase != Phase::Ended {
            self.state.phase = Phase::Failed(why.to_owned());
            self.tell(Severity::Error, ProcessSet::new(), why);
        }
        self.touch();
    }

    /// What is to be sent.
    pub fn take_requests(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.requests)
    }

    /// What the user is to be told.
    pub fn take_reports(&mut self) -> Vec<Report> {
        std::mem::take(&mut self.reports)
    }

    /// Lets time pass: to be called at [`Self::next_deadline`].
    pub fn tick(&mut self, now: Instant) {
        let _ = now;
    }

    /// When something is given up on.
    pub fn next_deadline(&self) -> Option<Instant> {
        None
    }

    /// Says what the screen shows. What it shows is kept fresh.
    pub fn look(&mut self, gaze: Gaze) {
        if gaze != self.state.gaze {
            self.state.lead = gaze.lead;
            self.state.thread = gaze.thread;
            self.state.frame = gaze.frame;
            self.state.gaze = gaze;
            self.touch();
        }
    }

    fn new_tid(&mut self) -> TransactionId {
        let tid = TransactionId(self.next_tid);
        self.next_tid = self.next_tid.wrapping_add(1).max(1);
        tid
    }

    fn touch(&mut self) {
        self.state.revision += 1;
    }

    fn report(&mut self, content: Content) {
        self.reports.push(Report { origin: None, content });
    }

    fn tell(&mut self, severity: Severity, ranks: ProcessSet, text: &str) {
        self.state.messages.push(severity, ranks.clone(), text);
        self.report(Content::Message(severity, ranks, text.to_owned()));
    }
}
