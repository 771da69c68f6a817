//! Scripts on the real binaries: what a line prints, how a script ends, and what gdb says to the same.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on ends")]

#[path = "../support/mod.rs"]
mod support;

mod as_gdb_shows;
mod bad_input;
mod barriers;
mod batch;
mod counts;
mod demo;
mod gdb_data;
mod gdb_habits;
mod gdb_lines;
mod parsed_once;
mod set_errors;
