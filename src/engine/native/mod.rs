//! The native engine: ptrace(2) for the processes, gimli for their debug information. x86-64 Linux.
//!
//! [`NativeEngine`] is a handle. Behind it are threads: the *tracer*, which makes every ptrace call and decides what ranks
//! do (`host`, and of one rank `tracee`, `arrivals`, `control`, `stepping`, `breakpoints`, `startup`, `view`); those that
//! *prepare* files as they appear (`symbols`); *workers*, which look into snapshots of ranks (`looking`) and for places
//! (`locating`), so that the tracer need not wait for anything to be read (`station`, `readiness`); and the *output*
//! thread.

pub mod budget;
pub mod calls;
pub mod classes;
pub mod evaluate;
pub mod handover;
pub mod inspect;
mod moving;
pub mod mpir;
pub mod notebook;
pub mod output;
pub mod process_files;
pub mod symbols;
pub mod trace;
pub mod types;

mod abi;
mod adopt;
mod arrivals;
mod attaching;
mod breakpoints;
mod calling;
mod caretaker;
mod catching;
mod conditions;
mod control;
mod engine;
mod entering;
mod following;
mod host;
mod jumps;
mod landing;
mod last_breath;
mod libraries;
mod locating;
mod looking;
mod many_threads;
mod outbox;
mod prepared;
mod readiness;
mod returned;
mod rust_abi;
mod scheduling;
mod snapshot;
mod startup;
mod station;
mod step_plan;
mod step_targets;
mod stepping;
mod straight;
mod tracee;
mod turns;
mod unfit;
mod view;
mod waiting_calls;
mod watch_plan;
mod watching;
mod wide_registers;

pub use attaching::WAS_STOPPED;
pub use caretaker::take_care;
pub use engine::{NativeEngine, NativeOptions};
pub use startup::no_first_stop;
