//! Messages between the hub and the threads of ranks.

use super::mi::Record;
use super::session::options::GdbOptions;
use crate::process::output::OutputReader;
use crate::{Acquisition, Handed, Query};
use model::{Answer, Event, Failure, Operation, Rank, TransactionId};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use tokio::sync::oneshot;

pub(super) type Reply = oneshot::Sender<Result<Box<Handed>, Failure>>;

#[derive(Debug)]
pub(super) enum HubInput {
    Acquire(Acquisition),
    Query(Query),
    GiveAway(Rank, Reply),
    Shutdown(bool),
    Answer(RankOf, TransactionId, Answer),
    Event(RankOf, TransactionId, Event),
    /// The process id of a rank's gdb.
    Gdb(RankOf, u32),
    /// A rank's thread has ended: nobody is there any more to answer.
    Ended(RankOf),
}

#[derive(Debug)]
pub(super) enum Input {
    Order(Order),
    Said(Record),
    /// gdb has closed its output.
    Silent,
}

#[derive(Debug)]
pub(super) enum Order {
    Query(TransactionId, Operation),
    /// Another engine wants the program.
    GiveAway(Reply),
    /// The end; `true`: of the program, too.
    Shutdown(bool),
}

/// A rank, and which of those that had its number one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RankOf {
    pub(super) rank: Rank,
    pub(super) generation: u64,
}

/// A rank's surroundings: the hub, the output thread and its own input.
pub(super) struct Surrounding {
    pub(super) of: RankOf,
    pub(super) options: GdbOptions,
    pub(super) hub: Sender<HubInput>,
    pub(super) outputs: Arc<OutputReader>,
    pub(super) to_self: Sender<Input>,
}

impl Surrounding {
    pub(super) fn event(&self, tid: TransactionId, event: Event) {
        let _ = self.hub.send(HubInput::Event(self.of, tid, event));
    }

    /// The rank's last word, when all that it wrote is reported.
    pub(super) fn end(self, tid: TransactionId, event: Event) {
        let (of, hub) = (self.of, self.hub);
        self.outputs.finish(of.rank, move || {
            let _ = hub.send(HubInput::Event(of, tid, event));
            let _ = hub.send(HubInput::Ended(of));
        });
    }
}
