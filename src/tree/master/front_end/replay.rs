//! A front end that comes later: how long it is waited for, and when it is told what there is.

use model::TransactionId;
use std::time::{Duration, Instant};

/// Until a front end says otherwise, a session that nobody looks at and in which nothing lives is kept for so long.
pub(in crate::master) const LINGER: Duration = Duration::from_secs(600);

/// A front end that is to be told everything, when answers to its predecessor are there.
#[derive(Debug)]
pub(in crate::master) struct PendingReplay {
    /// Its request.
    pub(in crate::master) tid: TransactionId,
    /// Requests of the one before, not answered yet.
    pub(in crate::master) open: Vec<TransactionId>,
    pub(in crate::master) latest: Instant,
}
