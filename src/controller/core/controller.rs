//! What its owner sees of the controller.

use super::Effect;
use super::commands::{reverse, running, scripts, waits};
use super::go_on::{self, go_on};
use super::interpreter::Interpreter;
use super::kept::Kept;
use super::rank_events::rank_event;
use super::tasks::query::Owner;
use super::tasks::task::Task;
use super::views::view_refresh::Question;
use crate::command::CommandId;
use crate::report::Report;
use crate::settings::{Settings, Start};
use crate::state::{Gaze, Phase, State};
use model::{ProcessSet, Severity};
use protocol::{Reply, Request, SessionCommand};
use std::time::Instant;

/// Commands and replies in; requests, reports and [`State`] out. Owned by one task, which does the I/O.
#[derive(Debug)]
pub struct Controller {
    pub(in crate::core) core: Interpreter,
    /// There was nothing to debug at first: after a session, it is so again.
    pub(in crate::core) began_idle: bool,
    /// The session is being ended because its job could not be started.
    pub(in crate::core) abandoned: bool,
    /// The master has this for the next front end.
    pub(in crate::core) kept: Kept,
    /// The state of a session that is there already has not come yet.
    pub(in crate::core) resuming: bool,
}

impl Controller {
    /// A controller that asks for what the settings say first.
    pub fn new(settings: Settings) -> Self {
        let mut core = Interpreter::new(settings.program, settings.batch, settings.saved, settings.clock);
        for (name, value) in &settings.variables {
            if let Err(error) = core.state.variables.set(name, value) {
                core.tell(Severity::Warning, ProcessSet::new(), &format!("in the configuration file: {error}"));
            }
        }
        let (began_idle, resuming) = (settings.start == Start::Nothing, settings.start == Start::Replay);
        let command = match settings.start {
            Start::Nothing => None,
            Start::Launch(mut plan) => {
                plan.spec_mut().settings = core.state.variables.run_settings();
                Some(SessionCommand::Launch(plan))
            }
            Start::Replay => Some(SessionCommand::Replay),
        };
        if let Some(command) = command {
            core.state.phase = Phase::Connecting;
            core.outbox.session(command);
        }
        Self { core, began_idle, abandoned: false, kept: Kept::default(), resuming }
    }

    /// What is known.
    pub fn state(&self) -> &State {
        &self.core.state
    }

    /// Begins a command line. Its outcome, a line that makes no sense included, comes as reports that bear the id, the
    /// last of them `Done`.
    pub fn execute(&mut self, line: &str) -> CommandId {
        let id = go_on::begin(&mut self.core, line, None);
        self.settle();
        id
    }

    /// Takes in what the master says.
    pub fn receive(&mut self, reply: Reply) {
        self.core.outbox.take_output(reply.output_weight());
        match reply {
            Reply::Answer { tid, ranks, missing, answer, .. } => {
                self.core.answered(tid, &ranks, &missing, Some(answer));
            }
            Reply::Missing { tid, ranks } => self.core.answered(tid, &ProcessSet::new(), &ranks, None),
            Reply::Event { ranks, event, .. } => rank_event(&mut self.core, &ranks, event),
            Reply::Session { tid, event } => self.session_event(tid, event),
        }
        self.settle();
    }

    /// Gives what an [`Effect`] asked for: the text of a file, nothing for a log that is written now, or a sentence
    /// why not.
    pub fn provide(&mut self, command: CommandId, outcome: Result<String, String>) {
        scripts::provided(&mut self.core, command, outcome);
        self.settle();
    }

    /// The link to the master is gone.
    pub fn disconnected(&mut self, why: &str) {
        if self.core.state.phase == Phase::Idle {
            // Of a session that is over: what is being done now needs no link.
            return;
        }
        if !matches!(self.core.state.phase, Phase::Ended | Phase::Failed(_)) {
            self.core.state.phase = Phase::Failed(why.to_owned());
            self.core.tell(Severity::Error, ProcessSet::new(), why);
        }
        self.fail_all(why);
        self.settle();
    }

    /// Asks the master to end the session and its ranks, whatever commands are still open. Nothing is reported.
    pub fn end_session(&mut self) {
        match self.core.state.phase {
            Phase::Idle | Phase::Ended => self.core.state.phase = Phase::Ended,
            _ => drop(self.core.outbox.session(SessionCommand::Quit { kill: true })),
        }
    }

    /// What is to be sent.
    pub fn take_requests(&mut self) -> Vec<Request> {
        self.core.outbox.take_requests()
    }

    /// What the user is to be told.
    pub fn take_reports(&mut self) -> Vec<Report> {
        self.core.outbox.take_reports()
    }

    /// What is to be done for the controller.
    pub fn take_effects(&mut self) -> Vec<Effect> {
        self.core.outbox.take_effects()
    }

    /// Lets time pass: to be called at [`Self::next_deadline`].
    pub fn tick(&mut self) {
        if self.next_deadline().is_some_and(|deadline| deadline <= self.core.clock.now()) {
            self.core.give_up_queries();
            self.settle();
        }
    }

    /// When something is given up on, or asked again.
    pub fn next_deadline(&self) -> Option<Instant> {
        let queries = self.core.queries.values().map(|query| query.deadline);
        let waits = self.core.tasks.values().filter_map(Task::deadline);
        let glances = self.core.views.unanswered.next_retry().into_iter().chain(self.core.views.wake);
        queries.chain(waits).chain(glances).min()
    }

    /// Says what the screen shows. What it shows is kept fresh.
    pub fn look(&mut self, gaze: Gaze) {
        if gaze == self.core.state.gaze {
            return;
        }
        self.core.may_have_changed |= gaze.lead != self.core.state.lead;
        if gaze.lead == self.core.state.lead && gaze.thread != self.core.state.thread {
            // Another stack: nothing has been chosen in it.
            self.core.views.look_anew(&ProcessSet::one(gaze.lead));
        }
        self.core.state.lead = gaze.lead;
        self.core.state.thread = gaze.thread;
        if let Some(level) = gaze.frame {
            let step = self.core.views.choose_on_screen(&mut self.core.state, level);
            self.core.carry_out(step);
        }
        self.core.state.gaze = Gaze { frame: None, ..gaze };
        self.settle();
    }

    /// After anything happened: what waits may be over, scripts go on, the screen's questions are asked.
    pub(in crate::core) fn settle(&mut self) {
        loop {
            go_on(&mut self.core);
            running::resume_postponed(&mut self.core);
            waits::check_waits(&mut self.core);
            reverse::check_vigils(&mut self.core);
            self.check_arrivals();
            if self.core.due.is_empty() {
                break;
            }
        }
        self.refresh();
        self.keep();
        self.core.state.busy = self.core.tasks.len();
        self.core.state.revision += 1;
    }

    /// Asks what the screen shows and is not known.
    fn refresh(&mut self) {
        let step = self.core.views.look_at_frames_with_source(&mut self.core.state);
        self.core.carry_out(step);
        let now = self.core.clock.now();
        for Question { glance, ranks, operation } in self.core.views.refresh(&mut self.core.state, now) {
            self.core.send(Owner::Look(glance), ranks, operation);
        }
    }
}
