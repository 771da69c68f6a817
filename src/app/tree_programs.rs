//! The tree's programs, which run between the front end and the ranks.

use clap::Parser;
use tree::connect::{self, Arguments};
use tree::start;

/// Runs `rankscope-sdm`; returns the exit code.
pub fn rankscope_sdm() -> i32 {
    start::run_words(std::env::args_os())
}

/// Runs `tvconnect`; returns the exit code.
pub fn tvconnect() -> i32 {
    connect::run(&Arguments::parse())
}
