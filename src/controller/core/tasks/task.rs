//! Commands that have begun, and the questions they have asked.

use super::ahead::Ahead;
use super::scripts::ScriptLine;
use super::waits::Wait;
use crate::command::{Apply, Invocation, MemoryFormat, PrintForm};
use crate::core::commands::dispatch::Target;
use crate::core::commands::reverse::Vigil;
use crate::core::commands::stacks::{SharedStack, Wish};
use crate::core::{CommandId, Controller};
use crate::report::{Content, Origin, Scope};
use crate::sets::Scope as FocusScope;
use crate::state::Ask;
use crate::state::Displayed;
use model::{Answer, BreakpointId, LocationSpec, Operation, ProcessSet, ThreadId, TransactionId};
use protocol::{Request, WaitPolicy};
use std::{
    collections::{BTreeSet, VecDeque},
    sync::Arc,
    time::{Duration, Instant},
};

/// How much longer than the master we wait: it is nearer to the ranks and says who is missing.
const GRACE: Duration = Duration::from_secs(2);

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

/// What a command is at.
#[derive(Debug)]
pub(in crate::core) enum Doing {
    /// Being understood.
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
    Script { lines: VecDeque<ScriptLine>, current: Option<CommandId>, beyond_errors: bool, ahead: Ahead },
}

/// Ranks that are to run as soon as they have their breakpoints.
#[derive(Clone, Debug)]
pub(in crate::core) struct Postponed {
    pub(in crate::core) target: Target,
    pub(in crate::core) operation: Operation,
    pub(in crate::core) step: bool,
    pub(in crate::core) deadline: Instant,
}

/// What came of the questions of a command.
#[derive(Debug, Default)]
pub(in crate::core) struct Asked {
    pub(in crate::core) open: usize,
    /// Which question, who, what.
    pub(in crate::core) answers: Vec<(usize, ProcessSet, Answer)>,
    pub(in crate::core) missing: ProcessSet,
}

/// A change of a breakpoint that the ranks were asked to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::core) enum Change {
    Delete,
    Enable(bool),
    Condition(Option<String>),
    Ignore(u64),
}

/// What is made of the answers.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::core) enum Then {
    /// Ranks were told to run; a step of a script is waited for.
    Run { settle: bool },
    /// A breakpoint was set.
    Breakpoint(BreakpointId),
    /// Breakpoints were changed.
    Change(Vec<BreakpointId>, Change),
    /// Breakpoints at a place are to be deleted: where it is, and for whom when not for all.
    Clear(LocationSpec, Option<ProcessSet>),
    /// Values, one for each distinct one.
    Value(String, PrintForm),
    /// Values of these expressions; the number of the one that is new.
    Displays(Vec<Displayed>, Option<u32>),
    /// Values, in numbers.
    Compare(String),
    /// What was named by this was changed.
    Assigned(String),
    /// Settings hold from now on.
    Configured,
    /// A type.
    Type(String),
    /// How deep stacks are.
    Depths(Wish),
    /// Stacks.
    Stacks(Wish),
    /// Variables of their frames.
    FrameVariables(Vec<SharedStack>),
    /// What is at the addresses in what is to be shown, in its values, too, or not: of which of it, which.
    Symbols(Vec<(Content, bool)>, Vec<(usize, Vec<u64>)>),
    /// Ranks are to look at frames of these levels.
    ChooseFrame(crate::core::commands::frames::Move),
    /// Ranks are to look at their innermost frames of this function, in the stack of a thread.
    ChooseFunction(String, Option<ThreadId>),
    /// A command is run for threads or frames; the thread whose frames they are.
    Apply(Apply, Option<ThreadId>, String),
    /// What is at the address of an expression.
    SymbolAt(String),
    /// Where the code of a line is.
    CodeOf(Option<LocationSpec>),
    /// `$_` was set.
    Noted,
    /// Threads.
    Threads,
    /// This thread becomes the shown one.
    ChooseThread(ThreadId),
    /// Variables.
    Variables(Scope),
    /// Registers.
    Registers,
    /// The focus is to be this, when its thread is there.
    Focus(FocusScope, ProcessSet),
    /// Memory at the address of an expression.
    Memory(MemoryFormat, String),
    /// Lines around the places of a location.
    Places(crate::core::commands::inspect::Listing),
    /// Lines of a file.
    Lines { file: Arc<str>, first: u32, last: u32, center: Option<u32> },
    /// Signals.
    Signals,
    /// Instructions, but for the first ones; of an `x` with what it asked for.
    Instructions { skip: usize, examined: Option<MemoryFormat> },
    /// Loaded files.
    Libraries,
    /// Which engine debugs ranks.
    UnderEngine,
    /// What is told in words.
    Told,
    /// What the engine says to a command of its own.
    EngineText,
}

/// A request that is open.
#[derive(Debug)]
pub(in crate::core) struct Query {
    remaining: ProcessSet,
    missing: ProcessSet,
    owner: Owner,
    /// What the command asks, and which thread, where others were asked with it.
    single: Option<(ThreadId, Operation)>,
    /// Whether they are let go.
    lets_go: bool,
    pub(in crate::core) deadline: Instant,
}

/// Who asked.
#[derive(Clone, Debug)]
pub(in crate::core) enum Owner {
    /// A command; which of its questions.
    Command(CommandId, usize),
    /// Nobody waits for the answers.
    Nobody,
    /// The screen.
    Look(crate::core::views::view_refresh::Glance),
    /// The screen, for the frames of other ranks than the lead.
    Together,
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
}

impl Controller {
    /// Asks ranks; the set must not be empty.
    pub(in crate::core) fn send(&mut self, owner: Owner, ranks: ProcessSet, operation: Operation) -> TransactionId {
        self.forget_ahead_of(&operation);
        let (operation, single) = match &owner {
            Owner::Command(id, _) => self.for_many(*id, &ranks, operation),
            Owner::Nobody | Owner::Look(_) | Owner::Together => (operation, None),
        };
        let patience = self.seconds("patience");
        let tid = self.new_tid();
        let query = Query {
            remaining: ranks.clone(),
            missing: ProcessSet::new(),
            owner,
            single,
            lets_go: operation == Operation::Detach,
            deadline: self.clock.now() + patience + GRACE,
        };
        self.queries.insert(tid, query);
        let wait = WaitPolicy::Within(patience.as_millis().min(u128::from(u32::MAX)) as u32);
        self.requests.push(Request::Ranks { tid, ranks, wait, operation });
        tid
    }

    /// Asks the questions of a command; its answers are made into reports when all have come. Questions to nobody are
    /// left out; with none left the command is concluded at once.
    pub(in crate::core) fn ask(&mut self, id: CommandId, questions: Vec<(ProcessSet, Operation)>, then: Then) {
        let mut asked = Asked::default();
        let mut known = ProcessSet::new();
        for (slot, (ranks, operation)) in questions.into_iter().enumerate() {
            if ranks.is_empty() {
                continue;
            }
            for (mut ranks, operation) in self.at_own_frames(ranks, operation) {
                for (of, answer) in self.known_ahead(id, &ranks, &operation) {
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
            self.concluded(id);
        }
    }

    /// Some ranks answered, others are given up on.
    pub(in crate::core) fn answered(
        &mut self,
        tid: TransactionId,
        ranks: &ProcessSet,
        missing: &ProcessSet,
        answer: Option<Answer>,
    ) {
        let Some(query) = self.queries.get_mut(&tid) else {
            if let Some(answer) = answer
                && !self.glanced_late(tid, ranks, &answer)
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
            Owner::Together => self.stacks_for_frames(tid, &fresh, answer, complete),
            Owner::Look(glance) => {
                if complete && !silent.is_empty() {
                    self.glances.unanswered.await_also(tid, glance.clone(), silent.clone());
                }
                self.glanced(glance, answer.filter(|_| !fresh.is_empty()), &fresh, complete.then_some(&silent));
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
                        self.concluded(id);
                    }
                }
            }
        }
    }

    /// Ranks that were told to go their own way and have not said yet that they do.
    pub(in crate::core) fn being_let_go(&self) -> ProcessSet {
        let asked = self.queries.values().filter(|query| query.lets_go);
        asked.fold(ProcessSet::new(), |sum, query| sum.union(&query.remaining))
    }

    /// Gives up on what the master did not answer at all.
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

    /// A report of a command.
    pub(in crate::core) fn say(&mut self, id: CommandId, content: Content) {
        let task = self.tasks.get(&id);
        let origin = task.map(|task| task.origin.clone());
        let Some(ranks) = task.and_then(|task| task.late.clone()) else {
            self.push_report(origin, content);
            return;
        };
        if !matches!(content, Content::Missing(..)) {
            let command = origin.map(|origin| origin.line).unwrap_or_default();
            let content = Content::Late { ranks, command, content: Box::new(content) };
            self.push_report(None, content);
        }
    }

    /// A command went wrong, at all (no ranks) or on some.
    pub(in crate::core) fn error(
        &mut self,
        id: CommandId,
        ranks: ProcessSet,
        message: impl Into<String>,
        position: Option<usize>,
    ) {
        if let Some(task) = self.tasks.get_mut(&id) {
            task.failed = true;
        }
        self.say(id, Content::Error { ranks, message: message.into(), position });
    }

    /// A command is over.
    pub(in crate::core) fn done(&mut self, id: CommandId) {
        let Some(task) = self.tasks.remove(&id).filter(|task| task.late.is_none()) else { return };
        self.may_have_changed = true;
        let elapsed = self.clock.now().saturating_duration_since(task.begun);
        let content = Content::Done { elapsed, answered: task.answered, failed: task.failed };
        self.push_report(Some(task.origin), content);
        if let Some(parent) = task.parent {
            self.script_goes_on(parent, id, task.failed);
        }
    }

    /// A command went wrong and is over.
    pub(in crate::core) fn refuse(&mut self, id: CommandId, ranks: ProcessSet, message: impl Into<String>) {
        self.error(id, ranks, message, None);
        self.done(id);
    }

    /// Every command that has begun goes wrong.
    pub(in crate::core) fn fail_all(&mut self, why: &str) {
        self.queries.clear();
        self.forget_latecomers();
        // Children first: the commands of a script have higher numbers than the script.
        let kept = self.beyond_session();
        let ids: Vec<CommandId> = self.tasks.keys().rev().copied().filter(|id| !kept.contains(id)).collect();
        for id in ids {
            let Some(task) = self.tasks.get(&id) else { continue };
            if let Doing::Session(_) = task.doing
                && matches!(self.state.phase, crate::state::Phase::Ended)
            {
                self.done(id);
                continue;
            }
            self.refuse(id, ProcessSet::new(), why);
        }
    }

    /// Commands that need no session, and the scripts they are of.
    pub(in crate::core) fn beyond_session(&self) -> BTreeSet<CommandId> {
        let mut found = BTreeSet::new();
        for (&id, task) in &self.tasks {
            let mut at = matches!(task.doing, Doing::Directory(_) | Doing::Requests(_)).then_some(id);
            while let Some(one) = at.filter(|&one| found.insert(one)) {
                at = self.tasks.get(&one).and_then(|task| task.parent);
            }
        }
        found
    }
}
