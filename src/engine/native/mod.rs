//! The native engine: ptrace(2) for the processes, gimli for their debug information. x86-64 Linux.
//!
//! [`NativeEngine`] is a handle. Behind it are threads: the *tracer*, which makes every ptrace call and decides what ranks
//! do (`tracer`, with `breakpoints`, `stepping`, `calls` and `startup`); those that *prepare* files as they appear
//! (`debuginfo`); *workers*, which look into snapshots of ranks (`inspect`) and for places (`startup::place_search`), so that the
//! tracer need not wait for anything to be read; and the *output* thread.

mod breakpoints;
mod calls;
pub mod inspect;
pub mod ptrace;
mod startup;
mod stepping;
pub mod tracer;

pub use breakpoints::cleaner::take_care;
pub use tracer::engine::{NativeEngine, NativeOptions};
