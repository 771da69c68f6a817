//! `why` of many simulated ranks that wait in calls of MPI, for trees of several shapes. `cargo bench --bench why` runs
//! it; a number after `--` is that of the ranks. Nothing here passes or fails by the clock.
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot go on should say where and stop")]

use serde_json::Value;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// The tree, and its options but for the number of ranks of a server.
const SHAPES: [(&str, u32, &str); 3] =
    [("one server", 1, "64"), ("16 servers, flat", 16, "64"), ("64, three levels", 64, "4")];

/// All ranks in a cycle, or most in a collective operation that two do not reach.
const PATTERNS: [&str; 2] = ["ring", "pair"];

/// Repetitions, of which the fastest and the slowest are shown.
const TIMES: usize = 5;

fn main() {
    let ranks: u32 = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(1024);
    println!("  ranks  pattern  tree                  why of all, fastest and slowest of {TIMES}");
    for pattern in PATTERNS {
        for (name, servers, fan_out) in SHAPES {
            let times = run(ranks, ranks.div_ceil(servers), fan_out, pattern);
            let fastest = times.iter().copied().fold(f64::INFINITY, f64::min);
            let slowest = times.iter().copied().fold(0., f64::max);
            println!("{ranks:>7}  {pattern:>7}  {name:<20} {fastest:>9.0} {slowest:>9.0} ms");
        }
    }
}

/// The milliseconds of each `why`, from the command to the last line of its answer.
fn run(ranks: u32, of_a_server: u32, fan_out: &str, pattern: &str) -> Vec<f64> {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/simulated_waits.c");
    let mut command = Command::new(env!("CARGO_BIN_EXE_rankscope"));
    command.args(["run", "--json", "--batch", "-", "--engine", "fake", "-n", &ranks.to_string()]);
    command.args(["--ranks-per-server", &of_a_server.to_string(), "--fan-out", fan_out]);
    command.arg(format!("fake:{}", program.display())).arg(pattern);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let begin = "set my-code -MPI_*\nset patience 600\nbreak MPI_Recv\nbreak MPI_Allreduce\ngo\nwait\ndelete\n";
    let script = format!("{begin}{}kill\n", "go\nhalt\nwait\nwhy\n".repeat(TIMES));
    child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let mut times = Vec::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(report) = serde_json::from_str::<Value>(line) else { continue };
        assert_ne!(report["type"], "error", "{line}");
        if report["type"] == "why" {
            assert_eq!(report["verdict"], "deadlock", "{line}");
        }
        if report["type"] == "done" && report["command"] == "why" {
            times.push(report["elapsed_ms"].as_f64().unwrap());
        }
    }
    assert_eq!(times.len(), TIMES, "{}", String::from_utf8_lossy(&output.stdout));
    times
}
