//! Several engines in one server: keeps which engine has each rank, and moves ranks between engines.

use super::process::rank_input::RankInputs;
use super::{Acquisition, Engine, EngineFault, Handed, Query, Refusal, Report, ReportSink};
use model::{
    Answer, EngineName, ErrorCode, Event, Failure, LaunchSpec, Operation, ProcessSet, Rank, Severity, TransactionId,
};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::collections::BTreeMap;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::mpsc::WeakUnboundedSender;
use tokio::sync::oneshot;

/// Starts an engine by name.
type Make = Box<dyn Fn(EngineName, ReportSink) -> Result<Arc<dyn Engine>, EngineFault> + Send + Sync>;
/// A rank that is to change engines, and the engine that has it now.
type Leaving = (Rank, EngineName, Arc<dyn Engine>);

/// A rank being taken over by another engine.
struct Coming {
    way: Way,
    taken: oneshot::Receiver<super::TakenOver>,
}

/// The facts needed to report a rank that no engine takes over.
#[derive(Clone, Copy)]
struct Way {
    rank: Rank,
    from: EngineName,
    pid: i32,
    tid: TransactionId,
    guest: bool,
}

/// The engines of a server. The server's own engine acquires all ranks; another is started when ranks are handed to it.
pub struct Engines {
    own: EngineName,
    make: Make,
    state: Arc<Mutex<State>>,
}

struct State {
    own: Arc<dyn Engine>,
    others: BTreeMap<EngineName, Arc<dyn Engine>>,
    /// Ranks under an engine other than the server's own.
    elsewhere: BTreeMap<Rank, EngineName>,
    /// Ranks between two engines, with the queries that arrived meanwhile.
    moving: BTreeMap<Rank, Vec<Query>>,
    /// The standard inputs of the launched ranks, whichever engine has them.
    inputs: RankInputs,
    /// Weak, so that the channel closes when all engines are gone.
    sink: WeakUnboundedSender<Report>,
    /// Set by a shutdown; `true` kills the ranks, too.
    closing: Option<bool>,
}

impl Engines {
    /// Starts with the server's own engine only.
    pub fn start(
        own: EngineName,
        make: impl Fn(EngineName, ReportSink) -> Result<Arc<dyn Engine>, EngineFault> + Send + Sync + 'static,
        sink: ReportSink,
    ) -> Result<Self, EngineFault> {
        let weak = sink.downgrade();
        let state = State {
            own: make(own, sink)?,
            others: BTreeMap::new(),
            elsewhere: BTreeMap::new(),
            moving: BTreeMap::new(),
            inputs: RankInputs::default(),
            sink: weak,
            closing: None,
        };
        Ok(Self { own, make: Box::new(make), state: Arc::new(Mutex::new(state)) })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn which(&self, tid: TransactionId, ranks: &ProcessSet) {
        let mut state = self.state();
        for (name, ranks) in state.by_engine(self.own, ranks) {
            state.say(Report::Answer { tid, ranks, answer: Answer::UnderEngine(name) });
        }
    }

    /// Writes to the standard inputs of ranks.
    fn send_input(&self, tid: TransactionId, ranks: &ProcessSet, text: &str, end: bool) {
        let mut state = self.state();
        if self.own == EngineName::Fake {
            let failure = Failure::new(ErrorCode::NOT_IMPLEMENTED, "cannot send: simulated ranks read no input");
            return state.say(Report::Answer { tid, ranks: ranks.clone(), answer: Answer::Failed(failure) });
        }
        for rank in ranks.iter() {
            let answer = state.inputs.send(rank, text.as_bytes(), end);
            state.say(Report::Answer { tid, ranks: ProcessSet::one(rank), answer });
        }
    }

    /// Hands ranks over to another engine, on a separate thread.
    fn use_engine(&self, tid: TransactionId, ranks: &ProcessSet, to: EngineName) {
        let mut state = self.state();
        let Some(sink) = state.sink.upgrade() else { return };
        let mut leaving: Vec<Leaving> = Vec::new();
        let target = state.engine_or(to, self.own, || (self.make)(to, sink.clone()));
        for (from, ranks) in state.by_engine(self.own, ranks) {
            let refused = match &target {
                _ if from == to => Some(Answer::UnderEngine(to)),
                _ if from == EngineName::Core || to == EngineName::Core => {
                    let message = "core files cannot be handed over to another engine";
                    Some(Answer::Failed(Failure::new(ErrorCode::NOT_IMPLEMENTED, message)))
                }
                _ if from == EngineName::Fake || to == EngineName::Fake => {
                    let message = "simulated ranks cannot be handed over to another engine";
                    Some(Answer::Failed(Failure::new(ErrorCode::NOT_IMPLEMENTED, message)))
                }
                Err(fault) => Some(Answer::Failed(Failure::new(ErrorCode::NO_BACK_END, fault.to_string()))),
                Ok(_) => None,
            };
            if let Some(answer) = refused {
                state.say(Report::Answer { tid, ranks, answer });
                continue;
            }
            let Some(source) = state.engine(from, self.own) else { continue };
            leaving.extend(ranks.iter().map(|rank| (rank, from, source.clone())));
        }
        let Ok(target) = target else { return };
        if leaving.is_empty() {
            return;
        }
        let moving: ProcessSet = leaving.iter().map(|(rank, ..)| *rank).collect();
        state.moving.extend(moving.iter().map(|rank| (rank, Vec::new())));
        let handover = Handover { own: self.own, tid, to, target, state: self.state.clone(), sink };
        let thread = std::thread::Builder::new().name("handover".to_owned());
        if let Err(error) = thread.spawn(move || handover.run(leaving)) {
            state.moving.retain(|rank, _| !moving.contains(*rank));
            let failure = Failure::new(ErrorCode::DEBUGGER, format!("cannot start the handover thread: {error}"));
            state.say(Report::Answer { tid, ranks: moving, answer: Answer::Failed(failure) });
        }
    }
}

impl State {
    fn say(&mut self, report: Report) {
        if let Some(sink) = self.sink.upgrade() {
            // Fails only when the server is ending.
            let _ = sink.send(report);
        }
    }

    fn engine(&self, name: EngineName, own: EngineName) -> Option<Arc<dyn Engine>> {
        if name == own { Some(self.own.clone()) } else { self.others.get(&name).cloned() }
    }

    fn engine_or(
        &mut self,
        name: EngineName,
        own: EngineName,
        make: impl FnOnce() -> Result<Arc<dyn Engine>, EngineFault>,
    ) -> Result<Arc<dyn Engine>, EngineFault> {
        if self.closing.is_some() {
            return Err(EngineFault("the session is ending".to_owned()));
        }
        if let Some(engine) = self.engine(name, own) {
            return Ok(engine);
        }
        let engine = make()?;
        self.others.insert(name, engine.clone());
        Ok(engine)
    }

    /// Groups ranks by the engine that has them.
    fn by_engine(&self, own: EngineName, ranks: &ProcessSet) -> BTreeMap<EngineName, ProcessSet> {
        let mut left = ranks.clone();
        let mut parts: BTreeMap<EngineName, ProcessSet> = BTreeMap::new();
        for (rank, name) in self.elsewhere.iter().filter(|(rank, _)| ranks.contains(**rank)) {
            left.remove(*rank);
            parts.entry(*name).or_default().insert(*rank);
        }
        if !left.is_empty() {
            parts.insert(own, left);
        }
        parts
    }

    /// Sends a query to the engines of its ranks; queries to ranks between engines are kept.
    fn route(&mut self, own: EngineName, query: Query) {
        if self.elsewhere.is_empty() && self.moving.is_empty() {
            return self.own.submit(query);
        }
        let Query { tid, mut ranks, operation } = query;
        for (rank, waiting) in &mut self.moving {
            if ranks.remove(*rank) {
                waiting.push(Query { tid, ranks: ProcessSet::one(*rank), operation: operation.clone() });
            }
        }
        for (name, ranks) in self.by_engine(own, &ranks) {
            if let Some(engine) = self.engine(name, own) {
                engine.submit(Query { tid, ranks, operation: operation.clone() });
            }
        }
    }

    /// Opens the standard inputs of ranks that are to be launched.
    fn open_inputs(&mut self, ranks: &ProcessSet, spec: &LaunchSpec) -> BTreeMap<Rank, OwnedFd> {
        let mut opened = BTreeMap::new();
        for rank in ranks.iter() {
            match self.inputs.open(rank, &spec.input, spec.directory.as_deref()) {
                Ok(end) => opened.extend(end.map(|end| (rank, end))),
                Err(why) => {
                    let event = Event::Message(Severity::Error, why);
                    self.say(Report::Event { tid: TransactionId(0), ranks: ProcessSet::one(rank), event });
                }
            }
        }
        opened
    }

    /// Returns restarted ranks to the server's own engine.
    fn forget(&mut self, ranks: &ProcessSet) {
        let back: ProcessSet = self.elsewhere.keys().copied().filter(|rank| ranks.contains(*rank)).collect();
        self.elsewhere.retain(|rank, _| !back.contains(*rank));
        if !back.is_empty() {
            let tid = TransactionId(0);
            self.say(Report::Event { tid, ranks: back, event: Event::UnderEngine(None) });
        }
    }
}

impl Engine for Engines {
    fn acquire(&self, mut acquisition: Acquisition) {
        let mut state = self.state();
        match &mut acquisition {
            Acquisition::Launch { first, count, spec, inputs, .. } => {
                let ranks = ProcessSet::range(first.0, first.0.saturating_add(*count));
                state.forget(&ranks);
                if self.own != EngineName::Fake {
                    inputs.extend(state.open_inputs(&ranks, spec));
                }
            }
            Acquisition::Join { rank, .. } | Acquisition::Attach { rank, .. } => {
                state.forget(&ProcessSet::one(*rank));
                state.inputs.forget(*rank);
            }
            Acquisition::TakeOver { handed, .. } => state.forget(&ProcessSet::one(handed.rank)),
            Acquisition::OpenCores { cores, .. } => state.forget(&cores.iter().map(|(rank, _)| *rank).collect()),
        }
        state.own.acquire(acquisition);
    }

    fn submit(&self, query: Query) {
        match query.operation {
            Operation::Send { text, end } => self.send_input(query.tid, &query.ranks, &text, end),
            Operation::WhichEngine => self.which(query.tid, &query.ranks),
            Operation::UseEngine(name) => {
                let mut ranks = query.ranks;
                {
                    let mut state = self.state();
                    let busy: ProcessSet = ranks.iter().filter(|rank| state.moving.contains_key(rank)).collect();
                    ranks.remove_all(&busy);
                    if !busy.is_empty() {
                        let failure = Failure::new(ErrorCode::DEBUGGER, "it is already being handed over");
                        state.say(Report::Answer { tid: query.tid, ranks: busy, answer: Answer::Failed(failure) });
                    }
                }
                if !ranks.is_empty() {
                    self.use_engine(query.tid, &ranks, name);
                }
            }
            _ => self.state().route(self.own, query),
        }
    }

    fn give_away(&self, rank: Rank, reply: oneshot::Sender<Result<Box<Handed>, Failure>>) {
        let state = self.state();
        let name = state.elsewhere.get(&rank).copied().unwrap_or(self.own);
        if let Some(engine) = state.engine(name, self.own) {
            engine.give_away(rank, reply);
        }
    }

    fn shutdown(&self, kill: bool) {
        let mut state = self.state();
        state.closing = Some(kill || state.closing == Some(true));
        state.own.shutdown(kill);
        for engine in state.others.values() {
            engine.shutdown(kill);
        }
    }
}

/// A handover of ranks to another engine.
struct Handover {
    own: EngineName,
    tid: TransactionId,
    to: EngineName,
    target: Arc<dyn Engine>,
    state: Arc<Mutex<State>>,
    sink: ReportSink,
}

impl Handover {
    fn run(self, leaving: Vec<Leaving>) {
        let mut coming: Vec<Coming> = Vec::new();
        let ask = |(rank, from, engine): Leaving| {
            let (reply, given) = oneshot::channel();
            engine.give_away(rank, reply);
            (rank, from, given)
        };
        let asked: Vec<_> = leaving.into_iter().map(ask).collect();
        for (rank, from, given) in asked {
            match given.blocking_recv() {
                Ok(Ok(handed)) => coming.extend(self.give(rank, from, handed, &self.target)),
                Ok(Err(failure)) => self.arrived(rank, from, Answer::Failed(failure)),
                Err(_) => self.arrived(rank, from, Answer::Failed(gone())),
            }
        }
        for Coming { way, taken } in coming {
            match taken.blocking_recv() {
                Ok(Ok(notes)) => {
                    self.tell(way, notes);
                    self.event(way, Event::UnderEngine(Some(self.to).filter(|to| *to != self.own)));
                    self.arrived(way.rank, self.to, Answer::UnderEngine(self.to));
                }
                Ok(Err(refusal)) => self.take_back(way, refusal),
                Err(_) => self.lose(way, &format!("the {} engine has ended", self.to)),
            }
        }
    }

    /// Asks the new engine to take over a process.
    fn give(&self, rank: Rank, from: EngineName, handed: Box<Handed>, engine: &Arc<dyn Engine>) -> Option<Coming> {
        let way = Way { rank, from, pid: handed.pid, tid: handed.tid, guest: handed.guest };
        if !handed.settle() {
            self.lose(way, "it did not stop when its engine released it");
            return None;
        }
        let (ready, taken) = oneshot::channel();
        engine.acquire(Acquisition::TakeOver { handed, ready });
        Some(Coming { way, taken })
    }

    /// Returns the process to its old engine.
    fn take_back(&self, way: Way, refusal: Refusal) {
        let Way { rank, from, .. } = way;
        let Refusal { handed, failure } = refusal;
        let source = self.lock().engine(from, self.own);
        let Some(source) = source else { return self.lose(way, &failure.message) };
        let Some(Coming { taken, .. }) = self.give(rank, from, handed, &source) else { return };
        match taken.blocking_recv() {
            Ok(Ok(notes)) => {
                self.tell(way, notes);
                self.arrived(rank, from, Answer::Failed(failure));
            }
            Ok(Err(again)) => {
                let why = format!("{}; handing it back to {from} failed: {}", failure.message, again.failure.message);
                self.lose(way, &why);
            }
            Err(_) => self.lose(way, &format!("the {from} engine has ended")),
        }
    }

    /// Reports a process that no engine took over; continues it if it is a guest or a shutdown detaches, else kills it.
    fn lose(&self, way: Way, why: &str) {
        let runs_on = way.guest || self.lock().closing == Some(false);
        let signal = if runs_on { Signal::SIGCONT } else { Signal::SIGKILL };
        // A process that is already gone needs no signal.
        let _ = kill(Pid::from_raw(way.pid), signal);
        let message = format!("lost rank {} while switching engines: {why}", way.rank);
        if runs_on {
            self.event(way, Event::Message(Severity::Error, message.clone()));
            self.event(way, Event::Detached);
        } else {
            self.event(way, Event::Lost(message.clone()));
        }
        self.arrived(way.rank, way.from, Answer::Failed(Failure::new(ErrorCode::NO_BACK_END, message)));
    }

    fn tell(&self, way: Way, notes: Vec<String>) {
        for note in notes {
            self.event(way, Event::Message(Severity::Warning, note));
        }
    }

    /// Records the rank's new engine, answers the handover, then sends the queries that arrived meanwhile.
    fn arrived(&self, rank: Rank, at: EngineName, answer: Answer) {
        let mut state = self.lock();
        if at == self.own {
            state.elsewhere.remove(&rank);
        } else {
            state.elsewhere.insert(rank, at);
        }
        let _ = self.sink.send(Report::Answer { tid: self.tid, ranks: ProcessSet::one(rank), answer });
        for query in state.moving.remove(&rank).unwrap_or_default() {
            state.route(self.own, query);
        }
    }

    fn event(&self, way: Way, event: Event) {
        let _ = self.sink.send(Report::Event { tid: way.tid, ranks: ProcessSet::one(way.rank), event });
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn gone() -> Failure {
    Failure::new(ErrorCode::NOT_RUN, "its engine has ended")
}
