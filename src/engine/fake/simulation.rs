//! The thread that plays all ranks.

use super::{
    breakpoints::{Breakpoints, ops_of, site},
    code::{Program, TEXT},
    inspect::{Readings, no_such_place},
    machine::{Machine, Thread},
    programs,
    report::{Merged, Pending},
    slot::{Slot, State},
};
use crate::engine::{Acquisition, Query, Report, ReportSink};
use crate::model::{
    Answer, BreakpointId, BreakpointRequest, ErrorCode, Event, Failure, LaunchSpec, Operation, ProcessSet, Rank,
    Severity, SignalName, StopAt, StopReason, TransactionId,
};
use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        mpsc::{Receiver, RecvTimeoutError, TryRecvError},
    },
    time::{Duration, Instant},
};

/// What the handle tells the thread.
pub(super) enum Order {
    Acquire(Acquisition),
    Submit(Query),
    Shutdown(bool),
}

/// Instructions all ranks together execute between two looks at the orders.
const ROUND: usize = 2_000_000;
/// Rounds without anything to say after which a program counts as one that runs for long.
const BUSY_ROUNDS: u32 = 40;

pub(super) struct Simulation {
    sink: ReportSink,
    ranks: BTreeMap<Rank, Slot>,
    breakpoints: Breakpoints,
    pending: Pending,
    /// Answers of slow ranks.
    late: Vec<(Instant, Report)>,
    quiet_rounds: u32,
}

impl Simulation {
    pub(super) fn new(sink: ReportSink) -> Self {
        Self {
            sink,
            ranks: BTreeMap::new(),
            breakpoints: Breakpoints::default(),
            pending: Pending::default(),
            late: Vec::new(),
            quiet_rounds: 0,
        }
    }

    /// Until shut down, or until nobody is left who could give orders.
    pub(super) fn run(mut self, orders: &Receiver<Order>) {
        loop {
            let running = self.ranks.values().any(|slot| slot.state == State::Running);
            let now = Instant::now();
            let due = self.late.iter().map(|(due, _)| due.saturating_duration_since(now)).min();
            // An endless loop is not worth a processor.
            let pause = Duration::from_millis(u64::from(self.quiet_rounds.saturating_sub(BUSY_ROUNDS)).min(10));
            let order = match (running, due) {
                (true, _) if pause.is_zero() => orders.try_recv().map_err(|e| e == TryRecvError::Disconnected),
                (true, _) => orders.recv_timeout(pause).map_err(|e| e == RecvTimeoutError::Disconnected),
                (false, Some(due)) => orders.recv_timeout(due).map_err(|e| e == RecvTimeoutError::Disconnected),
                (false, None) => orders.recv().map_err(|_| true),
            };
            match order {
                Ok(Order::Acquire(acquisition)) => self.acquire(acquisition),
                Ok(Order::Submit(query)) => self.submit(query),
                Ok(Order::Shutdown(kill)) => return self.shutdown(kill),
                Err(true) => return,
                Err(false) => {
                    self.send_due();
                    self.round();
                }
            }
        }
    }

    fn send_due(&mut self) {
        let now = Instant::now();
        let (due, later) = std::mem::take(&mut self.late).into_iter().partition(|(at, _)| *at <= now);
        self.late = later;
        let due: Vec<(Instant, Report)> = due;
        for (_, report) in due {
            let _ = self.sink.send(report);
        }
    }

    fn round(&mut self) {
        let running = self.ranks.values().filter(|slot| slot.state == State::Running).count();
        let budget = (ROUND / running.max(1)).clamp(200, 20_000) as u32;
        let mut quiet = true;
        let mut events = Vec::new();
        for (rank, slot) in self.ranks.iter_mut().filter(|(_, slot)| slot.state == State::Running) {
            slot.run(&mut self.breakpoints, budget, &mut events);
            quiet &= events.is_empty();
            for event in events.drain(..) {
                self.pending.add(*rank, slot.tid, event);
            }
        }
        self.pending.flush(&self.sink);
        self.quiet_rounds = if quiet { self.quiet_rounds.saturating_add(1) } else { 0 };
    }

    fn shutdown(mut self, kill: bool) {
        let mut events = Vec::new();
        for (rank, slot) in self.ranks.iter_mut().filter(|(_, slot)| slot.state != State::Ended) {
            let last = if kill { Event::Killed(SignalName::from_number(9)) } else { Event::Detached };
            slot.end(last, &mut events);
            for event in events.drain(..) {
                self.pending.add(*rank, slot.tid, event);
            }
        }
        self.pending.flush(&self.sink);
    }

    fn lost(&self, ranks: ProcessSet, message: String) {
        let tid = TransactionId(0);
        let event = Event::Message(Severity::Error, message.clone());
        let _ = self.sink.send(Report::Event { tid, ranks: ranks.clone(), event });
        let _ = self.sink.send(Report::Event { tid, ranks, event: Event::Lost(message) });
    }

    fn acquire(&mut self, acquisition: Acquisition) {
        match acquisition {
            Acquisition::Launch { first, count, size, spec } => {
                let ranks = ProcessSet::range(first.0, first.0.saturating_add(count));
                match programs::load(&spec.program) {
                    Ok(program) => self.launch(&ranks, size, &spec, &Arc::new(program)),
                    Err(message) => self.lost(ranks, message),
                }
            }
            Acquisition::Join { rank, ready, .. } => {
                let message = "the simulated engine has no processes to join";
                let _ = ready.send(Err(message.to_owned()));
                self.lost(ProcessSet::one(rank), message.to_owned());
            }
        }
        self.quiet_rounds = 0;
    }

    fn launch(&mut self, ranks: &ProcessSet, size: u32, spec: &LaunchSpec, program: &Arc<Program>) {
        self.breakpoints.replant(program);
        let first_stop = match &spec.stop_at {
            StopAt::Location(location) => {
                let request = BreakpointRequest {
                    id: FIRST_STOP,
                    location: location.clone(),
                    temporary: true,
                    condition: None,
                    ignore: 0,
                    thread: None,
                    enabled: true,
                };
                let ops = ops_of(program, location, None).unwrap_or_default();
                self.breakpoints.set(request, ranks.clone(), ops);
                false
            }
            StopAt::Main => true,
            StopAt::Nowhere => false,
        };
        for rank in ranks.iter() {
            let mut slot = new_slot(rank, size, spec, program);
            let acquired = Event::Acquired { pid: slot.machine.pid };
            let (tid, ranks) = (TransactionId(0), ProcessSet::one(rank));
            let _ = self.sink.send(Report::Event { tid, ranks, event: acquired });
            let mut events = Vec::new();
            if first_stop {
                slot.stop(0, StopReason::Start, None, &mut events);
            } else {
                slot.state = State::Running;
                events.push(Event::Running);
            }
            for event in events {
                self.pending.add(rank, tid, event);
            }
            self.ranks.insert(rank, slot);
        }
        self.pending.flush(&self.sink);
    }

    fn answer(&mut self, tid: TransactionId, ranks: ProcessSet, answer: Answer) {
        if ranks.is_empty() {
            return;
        }
        // Slow ranks answer by themselves, later.
        let mut at_once = ranks.clone();
        for (rank, slot) in self.ranks.iter().filter(|(rank, slot)| slot.machine.slowness > 0 && ranks.contains(**rank))
        {
            at_once.remove(*rank);
            let due = Instant::now() + Duration::from_millis(u64::from(slot.machine.slowness));
            self.late.push((due, Report::Answer { tid, ranks: ProcessSet::one(*rank), answer: answer.clone() }));
        }
        if !at_once.is_empty() {
            let _ = self.sink.send(Report::Answer { tid, ranks: at_once, answer });
        }
    }

    fn fail(&mut self, tid: TransactionId, ranks: ProcessSet, code: ErrorCode, message: &str) {
        self.answer(tid, ranks, Answer::Failed(Failure::new(code, message)));
    }

    fn submit(&mut self, query: Query) {
        self.quiet_rounds = 0;
        let Query { tid, ranks, operation } = query;
        let mut by_state = [(); 4].map(|()| ProcessSet::new());
        let [running, stopped, ended, hung] = &mut by_state;
        for (rank, slot) in self.ranks.iter().filter(|(rank, _)| ranks.contains(**rank)) {
            let set = match slot.state {
                State::Running => &mut *running,
                State::Stopped => &mut *stopped,
                State::Ended => &mut *ended,
                State::Hung => &mut *hung,
            };
            set.insert(*rank);
        }
        let known = running.union(stopped).union(ended).union(hung);
        self.fail(tid, ranks.difference(&known), ErrorCode::BAD_SET, "the engine has no such rank");
        let [running, stopped, ended, _] = by_state;
        if operation.needs_stop() {
            self.fail(tid, running, ErrorCode::RUNNING, "the rank is running: halt it first");
            self.fail(tid, ended, ErrorCode::NOT_RUN, "the rank has ended");
            self.carry_out(tid, stopped, &operation);
            return;
        }
        let live = running.union(&stopped);
        if matches!(operation, Operation::Interrupt | Operation::Terminate | Operation::Detach | Operation::Threads) {
            self.fail(tid, ended, ErrorCode::NOT_RUN, "the rank has ended");
            self.carry_out(tid, live, &operation);
            return;
        }
        self.carry_out(tid, live.union(&ended), &operation);
    }

    fn carry_out(&mut self, tid: TransactionId, ranks: ProcessSet, operation: &Operation) {
        if ranks.is_empty() {
            return;
        }
        match operation {
            Operation::SetBreakpoint(request) => self.set_breakpoint(tid, ranks, request),
            Operation::DeleteBreakpoint(id) => {
                self.with_breakpoint(tid, ranks, *id, |all, ranks| all.delete(*id, ranks));
            }
            Operation::EnableBreakpoint(id, enabled) => self.with_breakpoint(tid, ranks, *id, |all, ranks| {
                all.change(*id, ranks, |request| request.enabled = *enabled);
            }),
            Operation::SetCondition(id, condition) => {
                if let Some(fault) = condition.as_deref().and_then(|text| self.unreadable(&ranks, text)) {
                    return self.answer(tid, ranks, Answer::Failed(fault));
                }
                self.with_breakpoint(tid, ranks, *id, |all, ranks| {
                    all.change(*id, ranks, |request| request.condition.clone_from(condition));
                });
            }
            Operation::SetIgnore(id, count) => {
                self.with_breakpoint(tid, ranks, *id, |all, ranks| all.set_ignore(*id, ranks, *count));
            }
            Operation::Go | Operation::Step { .. } | Operation::Until(..) | Operation::Signal(_) => {
                self.resume(tid, ranks, operation);
            }
            Operation::Interrupt | Operation::Terminate | Operation::Detach => self.halt(tid, ranks, operation),
            _ => self.ask(tid, ranks, operation),
        }
    }

    /// The fault of a text that is no expression at all. Names are looked up where the program arrives.
    fn unreadable(&self, ranks: &ProcessSet, text: &str) -> Option<Failure> {
        let slot = self.ranks.get(&ranks.first()?)?;
        super::parse::parse_expression(text, &slot.program.names).err().map(Failure::from)
    }

    fn set_breakpoint(&mut self, tid: TransactionId, ranks: ProcessSet, request: &BreakpointRequest) {
        if let Some(fault) = request.condition.as_deref().and_then(|text| self.unreadable(&ranks, text)) {
            return self.answer(tid, ranks, Answer::Failed(fault));
        }
        let mut answers = Merged::new();
        let mut ops = Vec::new();
        let mut planted = ProcessSet::new();
        for (rank, slot) in self.ranks.iter_mut().filter(|(rank, _)| ranks.contains(**rank)) {
            // A breakpoint goes to the file's address, the user writes the one in memory.
            let address = match &request.location {
                crate::model::LocationSpec::Address(text) => match slot.code_address(text) {
                    Ok(address) => Some(address),
                    Err(failure) => {
                        answers.add(*rank, Answer::Failed(failure));
                        continue;
                    }
                },
                _ => None,
            };
            match ops_of(&slot.program, &request.location, address) {
                Ok(found) => {
                    let sites = found.iter().map(|op| site(&slot.program, *op, slot.bias)).collect();
                    answers.add(*rank, Answer::Breakpoint(request.id, sites));
                    ops = found;
                    planted.insert(*rank);
                }
                Err(failure) => answers.add(*rank, Answer::Failed(failure)),
            }
        }
        if !planted.is_empty() {
            self.breakpoints.set(request.clone(), planted, ops);
        }
        for (answer, ranks) in answers.into_vec() {
            self.answer(tid, ranks, answer);
        }
    }

    fn with_breakpoint(
        &mut self,
        tid: TransactionId,
        ranks: ProcessSet,
        id: BreakpointId,
        act: impl FnOnce(&mut Breakpoints, &ProcessSet),
    ) {
        let having = self.breakpoints.having(id, &ranks);
        act(&mut self.breakpoints, &having);
        self.fail(tid, ranks.difference(&having), ErrorCode::NO_BREAKPOINT, &format!("no breakpoint number {id}"));
        self.answer(tid, having, Answer::Ok);
    }

    fn resume(&mut self, tid: TransactionId, ranks: ProcessSet, operation: &Operation) {
        let mut answers = Merged::new();
        for (rank, slot) in self.ranks.iter_mut().filter(|(rank, _)| ranks.contains(**rank)) {
            let goal = match operation {
                Operation::Step { kind, count, context } => slot.step_goal(*kind, *count, *context).map(Some),
                Operation::Until(location, context) => slot.until_goal(location, *context).map(Some),
                _ => Ok(None),
            };
            let signal = match operation {
                Operation::Signal(name) => Some(name.clone()),
                _ => None,
            };
            match goal {
                Ok(goal) => {
                    slot.tid = tid;
                    answers.add(*rank, Answer::Ok);
                    let mut events = Vec::new();
                    slot.resume(goal, signal, &mut events);
                    for event in events {
                        self.pending.add(*rank, tid, event);
                    }
                }
                Err(failure) => answers.add(*rank, Answer::Failed(failure)),
            }
        }
        for (answer, ranks) in answers.into_vec() {
            self.answer(tid, ranks, answer);
        }
        self.pending.flush(&self.sink);
    }

    fn halt(&mut self, tid: TransactionId, ranks: ProcessSet, operation: &Operation) {
        self.answer(tid, ranks.clone(), Answer::Ok);
        for (rank, slot) in self.ranks.iter_mut().filter(|(rank, _)| ranks.contains(**rank)) {
            let mut events = Vec::new();
            slot.tid = tid;
            match operation {
                Operation::Interrupt if slot.state == State::Running => {
                    slot.stop(slot.current, StopReason::Interrupted, None, &mut events);
                }
                Operation::Terminate => slot.end(Event::Killed(SignalName::from_number(9)), &mut events),
                Operation::Detach => slot.end(Event::Detached, &mut events),
                _ => {}
            }
            for event in events {
                self.pending.add(*rank, tid, event);
            }
        }
        self.pending.flush(&self.sink);
    }

    fn ask(&mut self, tid: TransactionId, ranks: ProcessSet, operation: &Operation) {
        let (mut answers, mut readings) = (Merged::new(), Readings::default());
        for (rank, slot) in self.ranks.iter_mut().filter(|(rank, _)| ranks.contains(**rank)) {
            answers.add(*rank, slot.inspect(operation, &mut readings));
        }
        for (answer, ranks) in answers.into_vec() {
            self.answer(tid, ranks, answer);
        }
    }
}

/// The number of the breakpoint behind `StopAt::Location`, which no front end gives.
const FIRST_STOP: BreakpointId = BreakpointId(u32::MAX);

fn new_slot(rank: Rank, size: u32, spec: &LaunchSpec, program: &Arc<Program>) -> Slot {
    let mut machine = Machine {
        rank,
        size,
        pid: 10_000 + rank.0,
        globals: program.data.clone(),
        heap: Vec::new(),
        environment: spec.environment.clone().into(),
        threads: vec![Thread::default()],
        output: Vec::new(),
        handlers: BTreeMap::new(),
        slowness: 0,
    };
    let main = program.function(program.main);
    let mut arguments = Vec::new();
    if main.is_some_and(|f| f.locals.iter().any(|l| l.parameter)) {
        let words = std::iter::once(spec.program.clone()).chain(spec.arguments.iter().map(|a| machine.replaced(a)));
        let words: Vec<_> = words.collect();
        let mut places: Vec<u64> = words.iter().map(|word| machine.place_text(word)).collect();
        places.push(0);
        let vector = machine.reserve(places.len() * 8).unwrap_or(0);
        let bytes: Vec<u8> = places.iter().flat_map(|place| place.to_le_bytes()).collect();
        let _ = machine.write(vector, &bytes);
        arguments = vec![words.len() as u64, vector];
    }
    if let Some(thread) = machine.threads.first_mut() {
        thread.call(program, program.main, &arguments, 0);
        thread.pc = main.map_or(0, |f| f.body);
    }
    let bias = if spec.randomise { (u64::from(rank.0).wrapping_mul(0x9e37_79b9) & 0xff_ffff) << 12 } else { 0 };
    Slot {
        machine,
        program: program.clone(),
        bias,
        state: State::Stopped,
        tid: TransactionId(0),
        current: 0,
        goal: None,
        passed: false,
        signal: None,
        signals: None,
    }
}

impl Slot {
    /// The file address that an address expression of the user means.
    fn code_address(&mut self, text: &str) -> Result<u64, Failure> {
        let at = if self.state == State::Stopped { self.at(self.current, 0) } else { None };
        let reading = super::evaluate::compile(&self.program, at.map(|at| at.op), text)?;
        let at =
            at.or(self.at(0, 0)).ok_or_else(|| no_such_place(&crate::model::LocationSpec::Address(text.into())))?;
        let program = self.program.clone();
        let address = reading.number(&mut self.machine, &program, at)?;
        Ok(if address >= TEXT.wrapping_add(self.bias) { address.wrapping_sub(self.bias) } else { address })
    }
}
