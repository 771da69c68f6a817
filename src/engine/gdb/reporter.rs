//! Reports of a rank: events, answers, and its end.

use super::messages::{HubInput, Reply, Surrounding};
use crate::process::output::Taps;
use crate::remains::LeftProgram;
use crate::{Handed, Keeper, OutputTap};
use model::{Answer, Event, Rank, Severity, SignalName, Stream, Termination, TransactionId};

/// The way in which a rank has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    Exited(i32),
    Killed(Termination),
    Detached,
    /// Holds the reason.
    Lost(String),
}

impl End {
    pub(super) fn by_kill() -> Self {
        Self::Killed(SignalName::from_number(9).into())
    }

    /// The convenience variable with the end's number, as gdb sets it.
    pub(super) fn number(&self) -> Option<(&'static str, i32)> {
        match self {
            Self::Exited(code) => Some(("_exitcode", *code)),
            Self::Killed(termination) => Some(("_exitsignal", termination.signal.number().unwrap_or(0))),
            Self::Detached | Self::Lost(_) => None,
        }
    }
}

impl From<End> for Event {
    fn from(end: End) -> Self {
        match end {
            End::Exited(code) => Self::Exited(code),
            End::Killed(termination) => Self::Killed(termination),
            End::Detached => Self::Detached,
            End::Lost(why) => Self::Lost(why),
        }
    }
}

/// Sends a rank's reports, under the transaction of its last run-control query.
pub(super) struct Reporter {
    surrounding: Surrounding,
    tid: TransactionId,
    /// Events to send after the current answer.
    after: Vec<Event>,
}

impl Reporter {
    pub(super) fn new(surrounding: Surrounding) -> Self {
        Self { surrounding, tid: TransactionId(0), after: Vec::new() }
    }

    pub(super) fn rank(&self) -> Rank {
        self.surrounding.of.rank
    }

    pub(super) fn tid(&self) -> TransactionId {
        self.tid
    }

    /// Sets the query under which later events are reported.
    pub(super) fn report_under(&mut self, tid: TransactionId) {
        self.tid = tid;
    }

    pub(super) fn event(&self, event: Event) {
        self.surrounding.event(self.tid, event);
    }

    pub(super) fn warn(&self, message: impl Into<String>) {
        self.event(Event::Message(Severity::Warning, message.into()));
    }

    pub(super) fn event_after_answer(&mut self, event: Event) {
        self.after.push(event);
    }

    pub(super) fn answer(&mut self, tid: TransactionId, answer: Answer) {
        let _ = self.surrounding.hub.send(HubInput::Answer(self.surrounding.of, tid, answer));
        for event in std::mem::take(&mut self.after) {
            self.event(event);
        }
    }

    /// Starts reporting an output stream.
    pub(super) fn add_output(&self, stream: Stream, tap: OutputTap) {
        self.surrounding.outputs.add(self.rank(), stream, tap);
    }

    pub(super) fn accept_outputs(&self, taps: Taps) {
        self.surrounding.outputs.accept(taps);
    }

    /// Leaves the program of a rank that ends to the hub.
    pub(super) fn leave(&self, program: LeftProgram) {
        let _ = self.surrounding.hub.send(HubInput::Left(self.surrounding.of, Box::new(program)));
    }

    pub(super) fn end(self, end: impl Into<Event>) {
        let end = end.into();
        if end == Event::Detached {
            self.surrounding.outputs.stay();
        }
        self.surrounding.end(self.tid, end);
    }

    /// Passes the program to another engine. `kept` lives until that has it.
    pub(super) fn hand_over(self, handed: Handed, kept: Keeper, reply: Reply) {
        let Self { surrounding, .. } = self;
        let _ = surrounding.hub.send(HubInput::Ended(surrounding.of));
        surrounding.outputs.withdraw(surrounding.of.rank, move |taps| {
            // The receiver waits for the reply.
            let _ = reply.send(Ok(Box::new(Handed { taps, keeper: kept, ..handed })));
        });
    }

    pub(super) fn into_surrounding(self) -> Surrounding {
        self.surrounding
    }
}
