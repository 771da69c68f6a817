//! What is known of a rank under its gdb.

use super::breakpoints::planted::{Planted, WatchPlace};
use super::known_libraries::Libraries;
use super::messages::Surrounding;
use super::mi::Command;
use super::modules::Modules;
use super::session::link::Link;
use crate::Adoption;
use model::{
    BreakpointId, Event, Follow, Frame, LaunchSpec, Locking, PrintLimits, SignalName, SignalTable, StepKind, ThreadId,
    TransactionId,
};
use serde::{Deserialize, Serialize};

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

/// How a process was found that ran already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Guest {
    pub(super) adoption: Adoption,
    /// A signal had stopped it.
    pub(super) was_stopped: bool,
}

impl Guest {
    /// In the middle of its work.
    pub(super) const AT_WORK: Self = Self { adoption: Adoption::Running, was_stopped: false };
}

/// What gdb has been told; `None`: it may be anything.
#[derive(Debug, Default)]
pub(super) struct Scheduling {
    pub(super) locking: Option<Locking>,
    pub(super) follow: Option<Follow>,
}

/// Where a step began: a stop on its way that is none must not be its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    pub(super) place: WatchPlace,
    pub(super) line: Option<u32>,
    pub(super) kind: Option<StepKind>,
}

/// Where a thread was when it was resumed: its general registers, in hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Snapshot {
    /// As the kernel numbers it.
    pub(super) thread: i32,
    pub(super) registers: String,
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
    pub(super) goal: (Goal, Command),
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
            goal: (Goal::Go, Command::new("exec-continue")),
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
}
