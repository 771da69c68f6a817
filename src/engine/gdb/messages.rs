//! Messages between the hub and the threads of ranks.

use super::mi::Record;
use super::session::options::GdbOptions;
use crate::process::output::OutputReader;
use crate::remains::LeftProgram;
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
    /// The program of a rank that ends.
    Left(RankOf, Box<LeftProgram>),
    /// A rank's thread has ended and answers no more.
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
    /// Gives the program to another engine.
    GiveAway(Reply),
    /// Ends the rank; `true` kills the program, too.
    Shutdown(bool),
}

/// A rank and its generation: a rank number may be reused after the rank has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RankOf {
    pub(super) rank: Rank,
    pub(super) generation: u64,
}

/// A rank's connections: the hub, the output thread and its own input.
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

    /// Reports the rank's end after all its output.
    pub(super) fn end(self, tid: TransactionId, event: Event) {
        let (of, hub) = (self.of, self.hub);
        self.outputs.finish(of.rank, move || {
            let _ = hub.send(HubInput::Event(of, tid, event));
            let _ = hub.send(HubInput::Ended(of));
        });
    }
}
