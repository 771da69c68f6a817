//! The controller's interface.

use super::commands::rules::printers;
use super::commands::saving::restoring;
use super::commands::scripting::{blocks, command_files, occasions, shell};
use super::commands::stacks::sampling;
use super::commands::{report, reverse, running, waits};
use super::go_on::{self, go_on};
use super::interpreter::Interpreter;
use super::kept::Kept;
use super::rank_events::rank_event;
use super::tasks::query::Owner;
use super::tasks::stalls;
use super::tasks::task::Task;
use super::views::view_refresh::Question;
use super::{DataRead, Effect};
use crate::command::{BlockError, CommandId, Statement, parse_script};
use crate::report::{Origin, Report};
use crate::settings::{Settings, Start};
use crate::state::{Gaze, Phase, ProgramStart, State};
use crate::triage::ReportOrder;
use model::{ProcessSet, Severity};
use protocol::{Reply, Request, SessionCommand};
use std::time::Instant;

/// Commands and replies in; requests, reports and [`State`] out. Owned by one task, which does the I/O.
#[derive(Debug)]
pub struct Controller {
    pub(in crate::core) core: Interpreter,
    /// True if there was nothing to debug at first: after a session, the controller is idle again.
    pub(in crate::core) began_idle: bool,
    /// True while the session is being ended because its job could not be started.
    pub(in crate::core) abandoned: bool,
    /// The data that the master stores for the next front end.
    pub(in crate::core) kept: Kept,
    /// True until the state of an existing session has arrived.
    pub(in crate::core) resuming: bool,
}

impl Controller {
    /// Builds a controller that first makes the request of the settings.
    pub fn new(settings: Settings) -> Self {
        let mut core = Interpreter::new(settings.program, settings.batch, settings.saved, settings.clock);
        core.directory = settings.directory;
        for (name, value) in &settings.variables {
            if let Err(error) = core.state.variables.set(name, value) {
                core.tell(Severity::Warning, ProcessSet::new(), &format!("in the configuration file: {error}"));
            }
        }
        printers::found(&mut core, settings.printers);
        let (began_idle, resuming) = (settings.start == Start::Nothing, settings.start == Start::Replay);
        let command = match settings.start {
            Start::Nothing => None,
            Start::Launch(mut plan) => {
                plan.spec_mut().settings = core.state.variables.run_settings();
                core.state.is_attached = !plan.starts();
                core.state.is_of_core_files = plan.is_of_core_files();
                core.state.start = ProgramStart::of_plan(&mut plan);
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

    /// Returns the state to draw.
    pub fn state(&self) -> &State {
        &self.core.state
    }

    /// Executes a command line, or the lines of a block. Its results, and errors in the line itself, come as reports with
    /// the id; the last of them is `Done`.
    pub fn execute(&mut self, text: &str) -> CommandId {
        if !text.contains('\n') {
            return self.run(Ok(Statement::typed(text)));
        }
        match parse_script(text, None) {
            Ok(statements) => match statements.as_slice() {
                [one] => self.run(Ok(one.clone())),
                _ => {
                    let id = blocks::run_all(&mut self.core, text.lines().next().unwrap_or(""), statements);
                    self.settle();
                    id
                }
            },
            Err(error) => self.run(Err(error)),
        }
    }

    /// Executes a statement of a script, or reports why it cannot be read; as [`Self::execute`].
    pub fn run(&mut self, read: Result<Statement, BlockError>) -> CommandId {
        let id = match read {
            Ok(statement) => go_on::begin(&mut self.core, &statement, None),
            Err(error) => blocks::refuse(&mut self.core, error),
        };
        self.settle();
        id
    }

    /// Writes a report about the job as it is; its end comes as the `Done` of the id.
    pub fn write_report(&mut self, order: ReportOrder) -> CommandId {
        let id = self.core.numbers.take_command();
        let origin = Origin::typed(id, "report");
        self.core.tasks.insert(id, Task::new(origin, None, self.core.clock.now()));
        report::report(&mut self.core, id, order);
        self.settle();
        id
    }

    /// Handles a message of the master.
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

    /// Returns the result of an [`Effect`] to the controller: the text of a file, an empty text for a file or log now
    /// written, or a sentence why it failed.
    pub fn provide(&mut self, command: CommandId, outcome: Result<String, String>) {
        command_files::provided(&mut self.core, command, outcome);
        self.settle();
    }

    /// Returns the bytes of a file of data to the controller, or a sentence why they cannot be read.
    pub fn provide_data(&mut self, command: CommandId, outcome: Result<DataRead, String>) {
        restoring::read(&mut self.core, command, outcome);
        self.settle();
    }

    /// Returns the result of an [`Effect`] to the controller: what it says, and why it failed, if it did.
    pub fn answer(&mut self, command: CommandId, text: &str, failure: Option<String>) {
        shell::answered(&mut self.core, command, text, failure);
        self.settle();
    }

    /// Handles the loss of the link to the master.
    pub fn disconnected(&mut self, why: &str) {
        if self.core.state.phase == Phase::Idle {
            // The link of a session that is over: the present commands need none.
            return;
        }
        if !matches!(self.core.state.phase, Phase::Ended | Phase::Failed(_)) {
            self.core.state.phase = Phase::Failed(why.to_owned());
            self.core.tell(Severity::Error, ProcessSet::new(), why);
        }
        self.fail_all(why);
        self.settle();
    }

    /// Asks the master to end the session and its ranks, whatever commands are unfinished. Nothing is reported.
    pub fn end_session(&mut self) {
        match self.core.state.phase {
            Phase::Idle | Phase::Ended => self.core.state.phase = Phase::Ended,
            _ => drop(self.core.outbox.session(SessionCommand::Quit { kill: true })),
        }
    }

    /// Returns the requests to send.
    pub fn take_requests(&mut self) -> Vec<Request> {
        self.core.outbox.take_requests()
    }

    /// Returns the reports for the user.
    pub fn take_reports(&mut self) -> Vec<Report> {
        self.core.outbox.take_reports()
    }

    /// Returns the effects to carry out.
    pub fn take_effects(&mut self) -> Vec<Effect> {
        self.core.outbox.take_effects()
    }

    /// Handles timeouts; to be called at [`Self::next_deadline`].
    pub fn tick(&mut self) {
        if self.next_deadline().is_some_and(|deadline| deadline <= self.core.clock.now()) {
            self.core.give_up_queries();
            go_on::begin_rounds(&mut self.core);
            self.settle();
        }
    }

    /// Returns the time of the next timeout or retry.
    pub fn next_deadline(&self) -> Option<Instant> {
        let queries = self.core.queries.values().map(|query| query.deadline);
        let waits = self.core.tasks.values().filter_map(Task::deadline);
        let glances = self.core.views.unanswered.next_retry().into_iter().chain(self.core.views.wake);
        let rounds = (!self.core.rounds.is_empty()).then(|| self.core.clock.now());
        let scripts = rounds.into_iter().chain(self.core.occasions.deadline());
        queries.chain(waits).chain(glances).chain(scripts).min()
    }

    /// Returns the running ranks for which commands wait.
    pub fn awaited_ranks(&self) -> ProcessSet {
        stalls::awaited(&self.core)
    }

    /// Sets the selection on the screen, which the controller then keeps fresh.
    pub fn look(&mut self, gaze: Gaze) {
        if gaze == self.core.state.gaze {
            return;
        }
        self.core.may_have_changed |= gaze.lead != self.core.state.lead;
        if gaze.lead == self.core.state.lead && gaze.thread != self.core.state.thread {
            // In another stack no frame has been selected yet.
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

    /// Follows up on any change: ends waits, continues scripts, and makes the screen's requests.
    pub(in crate::core) fn settle(&mut self) {
        loop {
            go_on(&mut self.core);
            running::resume_postponed(&mut self.core);
            waits::check_waits(&mut self.core);
            sampling::look_again(&mut self.core);
            reverse::check_vigils(&mut self.core);
            self.check_arrivals();
            occasions::begin_due(&mut self.core);
            if self.core.due.is_empty() {
                break;
            }
        }
        if command_files::restores_now(&mut self.core) {
            self.execute("source");
        }
        self.refresh();
        self.keep();
        self.core.state.busy = self.core.tasks.len();
        self.core.state.revision += 1;
    }

    /// Requests the data that the screen shows and lacks.
    fn refresh(&mut self) {
        let step = self.core.views.look_at_frames_with_source(&mut self.core.state);
        self.core.carry_out(step);
        let now = self.core.clock.now();
        for Question { glance, ranks, operation } in self.core.views.refresh(&mut self.core.state, now) {
            self.core.send(Owner::Look(glance), ranks, operation);
        }
    }
}
