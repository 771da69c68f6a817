//! Requests to ranks.

pub(super) mod examination;
pub(super) mod operation;
