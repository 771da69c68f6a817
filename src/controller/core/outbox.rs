//! The output of the controller.

use super::Effect;
use crate::command::CommandId;
use crate::report::Report;
use crate::state::Ask;
use model::TransactionId;
use protocol::{Request, SessionCommand};

/// The weight of output after which the master gets an acknowledgement; it allows several times that under way.
const OUTPUT_SHARE: u64 = 8 << 10;

/// Requests, reports and effects until they are taken.
#[derive(Debug, Default)]
pub(in crate::core) struct Outbox {
    requests: Vec<Request>,
    reports: Vec<Report>,
    effects: Vec<Effect>,
    asks: Vec<(CommandId, Ask)>,
    last_tid: u32,
    /// The weight of output that is not acknowledged yet.
    output_taken: u64,
}

impl Outbox {
    /// Returns an id that no open request has.
    pub(in crate::core) fn new_tid(&mut self) -> TransactionId {
        self.last_tid = self.last_tid.wrapping_add(1).max(1);
        TransactionId(self.last_tid)
    }

    pub(in crate::core) fn send(&mut self, request: Request) {
        self.requests.push(request);
    }

    pub(in crate::core) fn report(&mut self, report: impl IntoIterator<Item = Report>) {
        self.reports.extend(report);
    }

    pub(in crate::core) fn effect(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    pub(in crate::core) fn ask_watcher(&mut self, command: CommandId, ask: Ask) {
        self.asks.push((command, ask));
    }

    pub(in crate::core) fn take_requests(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.requests)
    }

    pub(in crate::core) fn take_reports(&mut self) -> Vec<Report> {
        std::mem::take(&mut self.reports)
    }

    pub(in crate::core) fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    pub(in crate::core) fn take_asks(&mut self) -> Vec<(CommandId, Ask)> {
        std::mem::take(&mut self.asks)
    }

    pub(in crate::core) fn session(&mut self, command: SessionCommand) -> TransactionId {
        let tid = self.new_tid();
        self.requests.push(Request::Session { tid, command });
        tid
    }

    /// Acknowledges output: the master sends more only then.
    pub(in crate::core) fn take_output(&mut self, weight: u64) {
        self.output_taken += weight;
        if self.output_taken >= OUTPUT_SHARE {
            let command = SessionCommand::OutputTaken(std::mem::take(&mut self.output_taken));
            self.requests.push(Request::Session { tid: TransactionId(0), command });
        }
    }
}
