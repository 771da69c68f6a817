//! The ranks of an engine, their shared state, and the work done outside the tracer thread.

use super::outbox::Outbox;
use crate::Query;
use crate::message_queues::QueueReaders;
use crate::native::breakpoints::cleaner::BreakpointCleaner;
use crate::native::inspect::snapshot::Remains;
use crate::native::ptrace::{Status, Tid, Unmasked, Waker, mask_again};
use crate::native::startup::arriving::Reply;
use crate::native::startup::fork::Companion;
use crate::native::tracer::query_queue::QueryQueue;
use crate::native::tracer::tracee::Tracee;
use crate::process::output::OutputReader;
use debuginfo::{Image, SymbolStore};
use expr::ParseCache;
use model::{Event, Rank, TransactionId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, VecDeque};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// A rank that the engine was ever asked to start or attach.
pub(in crate::native) enum Member {
    /// Being traced.
    Live(Box<Tracee>),
    /// Ended, detached or failed to start.
    Gone,
}

impl Member {
    pub(in crate::native) fn tracee(&mut self) -> Option<&mut Tracee> {
        match self {
            Self::Live(tracee) => Some(tracee),
            Self::Gone => None,
        }
    }
}

/// The tracer thread's state: all ranks of the engine.
pub(in crate::native) struct Tracer {
    pub(in crate::native) ranks: BTreeMap<Rank, Member>,
    pub(in crate::native) shared: TracerShared,
    /// Busy ranks, and the queries that wait for them.
    pub(in crate::native) queries: QueryQueue,
    /// Set by a shutdown: `true` kills the ranks.
    pub(in crate::native) closing: Option<bool>,
    /// Protects attached processes if the debugger is killed.
    pub(in crate::native) caretaker: BreakpointCleaner,
}

/// Handles the result of work, on the tracer thread.
pub(in crate::native) type Continuation = Box<dyn FnOnce(&mut Tracer) + Send>;
/// Work that may take long, such as reading debug information and files.
pub(in crate::native) type Work = Box<dyn FnOnce() -> Continuation + Send>;

/// The last run-control query of each rank.
pub(in crate::native) type Controls = Arc<Mutex<FxHashMap<Rank, TransactionId>>>;

/// A message to the tracer thread.
pub(in crate::native) enum Request {
    /// Start or attach ranks.
    Acquire(crate::Acquisition),
    /// Perform an operation on ranks.
    Query(crate::Query),
    /// Give a rank to another engine.
    GiveAway(Rank, Reply),
    /// Work is done; handle its result.
    Continue(Continuation),
    /// One more image is prepared.
    Prepared,
    /// End the engine; `true` kills the ranks.
    Shutdown(bool),
}

/// The maximum number of wait statuses kept for unknown threads: a thread's first stop may precede its creator's event.
const ORPHANS: usize = 256;

/// Work that waits for images to be prepared.
pub(in crate::native) struct Waiting {
    images: Vec<Arc<Image>>,
    work: Work,
}

/// State shared by the ranks of an engine.
pub(in crate::native) struct TracerShared {
    pub outbox: Outbox,
    /// Starts processes for the queue libraries of MPIs.
    pub queue_readers: QueueReaders,
    /// Debug information, read once for all ranks.
    pub store: Arc<SymbolStore>,
    /// Expressions, parsed once for all ranks.
    pub expressions: Arc<ParseCache>,
    /// The rank of each thread.
    pub owners: FxHashMap<Tid, Rank>,
    /// Processes that share a rank's memory until they call exec (vfork(2)), and those to detach at their first stop.
    pub companions: FxHashMap<Tid, Companion>,
    /// The floating-point exceptions that companions run with unmasked, until their first stop.
    pub unmasked: FxHashMap<Tid, Unmasked>,
    /// Processes of another engine that may be children of this process.
    pub lent: FxHashSet<Tid>,
    /// Wait statuses of unknown threads.
    pub orphans: VecDeque<(Tid, Status)>,
    /// The information kept about ranks that have ended.
    pub remains: FxHashMap<Rank, Remains>,
    /// Ranks that run a function for an expression, with the time when the call times out.
    pub calls: BTreeMap<Rank, Option<Instant>>,
    /// Queries that wait until these calls have ended.
    pub held: Vec<Query>,
    /// The replies due once a rank has been given to another engine.
    pub leaving: FxHashMap<Rank, Reply>,
    pub outputs: OutputReader,
    /// The last run-control query of each rank, for reports from other threads.
    pub controls: Controls,
    pub waker: Waker,
    /// Sends to the tracer thread itself.
    pub requests: Sender<Request>,
    /// Sends to the workers.
    pub work: Sender<Work>,
    /// Sends to the threads for long evaluations.
    pub long_work: Sender<Work>,
    /// Sends to the thread that reads whole files for names.
    pub reading: Sender<Work>,
    /// Work that waits for images to be prepared.
    pub waiting: Vec<Waiting>,
}

/// Why work takes long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::native) enum Length {
    /// Values of the program are large, or many.
    OfValues,
    /// All files of the program are read: a value that somebody waits for must not wait for this, which the screen asks
    /// while a name is being typed.
    OfFiles,
}

impl TracerShared {
    /// Runs work on a worker, and its continuation on the tracer thread. Pieces of work may run in any order.
    pub(in crate::native) fn later(&self, work: impl FnOnce() -> Continuation + Send + 'static) {
        self.give(Box::new(work));
    }

    /// Like [`TracerShared::later`], for work that would delay other work.
    pub(in crate::native) fn at_length(&self, length: Length, work: impl FnOnce() -> Continuation + Send + 'static) {
        let workers = match length {
            Length::OfValues => &self.long_work,
            Length::OfFiles => &self.reading,
        };
        let _ = workers.send(Box::new(work));
    }

    fn give(&self, work: Work) {
        // The workers live as long as the tracer.
        let _ = self.work.send(work);
    }

    /// Like [`TracerShared::later`], once these images are prepared, so that no worker waits for one.
    pub(in crate::native) fn when_ready(
        &mut self,
        images: impl IntoIterator<Item = Arc<Image>>,
        work: impl FnOnce() -> Continuation + Send + 'static,
    ) {
        let images: Vec<_> = images.into_iter().filter(|image| !image.is_prepared()).collect();
        if images.is_empty() {
            return self.later(work);
        }
        self.waiting.push(Waiting { images, work: Box::new(work) });
    }

    /// Starts the work that waited for an image that has been prepared.
    pub(in crate::native) fn prepared(&mut self) {
        let mut ready = Vec::new();
        for mut waiting in std::mem::take(&mut self.waiting) {
            waiting.images.retain(|image| !image.is_prepared());
            if waiting.images.is_empty() {
                ready.push(waiting.work);
            } else {
                self.waiting.push(waiting);
            }
        }
        ready.into_iter().for_each(|work| self.give(work));
    }

    /// Notes the end of a rank's function call and asks the queries that waited for it again.
    pub(in crate::native) fn end_call(&mut self, rank: Rank) {
        self.calls.remove(&rank);
        if !self.held.is_empty() {
            let _ = self.requests.send(Request::Continue(Box::new(Tracer::ask_held)));
            self.waker.wake();
        }
    }

    /// Reports the end of a rank once all its output has been reported.
    pub(in crate::native) fn end_rank(&mut self, rank: Rank, tid: TransactionId, event: Event) {
        self.owners.retain(|_, owner| *owner != rank);
        let (waker, requests) = (self.waker.clone(), self.requests.clone());
        let drained = move || {
            let report = Request::Continue(Box::new(move |tracer| tracer.bury(rank, tid, event)));
            let _ = requests.send(report);
            waker.wake();
        };
        self.outputs.finish(rank, drained);
    }

    /// Keeps a wait status of an unknown thread, dropping the oldest if there are too many.
    pub(in crate::native) fn keep_orphan(&mut self, tid: Tid, status: Status) {
        if self.orphans.len() >= ORPHANS {
            self.orphans.pop_front();
        }
        self.orphans.push_back((tid, status));
    }

    /// Takes the wait statuses kept for a thread, in order.
    pub(in crate::native) fn adopt(&mut self, tid: Tid) -> Vec<Status> {
        let statuses = self.orphans.iter().filter(|(other, _)| *other == tid).map(|(_, status)| *status).collect();
        self.orphans.retain(|(other, _)| *other != tid);
        statuses
    }

    /// Restores the masks of the program in a companion at its first stop.
    pub(in crate::native) fn mask_companion(&mut self, tid: Tid, status: Status) {
        if let Some(unmasked) = self.unmasked.remove(&tid)
            && !matches!(status, Status::Exited(_) | Status::Killed(_))
        {
            mask_again(tid, unmasked);
        }
    }
}

/// Runs work until all senders are gone.
pub(in crate::native) fn work(incoming: &Mutex<Receiver<Work>>, requests: &Sender<Request>, waker: &Waker) {
    let next = || incoming.lock().unwrap_or_else(PoisonError::into_inner).recv();
    while let Ok(work) = next() {
        if requests.send(Request::Continue(work())).is_err() {
            return;
        }
        waker.wake();
    }
}
