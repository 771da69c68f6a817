//! A later front end that has not been told the session's state yet.

use model::TransactionId;
use std::time::Instant;

/// A front end that gets the whole state when its predecessor's requests are answered.
#[derive(Debug)]
pub(in crate::master) struct PendingReplay {
    pub(in crate::master) tid: TransactionId,
    /// Requests of its predecessor that are not answered yet.
    pub(in crate::master) open: Vec<TransactionId>,
    pub(in crate::master) latest: Instant,
}
