//! The tracer thread: its event loop, queued questions, and thread events.

pub(super) mod control;
pub(super) mod engine;
pub(super) mod event_loop;
mod explaining;
pub(super) mod explanation;
mod in_kernel;
pub(super) mod outbox;
pub(super) mod pausing;
mod pending_events;
pub(super) mod phase;
pub(super) mod query_queue;
mod reporting;
pub(super) mod sampling;
mod scheduling;
mod stopping;
mod symbol_needs;
pub(super) mod symbol_prefetch;
pub(super) mod thread_events;
pub(super) mod tracee;
pub(super) mod tracer_shared;
mod user_code;
