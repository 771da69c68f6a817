//! `rankscope`: the front end.

use rankscope::{app, engine};
use std::process::ExitCode;

fn main() -> ExitCode {
    app::rankscope::main(engine::last_words)
}
