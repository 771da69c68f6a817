//! Commands that have begun, and the questions they have asked.

use super::script::Script;
use super::then::Then;
use crate::command::{CommandId, Invocation};
use crate::core::target::Target;
use crate::report::Origin;
use crate::sets::parse_prefix;
use crate::state::Ask;
use model::{Answer, Operation, ProcessSet, TransactionId};
use std::time::Instant;

/// A command that has begun.
#[derive(Debug)]
pub(in crate::core) struct Task {
    pub(in crate::core) origin: Origin,
    pub(in crate::core) parent: Option<CommandId>,
    begun: Instant,
    pub(in crate::core) answered: ProcessSet,
    pub(in crate::core) failed: bool,
    pub(in crate::core) doing: Doing,
    /// These answer a command that is over: what comes of it is shown as theirs.
    pub(in crate::core) late: Option<ProcessSet>,
}

#[derive(Debug)]
pub(in crate::core) enum Doing {
    Beginning,
    /// Ranks are asked on which the conditions of its sets are true.
    Conditions(Box<Invocation>, Vec<String>, Asked),
    /// Ranks are asked what it wants to know.
    Asking(Then, Asked),
    /// Ranks are waited for.
    Waiting(Wait),
    /// Ranks of a job that started again are to run as soon as they have their breakpoints, or at this time.
    Postponed(Box<Postponed>),
    /// The master was asked.
    Session(TransactionId),
    /// A file is read, or a log begun.
    Effect,
    /// The directory of requests is looked at or written to.
    Directory(Ask),
    /// The job of an accepted request is being started.
    Accepted(TransactionId),
    /// Its ranks are waited for.
    Arriving,
    /// Requests are waited for.
    Requests(Vigil),
    /// Lines of a file that are run one after another.
    Script(Script),
}

/// Ranks that are to run as soon as they have their breakpoints.
#[derive(Clone, Debug)]
pub(in crate::core) struct Postponed {
    pub(in crate::core) target: Target,
    pub(in crate::core) operation: Operation,
    pub(in crate::core) step: bool,
    pub(in crate::core) deadline: Instant,
}

/// Ranks that are waited for.
#[derive(Clone, Debug)]
pub(in crate::core) struct Wait {
    pub(in crate::core) ranks: ProcessSet,
    /// Of these it is no fault to be lost.
    pub(in crate::core) expected: ProcessSet,
    /// Until they have ended, not only stopped.
    pub(in crate::core) exited: bool,
    /// Until one of them is.
    pub(in crate::core) any: bool,
    /// Until they have said where breakpoints are, too.
    pub(in crate::core) placed: bool,
    pub(in crate::core) deadline: Option<Instant>,
    /// The user's limit in seconds; `None` for a step that is given its time.
    pub(in crate::core) limit: Option<f64>,
}

/// Requests that are waited for.
#[derive(Clone, Debug)]
pub(in crate::core) struct Vigil {
    pub(in crate::core) deadline: Option<Instant>,
    /// The user's limit in seconds.
    pub(in crate::core) limit: Option<f64>,
    /// Looks into the directory when it began: what was seen before does not count.
    pub(in crate::core) looks: u64,
}

/// Which question, who answered, and what.
pub(in crate::core) type Answers = Vec<(usize, ProcessSet, Answer)>;

/// The answers to a command's questions so far.
#[derive(Debug, Default)]
pub(in crate::core) struct Asked {
    pub(in crate::core) open: usize,
    pub(in crate::core) answers: Answers,
    pub(in crate::core) missing: ProcessSet,
}

impl Task {
    /// When it was given.
    pub(in crate::core) fn begun(&self) -> Instant {
        self.begun
    }

    pub(in crate::core) fn new(origin: Origin, parent: Option<CommandId>, begun: Instant) -> Self {
        let answered = ProcessSet::new();
        Self { origin, parent, begun, answered, failed: false, doing: Doing::Beginning, late: None }
    }

    /// What comes of a late answer.
    pub(in crate::core) fn late(origin: Origin, ranks: ProcessSet, begun: Instant) -> Self {
        Self { late: Some(ranks), ..Self::new(origin, None, begun) }
    }

    pub(in crate::core) fn deadline(&self) -> Option<Instant> {
        match &self.doing {
            Doing::Waiting(wait) => wait.deadline,
            Doing::Postponed(postponed) => Some(postponed.deadline),
            Doing::Requests(vigil) => vigil.deadline,
            _ => None,
        }
    }

    /// The set in front of a line, as it is written there.
    pub(in crate::core) fn set_in_line(&self) -> Option<&str> {
        let line = self.origin.line.trim_start();
        let (_, length) = parse_prefix(line).ok()?;
        line.get(..length)?.trim().strip_prefix('[')?.strip_suffix(']')
    }

    /// Where the set in front of a line names a thread.
    pub(in crate::core) fn thread_in_line(&self) -> Option<usize> {
        let line = &self.origin.line;
        let blank = line.len() - line.trim_start().len();
        let (scope, length) = parse_prefix(line.get(blank..)?).ok()?;
        scope.thread?;
        let set = line.get(..blank + length)?;
        Some(set.get(..set.rfind('.')?)?.chars().count() + 1)
    }

    /// Where a text of a command stands in its line, and a place in it.
    pub(in crate::core) fn position_in_line(&self, text: &str, place: Option<u32>) -> Option<usize> {
        let line = &self.origin.line;
        let at = line.rfind(text).filter(|_| !text.is_empty())?;
        let before = line.get(..at)?.chars().count();
        Some(before + place? as usize)
    }
}
