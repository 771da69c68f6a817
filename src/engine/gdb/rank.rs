//! A rank: the thread that owns its gdb, and what it knows of the program.

use super::breakpoints::sites::Planted;
use super::breakpoints::tracepoints::Origin;
use super::hub::HubInput;
use super::libraries::Libraries;
use super::mi::{Kind, Record};
use super::modules::Modules;
use super::scheduling::Scheduling;
use super::session::fault::{GdbError, failure};
use super::session::link::{Link, News, Next};
use super::session::options::GdbOptions;
use super::startup::adopt::{GivenUp, Reply, Snapshot};
use super::startup::attaching::Guest;
use crate::process::output::OutputReader;
use crate::{Handed, Keeper};
use model::{
    Answer, BreakpointId, ErrorCode, Event, Failure, Frame, LaunchSpec, Operation, PrintLimits, Rank, Severity,
    SignalName, SignalTable, ThreadId, TransactionId,
};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

/// What the thread of a rank is told.
#[derive(Debug)]
pub(super) enum Input {
    /// By the hub.
    Order(Order),
    /// By gdb.
    Said(Record),
    /// gdb has closed its output.
    Silent,
}

/// What the hub wants.
#[derive(Debug)]
pub(super) enum Order {
    /// An operation.
    Query(TransactionId, Operation),
    /// Another engine wants the program.
    GiveAway(Reply),
    /// The end; `true`: of the program, too.
    Shutdown(bool),
}

/// A rank, and which of those that had its number one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RankOf {
    pub(super) rank: Rank,
    pub(super) generation: u64,
}

/// What the thread of a rank is given.
pub(super) struct Surrounding {
    pub(super) of: RankOf,
    pub(super) options: GdbOptions,
    pub(super) hub: Sender<HubInput>,
    pub(super) outputs: Arc<OutputReader>,
    pub(super) to_self: Sender<Input>,
}

impl Surrounding {
    pub(super) fn event(&self, tid: TransactionId, event: Event) {
        let _ = self.hub.send(HubInput::Event(self.of, tid, event));
    }

    /// The rank's last word, when all that it wrote is reported.
    pub(super) fn end(self, tid: TransactionId, event: Event) {
        let (of, hub) = (self.of, self.hub);
        self.outputs.finish(of.rank, move || {
            let _ = hub.send(HubInput::Event(of, tid, event));
            let _ = hub.send(HubInput::Ended(of));
        });
    }
}

/// What the program is doing, as far as gdb has said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// gdb is attaching to the process.
    Attaching,
    /// Executing.
    Running,
    /// Every thread is stopped.
    Stopped,
    /// Stopped by a change of its libraries until the front end has heard of it; to others it is running.
    Waiting,
}

/// How the first stop will be known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begin {
    /// No program with a `main` has been executed yet.
    Unknown,
    /// By gdb's breakpoint of this number.
    At(u64),
    /// It is the next one.
    Next,
    /// It has been, or is not wanted.
    Done,
}

/// How a rank came to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    Exited(i32),
    Killed(SignalName),
    Detached,
    /// Words for the user.
    Lost(String),
}

impl From<End> for Event {
    fn from(end: End) -> Self {
        match end {
            End::Exited(code) => Self::Exited(code),
            End::Killed(name) => Self::Killed(name),
            End::Detached => Self::Detached,
            End::Lost(why) => Self::Lost(why),
        }
    }
}

/// How the rank was set going.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    Go,
    Step,
    Finish,
    Until,
}

/// A rank under its gdb.
pub(super) struct Debuggee {
    pub(super) surrounding: Surrounding,
    pub(super) link: Link,
    pub(super) spec: LaunchSpec,
    pub(super) phase: Phase,
    /// It ran before it came to us, and outlives us.
    pub(super) guest: Option<Guest>,
    pub(super) begin: Begin,
    /// gdb's breakpoint in `main`, where it is looked whether the place of the first stop is anywhere.
    pub(super) looks_in_main: Option<u64>,
    pub(super) tid: TransactionId,
    pub(super) pid: Option<i32>,
    pub(super) python: bool,
    /// The thread that stopped.
    pub(super) current: ThreadId,
    /// Where it is.
    pub(super) frame: Option<Frame>,
    pub(super) breakpoints: Vec<Planted>,
    /// The breakpoint that was set last, for `$bpnum`.
    pub(super) newest_point: Option<BreakpointId>,
    /// How much of a value gdb shows.
    pub(super) limits: PrintLimits,
    pub(super) signals: SignalTable,
    /// How it was set going last, and the command, to be given again when a stop turns out to be none.
    pub(super) goal: (Goal, super::mi::Command),
    /// An interrupt was sent and has not been seen to stop the program.
    pub(super) interrupting: bool,
    /// Interrupts that came too late: their stops mean nothing.
    pub(super) late_interrupts: u32,
    pub(super) modules: Modules,
    pub(super) libraries: Libraries,
    pub(super) scheduling: Scheduling,
    /// Programs the process has executed.
    pub(super) executed: u32,
    /// Sentences of gdb before a stop.
    pub(super) words: String,
    /// To be told to the joiner.
    pub(super) ready: Option<tokio::sync::oneshot::Sender<Result<(), String>>>,
    /// To be reported after the answer that is being made.
    pub(super) after: Vec<Event>,
    /// How it ends after the answer that is being made.
    pub(super) ending: Option<End>,
    /// Signals that threads have been stopped for, here or under the engine before, and get when they go on.
    pub(super) undelivered: Vec<(ThreadId, SignalName)>,
    /// Where threads were when they were resumed from a stop that had been told.
    pub(super) told: Vec<Snapshot>,
    /// Where the step that is under way began, when something may stop it that is no stop.
    pub(super) origin: Option<Origin>,
    /// Such a stop is being returned from.
    pub(super) returning: bool,
    /// The program was seen to have ended, of which gdb had not said anything.
    pub(super) seen_ended: bool,
}

/// After so long without a word it is looked whether the program is still there.
const LOOK: Duration = Duration::from_secs(1);

impl Debuggee {
    /// With a gdb that has no program yet.
    pub(super) fn new(surrounding: Surrounding, link: Link, spec: LaunchSpec) -> Self {
        Self {
            surrounding,
            link,
            spec,
            phase: Phase::Running,
            guest: None,
            begin: Begin::Unknown,
            looks_in_main: None,
            tid: TransactionId(0),
            pid: None,
            python: false,
            current: ThreadId(1),
            frame: None,
            breakpoints: Vec::new(),
            newest_point: None,
            limits: PrintLimits::default(),
            signals: SignalTable::default(),
            goal: (Goal::Go, super::mi::Command::new("exec-continue")),
            interrupting: false,
            late_interrupts: 0,
            modules: Modules::default(),
            libraries: Libraries::default(),
            scheduling: Scheduling::default(),
            executed: 0,
            words: String::new(),
            ready: None,
            after: Vec::new(),
            ending: None,
            undelivered: Vec::new(),
            told: Vec::new(),
            origin: None,
            returning: false,
            seen_ended: false,
        }
    }

    /// Works until the program or its gdb ends.
    pub(super) fn run(mut self) {
        let end = loop {
            let heard = match self.link.next(LOOK) {
                Next::News(news) => self.hear(news),
                Next::Order(Order::Query(tid, operation)) => self.query(tid, &operation),
                Next::Order(Order::Shutdown(kill)) => break self.leave(kill),
                Next::Order(Order::GiveAway(reply)) => match self.give_away() {
                    Ok(handed) => return self.part(handed, reply),
                    Err(GivenUp::Stays(failure)) => {
                        let _ = reply.send(Err(failure));
                        Ok(())
                    }
                    Err(GivenUp::Gone(error)) => {
                        let _ = reply.send(Err(Failure::new(ErrorCode::NO_BACK_END, error.to_string())));
                        Err(self.lost(&error))
                    }
                },
                Next::Quiet => self.look(),
                Next::Gone(error) => Err(self.lost(&error)),
            };
            if let Err(end) = heard {
                break end;
            }
        };
        if let Some(ready) = self.ready.take() {
            let _ = ready.send(Err("its gdb could not attach to it".to_owned()));
        }
        let Self { surrounding, link, tid, .. } = self;
        drop(link);
        surrounding.end(tid, end.into());
    }

    /// Another engine has the program from now on.
    fn part(self, handed: Handed, reply: Reply) {
        let Self { surrounding, link, .. } = self;
        let _ = surrounding.hub.send(HubInput::Ended(surrounding.of));
        surrounding.outputs.withdraw(surrounding.of.rank, move |taps| {
            // Whoever asked waits for it.
            let _ = reply.send(Ok(Box::new(Handed { taps, keeper: Keeper::of(link), ..handed })));
        });
    }

    pub(super) fn report(&self, event: Event) {
        self.surrounding.event(self.tid, event);
    }

    pub(super) fn warn(&self, message: impl Into<String>) {
        self.report(Event::Message(Severity::Warning, message.into()));
    }

    /// gdb is gone: so must be the program, whose code may hold breakpoints that nobody answers any more; but it is not
    /// for us to kill what we did not start.
    pub(super) fn lost(&mut self, error: &GdbError) -> End {
        if self.guest.is_none() {
            self.kill_program();
        }
        End::Lost(error.to_string())
    }

    pub(super) fn kill_program(&self) {
        if let Some(pid) = self.pid {
            // Gone already is what is wanted.
            let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
        }
    }

    fn query(&mut self, tid: TransactionId, operation: &Operation) -> Result<(), End> {
        if operation.needs_stop() && self.phase != Phase::Stopped {
            let failure = Failure::new(ErrorCode::RUNNING, "The rank is running; interrupt it first.");
            self.answer(tid, Answer::Failed(failure));
            return Ok(());
        }
        if operation.is_run_control() {
            self.tid = tid;
        }
        let outcome = self.operate(operation);
        let (answer, gone) = match outcome {
            Ok(answer) => (answer, None),
            Err(GdbError::Refused(message)) => (Answer::Failed(failure(&message)), None),
            Err(GdbError::Gone(message)) => {
                let answer = Answer::Failed(Failure::new(ErrorCode::NO_BACK_END, message.clone()));
                (answer, Some(GdbError::Gone(message)))
            }
        };
        self.answer(tid, answer);
        for event in std::mem::take(&mut self.after) {
            self.report(event);
        }
        if let Some(error) = gone {
            return Err(self.lost(&error));
        }
        self.ending.take().map_or(Ok(()), Err)
    }

    fn answer(&self, tid: TransactionId, answer: Answer) {
        let _ = self.surrounding.hub.send(HubInput::Answer(self.surrounding.of, tid, answer));
    }

    fn operate(&mut self, operation: &Operation) -> Result<Answer, GdbError> {
        if operation.is_run_control() { self.control(operation) } else { self.inspect(operation) }
    }

    /// Something that gdb said unasked; the rank's end when that is what it says.
    fn hear(&mut self, news: News) -> Result<(), End> {
        match news {
            News::Words(_, text) => {
                self.see_signal(&text);
                self.words.push_str(&text);
                Ok(())
            }
            News::Async(Kind::Exec, class, results) if class == "stopped" => {
                let stopped = self.stopped(&results);
                self.words.clear();
                stopped
            }
            News::Async(Kind::Exec, class, _) if class == "running" => {
                self.words.clear();
                Ok(())
            }
            News::Async(Kind::Notify, class, results) => {
                match class.as_str() {
                    "thread-group-started" if self.pid.is_none() => {
                        self.started(results.number("pid").unwrap_or(0) as i32);
                    }
                    "thread-group-started" => self.followed(&results),
                    "breakpoint-modified" => self.breakpoint_modified(&results),
                    "library-loaded" => self.library_news(true, &results),
                    "library-unloaded" => self.library_news(false, &results),
                    _ => {}
                }
                Ok(())
            }
            News::Async(..) => Ok(()),
        }
    }

    /// gdb says in words that a signal came that does not stop.
    fn see_signal(&self, text: &str) {
        let names = text.split("received signal ").skip(1).filter_map(|rest| rest.split(',').next());
        for name in names.filter_map(SignalName::parse) {
            let row = self.signals.get(&name);
            if row.is_some_and(|row| row.disposition.print && !row.disposition.stop) {
                self.report(Event::SignalSeen(name));
            }
        }
    }
}
