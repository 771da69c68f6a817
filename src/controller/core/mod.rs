//! The controller itself.

mod commands;
mod events;
mod memory;
mod tasks;
mod views;

use crate::Clock;
use crate::command::{Parting, parse_line};
use crate::report::{Content, Origin, Report};
use crate::saved::SavedSetup;
use crate::settings::{Settings, Start};
use crate::state::Ask;
use crate::state::{Gaze, Phase, State};
use commands::examine::Seen;
use commands::inspect::Listed;
use memory::Memory;
use model::aif::FormatOptions;
use model::{BreakpointId, ProcessSet, Severity, TransactionId};
use protocol::{Reply, Request, SessionCommand};
use rustc_hash::FxHashMap;
use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};
use tasks::late_answers::Latecomers;
use tasks::task::{Query, Task};
use views::view_refresh::Glances;

/// A command line given to [`Controller::execute`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommandId(pub u32);

/// What the controller cannot do itself, because it does no I/O.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Read a file of commands and give its text to [`Controller::provide`].
    Read(CommandId, String),
    /// Write a text to a file, for which directories are made; the outcome goes to [`Controller::provide`].
    Write(CommandId, String, String),
    /// Write what is shown to this file from now on, or no longer; the outcome goes to [`Controller::provide`].
    Log(CommandId, Option<String>),
}

/// Commands and replies in; requests, reports and [`State`] out. Owned by one task, which does the I/O.
#[derive(Debug)]
pub struct Controller {
    state: State,
    batch: bool,
    requests: Vec<Request>,
    reports: Vec<Report>,
    effects: Vec<Effect>,
    asks: Vec<(CommandId, Ask)>,
    /// What becomes of the session when the request that is being accepted takes its place.
    parting: Parting,
    /// The file of commands that is kept for the program.
    saved: Option<SavedSetup>,
    /// Looks into the directory of requests so far.
    looks: u64,
    /// There was nothing to debug at first: after a session, it is so again.
    began_idle: bool,
    /// The session is being ended because its job could not be started.
    abandoned: bool,
    next_tid: u32,
    next_command: u32,
    next_breakpoint: u32,
    queries: FxHashMap<TransactionId, Query>,
    latecomers: Latecomers,
    tasks: BTreeMap<CommandId, Task>,
    /// Ranks told to run whose `Running` has not been heard of: they are not stopped, whatever their state says.
    in_flight: ProcessSet,
    /// Ranks of a job that started again which have not said where breakpoints are now: the master asks them.
    unplaced: BTreeMap<BreakpointId, ProcessSet>,
    /// What `list` showed last.
    listed: Option<Listed>,
    /// What `x` showed last.
    seen: Option<Seen>,
    /// The frame that the line which is being begun is for, in place of the one that each rank looks at.
    frame_of_line: Option<u32>,
    glances: Glances,
    /// Output that came and of which the master has not been told yet, by its weight.
    output_taken: u64,
    /// What the master keeps for the next front end.
    kept: Memory,
    /// A command is done since that was looked at.
    may_have_changed: bool,
    /// The state of a session that is there already has not come yet.
    resuming: bool,
    clock: Clock,
}

/// The master is told after output of so much weight; it lets several times that be under way.
const OUTPUT_SHARE: u64 = 8 << 10;

impl Controller {
    /// A controller that asks for what the settings say first.
    pub fn new(settings: Settings) -> Self {
        let mut controller = Self {
            state: State { program: settings.program, ..State::default() },
            batch: settings.batch,
            requests: Vec::new(),
            reports: Vec::new(),
            effects: Vec::new(),
            asks: Vec::new(),
            parting: Parting::Stay,
            saved: settings.saved,
            looks: 0,
            began_idle: settings.start == Start::Nothing,
            abandoned: false,
            next_tid: 1,
            next_command: 1,
            next_breakpoint: 1,
            queries: FxHashMap::default(),
            latecomers: Latecomers::default(),
            tasks: BTreeMap::new(),
            in_flight: ProcessSet::new(),
            unplaced: BTreeMap::new(),
            listed: None,
            seen: None,
            frame_of_line: None,
            glances: Glances::default(),
            output_taken: 0,
            kept: Memory::default(),
            may_have_changed: false,
            resuming: matches!(settings.start, Start::Replay),
            clock: settings.clock,
        };
        for (name, value) in &settings.variables {
            if let Err(error) = controller.state.variables.set(name, value) {
                controller.tell(Severity::Warning, ProcessSet::new(), &format!("in the configuration: {error}"));
            }
        }
        let command = match settings.start {
            Start::Nothing => return controller,
            Start::Launch(mut plan) => {
                plan.spec_mut().settings = controller.state.variables.run_settings();
                SessionCommand::Launch(plan)
            }
            Start::Replay => SessionCommand::Replay,
        };
        controller.state.phase = Phase::Connecting;
        controller.send_session(command);
        controller
    }

    /// What is known.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Begins a command line. Its outcome, a line that makes no sense included, comes as reports that bear the id, the
    /// last of them [`Content::Done`].
    pub fn execute(&mut self, line: &str) -> CommandId {
        let id = self.begin(line, None);
        self.settle();
        id
    }

    fn begin(&mut self, line: &str, parent: Option<CommandId>) -> CommandId {
        let id = CommandId(self.next_command);
        self.next_command += 1;
        let origin = Origin { id, line: line.trim_end().into(), parent };
        self.tasks.insert(id, Task::new(origin, parent, self.clock.now()));
        match parse_line(line.trim_end(), &self.state.aliases) {
            Ok(invocation) => self.prepare(id, invocation),
            Err(error) => {
                self.error(id, ProcessSet::new(), error.message, Some(error.position));
                self.done(id);
            }
        }
        id
    }

    /// Takes in what the master says.
    pub fn receive(&mut self, reply: Reply) {
        self.take_output(reply.output_weight());
        match reply {
            Reply::Answer { tid, ranks, missing, answer, .. } => self.answered(tid, &ranks, &missing, Some(answer)),
            Reply::Missing { tid, ranks } => self.answered(tid, &ProcessSet::new(), &ranks, None),
            Reply::Event { ranks, event, .. } => self.rank_event(&ranks, event),
            Reply::Session { tid, event } => self.session_event(tid, event),
        }
        self.settle();
    }

    /// Gives what an [`Effect`] asked for: the text of a file, nothing for a log that is written now, or a sentence
    /// why not.
    pub fn provide(&mut self, command: CommandId, outcome: Result<String, String>) {
        self.provided(command, outcome);
        self.settle();
    }

    /// The link to the master is gone.
    pub fn disconnected(&mut self, why: &str) {
        if self.state.phase == Phase::Idle {
            // Of a session that is over: what is being done now needs no link.
            return;
        }
        if !matches!(self.state.phase, Phase::Ended | Phase::Failed(_)) {
            self.state.phase = Phase::Failed(why.to_owned());
            self.tell(Severity::Error, ProcessSet::new(), why);
        }
        self.fail_all(why);
        self.settle();
    }

    /// What is to be sent.
    pub fn take_requests(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.requests)
    }

    /// What the user is to be told.
    pub fn take_reports(&mut self) -> Vec<Report> {
        std::mem::take(&mut self.reports)
    }

    /// What is to be done for the controller.
    pub fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// Lets time pass: to be called at [`Self::next_deadline`].
    pub fn tick(&mut self) {
        if self.next_deadline().is_some_and(|deadline| deadline <= self.clock.now()) {
            self.give_up_queries();
            self.settle();
        }
    }

    /// When something is given up on, or asked again.
    pub fn next_deadline(&self) -> Option<Instant> {
        let queries = self.queries.values().map(|query| query.deadline);
        let waits = self.tasks.values().filter_map(Task::deadline);
        let glances = self.glances.unanswered.next_retry().into_iter().chain(self.glances.wake);
        queries.chain(waits).chain(glances).min()
    }

    /// Says what the screen shows. What it shows is kept fresh.
    pub fn look(&mut self, gaze: Gaze) {
        if gaze == self.state.gaze {
            return;
        }
        self.may_have_changed |= gaze.lead != self.state.lead;
        if gaze.lead == self.state.lead && gaze.thread != self.state.thread {
            // Another stack: nothing has been chosen in it.
            self.glances.look_anew(&ProcessSet::one(gaze.lead));
        }
        self.state.lead = gaze.lead;
        self.state.thread = gaze.thread;
        if let Some(level) = gaze.frame {
            self.choose_on_screen(level);
        }
        self.state.gaze = Gaze { frame: None, ..gaze };
        self.settle();
    }

    /// After anything happened: what waits may be over, scripts go on, the screen's questions are asked.
    fn settle(&mut self) {
        self.resume_postponed();
        self.check_waits();
        self.check_vigils();
        self.check_arrivals();
        self.refresh();
        self.keep();
        self.state.busy = self.tasks.len();
        self.state.revision += 1;
    }

    /// Output is sent on the word that what was sent before has been taken.
    fn take_output(&mut self, weight: u64) {
        self.output_taken += weight;
        if self.output_taken >= OUTPUT_SHARE {
            let command = SessionCommand::OutputTaken(std::mem::take(&mut self.output_taken));
            self.requests.push(Request::Session { tid: TransactionId(0), command });
        }
    }

    fn new_tid(&mut self) -> TransactionId {
        let tid = TransactionId(self.next_tid);
        self.next_tid = self.next_tid.wrapping_add(1).max(1);
        tid
    }

    fn send_session(&mut self, command: SessionCommand) -> TransactionId {
        let tid = self.new_tid();
        self.requests.push(Request::Session { tid, command });
        tid
    }

    fn push_report(&mut self, origin: Option<Origin>, content: Content) {
        let limits = self.print_limits();
        self.reports.push(Report { origin, content, limits });
    }

    fn report(&mut self, content: Content) {
        self.push_report(None, content);
    }

    fn tell(&mut self, severity: Severity, ranks: ProcessSet, text: &str) {
        self.state.messages.push(severity, ranks.clone(), text);
        self.report(Content::Message(severity, ranks, text.to_owned()));
    }

    /// A setting in seconds.
    fn seconds(&self, name: &str) -> Duration {
        Duration::from_secs_f64(self.state.variables.get(name).max(0.0))
    }

    fn print_limits(&self) -> FormatOptions {
        FormatOptions::within(self.state.variables.print_limits())
    }
}

#[cfg(test)]
mod tests;
