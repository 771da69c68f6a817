//! The first picture of an array of 4096x4096 numbers that 64 ranks have parts of, on a terminal of 200x60: from the key to
//! the whole picture on the screen. `cargo bench --bench picture` runs it. Beside it, gdb copies the part of one rank to
//! a file, the first step to a picture by hand. Nothing here passes or fails by the clock.
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot go on should say where and stop")]
#![allow(dead_code, reason = "the terminal of the tests can do more")]

#[path = "../support/pty.rs"]
mod pty;
#[path = "../support/wait.rs"]
mod wait;

use pty::Terminal;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

const RANKS: u32 = 64;
/// The marked line at which the ranks have filled their parts.
const MARK: &str = "BREAK filled";
/// Repetitions, of which the median is shown.
const TIMES: usize = 7;
/// The lines of the terminal that the picture takes. Each pixel that is not known yet is a question mark.
const LINES: usize = 28;

fn main() {
    let directory = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/tiles.c");
    let program = directory.path().join("tiles");
    let built = Command::new("gcc").args(["-g", "-O0", "-o"]).arg(&program).arg(&source).arg("-lm").status();
    assert!(built.unwrap().success());
    let text = std::fs::read_to_string(&source).unwrap();
    let line = 1 + text.lines().position(|line| line.contains(MARK)).unwrap();
    let program = program.to_str().unwrap();

    let ranks = RANKS.to_string();
    let arguments = ["run", "-n", &ranks, program];
    let mut terminal = Terminal::start(env!("CARGO_BIN_EXE_rankscope"), &arguments, (200, 60));
    terminal.see(&["S 0-63"]);
    terminal.send(&format!(":break tiles.c:{line}\r")).see(&["breakpoint 1"]);
    terminal.send("c").see(&["B 0-63"]);
    terminal.send(":layout 8x8\r").see(&["(0,0) of 8x8"]);
    terminal.send(":array part\r").see(&["double [512][512]"]);
    let first = picture(&mut terminal);
    let mut times: Vec<Duration> = (0..TIMES).map(|_| picture(&mut terminal)).collect();
    times.sort_unstable();
    let gdb = gdb(program, line, &directory.path().join("part"));
    println!("the picture of 4096x4096 numbers on {RANKS} ranks, from the key to the screen:");
    println!("  first {:.0} ms", first.as_secs_f64() * 1e3);
    println!("  median of {TIMES} more {:.0} ms", times[TIMES / 2].as_secs_f64() * 1e3);
    println!("  gdb copies the part of one rank to a file in {:.0} ms", gdb * 1e3);
    terminal.send("q").send("k\r");
}

/// Opens the picture of all ranks, and goes back to the grid of one.
fn picture(terminal: &mut Terminal) -> Duration {
    terminal
        .send("m")
        .until("the picture of one rank", |text| text.contains("elements in a pixel") || text.contains("8x8"));
    let start = Instant::now();
    terminal.send("*");
    while !is_whole(&terminal.text()) {
        std::thread::sleep(Duration::from_millis(1));
        assert!(start.elapsed() < Duration::from_secs(60), "{}", terminal.text());
    }
    let taken = start.elapsed();
    terminal.send("*").send("m").until("the grid", |text| !text.contains('▀'));
    taken
}

/// True if each of the 64 parts is in the picture.
fn is_whole(text: &str) -> bool {
    text.lines().filter(|line| line.matches('▀').count() >= 127).count() >= LINES
}

/// The seconds that gdb takes to copy one part.
fn gdb(program: &str, line: usize, file: &Path) -> f64 {
    let copy = format!("dump binary value {} part", file.display());
    let timed = format!("python import time; t=time.time(); gdb.execute('{copy}'); print('took', time.time() - t)");
    let place = format!("break {line}");
    let all = "set max-value-size unlimited";
    let output = Command::new("gdb")
        .args(["-nx", "-batch", "-ex", all, "-ex", &place, "-ex", "run", "-ex", &timed, program])
        .output();
    let text = String::from_utf8_lossy(&output.unwrap().stdout).into_owned();
    text.lines().find_map(|line| line.strip_prefix("took ")?.parse().ok()).unwrap()
}
