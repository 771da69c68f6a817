//! Rankscope's side: the real front end, driven through `--batch -` and its JSON lines; times are taken as a user sees
//! them.

use super::figures::Figures;
use super::session::Session;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

fn launched(engine: &str, program: &Path, launcher: Option<&str>, ranks: u32) -> Session {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rankscope"));
    command.args(["run", "--engine", engine, "--json", "--batch", "-"]);
    match launcher {
        None => command.args(["-n", &ranks.to_string(), "--"]).arg(program),
        Some(mpirun) => command
            .args(["--", mpirun, "--oversubscribe", "-n", &ranks.to_string()])
            .arg(program)
            .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
            .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
    };
    Session::start(&mut command)
}

/// Launches, queries and steps `ranks` copies.
pub fn measure(engine: &str, program: &Path, launcher: Option<&str>, ranks: u32) -> Figures {
    let start = Instant::now();
    let mut session = launched(engine, program, launcher, ranks);
    session.until_stopped(ranks);
    let launch = start.elapsed();
    let memory = session.memory();
    let backtrace = session.run("where");
    let start = Instant::now();
    session.run("next");
    session.run("wait");
    let next = start.elapsed();
    let resume = session.resume();
    session.run("quit");
    Figures { launch, memory_kib: memory, backtrace, next, resume: Some(resume) }
}
