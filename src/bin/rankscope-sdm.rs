//! `rankscope-sdm`: the processes of a session between the front end and the ranks.

use rankscope::tree::start;

fn main() {
    std::process::exit(start::run_words(std::env::args_os()));
}
