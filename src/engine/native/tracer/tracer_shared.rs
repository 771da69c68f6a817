//! The ranks of an engine, what they share, and the work that is done beside the tracer thread.

use super::outbox::Outbox;
use crate::Query;
use crate::native::breakpoints::cleaner::BreakpointCleaner;
use crate::native::inspect::snapshot::Remains;
use crate::native::ptrace::{Status, Tid, Waker};
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

/// A rank the engine was ever asked to come by.
pub(in crate::native) enum Member {
    /// Under the tracer.
    Live(Box<Tracee>),
    /// Gone, or never come.
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

/// All ranks of the engine.
pub(in crate::native) struct Tracer {
    pub(in crate::native) ranks: BTreeMap<Rank, Member>,
    pub(in crate::native) shared: TracerShared,
    /// Who is busy, and what waits for that.
    pub(in crate::native) queries: QueryQueue,
    /// Set by a shutdown: `true` kills.
    pub(in crate::native) closing: Option<bool>,
    /// Of processes that were there before us.
    pub(in crate::native) caretaker: BreakpointCleaner,
}

/// What is done with the outcome of work, on the tracer thread.
pub(in crate::native) type Continuation = Box<dyn FnOnce(&mut Tracer) + Send>;
/// Work that may take its time: reading debug information and files.
pub(in crate::native) type Work = Box<dyn FnOnce() -> Continuation + Send>;

/// The last run-control query of each rank.
pub(in crate::native) type Controls = Arc<Mutex<FxHashMap<Rank, TransactionId>>>;

/// What the tracer thread is told.
pub(in crate::native) enum Request {
    /// Come by ranks.
    Acquire(crate::Acquisition),
    /// Ask ranks.
    Query(crate::Query),
    /// Give a rank away.
    GiveAway(Rank, Reply),
    /// Work is done.
    Continue(Continuation),
    /// One more image is prepared.
    Prepared,
    /// End; `true`: kill the ranks.
    Shutdown(bool),
}

/// Statuses of threads nobody knows yet that are kept: a thread's first stop may come before its creator's event.
const ORPHANS: usize = 256;

/// Work that waits for images to be prepared.
pub(in crate::native) struct Waiting {
    images: Vec<Arc<Image>>,
    work: Work,
}

/// What the ranks of an engine share.
pub(in crate::native) struct TracerShared {
    /// Reports on their way.
    pub outbox: Outbox,
    /// Debug information, once for all.
    pub store: Arc<SymbolStore>,
    /// Expressions, parsed once for all.
    pub expressions: Arc<ParseCache>,
    /// Which rank a thread is of.
    pub owners: FxHashMap<Tid, Rank>,
    /// Processes in the memory of a rank until they execute (vfork(2)), and those to be let go at their first stop.
    pub companions: FxHashMap<Tid, Companion>,
    /// Processes that another engine has, as far as they may be children of ours.
    pub lent: FxHashSet<Tid>,
    /// Statuses of threads nobody knows yet.
    pub orphans: VecDeque<(Tid, Status)>,
    /// What is left of ranks that have ended.
    pub remains: FxHashMap<Rank, Remains>,
    /// Ranks that run a function for an expression, and when that takes too long.
    pub calls: BTreeMap<Rank, Option<Instant>>,
    /// What ranks were asked meanwhile.
    pub held: Vec<Query>,
    /// Who waits for a rank to be given away.
    pub leaving: FxHashMap<Rank, Reply>,
    /// Outputs of the ranks.
    pub outputs: OutputReader,
    /// The last run-control query of each rank, for those who report from other threads.
    pub controls: Controls,
    /// Wakes the tracer thread.
    pub waker: Waker,
    /// To the tracer thread itself.
    pub requests: Sender<Request>,
    /// To the threads that work.
    pub work: Sender<Work>,
    /// To the threads that evaluate what takes long.
    pub long_work: Sender<Work>,
    /// What the others are not given yet.
    pub waiting: Vec<Waiting>,
}

impl TracerShared {
    /// Has work done; what it gives is called on the tracer thread. Of two pieces of work either may be done first.
    pub(in crate::native) fn later(&self, work: impl FnOnce() -> Continuation + Send + 'static) {
        self.give(Box::new(work));
    }

    /// As [`TracerShared::later`], for what would keep other work waiting.
    pub(in crate::native) fn at_length(&self, work: impl FnOnce() -> Continuation + Send + 'static) {
        let _ = self.long_work.send(Box::new(work));
    }

    fn give(&self, work: Work) {
        // The workers live as long as the tracer.
        let _ = self.work.send(work);
    }

    /// As [`TracerShared::later`], once these images are prepared: no worker waits for one.
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

    /// An image has been prepared: what waited for it may begin.
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

    /// A rank runs no function any more: what waits for that is asked again.
    pub(in crate::native) fn end_call(&mut self, rank: Rank) {
        self.calls.remove(&rank);
        if !self.held.is_empty() {
            let _ = self.requests.send(Request::Continue(Box::new(Tracer::ask_held)));
            self.waker.wake();
        }
    }

    /// Reports the end of a rank once everything written is reported.
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

    /// A status of a thread that nobody knows yet.
    pub(in crate::native) fn keep_orphan(&mut self, tid: Tid, status: Status) {
        if self.orphans.len() >= ORPHANS {
            self.orphans.pop_front();
        }
        self.orphans.push_back((tid, status));
    }

    /// The statuses kept for a thread, in order.
    pub(in crate::native) fn adopt(&mut self, tid: Tid) -> Vec<Status> {
        let statuses = self.orphans.iter().filter(|(other, _)| *other == tid).map(|(_, status)| *status).collect();
        self.orphans.retain(|(other, _)| *other != tid);
        statuses
    }
}

/// Does work until nobody can send any.
pub(in crate::native) fn work(incoming: &Mutex<Receiver<Work>>, requests: &Sender<Request>, waker: &Waker) {
    let next = || incoming.lock().unwrap_or_else(PoisonError::into_inner).recv();
    while let Ok(work) = next() {
        if requests.send(Request::Continue(work())).is_err() {
            return;
        }
        waker.wake();
    }
}
