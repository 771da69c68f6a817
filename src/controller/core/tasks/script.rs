//! Lines that run one after another: those of a file, or one command for many threads or frames.
//!
//! A command for many threads asks all of them at once: the request for one thread is made for the next ones, too, and
//! their answers are kept until needed.

use crate::command::{CommandId, Statement};
use crate::report::Content;
use model::{Answer, Operation, ProcessSet, ThreadId, ThreadsAnswer};
use std::collections::{BTreeMap, VecDeque};

#[derive(Debug)]
pub(in crate::core) struct ScriptLine {
    pub(in crate::core) statement: Statement,
    /// The heading to report before it.
    pub(in crate::core) heading: Option<Content>,
    /// The frame for which it runs; `None`: each rank's selected one.
    pub(in crate::core) frame: Option<u32>,
    /// The thread that it names, if the lines differ in that alone, and the ranks that have it.
    pub(in crate::core) thread: Option<(ThreadId, ProcessSet)>,
    /// True if its errors are dropped, and its heading if it reports nothing.
    pub(in crate::core) silent: bool,
}

impl ScriptLine {
    /// Builds a line of a file.
    pub(in crate::core) fn plain(text: impl Into<String>) -> Self {
        Self::of(Statement::typed(text))
    }

    /// Builds a line, or a block of lines.
    pub(in crate::core) fn of(statement: Statement) -> Self {
        Self { statement, heading: None, frame: None, thread: None, silent: false }
    }
}

/// The remaining lines, and the prefetched answers to their requests.
#[derive(Debug)]
pub(in crate::core) struct Script {
    lines: VecDeque<ScriptLine>,
    current: Option<CommandId>,
    beyond_errors: bool,
    ahead: Ahead,
    /// True if the running line is silent.
    silent: bool,
    /// The heading of the running line, until it reports something.
    heading: Option<Content>,
}

/// Prefetched answers of threads to requests of later lines.
#[derive(Debug, Default)]
struct Ahead {
    /// Requests without the thread, the ranks that answered, and their answers.
    known: BTreeMap<ThreadId, Vec<(Operation, ProcessSet, Answer)>>,
    /// True if the ranks refuse to do this for many threads at once.
    one_by_one: bool,
}

impl Ahead {
    /// Takes the prefetched answers of these ranks.
    fn take(&mut self, ranks: &ProcessSet, thread: ThreadId, operation: &Operation) -> Vec<(ProcessSet, Answer)> {
        let Some(known) = self.known.get_mut(&thread) else { return Vec::new() };
        let mut left = ranks.clone();
        let mut taken = Vec::new();
        known.retain(|(of, by, answer)| {
            let who = left.intersection(by);
            let is_it = of == operation && !who.is_empty();
            if is_it {
                left.remove_all(&who);
                taken.push((who, answer.clone()));
            }
            !is_it
        });
        if known.is_empty() {
            self.known.remove(&thread);
        }
        taken
    }
}

impl Script {
    pub(in crate::core) fn new(lines: impl IntoIterator<Item = ScriptLine>, beyond_errors: bool) -> Self {
        let lines = lines.into_iter().collect();
        Self { lines, current: None, beyond_errors, ahead: Ahead::default(), silent: false, heading: None }
    }

    /// Drops the remaining lines.
    pub(in crate::core) fn leave(&mut self) {
        self.lines.clear();
    }

    /// Takes the next line. Keeps the heading of a silent one.
    pub(in crate::core) fn next(&mut self) -> Option<ScriptLine> {
        let mut line = self.lines.pop_front();
        self.silent = line.as_ref().is_some_and(|line| line.silent);
        self.heading = line.as_mut().filter(|line| line.silent).and_then(|line| line.heading.take());
        line
    }

    /// True if the errors of the running line are dropped.
    pub(in crate::core) fn is_silent(&self) -> bool {
        self.silent
    }

    /// True if the running line has a heading that waits for a report.
    pub(in crate::core) fn keeps_heading(&self) -> bool {
        self.heading.is_some()
    }

    /// Takes the heading that waits for a report.
    pub(in crate::core) fn take_heading(&mut self) -> Option<Content> {
        self.heading.take()
    }

    /// Records the command that is running.
    pub(in crate::core) fn goes_on_with(&mut self, command: CommandId) {
        self.current = Some(command);
    }

    /// Records the end of a command; true if it was the running one. After a failed one no other runs, unless errors
    /// are to be ignored.
    pub(in crate::core) fn command_is_over(&mut self, command: CommandId, failed: bool) -> bool {
        if failed && !self.beyond_errors {
            self.lines.clear();
        }
        self.current.take() == Some(command)
    }

    /// Takes the prefetched answers to an operation.
    pub(in crate::core) fn known(&mut self, ranks: &ProcessSet, operation: &Operation) -> Vec<(ProcessSet, Answer)> {
        if self.ahead.known.is_empty() {
            return Vec::new();
        }
        let Some((thread, operation)) = operation.without_thread() else { return Vec::new() };
        self.ahead.take(ranks, thread, &operation)
    }

    /// Extends the request of a command to the threads of the next lines. Also returns the original request and its
    /// thread if it was extended.
    pub(in crate::core) fn for_many(
        &mut self,
        ranks: &ProcessSet,
        operation: Operation,
    ) -> (Operation, Option<(ThreadId, Operation)>) {
        if self.ahead.one_by_one {
            return (operation, None);
        }
        let Some((thread, bare)) = operation.without_thread() else { return (operation, None) };
        let next = self.lines.iter().map_while(|line| line.thread.as_ref());
        let next = next.filter(|(_, of)| ranks.is_subset(of)).map(|(thread, _)| *thread);
        let threads: Vec<ThreadId> = std::iter::once(thread).chain(next).take(Operation::MOST_THREADS).collect();
        for thread in &threads {
            // Answers of ranks that have timed out are stale.
            self.ahead.take(ranks, *thread, &bare);
        }
        if threads.len() == 1 {
            return (operation, None);
        }
        let many = Operation::EachThread { threads, operation: Box::new(bare.clone()) };
        (many, Some((thread, bare)))
    }

    /// Splits the ranks' answer for many threads into that of the command's thread, which it returns, and the others,
    /// which it keeps. If there is none for the command's thread, the script asks one thread at a time from then on.
    pub(in crate::core) fn keep(
        &mut self,
        ranks: &ProcessSet,
        (thread, operation): (ThreadId, &Operation),
        said: Vec<ThreadsAnswer>,
    ) -> Option<Answer> {
        let mut own = None;
        for said in said {
            for of in said.threads {
                if of == thread {
                    own = Some(said.answer.clone());
                } else {
                    let known = (operation.clone(), ranks.clone(), said.answer.clone());
                    self.ahead.known.entry(of).or_default().push(known);
                }
            }
        }
        self.ahead.one_by_one |= own.is_none();
        own
    }

    /// Drops prefetched answers: they may be stale.
    pub(in crate::core) fn forget_ahead(&mut self) {
        self.ahead.known.clear();
    }
}
