//! The states of ranks, and what led to them.

pub(super) mod cause;
pub(super) mod returned;
pub(super) mod signal;
pub(super) mod state;
pub(crate) mod step_kind;
pub(super) mod termination;
