//! Unfinished commands and their requests.

use super::script::Script;
use super::then::{Awaits, Then};
use crate::command::{Block, CommandId, Invocation, Statement};
use crate::core::target::Target;
use crate::core::tasks::data_files::{restoring::Restoring, saving::Saving};
use crate::core::tasks::sampling::Sampling;
use crate::report::{Content, Origin};
use crate::sets::parse_prefix;
use crate::state::Ask;
use model::{Answer, Operation, ProcessSet, TransactionId};
use std::sync::Arc;
use std::time::Instant;

/// An unfinished command.
#[derive(Debug)]
pub(in crate::core) struct Task {
    pub(in crate::core) origin: Origin,
    pub(in crate::core) parent: Option<CommandId>,
    begun: Instant,
    pub(in crate::core) answered: ProcessSet,
    pub(in crate::core) failed: bool,
    pub(in crate::core) doing: Doing,
    /// The lines up to its `end`, if it opens a block.
    pub(in crate::core) block: Option<Arc<Block>>,
    /// The ranks of its lines that name none; `None`: those of the command that runs it, or the focus.
    pub(in crate::core) focus: Option<Target>,
    pub(in crate::core) nature: Nature,
    /// The file that it reads and runs.
    pub(in crate::core) reads: Option<Arc<str>>,
    /// The ranks whose late replies to a finished command this handles; the result is shown as theirs.
    pub(in crate::core) late: Option<ProcessSet>,
}

/// The way in which a command runs its lines.
#[derive(Clone, Debug, Default)]
pub(in crate::core) enum Nature {
    /// Once, or it has no lines.
    #[default]
    Plain,
    /// As long as the condition of the invocation is true; holds the number of rounds begun, and the ranks that have not
    /// left it, once they have disagreed.
    Loop { invocation: Box<Invocation>, rounds: u64, left: bool, among: Option<ProcessSet> },
    /// Its ranks have disagreed: these run these lines afterwards.
    Divided { others: ProcessSet, lines: Vec<Statement> },
    /// It is a call of a command that the user defined, with these arguments.
    Call(Arc<[String]>),
    /// It runs between the commands of these hooks.
    Hooked([Option<String>; 2]),
    /// It runs the program from its start, once it has restarted it.
    Run,
    /// It stands for a stop or an end of ranks.
    Occasion(Occurrence),
}

/// The lines that run because ranks have stopped or ended.
#[derive(Clone, Debug)]
pub(in crate::core) struct Occurrence {
    /// True if the stop was not reported.
    pub(in crate::core) silent: bool,
    /// True if it is a stop: then the ranks are its own until they continue.
    pub(in crate::core) stopped: bool,
    /// True once its lines have continued its ranks.
    pub(in crate::core) resumed: bool,
}

#[derive(Debug)]
pub(in crate::core) enum Doing {
    Beginning,
    /// The ranks are evaluating the conditions of its sets.
    Conditions(Box<Invocation>, Vec<String>, Asked),
    /// The ranks have its requests.
    Asking(Then, Asked),
    /// It waits for ranks.
    Waiting(Wait),
    /// Ranks of a restarted job are to continue once they have their breakpoints, or at this time.
    Postponed(Box<Postponed>),
    /// It looks at running ranks again at this time.
    Sampling(Instant, Box<Sampling>),
    /// The master has its request.
    Session(TransactionId),
    /// A file is being read or written, or a log begun; then this is reported.
    Effect(Option<Box<Content>>),
    /// This file of printers is being read.
    Printers(String),
    /// Files of data are being written.
    Saving(Box<Saving>),
    /// A file of data is being read.
    Restoring(Box<Restoring>),
    /// The directory of requests is being read or written.
    Directory(Ask),
    /// The job of an accepted request is being started.
    Accepted(TransactionId),
    /// The ranks of that job have not come to their first stop yet.
    Arriving,
    /// It waits for requests for a debugger.
    Requests(Vigil),
    /// It runs lines one after another.
    Script(Script),
}

/// Ranks that are to continue once they have their breakpoints.
#[derive(Clone, Debug)]
pub(in crate::core) struct Postponed {
    pub(in crate::core) target: Target,
    pub(in crate::core) operation: Operation,
    pub(in crate::core) awaits: Awaits,
    pub(in crate::core) deadline: Instant,
}

/// A wait for ranks.
#[derive(Clone, Debug)]
pub(in crate::core) struct Wait {
    pub(in crate::core) ranks: ProcessSet,
    /// The ranks whose loss is no error.
    pub(in crate::core) expected: ProcessSet,
    /// True to wait until they have ended, not only stopped.
    pub(in crate::core) exited: bool,
    /// True to wait for one of them only.
    pub(in crate::core) any: bool,
    /// True to wait also until they have reported the places of breakpoints.
    pub(in crate::core) placed: bool,
    pub(in crate::core) deadline: Option<Instant>,
    /// The user's limit in seconds; `None` for a step with the limit of the setting.
    pub(in crate::core) limit: Option<f64>,
    pub(in crate::core) silence: Silence,
}

/// How long nothing has happened while a script waits for ranks that it has continued.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::core) enum Silence {
    /// Nobody is told: the wait has a limit, or the user looks on.
    #[default]
    Expected,
    /// The user is told at this time, unless something happens before.
    Until(Instant),
    /// It was no reason to tell the user; the next one may be.
    Over,
    /// The user has been told.
    Told,
}

/// A wait for requests for a debugger.
#[derive(Clone, Debug)]
pub(in crate::core) struct Vigil {
    pub(in crate::core) deadline: Option<Instant>,
    /// The user's limit in seconds.
    pub(in crate::core) limit: Option<f64>,
    /// The number of reads of the directory when it began: requests seen before do not count.
    pub(in crate::core) looks: u64,
}

/// The index of the request, the ranks that answered, and their answer.
pub(in crate::core) type Answers = Vec<(usize, ProcessSet, Answer)>;

/// The answers to a command's requests so far.
#[derive(Debug, Default)]
pub(in crate::core) struct Asked {
    pub(in crate::core) open: usize,
    pub(in crate::core) answers: Answers,
    pub(in crate::core) missing: ProcessSet,
    /// The ranks that have stopped in a function that an expression called.
    pub(in crate::core) in_calls: ProcessSet,
    /// The ranks that have stopped or ended since the requests were sent.
    pub(in crate::core) arrived: ProcessSet,
}

impl Asked {
    /// True if every rank that has stopped in a called function has reported the stop, or its end.
    pub(in crate::core) fn has_all_stops(&self) -> bool {
        self.in_calls.is_subset(&self.arrived)
    }
}

impl Task {
    /// Returns the time at which the command began.
    pub(in crate::core) fn begun(&self) -> Instant {
        self.begun
    }

    pub(in crate::core) fn new(origin: Origin, parent: Option<CommandId>, begun: Instant) -> Self {
        let answered = ProcessSet::new();
        Self {
            origin,
            parent,
            begun,
            answered,
            failed: false,
            doing: Doing::Beginning,
            block: None,
            focus: None,
            nature: Nature::Plain,
            reads: None,
            late: None,
        }
    }

    /// Builds the task that handles a late reply.
    pub(in crate::core) fn late(origin: Origin, ranks: ProcessSet, begun: Instant) -> Self {
        Self { late: Some(ranks), ..Self::new(origin, None, begun) }
    }

    /// Drops the lines that have not begun.
    pub(in crate::core) fn leave_lines(&mut self) {
        match &mut self.nature {
            Nature::Loop { left, .. } => *left = true,
            Nature::Divided { others, .. } => *others = ProcessSet::new(),
            Nature::Plain | Nature::Call(_) | Nature::Hooked(_) | Nature::Run | Nature::Occasion(_) => {}
        }
        if let Doing::Script(script) = &mut self.doing {
            script.leave();
        }
    }

    pub(in crate::core) fn deadline(&self) -> Option<Instant> {
        match &self.doing {
            Doing::Waiting(wait) => match wait.silence {
                Silence::Until(at) => Some(wait.deadline.map_or(at, |deadline| deadline.min(at))),
                Silence::Expected | Silence::Over | Silence::Told => wait.deadline,
            },
            Doing::Postponed(postponed) => Some(postponed.deadline),
            Doing::Sampling(next, _) => Some(*next),
            Doing::Requests(vigil) => vigil.deadline,
            _ => None,
        }
    }

    /// Returns the set at the start of the line, as written there.
    pub(in crate::core) fn set_in_line(&self) -> Option<&str> {
        let line = self.origin.line.trim_start();
        let (_, length) = parse_prefix(line).ok()?;
        line.get(..length)?.trim().strip_prefix('[')?.strip_suffix(']')
    }

    /// Returns the position of the thread in the set at the start of the line.
    pub(in crate::core) fn thread_in_line(&self) -> Option<usize> {
        let line = &self.origin.line;
        let blank = line.len() - line.trim_start().len();
        let (scope, length) = parse_prefix(line.get(blank..)?).ok()?;
        scope.threads?;
        let set = line.get(..blank + length)?;
        Some(set.get(..set.rfind('.')?)?.chars().count() + 1)
    }

    /// Returns the position of a text of the command in its line, with an offset into it.
    pub(in crate::core) fn position_in_line(&self, text: &str, place: Option<u32>) -> Option<usize> {
        let line = &self.origin.line;
        let at = line.rfind(text).filter(|_| !text.is_empty())?;
        let before = line.get(..at)?.chars().count();
        Some(before + place? as usize)
    }
}
