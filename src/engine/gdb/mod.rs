//! The gdb engine: one gdb per rank, controlled through GDB/MI.
//!
//! [`GdbEngine`] is a handle. Its threads: the *hub* distributes queries to ranks and gathers their answers (`hub`,
//! `gather`); each rank has a thread that owns its gdb (`debuggee`, with its parts in `session`, `inferior`, `startup`,
//! `breakpoints`, `libraries`, `stepping` and `inspect`) and one that reads gdb's output (`session`); the *output*
//! thread is that of the native engine. A hung gdb delays only the queries to its rank.

mod breakpoints;
mod debuggee;
mod inferior;
mod inspect;
pub mod mi;
mod session;
mod startup;

mod engine;
mod gather;
mod hub;
mod libraries;
mod messages;
mod reporter;
mod stepping;

pub use engine::GdbEngine;
pub use session::options::GdbOptions;
