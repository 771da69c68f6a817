//! Runs a script without a screen.

pub mod runner;
pub mod script;
mod time_limit;
