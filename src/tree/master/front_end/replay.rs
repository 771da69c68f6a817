//! A front end that comes later, and when it is told what there is.

use model::TransactionId;
use std::time::Instant;

/// A front end that is to be told everything, when answers to its predecessor are there.
#[derive(Debug)]
pub(in crate::master) struct PendingReplay {
    pub(in crate::master) tid: TransactionId,
    /// Requests of the one before, not answered yet.
    pub(in crate::master) open: Vec<TransactionId>,
    pub(in crate::master) latest: Instant,
}
