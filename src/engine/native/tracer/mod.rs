//! The one thread that traces: its loop, the questions that wait, and what threads tell.

pub(super) mod arrivals;
pub(super) mod control;
pub(super) mod engine;
pub(super) mod host;
pub(super) mod outbox;
pub(super) mod readiness;
pub(super) mod scheduling;
pub(super) mod station;
pub(super) mod tracee;
pub(super) mod turns;
