//! Presents a client of the base dialect as a front end: commands become requests, replies become events. Keeps the
//! state that the original program kept: current frames and threads, temporary breakpoints, and the program's start.

mod changes;
mod replies;
mod suspending;

use self::changes::Changes;
use super::partial::{Extent, child_expression};
use super::partition::Partition;
use super::translate_answer::error;
use super::translate_command::{Expect, Wanted, launch_spec, translate};
use super::{BaseCommand, BaseEvent, BaseSet, RankCommand, RankEvent};
use crate::{LaunchPlan, Request, SessionCommand, WaitPolicy};
use model::{
    BreakpointId, BreakpointRequest, Context, ErrorCode, Failure, Operation, ProcessSet, SignalTable, Site, Stop,
    StopReason, TransactionId,
};
use std::collections::BTreeMap;

/// The messages to send after a command or a reply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The requests to the master, in order.
    pub requests: Vec<Request>,
    /// The events for the client, in order.
    pub events: Vec<(TransactionId, BaseEvent)>,
    /// True to close the client's link after them.
    pub close: bool,
}

/// A request that waits for replies.
#[derive(Clone, Debug)]
struct Pending {
    client: TransactionId,
    left: ProcessSet,
    expect: Expect,
}

#[derive(Clone, Debug)]
enum Phase {
    /// Before StartSession.
    Idle,
    /// StartSession's OK is due when every rank has stopped for the first time.
    Starting {
        own: TransactionId,
        client: TransactionId,
        arrived: ProcessSet,
        /// The ranks that will not stop, with the reason.
        lost: Partition<String>,
        complete: bool,
    },
    /// The ranks have started.
    Started,
}

/// Every command gets a reply, from ranks that hang, too: an Error after so many milliseconds. No other request takes
/// as long.
const PATIENCE: WaitPolicy = WaitPolicy::Within(45_000);
/// Commands that wait for replies; further ones are refused.
const MOST_PENDING: usize = 4096;

/// Remembered run-control transactions; far more than ranks can have different last ones.
const REMEMBERED: usize = 4096;

/// The state that a client of the base dialect relies on. Pure: no sockets, no clock.
#[derive(Clone, Debug)]
pub struct BaseSession {
    size: u32,
    phase: Phase,
    last: u32,
    pending: BTreeMap<TransactionId, Pending>,
    clients: BTreeMap<TransactionId, TransactionId>,
    contexts: Partition<Context>,
    stops: Partition<Stop>,
    /// Ranks stopped in `main` and not yet reported: the client believes that they have not started.
    unstarted: ProcessSet,
    breakpoints: BTreeMap<BreakpointId, (BreakpointRequest, Vec<(ProcessSet, Site)>)>,
    partials: BTreeMap<String, String>,
    changes: Changes,
    signals: SignalTable,
}

impl BaseSession {
    /// Starts the state of a job with this many ranks.
    pub fn new(size: u32) -> Self {
        Self {
            size,
            phase: Phase::Idle,
            last: 0,
            pending: BTreeMap::new(),
            clients: BTreeMap::new(),
            contexts: Partition::default(),
            stops: Partition::default(),
            unstarted: ProcessSet::new(),
            breakpoints: BTreeMap::new(),
            partials: BTreeMap::new(),
            changes: Changes::default(),
            signals: SignalTable::default(),
        }
    }

    /// Returns the number of ranks in the job, as far as known.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Handles a client's command.
    pub fn command(&mut self, tid: TransactionId, command: &BaseCommand) -> Outcome {
        let mut outcome = Outcome::default();
        match command {
            BaseCommand::Quit => {
                let command = SessionCommand::Quit { kill: true };
                outcome.requests.push(Request::Session { tid: self.fresh(), command });
                outcome.close = true;
            }
            BaseCommand::StartSession { .. } => self.start(tid, command, &mut outcome),
            BaseCommand::Ranks(set, command) => {
                let refused = |failure: &Failure| (tid, BaseEvent::Ranks(set.clone(), error(failure)));
                if !matches!(self.phase, Phase::Started) {
                    let failure = Failure::new(ErrorCode::NOT_STARTED, "the session has not started");
                    outcome.events.push(refused(&failure));
                    return outcome;
                }
                match set.within(self.size) {
                    Ok(ranks) => self.ranks_command(tid, ranks, command, &mut outcome),
                    Err(failure) => outcome.events.push(refused(&failure)),
                }
            }
        }
        outcome
    }

    fn fresh(&mut self) -> TransactionId {
        self.last = self.last.wrapping_add(1).max(1);
        TransactionId(self.last)
    }

    fn of_ranks(&self, ranks: ProcessSet, event: RankEvent) -> BaseEvent {
        BaseEvent::Ranks(BaseSet::new(ranks, self.size), event)
    }

    fn start(&mut self, client: TransactionId, command: &BaseCommand, outcome: &mut Outcome) {
        let (Phase::Idle, Some(spec)) = (&self.phase, launch_spec(command)) else {
            let failure = Failure::new(ErrorCode::ALREADY_STARTED, "the session has already started");
            outcome.events.push((client, self.of_ranks(ProcessSet::all(self.size), error(&failure))));
            return;
        };
        let own = self.fresh();
        self.phase =
            Phase::Starting { own, client, arrived: ProcessSet::new(), lost: Partition::default(), complete: false };
        self.clients.insert(own, client);
        let command = SessionCommand::Launch(LaunchPlan::Local { ranks: self.size, spec });
        outcome.requests.push(Request::Session { tid: own, command });
    }

    fn ranks_command(
        &mut self,
        client: TransactionId,
        ranks: ProcessSet,
        command: &RankCommand,
        outcome: &mut Outcome,
    ) {
        match command {
            RankCommand::Go => return self.go(client, ranks, outcome),
            RankCommand::Interrupt => return self.interrupt(client, ranks, outcome),
            RankCommand::EvaluatePartialExpression { expression, key, list_children, express } => {
                return self.partial(client, ranks, (expression, key, *list_children, *express), outcome);
            }
            RankCommand::DeletePartialExpression { key } if self.partials.remove(key).is_some() => {
                self.changes.forget(key);
                outcome.events.push((client, self.of_ranks(ranks, RankEvent::Ok)));
                return;
            }
            RankCommand::DeleteBreakpoint { id } => {
                let id = u32::try_from(*id).map(BreakpointId);
                id.ok().and_then(|id| self.breakpoints.remove(&id));
            }
            _ => {}
        }
        let parts = self.by_context(&ranks);
        for (ranks, context) in parts {
            match translate(command, context) {
                Ok(ask) => self.ask(client, ranks, ask.operation, ask.expect, outcome),
                Err(failure) => outcome.events.push((client, self.of_ranks(ranks, error(&failure)))),
            }
        }
    }

    fn by_context(&self, ranks: &ProcessSet) -> Vec<(ProcessSet, Context)> {
        let split = self.contexts.split(ranks);
        split.into_iter().map(|(ranks, context)| (ranks, context.copied().unwrap_or_default())).collect()
    }

    fn ask(
        &mut self,
        client: TransactionId,
        ranks: ProcessSet,
        operation: Operation,
        expect: Expect,
        outcome: &mut Outcome,
    ) {
        if ranks.is_empty() {
            return;
        }
        if self.pending.len() >= MOST_PENDING {
            let failure = Failure::new(
                ErrorCode::DEBUGGER,
                format!(
                    "too many commands: {MOST_PENDING} are still waiting for \
                    replies"
                ),
            );
            outcome.events.push((client, self.of_ranks(ranks, error(&failure))));
            return;
        }
        let tid = self.fresh();
        if operation.is_run_control() {
            self.clients.insert(tid, client);
            while self.clients.len() > REMEMBERED {
                self.clients.pop_first();
            }
        }
        if let Expect::Breakpoint(request) = &expect {
            self.breakpoints.entry(request.id).or_insert_with(|| (request.clone(), Vec::new())).0 = request.clone();
        }
        self.pending.insert(tid, Pending { client, left: ranks.clone(), expect });
        outcome.requests.push(Request::Ranks { tid, ranks, wait: PATIENCE, operation });
    }

    /// Carries out a Go; the first starts the program. Our ranks are stopped in `main` already: at a breakpoint set at
    /// that very place they have arrived.
    fn go(&mut self, client: TransactionId, ranks: ProcessSet, outcome: &mut Outcome) {
        let mut going = ranks;
        let unstarted = going.intersection(&self.unstarted);
        self.unstarted.remove_all(&unstarted);
        let mut arrived = Vec::new();
        for (here, stop) in self.stops.split(&unstarted) {
            let Some(stop) = stop else { continue };
            for (id, (request, sites)) in &self.breakpoints {
                if request.condition.is_some() || request.ignore > 0 || !request.enabled {
                    continue;
                }
                let code = &stop.frame.code;
                let hits = sites.iter().filter(|(_, site)| site.module == code.module && site.offset == code.offset);
                for (site_ranks, _) in hits {
                    let hit = site_ranks.intersection(&here).intersection(&going);
                    if !hit.is_empty() {
                        going.remove_all(&hit);
                        let reason = StopReason::Breakpoint(*id);
                        arrived.push((hit, Stop { reason, ..stop.clone() }, request.temporary));
                    }
                }
            }
        }
        for (ranks, stop, temporary) in arrived {
            outcome.events.push((client, self.of_ranks(ranks.clone(), RankEvent::Ok)));
            if let (true, StopReason::Breakpoint(id)) = (temporary, &stop.reason) {
                self.ask(client, ranks.clone(), Operation::DeleteBreakpoint(*id), Expect::Silent, outcome);
            }
            self.suspend(client, ranks, stop, outcome);
        }
        self.ask(client, going, Operation::Go, Expect::Done, outcome);
    }

    /// Carries out an interrupt. Ranks already stopped report it again: the client waits for a Suspend of each.
    fn interrupt(&mut self, client: TransactionId, ranks: ProcessSet, outcome: &mut Outcome) {
        let parts: Vec<_> = self.stops.split(&ranks).into_iter().map(|(ranks, stop)| (ranks, stop.cloned())).collect();
        for (ranks, stop) in parts {
            match stop {
                Some(stop) => {
                    self.suspend(client, ranks, Stop { reason: StopReason::Interrupted, ..stop }, outcome);
                }
                None => self.ask(client, ranks, Operation::Interrupt, Expect::Silent, outcome),
            }
        }
    }

    fn suspend(&mut self, client: TransactionId, ranks: ProcessSet, stop: Stop, outcome: &mut Outcome) {
        let operation = Operation::StackDepth(Some(stop.thread));
        self.ask(client, ranks, operation, Expect::Suspend(Box::new(stop)), outcome);
    }

    /// Asks for one level of a value: of a new expression, of one with a key, or of a child by its parent's key.
    fn partial(
        &mut self,
        client: TransactionId,
        ranks: ProcessSet,
        partial: (&str, &str, bool, bool),
        outcome: &mut Outcome,
    ) {
        let (expression, key, list_children, express) = partial;
        let (expression, key) = if key.is_empty() {
            let key = format!("var{}", self.fresh());
            self.partials.insert(key.clone(), expression.to_owned());
            (expression.to_owned(), key)
        } else if express {
            (expression.to_owned(), key.to_owned())
        } else if let Some(known) = self.keyed(key) {
            (known, key.to_owned())
        } else {
            let failure = Failure::new(ErrorCode::UNKNOWN_VARIABLE, format!("no partial expression {key:?}"));
            outcome.events.push((client, self.of_ranks(ranks, error(&failure))));
            return;
        };
        let extent = if list_children { Extent::Children } else { Extent::Outline };
        for (ranks, context) in self.by_context(&ranks) {
            let operation = Operation::Evaluate { context, expression: expression.clone() };
            let wanted = Wanted { extent, key: key.clone(), expression: expression.clone() };
            self.ask(client, ranks, operation, Expect::Value(wanted), outcome);
        }
    }

    fn keyed(&self, key: &str) -> Option<String> {
        if let Some(known) = self.partials.get(key) {
            return Some(known.clone());
        }
        let (parent, path) = key.split_once('.')?;
        child_expression(self.partials.get(parent)?, path)
    }
}

#[cfg(test)]
mod tests;
