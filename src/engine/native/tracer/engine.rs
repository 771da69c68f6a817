//! The public handle of the engine, which sends requests to the tracer thread.

use super::outbox::Outbox;
use super::tracer_shared::Tracer;
use super::tracer_shared::{Controls, Request, TracerShared, work};
use crate::message_queues::QueueReaders;
use crate::native::breakpoints::cleaner::BreakpointCleaner;
use crate::native::ptrace::{WaitPoint, Waker};
use crate::process::output::OutputReader;
use crate::{Acquisition, Engine, EngineFault, Handed, OutputPace, Query, Report, ReportSink};
use debuginfo::SymbolStore;
use model::{Event, Failure, ProcessSet, Rank, Stream};
use std::collections::VecDeque;
use std::ffi::OsString;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;
use tokio::sync::oneshot;

/// The number of threads for short work that must not hold up the tracer thread.
const WORKERS: usize = 4;
/// The number of threads for long evaluations. Each may hold a large value, so they are few.
const EVALUATORS: usize = 2;

/// Options of an engine; by default, none is set.
#[derive(Default)]
pub struct NativeOptions {
    /// The files of its ranks, which other engines of this process may share; `None`: its own.
    pub store: Option<Arc<SymbolStore>>,
    /// The command line of a process that runs [`take_care`](crate::native::take_care) on its standard input. If empty,
    /// attached processes die of their breakpoints when this process is killed.
    pub caretaker: Vec<OsString>,
    /// The command line of a process that runs [`serve_queue_library`](crate::serve_queue_library). If empty, message
    /// queues cannot be read.
    pub queue_library: Vec<OsString>,
    /// Limits the output that is reported and not taken yet.
    pub output: OutputPace,
}

/// Controls ranks with ptrace(2) from a tracer thread of its own.
#[derive(Debug)]
pub struct NativeEngine {
    requests: Sender<Request>,
    waker: Waker,
}

impl NativeEngine {
    /// Starts an engine without ranks, with the default options.
    pub fn start(sink: ReportSink) -> Result<Self, EngineFault> {
        Self::start_with(NativeOptions::default(), sink)
    }

    /// Starts an engine without ranks, with options.
    pub fn start_with(options: NativeOptions, sink: ReportSink) -> Result<Self, EngineFault> {
        let fault = |what: &str, error: std::io::Error| EngineFault::at_start("native", what, &error);
        let point = WaitPoint::new().map_err(|errno| fault("no wait point", errno.into()))?;
        let controls = Controls::default();
        let outputs = OutputReader::start(output_reports(sink.clone(), controls.clone(), options.output.clone()))
            .map_err(|error| fault("no output thread", error))?;
        let (requests, incoming) = channel();
        let workers = |name: &str, count: usize| {
            let (sender, incoming) = channel();
            let incoming = Arc::new(Mutex::new(incoming));
            for number in 0..count {
                let (incoming, requests, waker) = (Arc::clone(&incoming), requests.clone(), point.waker());
                Builder::new()
                    .name(format!("{name}-{number}"))
                    .spawn(move || work(&incoming, &requests, &waker))
                    .map_err(|error| fault("no symbol thread", error))?;
            }
            Ok(sender)
        };
        let store = match options.store {
            Some(shared) => shared,
            None => SymbolStore::preparing(None).map_err(|error| fault("no symbol thread", error))?,
        };
        store.listen({
            let (requests, waker) = (requests.clone(), point.waker());
            Box::new(move || {
                let is_running = requests.send(Request::Prepared).is_ok();
                if is_running {
                    waker.wake();
                }
                is_running
            })
        });
        let shared = TracerShared {
            outbox: Outbox::new(sink),
            queue_readers: QueueReaders::new(options.queue_library),
            store,
            expressions: Arc::default(),
            owners: Default::default(),
            companions: Default::default(),
            unmasked: Default::default(),
            lent: Default::default(),
            leaving: Default::default(),
            orphans: VecDeque::new(),
            remains: Default::default(),
            calls: Default::default(),
            held: Vec::new(),
            outputs,
            controls,
            waker: point.waker(),
            requests: requests.clone(),
            work: workers("symbols", WORKERS)?,
            long_work: workers("values", EVALUATORS)?,
            reading: workers("names", 1)?,
            waiting: Vec::new(),
        };
        let waker = point.waker();
        Builder::new()
            .name("tracer".to_owned())
            .spawn(move || Tracer::new(shared, BreakpointCleaner::new(options.caretaker)).run(&point, &incoming))
            .map_err(|error| fault("no tracer thread", error))?;
        Ok(Self { requests, waker })
    }

    fn tell(&self, request: Request) {
        // Fails after a shutdown, when nothing is reported any more.
        let _ = self.requests.send(request);
        self.waker.wake();
    }
}

/// Returns the callback that reports the ranks' output from the output thread.
fn output_reports(sink: ReportSink, controls: Controls, pace: OutputPace) -> impl Fn(Rank, Stream, String) + Send {
    move |rank, stream, text| {
        pace.report(text.len());
        let tid = controls.lock().unwrap_or_else(PoisonError::into_inner).get(&rank).copied().unwrap_or_default();
        let event = Event::Output(stream, text);
        let _ = sink.send(Report::Event { tid, ranks: ProcessSet::one(rank), event });
    }
}

impl Engine for NativeEngine {
    fn acquire(&self, acquisition: Acquisition) {
        self.tell(Request::Acquire(acquisition));
    }

    fn submit(&self, query: Query) {
        self.tell(Request::Query(query));
    }

    fn give_away(&self, rank: Rank, reply: oneshot::Sender<Result<Box<Handed>, Failure>>) {
        self.tell(Request::GiveAway(rank, reply));
    }

    fn shutdown(&self, kill: bool) {
        self.tell(Request::Shutdown(kill));
    }
}

impl Drop for NativeEngine {
    fn drop(&mut self) {
        self.tell(Request::Shutdown(true));
    }
}
