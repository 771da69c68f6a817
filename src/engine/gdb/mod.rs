//! The gdb engine: one gdb for each rank, spoken to in its machine interface.
//!
//! [`GdbEngine`] is a handle. Behind it are the *hub*, a thread that hands queries to ranks and gathers their answers
//! (`hub`, `gather`); for each rank a thread that owns its gdb (`rank`, and of its work `startup`, `control`, `stops`,
//! `breakpoints`, `inspect`) and one that reads what this gdb says (`session`); and the *output* thread, which is
//! that of the native engine. A gdb that hangs keeps nobody waiting but those who asked its rank.

mod breakpoints;
mod inspect;
pub mod mi;
mod session;
mod startup;

mod control;
mod engine;
mod gather;
mod hub;
mod known_libraries;
mod libraries;
mod messages;
mod modules;
mod rank;
mod scheduling;
mod state;
mod stops;

pub use engine::GdbEngine;
pub use session::options::GdbOptions;
