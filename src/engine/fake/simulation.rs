//! The thread that simulates all ranks.

use super::{
    breakpoints::{PlantedBreakpoints, ops_of},
    code::Program,
    machine::{Machine, Shared, Thread, Used},
    programs,
    report::Pending,
    slot::{Slot, State},
    slots::{Packing, Slots},
};
use crate::interface::no_core_files;
use crate::{Acquisition, Query, Refusal, Report, ReportSink};
use debuginfo::give_back_freed_memory;
use model::{
    BreakpointId, BreakpointRequest, ErrorCode, Event, Failure, LaunchSpec, ProcessSet, Rank, SignalName, StopAt,
    StopReason, TransactionId,
};
use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        mpsc::{Receiver, RecvTimeoutError, TryRecvError},
    },
    time::{Duration, Instant},
};

pub(super) enum Order {
    Acquire(Acquisition),
    Submit(Query),
    Shutdown(bool),
}

/// The number of instructions that all ranks execute together between two checks for orders.
const ROUND: usize = 2_000_000;
/// After so long without a question, the memory of the last answers is given back.
const IDLE: Duration = Duration::from_secs(1);
/// More answers than this take much memory.
pub(super) const MANY_ANSWERS: usize = 10_000;
/// The number of rounds without a report after which a pause between rounds begins to grow.
const BUSY_ROUNDS: u32 = 40;

pub(super) struct Simulation {
    pub(super) sink: ReportSink,
    pub(super) ranks: Slots,
    pub(super) breakpoints: PlantedBreakpoints,
    pub(super) pending: Pending,
    /// The delayed answers of slow ranks, with their times.
    pub(super) late: Vec<(Instant, Report)>,
    pub(super) quiet_rounds: u32,
    /// True if answers have taken much memory that may not be needed again.
    pub(super) has_grown: bool,
}

impl Simulation {
    pub(super) fn new(sink: ReportSink) -> Self {
        Self {
            sink,
            ranks: Slots::default(),
            breakpoints: PlantedBreakpoints::default(),
            pending: Pending::default(),
            late: Vec::new(),
            quiet_rounds: 0,
            has_grown: false,
        }
    }

    /// Runs until shutdown, or until the engine is dropped.
    pub(super) fn run(mut self, orders: &Receiver<Order>) {
        loop {
            let running = self.ranks.count(State::Running) > 0;
            let now = Instant::now();
            let due = self.late.iter().map(|(due, _)| due.saturating_duration_since(now)).min();
            // An endless loop must not occupy a whole processor.
            let pause = Duration::from_millis(u64::from(self.quiet_rounds.saturating_sub(BUSY_ROUNDS)).min(10));
            let order = match (running, due) {
                (true, _) if pause.is_zero() => orders.try_recv().map_err(|e| e == TryRecvError::Disconnected),
                (true, _) => orders.recv_timeout(pause).map_err(|e| e == RecvTimeoutError::Disconnected),
                (false, Some(due)) => orders.recv_timeout(due).map_err(|e| e == RecvTimeoutError::Disconnected),
                (false, None) if self.has_grown => {
                    orders.recv_timeout(IDLE).map_err(|e| e == RecvTimeoutError::Disconnected)
                }
                (false, None) => orders.recv().map_err(|_| true),
            };
            match order {
                Ok(Order::Acquire(acquisition)) => self.acquire(acquisition),
                Ok(Order::Submit(query)) => self.submit(query),
                Ok(Order::Shutdown(kill)) => return self.shutdown(kill),
                Err(true) => return,
                Err(false) if !running && due.is_none() => {
                    give_back_freed_memory();
                    self.has_grown = false;
                }
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
        let running = self.ranks.count(State::Running);
        let budget = (ROUND / running.max(1)).clamp(200, 20_000) as u32;
        let mut quiet = true;
        let mut events = Vec::new();
        self.ranks.each_in(
            |state| state == State::Running,
            |slot| {
                slot.run(&mut self.breakpoints, budget, &mut events);
                quiet &= events.is_empty();
                self.pending.add(slot.machine.rank, slot.tid, &mut events);
            },
        );
        self.pending.flush(&self.sink);
        self.quiet_rounds = if quiet { self.quiet_rounds.saturating_add(1) } else { 0 };
    }

    fn shutdown(mut self, kill: bool) {
        let mut events = Vec::new();
        self.ranks.each_in(
            |state| state != State::Ended,
            |slot| {
                let last = if kill { Event::Killed(SignalName::from_number(9).into()) } else { Event::Detached };
                slot.end(last, &mut events);
                self.pending.add(slot.machine.rank, slot.tid, &mut events);
            },
        );
        self.pending.flush(&self.sink);
    }

    fn lost(&self, ranks: ProcessSet, message: String) {
        let tid = TransactionId(0);
        let _ = self.sink.send(Report::Event { tid, ranks, event: Event::Failed(message) });
    }

    fn acquire(&mut self, acquisition: Acquisition) {
        match acquisition {
            Acquisition::Launch { first, count, size, spec, .. } => {
                let ranks = ProcessSet::range(first.0, first.0.saturating_add(count));
                match programs::load(&spec.program) {
                    Ok(program) => self.launch(&ranks, size, &spec, &Arc::new(program)),
                    Err(message) => self.lost(ranks, message),
                }
            }
            Acquisition::Join { rank, ready, .. } => {
                let message = "the simulated engine cannot join processes";
                let _ = ready.send(Err(message.to_owned()));
                self.lost(ProcessSet::one(rank), message.to_owned());
            }
            Acquisition::Attach { rank, pid, .. } => {
                let message = format!("the simulated engine cannot attach to process {pid}");
                self.lost(ProcessSet::one(rank), message);
            }
            Acquisition::TakeOver { handed, ready } => {
                let message = "the simulated engine cannot take over processes";
                let failure = Failure::new(ErrorCode::NOT_IMPLEMENTED, message);
                let _ = ready.send(Err(Refusal { handed, failure }));
            }
            Acquisition::OpenCores { cores, .. } => drop(self.sink.send(no_core_files("simulated", &cores))),
        }
        self.quiet_rounds = 0;
    }

    fn launch(&mut self, ranks: &ProcessSet, size: u32, spec: &LaunchSpec, program: &Arc<Program>) {
        self.breakpoints.replant(program);
        let first_stop = match &spec.stop_at {
            StopAt::Location(location) => {
                let request =
                    BreakpointRequest { temporary: true, ..BreakpointRequest::at(FIRST_STOP, location.clone()) };
                let ops = ops_of(program, location, None).unwrap_or_default();
                self.breakpoints.set(request, ranks.clone(), ops);
                false
            }
            // Its programs have nothing before `main`.
            StopAt::Main | StopAt::FirstInstruction => true,
            StopAt::Nowhere => false,
        };
        let environment = spec.environment.clone().into();
        let mut packing = Packing::default();
        self.ranks.reserve(ranks.len());
        for rank in ranks.iter() {
            let mut slot = new_slot(rank, size, spec, &environment, program);
            let acquired = Event::Acquired { pid: slot.machine.pid() };
            let (tid, ranks) = (TransactionId(0), ProcessSet::one(rank));
            let _ = self.sink.send(Report::Event { tid, ranks, event: acquired });
            let mut events = Vec::new();
            if first_stop {
                slot.stop(0, StopReason::Start, None, &mut events);
            } else {
                slot.state = State::Running;
                events.push(Event::Running);
            }
            self.pending.add(rank, tid, &mut events);
            self.ranks.insert(slot, &mut packing);
        }
        self.pending.flush(&self.sink);
    }
}

/// The number of the breakpoint for `StopAt::Location`, which the front end never uses.
const FIRST_STOP: BreakpointId = BreakpointId(u32::MAX);

fn new_slot(
    rank: Rank,
    size: u32,
    spec: &LaunchSpec,
    environment: &Arc<[(String, String)]>,
    program: &Arc<Program>,
) -> Slot {
    let mut machine = Machine {
        rank,
        size,
        globals: Shared::from(Arc::clone(&program.data)),
        heap: Shared::default(),
        environment: Arc::clone(environment),
        threads: Shared::from(vec![Thread::default()]),
        output: Vec::new(),
        handlers: BTreeMap::new(),
        slowness: 0,
        used: Used::default(),
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
        counted: BTreeMap::new(),
    }
}
