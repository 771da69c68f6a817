//! Lines that are run one after another: those of a file, or one command for many threads or frames.
//!
//! A command for many threads asks all of them at once: what it will ask of the next ones is asked with what it asks of one,
//! and kept until it does.

use crate::command::CommandId;
use crate::report::Content;
use model::{Answer, Operation, ProcessSet, ThreadId, ThreadsAnswer};
use std::collections::{BTreeMap, VecDeque};

/// A line of a script.
#[derive(Debug)]
pub(in crate::core) struct ScriptLine {
    pub(in crate::core) text: String,
    /// Said before it.
    pub(in crate::core) heading: Option<Content>,
    /// The frame it is for; `None`: the one that each rank looks at.
    pub(in crate::core) frame: Option<u32>,
    /// The thread that it names, when the lines differ in that alone, and whose it is.
    pub(in crate::core) thread: Option<(ThreadId, ProcessSet)>,
}

impl ScriptLine {
    /// As a file has it.
    pub(in crate::core) fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), heading: None, frame: None, thread: None }
    }
}

/// The lines that are left, and what is known of what they ask.
#[derive(Debug)]
pub(in crate::core) struct Script {
    lines: VecDeque<ScriptLine>,
    current: Option<CommandId>,
    beyond_errors: bool,
    ahead: Ahead,
}

/// Prefetched answers of threads to questions of later lines.
#[derive(Debug, Default)]
struct Ahead {
    /// Questions without the thread, who answers, what.
    known: BTreeMap<ThreadId, Vec<(Operation, ProcessSet, Answer)>>,
    /// The ranks say that this is not asked of many at once.
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
        Self { lines: lines.into_iter().collect(), current: None, beyond_errors, ahead: Ahead::default() }
    }

    /// The next line, which is taken.
    pub(in crate::core) fn next(&mut self) -> Option<ScriptLine> {
        self.lines.pop_front()
    }

    /// This command is being done.
    pub(in crate::core) fn goes_on_with(&mut self, command: CommandId) {
        self.current = Some(command);
    }

    /// A command of it is over; whether it was the one that is being done. After one that failed no other is run, unless
    /// they are to be run all the same.
    pub(in crate::core) fn command_is_over(&mut self, command: CommandId, failed: bool) -> bool {
        if failed && !self.beyond_errors {
            self.lines.clear();
        }
        self.current.take() == Some(command)
    }

    /// The prefetched answers to an operation.
    pub(in crate::core) fn known(&mut self, ranks: &ProcessSet, operation: &Operation) -> Vec<(ProcessSet, Answer)> {
        if self.ahead.known.is_empty() {
            return Vec::new();
        }
        let Some((thread, operation)) = operation.without_thread() else { return Vec::new() };
        self.ahead.take(ranks, thread, &operation)
    }

    /// The question of a command as it is sent: of the threads of the next lines, too. With what it asks, and of which
    /// thread, if so.
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
            // What ranks said that are not waited for any more is out of date.
            self.ahead.take(ranks, *thread, &bare);
        }
        if threads.len() == 1 {
            return (operation, None);
        }
        let many = Operation::EachThread { threads, operation: Box::new(bare.clone()) };
        (many, Some((thread, bare)))
    }

    /// Ranks say of many threads what a command asks of one: its answer; the others are kept. Without it nothing of it
    /// can be said of many.
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
