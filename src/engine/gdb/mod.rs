//! The gdb engine: one gdb for each rank, spoken to in its machine interface.
//!
//! [`GdbEngine`] is a handle. Behind it are the *hub*, a thread that hands queries to ranks and gathers their answers
//! (`hub`, `gather`); for each rank a thread that owns its gdb (`rank`, and of its work `startup`, `control`, `stops`,
//! `breakpoints`, `inspect`, `values`) and one that reads what this gdb says (`link`); and the *output* thread, which is
//! that of the native engine. A gdb that hangs keeps nobody waiting but those who asked its rank.

mod many_threads;
pub mod mi;

mod adopt;
mod attaching;
mod breakpoints;
mod control;
mod engine;
mod examined;
mod fault;
mod gather;
mod globals;
mod hub;
mod inspect;
mod instructions;
mod libraries;
mod link;
mod modules;
mod options;
mod places;
mod points;
mod program;
mod rank;
mod scheduling;
mod shown;
mod startup;
mod stops;
mod told;
mod tracing;
mod unnoticed;
mod values;
mod words;
mod work;

pub use engine::GdbEngine;
pub use options::GdbOptions;
