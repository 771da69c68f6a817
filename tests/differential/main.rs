//! gdb and the native engine on the same stopped process: stacks, variables, types and values, answer by answer.
//!
//! `cargo test --test differential` compares on programs of this repository. With `RANKSCOPE_DIFFERENTIAL=1` real
//! software is fetched from registries, built and compared too, which takes minutes; `RANKSCOPE_DIFFERENTIAL=NAME` takes
//! the programs whose name has that in it, `RANKSCOPE_DIFFERENTIAL='/path/to/program arguments'` that program. The report goes to standard error and, with
//! `RANKSCOPE_DIFFERENTIAL_REPORT=FILE`, to a file.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on ends")]

#[path = "../support/mod.rs"]
mod support;

mod compare;
mod judge;
mod known;
mod mi;
mod own;
mod real;
mod tally;
mod walk;
mod witness;
