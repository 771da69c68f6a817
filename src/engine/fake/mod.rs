//! The simulated engine: any number of ranks of a small program, in one thread, without processes. It reads a subset of
//! C, so that one source file can be debugged here and, compiled, by the other engines.

mod body;
mod breakpoints;
mod builtin;
mod code;
mod ctype;
mod data;
mod data_part;
mod datum;
mod emit;
mod evaluate;
mod format;
mod handle;
mod inspect;
mod link;
mod machine;
mod parse;
mod programs;
mod queries;
mod report;
mod resume;
mod scope;
mod simulation;
mod slot;
mod slots;

pub use handle::FakeEngine;
