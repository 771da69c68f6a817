//! Reports the answers of ranks to a command.

mod breakpoints;
mod conclude;
mod data;
mod program;

pub(in crate::core) use conclude::conclude;
