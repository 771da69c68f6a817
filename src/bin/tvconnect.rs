//! `tvconnect`: asks for a debugger from inside a batch job.

use clap::Parser;
use rankscope::tree::connect::{Arguments, run};

fn main() {
    std::process::exit(run(&Arguments::parse()));
}
