//! A command for many threads asks all of them at once: what it will ask of the next ones is asked with what it asks of one,
//! and kept until it does.

use super::scripts::ScriptLine;
use super::task::{Doing, Owner};
use crate::core::{CommandId, Controller};
use model::{Answer, Operation, ProcessSet, ThreadId};
use std::collections::{BTreeMap, VecDeque};

/// What threads have answered to what they will be asked.
#[derive(Debug, Default)]
pub(in crate::core) struct Ahead {
    /// Questions without the thread, who answers, what.
    known: BTreeMap<ThreadId, Vec<(Operation, ProcessSet, Answer)>>,
    /// The ranks say that this is not asked of many at once.
    one_by_one: bool,
}

impl Ahead {
    /// What is known of these ranks; it is not kept any longer.
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

impl Controller {
    /// The lines that a command is one of, and what is known of what they ask.
    fn script_of(&mut self, id: CommandId) -> Option<(&VecDeque<ScriptLine>, &mut Ahead)> {
        let parent = self.tasks.get(&id)?.parent?;
        match &mut self.tasks.get_mut(&parent)?.doing {
            Doing::Script { lines, ahead, .. } => Some((lines, ahead)),
            _ => None,
        }
    }

    /// What was found out before of what a command asks.
    pub(in crate::core) fn known_ahead(
        &mut self,
        id: CommandId,
        ranks: &ProcessSet,
        operation: &Operation,
    ) -> Vec<(ProcessSet, Answer)> {
        let Some((_, ahead)) = self.script_of(id).filter(|(_, ahead)| !ahead.known.is_empty()) else {
            return Vec::new();
        };
        let Some((thread, operation)) = operation.without_thread() else { return Vec::new() };
        ahead.take(ranks, thread, &operation)
    }

    /// The question of a command as it is sent: of the threads of the next lines, too. With what it asks, and of which thread,
    /// if so.
    pub(in crate::core) fn for_many(
        &mut self,
        id: CommandId,
        ranks: &ProcessSet,
        operation: Operation,
    ) -> (Operation, Option<(ThreadId, Operation)>) {
        let Some((lines, ahead)) = self.script_of(id).filter(|(_, ahead)| !ahead.one_by_one) else {
            return (operation, None);
        };
        let Some((thread, bare)) = operation.without_thread() else { return (operation, None) };
        let next = lines.iter().map_while(|line| line.thread.as_ref());
        let next = next.filter(|(_, of)| ranks.is_subset(of)).map(|(thread, _)| *thread);
        let threads: Vec<ThreadId> = std::iter::once(thread).chain(next).take(Operation::MOST_THREADS).collect();
        for thread in &threads {
            // What ranks said that are not waited for any more is out of date.
            ahead.take(ranks, *thread, &bare);
        }
        if threads.len() == 1 {
            return (operation, None);
        }
        let many = Operation::EachThread { threads, operation: Box::new(bare.clone()) };
        (many, Some((thread, bare)))
    }

    /// Ranks say of many threads what a command asks of one: its answer; the others are kept.
    pub(in crate::core) fn keep_ahead(
        &mut self,
        id: CommandId,
        slot: usize,
        ranks: &ProcessSet,
        (thread, operation): (ThreadId, &Operation),
        answer: Answer,
    ) -> Option<Answer> {
        let Answer::EachThread(said) = answer else { return Some(answer) };
        let mut own = None;
        let (_, ahead) = self.script_of(id)?;
        for said in said {
            for of in said.threads {
                if of == thread {
                    own = Some(said.answer.clone());
                } else {
                    let known = (operation.clone(), ranks.clone(), said.answer.clone());
                    ahead.known.entry(of).or_default().push(known);
                }
            }
        }
        if own.is_none() {
            // Nothing of it can be said of many.
            ahead.one_by_one = true;
            let single = operation.of_thread(thread)?;
            self.send(Owner::Command(id, slot), ranks.clone(), single);
            if let Some(task) = self.tasks.get_mut(&id)
                && let Doing::Asking(_, asked) = &mut task.doing
            {
                asked.open += 1;
            }
        }
        own
    }

    /// What may change what was found out before is about to be asked.
    pub(in crate::core) fn forget_ahead_of(&mut self, operation: &Operation) {
        let changes = matches!(
            operation,
            Operation::Evaluate { .. }
                | Operation::Print { .. }
                | Operation::WriteMemory { .. }
                | Operation::Configure(_)
                | Operation::Engine(_)
                | Operation::UseEngine(_)
        );
        if changes || operation.resumes() {
            self.forget_ahead();
        }
    }

    /// What was found out of threads may not be so any more.
    pub(in crate::core) fn forget_ahead(&mut self) {
        for task in self.tasks.values_mut() {
            if let Doing::Script { ahead, .. } = &mut task.doing {
                ahead.known.clear();
            }
        }
    }
}
