//! Dispatches a parsed command to what carries it out, by subject.

mod breakpoints;
mod conditions;
mod data;
mod debugger;
mod finding;
mod line;
mod running;
mod scripts;
mod sets;
mod signals;
mod skips;
mod stack;

pub(in crate::core) use conditions::{conditions_known, prepare};
