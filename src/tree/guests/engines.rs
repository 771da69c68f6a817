//! The engines of a server: its own for ranks that it starts or that join it, the tracer's for the rest.

use super::link::TracerLink;
use crate::arguments::{EngineChoice, EngineKind};
use crate::engines;
use engine::{Acquisition, Engine, EngineFault, Engines, Handed, OutputPace, Query, Report, ReportSink};
use model::{Event, Failure, ProcessSet, Rank, Severity, TransactionId};
use protocol::{ServerIndex, SessionDirectory, own_file};
use std::ffi::OsString;
use std::io;
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::mpsc::WeakUnboundedSender;
use tokio::sync::oneshot;

/// All engines of a server.
pub(crate) struct ServerEngines {
    own: Engines,
    choice: EngineChoice,
    directory: SessionDirectory,
    index: ServerIndex,
    state: Mutex<State>,
}

struct State {
    /// Started with the first rank to trace.
    tracer: Option<Arc<TracerLink>>,
    /// Ranks that the tracer has.
    guests: ProcessSet,
    /// Weak: the engines keep the channel open.
    sink: WeakUnboundedSender<Report>,
    is_closing: bool,
}

impl ServerEngines {
    /// Starts the server's own engine; the tracer starts when needed.
    pub(crate) fn start(
        choice: EngineChoice,
        directory: SessionDirectory,
        index: ServerIndex,
        sink: ReportSink,
        output: OutputPace,
    ) -> Result<Self, EngineFault> {
        let state = State { tracer: None, guests: ProcessSet::new(), sink: sink.downgrade(), is_closing: false };
        let own = engines::start(choice.clone(), sink, output)?;
        Ok(Self { own, choice, directory, index, state: Mutex::new(state) })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the tracer for a rank to attach to. A gdb process outlives a killed server anyway, and detaches then.
    fn tracer_for(&self, rank: Rank) -> Option<Arc<TracerLink>> {
        if self.choice.kind != EngineKind::Native {
            return None;
        }
        let mut state = self.state();
        if state.tracer.as_ref().is_none_or(|tracer| tracer.is_gone()) && !state.is_closing {
            let sink = state.sink.upgrade()?;
            match self.start_tracer(sink.clone()) {
                Ok(tracer) => state.tracer = Some(Arc::new(tracer)),
                Err(error) => {
                    let words = format!(
                        "cannot start the tracer process ({error}): if the server is killed, its breakpoints stay \
                            in the attached processes"
                    );
                    let (tid, ranks) = (TransactionId(0), ProcessSet::one(rank));
                    let event = Event::Message(Severity::Warning, words);
                    let _ = sink.send(Report::Event { tid, ranks, event });
                    return None;
                }
            }
        }
        state.tracer.clone()
    }

    fn start_tracer(&self, sink: ReportSink) -> io::Result<TracerLink> {
        let mut words: Vec<OsString> = vec!["--tracer".into(), self.index.0.to_string().into(), "--session".into()];
        words.push(self.directory.path().into());
        words.extend(self.choice.words());
        let log = own_file::append(&self.directory.log(&format!("tracer-{}", self.index.0)))?;
        TracerLink::start(words, Stdio::from(log), sink)
    }

    /// Returns the ranks that another process traces.
    pub(crate) fn guests(&self) -> ProcessSet {
        self.state().guests.clone()
    }

    /// Returns the tracer, with those of some ranks that it has.
    fn guests_of(&self, ranks: &ProcessSet) -> Option<(ProcessSet, Arc<TracerLink>)> {
        let state = self.state();
        let tracer = state.tracer.as_ref().filter(|_| state.guests.meets(ranks))?;
        Some((ranks.iter().filter(|rank| state.guests.contains(*rank)).collect(), Arc::clone(tracer)))
    }
}

impl Engine for ServerEngines {
    fn acquire(&self, acquisition: Acquisition) {
        let ranks = match &acquisition {
            Acquisition::Attach { rank, .. } => {
                if let Some(tracer) = self.tracer_for(*rank) {
                    self.state().guests.insert(*rank);
                    return tracer.acquire(acquisition);
                }
                ProcessSet::one(*rank)
            }
            Acquisition::Launch { first, count, .. } => ProcessSet::range(first.0, first.0.saturating_add(*count)),
            Acquisition::Join { rank, .. } => ProcessSet::one(*rank),
            Acquisition::TakeOver { handed, .. } => ProcessSet::one(handed.rank),
            Acquisition::OpenCores { cores, .. } => cores.iter().map(|(rank, _)| *rank).collect(),
        };
        self.state().guests.remove_all(&ranks);
        self.own.acquire(acquisition);
    }

    fn submit(&self, query: Query) {
        let Some((guests, tracer)) = self.guests_of(&query.ranks) else { return self.own.submit(query) };
        let Query { tid, mut ranks, operation } = query;
        ranks.remove_all(&guests);
        if !ranks.is_empty() {
            self.own.submit(Query { tid, ranks, operation: operation.clone() });
        }
        tracer.submit(Query { tid, ranks: guests, operation });
    }

    fn give_away(&self, rank: Rank, reply: oneshot::Sender<Result<Box<Handed>, Failure>>) {
        match self.guests_of(&ProcessSet::one(rank)) {
            Some((_, tracer)) => tracer.give_away(rank, reply),
            None => self.own.give_away(rank, reply),
        }
    }

    fn shutdown(&self, kill: bool) {
        let mut state = self.state();
        state.is_closing = true;
        self.own.shutdown(kill);
        if let Some(tracer) = &state.tracer {
            tracer.shutdown(kill);
        }
    }
}
