//! Reports the answers of ranks to a command.

mod breakpoints;
mod conclude;
mod data;
mod finding;
mod program;
mod user_frames;

pub(in crate::core) use conclude::conclude;
