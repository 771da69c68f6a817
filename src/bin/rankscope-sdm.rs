//! `rankscope-sdm`: the processes of a session between the front end and the ranks.

use clap::Parser;
use rankscope::tree::{arguments::Arguments, start};

fn main() {
    std::process::exit(start::run(&Arguments::parse()));
}
