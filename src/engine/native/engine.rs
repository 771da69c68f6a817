//! The engine as its users see it: a handle on the tracer thread.

use super::host::Host;
use super::outbox::Outbox;
use super::output::OutputReader;
use super::station::{Controls, Request, Station, work};
use super::symbols::SymbolStore;
use super::trace::{WaitPoint, Waker};
use crate::engine::{Acquisition, Engine, EngineFault, Query, Report, ReportSink};
use crate::model::{Event, ProcessSet, Rank, Stream};
use std::collections::VecDeque;
use std::sync::PoisonError;
use std::sync::mpsc::{Sender, channel};
use std::thread::Builder;

/// Ranks under ptrace(2), on a thread of their own.
#[derive(Debug)]
pub struct NativeEngine {
    requests: Sender<Request>,
    waker: Waker,
}

impl NativeEngine {
    /// Starts an engine without ranks.
    pub fn start(sink: ReportSink) -> Result<Self, EngineFault> {
        let fault =
            |what: &str, error: std::io::Error| EngineFault(format!("the native engine cannot start: {what}: {error}"));
        let point = WaitPoint::new().map_err(|errno| fault("no wait point", errno.into()))?;
        let controls = Controls::default();
        let outputs = OutputReader::start(output_reports(sink.clone(), controls.clone()))
            .map_err(|error| fault("no output thread", error))?;
        let (requests, incoming) = channel();
        let (work_sender, work_incoming) = channel();
        let (worker_requests, worker_waker) = (requests.clone(), point.waker());
        Builder::new()
            .name("symbols".to_owned())
            .spawn(move || work(&work_incoming, &worker_requests, &worker_waker))
            .map_err(|error| fault("no symbol thread", error))?;
        let station = Station {
            outbox: Outbox::new(sink),
            store: SymbolStore::new(),
            owners: Default::default(),
            companions: Default::default(),
            orphans: VecDeque::new(),
            notebooks: Default::default(),
            outputs,
            controls,
            waker: point.waker(),
            requests: requests.clone(),
            work: work_sender,
        };
        let waker = point.waker();
        Builder::new()
            .name("tracer".to_owned())
            .spawn(move || Host::new(station).run(&point, &incoming))
            .map_err(|error| fault("no tracer thread", error))?;
        Ok(Self { requests, waker })
    }

    fn tell(&self, request: Request) {
        // After a shutdown nobody listens, and nothing is reported any more.
        let _ = self.requests.send(request);
        self.waker.wake();
    }
}

/// What the output thread does with text.
fn output_reports(sink: ReportSink, controls: Controls) -> impl Fn(Rank, Stream, String) + Send {
    move |rank, stream, text| {
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

    fn shutdown(&self, kill: bool) {
        self.tell(Request::Shutdown(kill));
    }
}

impl Drop for NativeEngine {
    fn drop(&mut self) {
        self.tell(Request::Shutdown(true));
    }
}
