//! Jobs started by a launcher, or already running, on this host.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on ends")]

#[path = "../support/mod.rs"]
mod support;

mod aborts;
mod attach;
mod float_traps;
mod gdb_commands;
mod guests;
mod joined_ranks;
mod launcher_options;
mod mpi;
mod program_start;
mod rank_layout;
mod recipes;
mod restart;
mod slurm;
mod starter;
mod triage;
mod user_code;
mod why;
mod why_openmp;
mod why_sources;
mod why_suite;
mod why_threads;
mod why_waits;
mod wrappers;
