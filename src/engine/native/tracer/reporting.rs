//! The reports of a rank, each under its last run-control query.

use super::tracee::Tracee;
use super::tracer_shared::TracerShared;
use model::{Event, TransactionId};
use std::sync::PoisonError;

impl Tracee {
    /// Notes a run-control query: later events of the rank are reported under it.
    pub(in crate::native) fn controlled(&mut self, shared: &TracerShared, tid: TransactionId) {
        self.control = tid;
        shared.controls.lock().unwrap_or_else(PoisonError::into_inner).insert(self.rank, tid);
    }

    /// Reports an event under the last run-control query.
    pub(in crate::native) fn report(&self, shared: &mut TracerShared, event: Event) {
        shared.outbox.event(self.control, self.rank, event);
    }
}
