//! The native engine: ptrace(2) for processes, gimli for debug information. x86-64 Linux.
//!
//! [`NativeEngine`] is a handle. Its threads: the *tracer* makes every ptrace call and controls the ranks (`tracer`,
//! with `breakpoints`, `stepping`, `calls` and `startup`); others *prepare* files as they appear (`debuginfo`);
//! *workers* inspect snapshots of ranks (`inspect`) and look up locations (`startup::place_search`), so that the tracer
//! never waits for a file; the *output* thread reads what the ranks write.

mod breakpoints;
mod calls;
mod causes;
mod errors;
mod fpe;
pub mod inspect;
pub mod ptrace;
mod startup;
mod stepping;
pub mod tracer;

pub use breakpoints::cleaner::take_care;
pub(crate) use tracer::outbox::Answers;
pub(crate) use tracer::query_queue::only_looks;

pub use tracer::engine::{NativeEngine, NativeOptions};
