//! gdb and an engine on the same stopped process: stacks, variables, types and values, answer by answer.
//!
//! `cargo test --test differential` compares on programs of this repository. With `RANKSCOPE_DIFFERENTIAL=1` real
//! software is fetched from registries, built and compared too, which takes minutes; `RANKSCOPE_DIFFERENTIAL=NAME` takes
//! the programs whose name has that in it, `RANKSCOPE_DIFFERENTIAL='/path/to/program arguments'` that program. The report goes to standard error and, with
//! `RANKSCOPE_DIFFERENTIAL_REPORT=FILE`, to a file. `RANKSCOPE_DIFFERENTIAL_STOPS=N` stops N times in each program instead of 150 times,
//! `RANKSCOPE_DIFFERENTIAL_DIRECTORY=DIRECTORY` keeps there what was fetched and built. `RANKSCOPE_DIFFERENTIAL_ENGINE=gdb` has the gdb engine compared instead of the native one,
//! `RANKSCOPE_DIFFERENTIAL_EXAMPLES=N` has N differences of each kind written, at length.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on ends")]

#[path = "../support/mod.rs"]
mod support;

#[path = "../engine/session.rs"]
#[allow(dead_code, reason = "the contract suite uses the rest")]
mod session;

mod by_parts;
mod compare;
mod judge;
mod known;
mod lists;
mod mi;
mod mpi;
mod own;
mod places;
mod printers;
mod real;
mod rust;
mod software;
mod sources;
mod stage;
mod tally;
mod walk;
mod witness;
