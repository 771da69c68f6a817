//! The programs between the front end and the ranks, which are the tree's.

use clap::Parser;
use tree::connect::{self, Arguments};
use tree::start;

/// `rankscope-sdm`; the exit code.
pub fn rankscope_sdm() -> i32 {
    start::run_words(std::env::args_os())
}

/// `tvconnect`; the exit code.
pub fn tvconnect() -> i32 {
    connect::run(&Arguments::parse())
}
