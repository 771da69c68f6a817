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
/// Terminals, and what they say that they are (DA1, and with sixels the size of a cell). Each that people use answers.
const TERMINALS: [(&str, Option<&str>); 3] = [
    ("with characters", Some("\x1b[?1;2c")),
    ("with sixels", Some("\x1b[6;16;8t\x1b[?62;4c")),
    ("that does not say what it is", None),
];

fn main() {
    let directory = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/tiles.c");
    let program = directory.path().join("tiles");
    let built = Command::new("gcc").args(["-g", "-O0", "-o"]).arg(&program).arg(&source).arg("-lm").status();
    assert!(built.unwrap().success());
    let text = std::fs::read_to_string(&source).unwrap();
    let line = 1 + text.lines().position(|line| line.contains(MARK)).unwrap();
    let program = program.to_str().unwrap();

    println!("the picture of 4096x4096 numbers on {RANKS} ranks, from the key to the screen:");
    for (terminal, answer) in TERMINALS {
        measure(terminal, answer, program, line);
    }
    let gdb = gdb(program, line, &directory.path().join("part"));
    println!("  gdb copies the part of one rank to a file in {:.0} ms", gdb * 1e3);
}

/// Shows the pictures on a terminal that gives this answer when it is asked what it is.
fn measure(name: &str, answer: Option<&str>, program: &str, line: usize) {
    let ranks = RANKS.to_string();
    let arguments = ["run", "-n", &ranks, program];
    let mut terminal = Terminal::start(env!("CARGO_BIN_EXE_rankscope"), &arguments, (200, 60));
    if let Some(answer) = answer {
        terminal.answer("\x1b[c", answer);
    }
    terminal.see(&["S 0-63"]);
    terminal.send(&format!(":break tiles.c:{line}\r")).see(&["breakpoint 1"]);
    terminal.send("c").see(&["B 0-63"]);
    terminal.send(":layout 8x8\r").see(&["(0,0) of 8x8"]);
    terminal.send(":array part\r").see(&["double [512][512]"]);
    let in_pixels = answer.is_some_and(|answer| answer.contains(";4c"));
    let (first, bytes) = picture(&mut terminal, in_pixels);
    let mut times: Vec<Duration> = (0..TIMES).map(|_| picture(&mut terminal, in_pixels).0).collect();
    times.sort_unstable();
    let (first, more) = (first.as_secs_f64() * 1e3, times[TIMES / 2].as_secs_f64() * 1e3);
    println!("  {name}: first {first:.0} ms, {} kB to the terminal; median of {TIMES} more {more:.0} ms", bytes / 1000);
    terminal.send("q").send("k\r");
}

/// Opens the picture of all ranks, and goes back to the grid of one. Returns the time until the picture was whole, and
/// what was written to the terminal for it.
fn picture(terminal: &mut Terminal, in_pixels: bool) -> (Duration, usize) {
    terminal
        .send("m")
        .until("the picture of one rank", |text| text.contains("elements in a pixel") || text.contains("8x8"));
    settled(terminal);
    let (start, before) = (Instant::now(), terminal.so_far().len());
    terminal.send("*");
    // The last of it is what comes before a second of silence.
    let taken = settled(terminal).duration_since(start);
    assert!(in_pixels || is_whole(&terminal.text()), "{}", terminal.text());
    let bytes = terminal.so_far().len() - before;
    terminal.send("*").send("m").until("the grid", |text| !text.contains('▀'));
    (taken, bytes)
}

/// Waits until nothing has been written to the terminal for a second; returns when the last was.
fn settled(terminal: &Terminal) -> Instant {
    let (mut last, mut length) = (Instant::now(), terminal.so_far().len());
    while last.elapsed() < Duration::from_secs(1) {
        std::thread::sleep(Duration::from_millis(2));
        let now = terminal.so_far().len();
        if now != length {
            (last, length) = (Instant::now(), now);
        }
    }
    last
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
