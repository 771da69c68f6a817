//! Start, stacks, steps, values and memory of up to a million simulated ranks over the real tree of processes and sockets;
//! `cargo bench --bench scale` runs it. Numbers after `--` choose the numbers of ranks. Beside it, one gdb per rank for
//! 64 ranks of a plain program. Nothing here passes or fails by the clock.
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot go on should say where and stop")]

mod figures;
mod gdb_per_rank;
mod session;

use figures::Figures;
use session::Session;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Ranks, and the servers that simulate them.
const SHAPES: [(u32, u32); 10] = [
    (64, 1),
    (1024, 1),
    (1024, 64),
    (1024, 1024),
    (65_536, 1),
    (65_536, 64),
    (1_048_576, 1),
    (1_048_576, 64),
    (1_048_576, 256),
    (1_048_576, 1024),
];

/// Repetitions of which the median is shown.
const TIMES: usize = 5;

/// The ranks of the peer: more need more memory than most hosts have.
const PEER_RANKS: u32 = 64;

struct Measured {
    start: Duration,
    stack: Duration,
    next: Duration,
    /// `print` of a value that is different in each rank.
    print: Duration,
    memory_kib: u64,
    /// Another front end, after the first was killed.
    resume: Duration,
}

fn main() {
    let wanted: Vec<u32> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    println!("    ranks servers   start s   where ms    next ms   print ms   memory MiB   KiB a rank  resumed ms");
    let peer = peer();
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    println!(
        "{PEER_RANKS:>9}     gdb {:>9.2} {:>10.1} {:>10.1}          - {:>12.0} {:>12.2} {:>11}",
        peer.launch.as_secs_f64(),
        ms(peer.backtrace),
        ms(peer.next),
        peer.memory_kib as f64 / 1024.,
        peer.memory_kib as f64 / f64::from(PEER_RANKS),
        peer.resume.map_or_else(|| "-".to_owned(), |time| format!("{:.0}", ms(time)))
    );
    let mut before: Option<(u32, Measured)> = None;
    for (ranks, servers) in SHAPES {
        if !wanted.is_empty() && !wanted.contains(&ranks) {
            continue;
        }
        let now = measure(ranks, servers);
        println!(
            "{ranks:>9} {servers:>7} {:>9.2} {:>10.1} {:>10.1} {:>10.1} {:>12.0} {:>12.2} {:>11.0}",
            now.start.as_secs_f64(),
            ms(now.stack),
            ms(now.next),
            ms(now.print),
            now.memory_kib as f64 / 1024.,
            now.memory_kib as f64 / f64::from(ranks),
            ms(now.resume)
        );
        if servers > 1 {
            continue;
        }
        if let Some((fewer, then)) = &before {
            // 1 is linear in the number of ranks, 2 quadratic.
            let growth = |then: Duration, now: Duration| {
                (now.as_secs_f64() / then.as_secs_f64()).ln() / (f64::from(ranks) / f64::from(*fewer)).ln()
            };
            println!(
                "   growth         {:>9.2} {:>10.2} {:>10.2} {:>10.2}   (exponent, from {fewer} ranks)",
                growth(then.start, now.start),
                growth(then.stack, now.stack),
                growth(then.next, now.next),
                growth(then.print, now.print)
            );
        }
        before = Some((ranks, now));
    }
}

fn measure(ranks: u32, servers: u32) -> Measured {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rankscope"));
    command.args(["demo", "--simulate", "-n", &ranks.to_string(), "--json", "--batch", "-"]);
    command.args(["--ranks-per-server", &ranks.div_ceil(servers).to_string()]);
    let start = Instant::now();
    let mut session = Session::start(&mut command);
    session.until_stopped(ranks);
    let start = start.elapsed();
    session.run("set patience 600");
    let stack = median(|| session.run("where"));
    let next = median(|| {
        let start = Instant::now();
        session.run("next");
        session.run("wait");
        start.elapsed()
    });
    let print = median(|| session.run("print rank"));
    // Memory at rest: what the answers took is given back after a second.
    std::thread::sleep(Duration::from_secs(2));
    let memory_kib = session.memory();
    let resume = session.resume();
    session.run("quit");
    Measured { start, stack, next, print, memory_kib, resume }
}

fn median(mut measured: impl FnMut() -> Duration) -> Duration {
    let mut times: Vec<Duration> = (0..TIMES).map(|_| measured()).collect();
    times.sort_unstable();
    times[TIMES / 2]
}

fn peer() -> Figures {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bench/spin.c");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("scale-spin");
    let status = Command::new("cc").args(["-g", "-O0", "-o"]).arg(&program).arg(source).status();
    assert!(status.is_ok_and(|status| status.success()), "cc cannot build the program of the peer");
    gdb_per_rank::measure(&program, PEER_RANKS)
}
