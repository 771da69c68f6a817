//! What the ranks of an engine share, and the work that is done beside the tracer thread.

use super::host::Host;
use super::notebook::Notebook;
use super::outbox::Outbox;
use super::output::OutputReader;
use super::symbols::SymbolStore;
use super::trace::{Status, Tid, Waker};
use crate::model::{Rank, TransactionId};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex};

/// What is done with the outcome of work, on the tracer thread.
pub(super) type Continuation = Box<dyn FnOnce(&mut Host) + Send>;
/// Work that may take its time: reading debug information and files.
pub(super) type Work = Box<dyn FnOnce() -> Continuation + Send>;

/// The last run-control query of each rank.
pub(super) type Controls = Arc<Mutex<FxHashMap<Rank, TransactionId>>>;

/// What the tracer thread is told.
pub(super) enum Request {
    /// Come by ranks.
    Acquire(crate::engine::Acquisition),
    /// Ask ranks.
    Query(crate::engine::Query),
    /// Work is done.
    Continue(Continuation),
    /// End; `true`: kill the ranks.
    Shutdown(bool),
}

/// Statuses of threads nobody knows yet that are kept: a thread's first stop may come before its creator's event.
const ORPHANS: usize = 256;

/// What the ranks of an engine share.
pub(super) struct Station {
    /// Reports on their way.
    pub outbox: Outbox,
    /// Debug information, once for all.
    pub store: Arc<SymbolStore>,
    /// Which rank a thread is of.
    pub owners: FxHashMap<Tid, Rank>,
    /// Processes in the memory of a rank until they execute (vfork(2)), and those to be let go at their first stop.
    pub companions: FxHashMap<Tid, Companion>,
    /// Statuses of threads nobody knows yet.
    pub orphans: VecDeque<(Tid, Status)>,
    /// What ranks that have ended had printed and named: they go on with it when they are restarted.
    pub notebooks: FxHashMap<Rank, Notebook>,
    /// Outputs of the ranks.
    pub outputs: OutputReader,
    /// The last run-control query of each rank, for those who report from other threads.
    pub controls: Controls,
    /// Wakes the tracer thread.
    pub waker: Waker,
    /// To the tracer thread itself.
    pub requests: Sender<Request>,
    /// To the thread that works.
    pub work: Sender<Work>,
}

/// A process that a rank created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Companion {
    /// Has its own memory: let go at once.
    Free,
    /// Runs in the memory of this rank, and may arrive at its breakpoints.
    Within(Rank),
}

impl Station {
    /// Has work done; what it gives is called on the tracer thread.
    pub(super) fn later(&self, work: impl FnOnce() -> Continuation + Send + 'static) {
        // The worker lives as long as the station.
        let _ = self.work.send(Box::new(work));
    }

    /// A status of a thread that nobody knows yet.
    pub(super) fn keep_orphan(&mut self, tid: Tid, status: Status) {
        if self.orphans.len() >= ORPHANS {
            self.orphans.pop_front();
        }
        self.orphans.push_back((tid, status));
    }

    /// The statuses kept for a thread, in order.
    pub(super) fn adopt(&mut self, tid: Tid) -> Vec<Status> {
        let statuses = self.orphans.iter().filter(|(other, _)| *other == tid).map(|(_, status)| *status).collect();
        self.orphans.retain(|(other, _)| *other != tid);
        statuses
    }
}

/// Does work in order until nobody can send any.
pub(super) fn work(incoming: &Receiver<Work>, requests: &Sender<Request>, waker: &Waker) {
    while let Ok(work) = incoming.recv() {
        if requests.send(Request::Continue(work())).is_err() {
            return;
        }
        waker.wake();
    }
}
