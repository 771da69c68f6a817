//! The hub: the list of ranks, and the messages to and from them.

use super::debuggee::acquire::{self, Task};
use super::debuggee::handover;
use super::gather::Gather;
use super::messages::{HubInput, Input, Order, RankOf, Reply, Surrounding};
use super::session::options::GdbOptions;
use crate::interface::no_core_files;
use crate::process::output::OutputReader;
use crate::remains::{RemainsReader, ended};
use crate::{Acquisition, OutputPace, Query, Report, ReportSink};
use model::{Answer, ErrorCode, Event, Failure, Operation, ProcessSet, Rank, Stream, TransactionId};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::collections::{BTreeMap, HashMap};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// At shutdown, a gdb that has not ended after this long is killed.
const GRACE: Duration = Duration::from_secs(3);

struct Entry {
    generation: u64,
    /// `None` once the rank has ended.
    orders: Option<Sender<Input>>,
    gdb: Option<u32>,
    /// True if its program can be asked once it has ended.
    remains: bool,
}

/// The transaction of each rank's last run-control query, under which output is reported.
pub(super) type Controls = Arc<Mutex<HashMap<Rank, TransactionId>>>;

pub(super) struct Hub {
    options: GdbOptions,
    sink: ReportSink,
    own: Sender<HubInput>,
    outputs: Arc<OutputReader>,
    controls: Controls,
    ranks: BTreeMap<Rank, Entry>,
    gather: Gather,
    generation: u64,
    /// Answers for the ranks that have ended; `None` until there are any.
    reader: Option<RemainsReader>,
    /// The time when the shutdown began.
    closing: Option<Instant>,
}

impl Hub {
    pub(super) fn new(options: GdbOptions, sink: ReportSink, own: Sender<HubInput>) -> std::io::Result<Self> {
        let controls = Controls::default();
        let outputs =
            Arc::new(OutputReader::start(output_reports(sink.clone(), controls.clone(), options.output.clone()))?);
        let (ranks, gather) = (BTreeMap::new(), Gather::default());
        Ok(Self { options, sink, own, outputs, controls, ranks, gather, generation: 0, reader: None, closing: None })
    }

    /// Runs until the engine is shut down and every rank has ended.
    pub(super) fn run(mut self, inputs: &Receiver<HubInput>) {
        while self.closing.is_none() || self.ranks.values().any(|entry| entry.orders.is_some()) {
            let deadline = self.gather.deadline().into_iter().chain(self.closing.map(|since| since + GRACE)).min();
            let input = match deadline {
                None => inputs.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(end) => inputs.recv_timeout(end.saturating_duration_since(Instant::now())),
            };
            match input {
                Ok(input) => self.take(input),
                Err(RecvTimeoutError::Timeout) => self.look_at_the_clock(),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        // A query that arrives too late gets no answer: the sink closes.
    }

    fn look_at_the_clock(&mut self) {
        let now = Instant::now();
        let reports = self.gather.due(now);
        self.say(reports);
        if self.closing.is_some_and(|since| now >= since + GRACE) {
            self.closing = Some(now);
            for pid in self.ranks.values().filter(|entry| entry.orders.is_some()).filter_map(|entry| entry.gdb) {
                // The rank's thread notices, kills the program and ends. A failure means that gdb is already gone.
                let _ = kill(Pid::from_raw(pid as i32), Signal::SIGKILL);
            }
        }
    }

    fn say(&self, reports: Vec<Report>) {
        for report in reports {
            // Fails only when the engine is being shut down.
            let _ = self.sink.send(report);
        }
    }

    fn is_current(&self, of: RankOf) -> bool {
        self.ranks.get(&of.rank).is_some_and(|entry| entry.generation == of.generation)
    }

    fn take(&mut self, input: HubInput) {
        match input {
            HubInput::Acquire(acquisition) => self.acquire(acquisition),
            HubInput::Query(query) => self.query(query),
            HubInput::GiveAway(rank, reply) => self.give_away(rank, reply),
            HubInput::Shutdown(kill) => {
                self.closing.get_or_insert_with(Instant::now);
                if !kill {
                    self.outputs.stay();
                }
                for orders in self.ranks.values().filter_map(|entry| entry.orders.as_ref()) {
                    let _ = orders.send(Input::Order(Order::Shutdown(kill)));
                }
            }
            HubInput::Answer(of, tid, answer) => {
                if self.is_current(of) {
                    let reports = self.gather.answer(Instant::now(), tid, of.rank, answer);
                    self.say(reports);
                }
            }
            HubInput::Event(of, tid, event) => {
                if self.is_current(of) {
                    let reports = self.gather.event(tid, of.rank, event);
                    self.say(reports);
                }
            }
            HubInput::Gdb(of, pid) => {
                if let Some(entry) = self.ranks.get_mut(&of.rank).filter(|entry| entry.generation == of.generation) {
                    entry.gdb = Some(pid);
                }
            }
            HubInput::Left(of, program) => {
                if self.is_current(of) && self.start_reader() {
                    self.ranks.entry(of.rank).and_modify(|entry| entry.remains = true);
                    if let Some(reader) = &self.reader {
                        reader.keep(of.rank, program);
                    }
                }
            }
            HubInput::Ended(of) => {
                if let Some(entry) = self.ranks.get_mut(&of.rank).filter(|entry| entry.generation == of.generation) {
                    entry.orders = None;
                    entry.gdb = None;
                    for (tid, operation) in self.gather.owed_by(of.rank) {
                        self.answer_after_end(of.rank, tid, &operation);
                    }
                }
            }
        }
    }

    /// Starts the reader of programs if it is not running; true if it runs.
    fn start_reader(&mut self) -> bool {
        if self.reader.is_none() {
            let started = RemainsReader::start();
            self.reader = started.inspect_err(|error| tracing::warn!("cannot start a thread: {error}")).ok();
        }
        self.reader.is_some()
    }

    fn acquire(&mut self, acquisition: Acquisition) {
        match acquisition {
            Acquisition::Launch { first, count, size, spec, mut inputs } => {
                for rank in (first.0..first.0.saturating_add(count)).map(Rank) {
                    self.start(rank, Task::Launch { size, spec: spec.clone(), input: inputs.remove(&rank) });
                }
            }
            Acquisition::Join { rank, pid, spec, stdout, stderr, ready } => {
                self.start(rank, Task::Join { pid, spec, stdout, stderr, ready });
            }
            Acquisition::Attach { rank, pid, spec, adoption } => self.start(rank, Task::Attach { pid, spec, adoption }),
            Acquisition::TakeOver { handed, ready } => {
                let (rank, tid) = (handed.rank, handed.tid);
                self.begin(rank, tid, move |surrounding, inputs| handover::run(surrounding, inputs, handed, ready));
            }
            Acquisition::OpenCores { cores, .. } => drop(self.sink.send(no_core_files("gdb", &cores))),
        }
    }

    fn start(&mut self, rank: Rank, task: Task) {
        self.begin(rank, TransactionId(0), move |surrounding, inputs| acquire::run(surrounding, inputs, task));
    }

    fn begin(
        &mut self,
        rank: Rank,
        tid: TransactionId,
        work: impl FnOnce(Surrounding, Receiver<Input>) + Send + 'static,
    ) {
        self.generation += 1;
        let of = RankOf { rank, generation: self.generation };
        self.controls.lock().unwrap_or_else(PoisonError::into_inner).insert(rank, tid);
        let (sender, inputs) = channel();
        self.ranks
            .insert(rank, Entry { generation: of.generation, orders: Some(sender.clone()), gdb: None, remains: false });
        let surrounding = Surrounding {
            of,
            options: self.options.clone(),
            hub: self.own.clone(),
            outputs: self.outputs.clone(),
            to_self: sender,
        };
        let thread = std::thread::Builder::new().name(format!("gdb-{rank}"));
        if let Err(error) = thread.spawn(move || work(surrounding, inputs)) {
            let message = format!("cannot start a thread for rank {rank}: {error}");
            self.take(HubInput::Event(of, TransactionId(0), Event::Failed(message)));
            self.take(HubInput::Ended(of));
        }
    }

    fn give_away(&self, rank: Rank, reply: Reply) {
        let orders = self.ranks.get(&rank).and_then(|entry| entry.orders.as_ref());
        let refused = match orders {
            Some(orders) => orders.send(Input::Order(Order::GiveAway(reply))).err().map(|error| error.0),
            None => Some(Input::Order(Order::GiveAway(reply))),
        };
        if let Some(Input::Order(Order::GiveAway(reply))) = refused {
            let _ = reply.send(Err(Failure::new(ErrorCode::NOT_RUN, "The program is not being run.")));
        }
    }

    fn query(&mut self, query: Query) {
        let Query { tid, ranks, operation } = query;
        let known: ProcessSet = ranks.iter().filter(|rank| self.ranks.contains_key(rank)).collect();
        let mut strangers = ranks.clone();
        strangers.remove_all(&known);
        if !strangers.is_empty() {
            let message = "no such rank on this server".to_owned();
            let answer = Answer::Failed(Failure::new(ErrorCode::NOT_RUN, message));
            self.say(vec![Report::Answer { tid, ranks: strangers, answer }]);
        }
        self.gather.open(tid, operation.clone(), known.clone());
        for rank in known.iter() {
            if operation.is_run_control() {
                self.controls.lock().unwrap_or_else(PoisonError::into_inner).insert(rank, tid);
            }
            let orders = self.ranks.get(&rank).and_then(|entry| entry.orders.as_ref());
            let order = Input::Order(Order::Query(tid, operation.clone()));
            if orders.is_some_and(|orders| orders.send(order).is_ok()) {
                continue;
            }
            self.answer_after_end(rank, tid, &operation);
        }
    }

    /// Answers for a rank whose thread has ended, from the files of its program where they say it.
    fn answer_after_end(&mut self, rank: Rank, tid: TransactionId, operation: &Operation) {
        let remains = self.ranks.get(&rank).filter(|entry| entry.remains && operation.outlives_the_process());
        if let Some((entry, reader)) = remains.zip(self.reader.as_ref()) {
            let (of, own) = (RankOf { rank, generation: entry.generation }, self.own.clone());
            let reply = move |answer| drop(own.send(HubInput::Answer(of, tid, answer)));
            reader.ask(rank, operation.clone(), reply);
        } else {
            let answer = operation.without_process().unwrap_or_else(ended);
            let reports = self.gather.answer(Instant::now(), tid, rank, answer);
            self.say(reports);
        }
    }
}

/// Returns the callback that reports output under the rank's last run-control query.
fn output_reports(sink: ReportSink, controls: Controls, pace: OutputPace) -> impl Fn(Rank, Stream, String) + Send {
    move |rank, stream, text| {
        pace.report(text.len());
        let tid = controls.lock().unwrap_or_else(PoisonError::into_inner).get(&rank).copied().unwrap_or_default();
        let _ = sink.send(Report::Event { tid, ranks: ProcessSet::one(rank), event: Event::Output(stream, text) });
    }
}
