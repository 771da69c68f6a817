//! The native engine on real programs.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on ends")]

#[path = "../support/mod.rs"]
mod support;

mod beside_gdb;
mod calling;
mod catching;
mod class_members;
mod classes;
mod contained;
mod containers;
mod core_files;
mod costly;
mod damaged;
mod driver;
mod expressions;
mod float_traps;
mod following;
mod forms;
mod fortran;
mod inlined;
#[path = "../differential/judge.rs"]
#[allow(dead_code, reason = "the walks of the other suite ask for more")]
mod judge;
mod judged;
mod judged_conditions;
mod kept_code;
mod keyed;
mod locations;
#[path = "../differential/mi.rs"]
#[allow(dead_code, reason = "the walks of the other suite ask for more")]
mod mi;
mod moved;
mod preparing;
#[path = "../differential/printers.rs"]
mod printers;
mod probes;
mod processes;
mod rebuilt;
mod references;
mod registers;
mod returning;
mod running;
mod rust;
mod same_names;
mod scoped;
mod stress;
mod tail_calls;
mod threads;
mod trails;
mod until;
mod watch_conditions;
mod watching;
mod watching_main;
