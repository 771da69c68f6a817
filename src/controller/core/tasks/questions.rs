//! Sends requests to ranks and collects their answers.

use crate::command::CommandId;
use crate::core::due::Due;
use crate::core::interpreter::Interpreter;
use crate::core::own_frames::{at_own_frames, ranks_at_own_frames};
use crate::core::tasks::query::{Owner, Query};
use crate::core::tasks::script::Script;
use crate::core::tasks::task::{Asked, Doing, Task};
use crate::core::tasks::then::{Awaited, Onward, Then};
use model::{Answer, ErrorCode, Operation, ProcessSet, Severity, ThreadId, TransactionId, USER_FRAME_SEARCH};
use protocol::{Request, WaitPolicy};
use std::time::Duration;

/// The time for which we wait longer than the master, which is nearer to the ranks and reports the missing ones.
const GRACE: Duration = Duration::from_secs(2);

/// Longer than any session.
const FOREVER: Duration = Duration::from_secs(10 * 365 * 24 * 3600);

impl Interpreter {
    /// Sends a request to ranks; the set must not be empty.
    pub(in crate::core) fn send(&mut self, owner: Owner, ranks: ProcessSet, mut operation: Operation) -> TransactionId {
        if let Some(location) = operation.location_mut() {
            location.in_compilation(self.state.variables.sources());
        }
        self.forget_ahead_of(&operation);
        if let Owner::Command(id, slot) = &owner
            && let Some((behind, count)) = self.history.begin((*id, *slot), &ranks, &operation)
        {
            self.send(Owner::Nobody, behind, Operation::ReachHistory(count));
        }
        let (operation, single) = match &owner {
            Owner::Command(id, _) => match self.script_of(*id) {
                Some(script) => script.for_many(&ranks, operation),
                None => (operation, None),
            },
            Owner::Nobody | Owner::Look(_) | Owner::Together => (operation, None),
        };
        let patience = if operation.may_take_long() { FOREVER } else { self.state.variables.seconds("patience") };
        let tid = self.outbox.new_tid();
        let query = Query {
            remaining: ranks.clone(),
            missing: ProcessSet::new(),
            owner,
            single,
            deadline: self.clock.now() + patience + GRACE,
        };
        self.queries.insert(tid, query);
        let wait = match patience {
            FOREVER => WaitPolicy::All,
            patience => WaitPolicy::Within(patience.as_millis().min(u128::from(u32::MAX)) as u32),
        };
        self.outbox.send(Request::Ranks { tid, ranks, wait, operation });
        tid
    }

    /// Sends the requests of a command; their answers are reported when all have come. Requests to no rank are left
    /// out; if none is left, the command is concluded at once.
    pub(in crate::core) fn ask(&mut self, id: CommandId, mut questions: Vec<(ProcessSet, Operation)>, then: Then) {
        let (looking, thread) = ranks_at_own_frames(&mut questions);
        let unknown = self.state.select_user_frames(&looking, thread);
        if !unknown.is_empty() {
            return self.await_user_frames(id, unknown, thread, Onward::Ask(questions, Box::new(then)));
        }
        let mut asked = Asked::default();
        let mut known = ProcessSet::new();
        for (slot, (ranks, operation)) in questions.into_iter().enumerate() {
            if ranks.is_empty() {
                continue;
            }
            for (mut ranks, operation) in at_own_frames(&self.state.frames, ranks, operation) {
                for (of, answer) in self.script_of(id).map_or_else(Vec::new, |script| script.known(&ranks, &operation))
                {
                    ranks.remove_all(&of);
                    known.extend_with(&of);
                    asked.answers.push((slot, of, answer));
                }
                if ranks.is_empty() {
                    continue;
                }
                self.send(Owner::Command(id, slot), ranks, operation);
                asked.open += 1;
            }
        }
        let none = asked.open == 0;
        if let Some(task) = self.tasks.get_mut(&id) {
            task.answered.extend_with(&known);
            task.doing = Doing::Asking(then, asked);
        }
        if none {
            self.due.push(Due::Answered(id));
        }
    }

    /// Requests the stacks in which the user's frames are to be selected; the rest of the command goes on after that.
    pub(in crate::core) fn await_user_frames(
        &mut self,
        id: CommandId,
        ranks: ProcessSet,
        thread: Option<ThreadId>,
        onward: Onward,
    ) {
        let operation = Operation::Stack { thread, low: 0, high: Some(USER_FRAME_SEARCH - 1), most: None };
        let awaited = Awaited { ranks: ranks.clone(), thread, onward };
        self.ask(id, vec![(ranks, operation)], Then::UserFrames(Box::new(awaited)));
    }

    /// Records answers of some ranks and timeouts of others.
    pub(in crate::core) fn answered(
        &mut self,
        tid: TransactionId,
        ranks: &ProcessSet,
        missing: &ProcessSet,
        answer: Option<Answer>,
    ) {
        if answer.is_some() {
            self.state.ranks.answered(ranks);
        }
        let Some(query) = self.queries.get_mut(&tid) else {
            if let Some(answer) = answer
                && !self.views.answered_late(&mut self.state, tid, ranks, &answer)
            {
                self.answered_late(tid, ranks, answer);
            }
            return;
        };
        let fresh = query.remaining.intersection(ranks);
        query.remaining.remove_all(&fresh);
        query.missing = query.remaining.intersection(missing);
        let complete = query.remaining.is_subset(&query.missing);
        let (owner, single) = (query.owner.clone(), query.single.clone());
        let silent = query.missing.clone();
        if complete {
            self.queries.remove(&tid);
        }
        match owner {
            Owner::Nobody => {}
            Owner::Together => {
                let known = self.views.together.stacks_known(tid, &fresh, answer, complete, &mut self.state);
                if let Some((ranks, words)) = known {
                    self.tell(Severity::Note, ranks, &words);
                }
            }
            Owner::Look(glance) => {
                if complete && !silent.is_empty() {
                    self.views.unanswered.await_also(tid, glance.clone(), silent.clone());
                }
                let (answer, now) = (answer.filter(|_| !fresh.is_empty()), self.clock.now());
                self.views.answered(&mut self.state, glance, answer, &fresh, complete.then_some(&silent), now);
            }
            Owner::Command(id, slot) => {
                let answer = match (answer, &single) {
                    (Some(answer), Some((thread, operation))) if !fresh.is_empty() => {
                        self.keep_ahead(id, slot, &fresh, (*thread, operation), answer)
                    }
                    (answer, _) => answer,
                };
                let Some(task) = self.tasks.get_mut(&id) else { return };
                let (Doing::Asking(_, asked) | Doing::Conditions(_, _, asked)) = &mut task.doing else { return };
                if let Some(answer) = answer
                    && !fresh.is_empty()
                {
                    task.answered.extend_with(&fresh);
                    if matches!(&answer, Answer::Failed(failure) if failure.code == ErrorCode::STOPPED_IN_CALL) {
                        asked.in_calls.extend_with(&fresh);
                        self.state.ranks.told_to_run(&fresh.difference(&asked.arrived));
                    }
                    self.history.answered((id, slot), &fresh, &answer);
                    asked.answers.push((slot, fresh, answer));
                }
                if complete {
                    if let Doing::Asking(then, _) = &task.doing
                        && !silent.is_empty()
                    {
                        let thread = single.map(|(thread, _)| thread);
                        self.latecomers.await_also(tid, &task.origin, then, (slot, thread), silent.clone());
                    }
                    let (Doing::Asking(_, asked) | Doing::Conditions(_, _, asked)) = &mut task.doing else { return };
                    asked.missing.extend_with(&silent);
                    asked.open = asked.open.saturating_sub(1);
                    if asked.open == 0 {
                        self.due.push(Due::Answered(id));
                    }
                }
            }
        }
    }

    /// Ends the requests that the master has not answered at all.
    pub(in crate::core) fn give_up_queries(&mut self) {
        let now = self.clock.now();
        let over: Vec<(TransactionId, ProcessSet)> = self
            .queries
            .iter()
            .filter(|(_, query)| query.deadline <= now)
            .map(|(&tid, query)| (tid, query.remaining.clone()))
            .collect();
        for (tid, missing) in over {
            self.answered(tid, &ProcessSet::new(), &missing, None);
        }
    }

    /// Returns the script to which a command belongs.
    fn script_of(&mut self, id: CommandId) -> Option<&mut Script> {
        let parent = self.tasks.get(&id)?.parent?;
        match &mut self.tasks.get_mut(&parent)?.doing {
            Doing::Script(script) => Some(script),
            _ => None,
        }
    }

    /// Extracts a command's answer from the ranks' answer for many threads. If that was refused, the thread is asked
    /// alone.
    fn keep_ahead(
        &mut self,
        id: CommandId,
        slot: usize,
        ranks: &ProcessSet,
        (thread, operation): (ThreadId, &Operation),
        answer: Answer,
    ) -> Option<Answer> {
        let Answer::EachThread(said) = answer else { return Some(answer) };
        let own = self.script_of(id)?.keep(ranks, (thread, operation), said);
        if own.is_none() {
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

    /// Drops prefetched answers that an operation may make stale.
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

    /// Drops all prefetched answers: they may be stale.
    pub(in crate::core) fn forget_ahead(&mut self) {
        for task in self.tasks.values_mut() {
            if let Doing::Script(script) = &mut task.doing {
                script.forget_ahead();
            }
        }
    }

    /// Handles an answer to a request that has timed out.
    pub(in crate::core) fn answered_late(&mut self, tid: TransactionId, ranks: &ProcessSet, answer: Answer) {
        let Some((origin, then, asked, ranks)) = self.latecomers.take(tid, ranks, answer) else { return };
        let id = self.numbers.take_command();
        let mut task = Task::late(origin, ranks, self.clock.now());
        task.doing = Doing::Asking(then, asked);
        self.tasks.insert(id, task);
        self.due.push(Due::Answered(id));
    }

    /// Stops awaiting late replies, and the requests that followed from them.
    pub(in crate::core) fn forget_latecomers(&mut self) {
        self.latecomers.clear();
        self.tasks.retain(|_, task| task.late.is_none());
    }
}
