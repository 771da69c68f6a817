//! `stats` of large arrays beside a loop in the process that does the same: bytes a second of one rank, and of the ranks
//! of one server together. `cargo bench --bench arrays` runs it; a number after `--` is the size of each array in MiB.
//! Nothing here passes or fails by the clock.
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot go on should say where and stop")]

use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

const ARRAYS: [&str; 3] = ["smooth", "rough", "normal"];
/// Repetitions, of which the fastest counts.
const TIMES: usize = 3;

fn main() {
    let size: u64 = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(256);
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("arrays");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bench/arrays.c");
    let built = Command::new("gcc").args(["-g", "-O2", "-o"]).arg(&program).arg(source).arg("-lm").status();
    assert!(built.unwrap().success());
    println!("  ranks   array      loop in the process     stats          ratio");
    for ranks in [1, 2] {
        let (loops, stats) = run(&program, size << 17, ranks);
        let gigabytes = (size << 20) as f64 * f64::from(ranks) / 1e9;
        for name in ARRAYS {
            let (inside, outside) = (gigabytes / loops[name], gigabytes / stats[name]);
            println!("{ranks:>7} {name:>7} {inside:>13.2} GB/s {outside:>16.2} GB/s {:>8.2}x", outside / inside);
        }
    }
}

/// The seconds of the loop in the slowest rank, and those of `stats` for all of them, by array.
fn run(program: &Path, count: u64, ranks: u32) -> (BTreeMap<String, f64>, BTreeMap<String, f64>) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rankscope"));
    command.args(["run", "--json", "--batch", "-", "-n", &ranks.to_string()]).arg(program).arg(count.to_string());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut script = "set patience 600\nbreak measured\ngo\nwait\nup\n".to_owned();
    for name in ARRAYS {
        script += &format!("stats {name}[0]@count\n").repeat(TIMES);
    }
    child.stdin.take().unwrap().write_all(format!("{script}kill\n").as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let (mut loops, mut stats) = (BTreeMap::<String, f64>::new(), BTreeMap::<String, f64>::new());
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(report) = serde_json::from_str::<Value>(line) else { continue };
        assert_ne!(report["type"], "error", "{line}");
        let text = report["text"].as_str().unwrap_or_default();
        for (name, seconds) in text.lines().filter_map(|line| line.split_once(' ')) {
            if let Some(seconds) = seconds.parse().ok().filter(|_| ARRAYS.contains(&name)) {
                let slowest = loops.entry(name.to_owned()).or_default();
                *slowest = slowest.max(seconds);
            }
        }
        let command = report["command"].as_str().filter(|_| report["type"] == "done").unwrap_or_default();
        if let Some((name, _)) = command.strip_prefix("stats ").and_then(|array| array.split_once('[')) {
            let seconds = report["elapsed_ms"].as_f64().unwrap() / 1e3;
            let fastest = stats.entry(name.to_owned()).or_insert(seconds);
            *fastest = fastest.min(seconds);
        }
    }
    (loops, stats)
}
