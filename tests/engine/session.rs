//! An engine with ranks, driven by a test: blocking calls with a time limit.

use crate::support::{
    build, marks,
    points::armed,
    wait::{LIMIT, wait_on, within},
};
use rankscope::debuginfo::{SymbolStore, slow_reads};
use rankscope::engine::gdb::{GdbEngine, GdbOptions};
use rankscope::engine::native::{NativeEngine, NativeOptions};
use rankscope::engine::{Acquisition, Engine, EngineFault, Query, Report, ReportSink, fake::FakeEngine};
use rankscope::model::{
    Answer, Armed, BreakpointId, BreakpointRequest, Context, Datum, Event, Failure, Frame, LaunchSpec, LocationSpec,
    Operation, ProcessSet, Rank, StepKind, Stop, StopReason, TransactionId, Variable, VariableValue,
};
use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, LazyLock},
    thread,
};
use tokio::sync::mpsc::{UnboundedReceiver, error::TryRecvError, unbounded_channel};

/// The program of the contract.
pub const CONTRACT: &str = "contract.c";

/// The engine under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Fake,
    Native,
    Gdb,
}

impl Kind {
    /// The launch of a C program of `tests/programs`.
    pub fn spec(self, file: &str, arguments: &[&str]) -> LaunchSpec {
        let program = match self {
            Self::Fake => format!("fake:{}", marks::source(file).display()),
            Self::Native | Self::Gdb => build::plain(file).display().to_string(),
        };
        let arguments = arguments.iter().map(|&word| word.to_owned()).collect();
        LaunchSpec { program, arguments, ..LaunchSpec::default() }
    }

    /// The number of ranks for tests with many.
    pub fn many(self) -> u32 {
        match self {
            Self::Fake => 64,
            Self::Native | Self::Gdb => 4,
        }
    }
}

pub struct Session {
    engine: Box<dyn Engine>,
    reports: UnboundedReceiver<Report>,
    /// All events of each rank, in order.
    pub events: BTreeMap<Rank, Vec<(TransactionId, Event)>>,
    answers: HashMap<TransactionId, Vec<(ProcessSet, Answer)>>,
    /// Number of reports, to measure merging.
    pub count: usize,
    closed: bool,
    next: u32,
    /// Number of events of each rank that a test has read.
    looked_at: BTreeMap<Rank, usize>,
    /// Timeout of a wait, in units of the limit.
    pub limits: u32,
}

pub fn native(sink: ReportSink) -> Result<NativeEngine, EngineFault> {
    static FILES: LazyLock<Arc<SymbolStore>> = LazyLock::new(|| SymbolStore::preparing(None).unwrap());
    NativeEngine::start_with(NativeOptions { store: Some(Arc::clone(&FILES)), ..NativeOptions::default() }, sink)
}

impl Session {
    pub fn new(kind: Kind) -> Self {
        Self::over(|sink| match kind {
            Kind::Fake => Box::new(FakeEngine::start(sink).unwrap()),
            Kind::Native => Box::new(native(sink).unwrap()),
            Kind::Gdb => Box::new(GdbEngine::start(GdbOptions::default(), sink).unwrap()),
        })
    }

    /// A session with an engine that the test created.
    pub fn over(engine: impl FnOnce(ReportSink) -> Box<dyn Engine>) -> Self {
        let (sink, reports) = unbounded_channel();
        let engine = engine(sink);
        Self {
            engine,
            reports,
            events: BTreeMap::new(),
            answers: HashMap::new(),
            count: 0,
            closed: false,
            next: 0,
            looked_at: BTreeMap::new(),
            limits: 1,
        }
    }

    /// The contract's program, with all ranks stopped in main.
    pub fn launched(kind: Kind, arguments: &[&str], ranks: u32) -> Self {
        let mut session = Self::new(kind);
        session.launch(kind.spec(CONTRACT, arguments), ranks);
        session.stops(&ProcessSet::all(ranks));
        session
    }

    /// One rank, continued to the mark.
    pub fn at(kind: Kind, arguments: &[&str], mark: &str) -> Self {
        let mut session = Self::launched(kind, arguments, 1);
        session.run_to(mark);
        session
    }

    pub fn launch(&self, spec: LaunchSpec, ranks: u32) {
        self.engine.acquire(Acquisition::Launch {
            first: Rank(0),
            count: ranks,
            size: ranks,
            spec,
            inputs: BTreeMap::new(),
        });
    }

    pub fn acquire(&self, acquisition: Acquisition) {
        self.engine.acquire(acquisition);
    }

    /// Takes the reports that are there; false if there were none.
    fn take(&mut self) -> bool {
        match self.reports.try_recv() {
            Ok(Report::Answer { tid, ranks, answer }) => self.answers.entry(tid).or_default().push((ranks, answer)),
            Ok(Report::Event { tid, ranks, event }) => {
                for rank in ranks.iter() {
                    self.events.entry(rank).or_default().push((tid, event.clone()));
                }
            }
            Err(TryRecvError::Empty) => return false,
            Err(TryRecvError::Disconnected) => {
                self.closed = true;
                return false;
            }
        }
        self.count += 1;
        true
    }

    #[track_caller]
    pub fn wait_until<T>(&mut self, what: &str, mut look: impl FnMut(&mut Self) -> Option<T>) -> T {
        let mut look = |session: &mut Self| {
            loop {
                if let Some(found) = look(session) {
                    return Some(found);
                }
                if !session.take() {
                    assert!(!session.closed, "the engine has ended without {what}; events: {:#?}", session.events);
                    return None;
                }
            }
        };
        for _ in 1..self.limits {
            if let Some(found) = within(LIMIT, || look(self)) {
                return found;
            }
        }
        wait_on(self, look, |session| format!("{what}; events: {:#?}", session.events))
    }

    pub fn submit(&mut self, ranks: &ProcessSet, operation: Operation) -> TransactionId {
        self.next += 1;
        let tid = TransactionId(self.next);
        self.engine.submit(Query { tid, ranks: ranks.clone(), operation });
        tid
    }

    /// The answers of all ranks asked; each rank answers exactly once.
    #[track_caller]
    pub fn answers(&mut self, tid: TransactionId, ranks: &ProcessSet) -> Vec<(ProcessSet, Answer)> {
        self.wait_until("answers", |session| {
            let answers = session.answers.get(&tid)?;
            let mut covered = ProcessSet::new();
            for (of, answer) in answers {
                assert!(!covered.meets(of), "{of} answered twice, the second time {answer:?}");
                covered.extend_with(of);
            }
            (covered == *ranks).then(|| answers.clone())
        })
    }

    #[track_caller]
    pub fn ask_all(&mut self, ranks: &ProcessSet, operation: Operation) -> Vec<(ProcessSet, Answer)> {
        let tid = self.submit(ranks, operation);
        self.answers(tid, ranks)
    }

    /// The one answer of one rank.
    #[track_caller]
    pub fn ask(&mut self, rank: u32, operation: Operation) -> Answer {
        let mut answers = self.ask_all(&ProcessSet::one(Rank(rank)), operation);
        assert_eq!(answers.len(), 1);
        answers.remove(0).1
    }

    #[track_caller]
    pub fn ok(&mut self, ranks: &ProcessSet, operation: Operation) {
        for (of, answer) in self.ask_all(ranks, operation.clone()) {
            assert_eq!(answer, Answer::Ok, "{of}: {operation:?}");
        }
    }

    /// Waits for an event of a rank that was not read before; skips earlier ones.
    #[track_caller]
    pub fn event<T>(&mut self, rank: Rank, what: &str, mut wanted: impl FnMut(&Event) -> Option<T>) -> T {
        self.wait_until(&format!("{what} of rank {rank}"), |session| {
            let from = session.looked_at.get(&rank).copied().unwrap_or(0);
            let events = session.events.get(&rank)?;
            let at = (from..events.len()).find(|at| wanted(&events[*at].1).is_some())?;
            session.looked_at.insert(rank, at + 1);
            wanted(&session.events[&rank][at].1)
        })
    }

    /// The next stop of each rank.
    #[track_caller]
    pub fn stops(&mut self, ranks: &ProcessSet) -> BTreeMap<Rank, Stop> {
        let stop_of = |event: &Event| match event {
            Event::Stopped(stop) => Some(stop.clone()),
            _ => None,
        };
        ranks.iter().map(|rank| (rank, self.event(rank, "a stop", stop_of))).collect()
    }

    /// The next stop of one rank.
    #[track_caller]
    pub fn stop(&mut self, rank: u32) -> Stop {
        self.stops(&ProcessSet::one(Rank(rank))).remove(&Rank(rank)).unwrap()
    }

    /// Resumes one rank and waits for its next stop.
    #[track_caller]
    pub fn go(&mut self, rank: u32) -> Stop {
        self.resume(rank, Operation::Go)
    }

    #[track_caller]
    pub fn resume(&mut self, rank: u32, operation: Operation) -> Stop {
        self.ok(&ProcessSet::one(Rank(rank)), operation);
        self.stop(rank)
    }

    #[track_caller]
    pub fn step(&mut self, rank: u32, kind: StepKind) -> Stop {
        self.resume(rank, Operation::Step { kind, count: 1, context: Context::default() })
    }

    /// Resumes one rank and waits for its end.
    #[track_caller]
    pub fn go_to_end(&mut self, rank: u32) -> Event {
        self.ok(&ProcessSet::one(Rank(rank)), Operation::Go);
        self.end(rank)
    }

    #[track_caller]
    pub fn end(&mut self, rank: u32) -> Event {
        self.event(Rank(rank), "an end", |event| match event {
            Event::Exited(_) | Event::Killed(_) | Event::Detached | Event::Failed(_) | Event::Lost(_) => {
                Some(event.clone())
            }
            _ => None,
        })
    }

    /// Sets a breakpoint on all ranks.
    #[track_caller]
    pub fn set_breakpoint(&mut self, ranks: &ProcessSet, request: BreakpointRequest) -> Vec<(ProcessSet, Answer)> {
        self.ask_all(ranks, Operation::SetBreakpoint(request))
    }

    /// Sets a breakpoint on rank 0 that must have one site.
    #[track_caller]
    pub fn break_at(&mut self, request: BreakpointRequest) {
        match self.ask(0, Operation::SetBreakpoint(request)) {
            Answer::Breakpoint(_, sites) if sites.len() == 1 => {}
            other => panic!("{other:?}"),
        }
    }

    /// Continues rank 0 to a mark, with a temporary breakpoint.
    #[track_caller]
    pub fn run_to(&mut self, mark: &str) -> Stop {
        let request = BreakpointRequest { temporary: true, ..at_mark(900, mark) };
        self.break_at(request);
        let stop = self.go(0);
        assert_eq!((line_of(&stop.frame), &stop.reason), (line(mark), &StopReason::Breakpoint(BreakpointId(900))));
        stop
    }

    #[track_caller]
    pub fn stack(&mut self, rank: u32) -> Vec<Frame> {
        match self.ask(rank, Operation::Stack { thread: None, low: 0, high: None, most: None }) {
            Answer::Stack(frames) => frames,
            other => panic!("{other:?}"),
        }
    }

    pub fn evaluate_at(&mut self, rank: u32, frame: u32, expression: &str) -> Answer {
        let context = Context { thread: None, frame };
        self.ask(rank, Operation::Evaluate { context, expression: expression.to_owned() })
    }

    #[track_caller]
    pub fn value(&mut self, expression: &str) -> Datum {
        match self.evaluate_at(0, 0, expression) {
            Answer::Data(datum) => datum,
            other => panic!("{expression}: {other:?}"),
        }
    }

    /// The value of an integer expression on rank 0.
    #[track_caller]
    pub fn integer(&mut self, expression: &str) -> i64 {
        integer_of(&self.value(expression))
    }

    #[track_caller]
    pub fn fails(&mut self, rank: u32, operation: Operation) -> Failure {
        match self.ask(rank, operation) {
            Answer::Failed(failure) => {
                assert!(!failure.message.is_empty());
                failure
            }
            other => panic!("{other:?}"),
        }
    }

    #[track_caller]
    pub fn variables(&mut self, operation: Operation) -> Vec<Variable> {
        match self.ask(0, operation) {
            Answer::Variables(variables) => variables,
            other => panic!("{other:?}"),
        }
    }

    /// Sets a watchpoint or catchpoint on the first rank.
    #[track_caller]
    pub fn arm(&mut self, request: BreakpointRequest) -> Armed {
        armed(self.ask(0, Operation::SetBreakpoint(request)))
    }

    pub fn shutdown(&self, kill: bool) {
        self.engine.shutdown(kill);
    }

    /// Collects everything until the engine closes the sink.
    #[track_caller]
    pub fn drain(&mut self) {
        let closed = |session: &mut Self| {
            while session.take() {}
            session.closed.then_some(())
        };
        wait_on(self, closed, |session| format!("the end of the engine; events: {:#?}", session.events));
    }

    /// The output of a rank so far.
    pub fn output(&self, rank: u32, wanted: rankscope::model::Stream) -> String {
        let events = self.events.get(&Rank(rank)).into_iter().flatten();
        let parts = events.filter_map(|(_, event)| match event {
            Event::Output(stream, text) if *stream == wanted => Some(text.as_str()),
            _ => None,
        });
        parts.collect()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.engine.shutdown(true);
        if !thread::panicking() {
            self.drain();
            assert_eq!(slow_reads(), Vec::<String>::new(), "read on the tracer thread");
        }
    }
}

/// A mark's line in the contract's program.
#[track_caller]
pub fn line(mark: &str) -> u32 {
    marks::line(CONTRACT, mark)
}

pub fn line_of(frame: &Frame) -> u32 {
    frame.source.as_ref().map_or(0, |place| place.line)
}

pub fn function_of(frame: &Frame) -> &str {
    frame.function.as_deref().unwrap_or("?")
}

pub fn breakpoint(id: u32, location: LocationSpec) -> BreakpointRequest {
    BreakpointRequest::at(BreakpointId(id), location)
}

pub fn on_function(id: u32, name: &str) -> BreakpointRequest {
    breakpoint(id, LocationSpec::Function(name.to_owned()))
}

/// A breakpoint at a mark of a program.
#[track_caller]
pub fn on_mark(id: u32, file: &str, mark: &str) -> BreakpointRequest {
    breakpoint(id, LocationSpec::FileLine { file: file.to_owned(), line: marks::line(file, mark) })
}

/// A breakpoint at a mark of the contract's program.
#[track_caller]
pub fn at_mark(id: u32, mark: &str) -> BreakpointRequest {
    on_mark(id, CONTRACT, mark)
}

#[track_caller]
pub fn integer_of(datum: &Datum) -> i64 {
    let signed = datum.descriptor.contains("is") || datum.descriptor.contains('c');
    assert!(!datum.data.is_empty() && datum.data.len() <= 8, "{datum:?} is no integer");
    let negative = signed && datum.data[0] & 0x80 != 0;
    let first = if negative { -1i64 } else { 0 };
    datum.data.iter().fold(first, |value, byte| value << 8 | i64::from(*byte))
}

#[track_caller]
pub fn float_of(datum: &Datum) -> f64 {
    match (datum.descriptor.as_str(), <[u8; 8]>::try_from(&datum.data[..])) {
        ("f8", Ok(bytes)) => f64::from_be_bytes(bytes),
        _ => panic!("{datum:?} is no double"),
    }
}

/// The value of a variable that must be known.
#[track_caller]
pub fn known<'a>(variables: &'a [Variable], name: &str) -> &'a Datum {
    match variables.iter().find(|variable| variable.name == name).map(|variable| &variable.value) {
        Some(VariableValue::Known(datum)) => datum,
        other => panic!("{name}: {other:?} among {variables:#?}"),
    }
}

pub fn all(ranks: u32) -> ProcessSet {
    ProcessSet::all(ranks)
}
