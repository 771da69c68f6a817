//! The native engine on real programs.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on ends")]

mod catching;
mod damaged;
mod disassembly;
mod driver;
mod inlined;
mod judged;
mod libraries;
mod processes;
mod returning;
mod running;
mod same_names;
mod stress;
mod threads;
mod until;
mod watching;
