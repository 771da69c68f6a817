//! A moved cursor on the map of very many simulated ranks: from the key to the first and the last byte of the new picture,
//! and the bytes that the terminal gets for it. `cargo bench --bench keys` runs it. No debugger of a prompt has a screen to compare with.
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot go on should say where and stop")]
#![allow(dead_code, reason = "the terminal of the tests can do more")]

#[path = "../support/pty.rs"]
mod pty;
#[path = "../support/wait.rs"]
mod wait;

use pty::Terminal;
use std::time::{Duration, Instant};

const RANKS: [u32; 4] = [64, 1024, 65_536, 1_048_576];
const MOVES: [&str; 4] = ["l", "j", "h", "k"];
const TIMES: usize = 10;
/// Nothing follows a picture after so long a silence.
const SILENCE: Duration = Duration::from_millis(150);

fn main() {
    let wanted: Vec<u32> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    println!("    ranks     first ms  longest ms     last ms  longest ms   median bytes   most bytes");
    for ranks in RANKS.into_iter().filter(|ranks| wanted.is_empty() || wanted.contains(ranks)) {
        let moves = moves(ranks);
        let [first, last] = [|one: &Move| one.first, |one: &Move| one.last].map(|of| middle(moves.iter().map(of)));
        let bytes = middle(moves.iter().map(|one| one.bytes));
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        println!(
            "{ranks:>9} {:>12.1} {:>11.1} {:>11.1} {:>11.1} {:>14} {:>12}",
            ms(first.0),
            ms(first.1),
            ms(last.0),
            ms(last.1),
            bytes.0,
            bytes.1
        );
    }
}

/// The median and the greatest of numbers.
fn middle<T: Ord + Copy>(numbers: impl Iterator<Item = T>) -> (T, T) {
    let mut numbers: Vec<T> = numbers.collect();
    numbers.sort_unstable();
    (numbers[numbers.len() / 2], numbers[numbers.len() - 1])
}

struct Move {
    /// From the key to the first byte.
    first: Duration,
    /// From the key to the last byte.
    last: Duration,
    bytes: usize,
}

/// Moves the cursor, and measures each move.
fn moves(ranks: u32) -> Vec<Move> {
    let count = ranks.to_string();
    let arguments = ["demo", "--simulate", "-n", &count];
    let mut terminal = Terminal::start(env!("CARGO_BIN_EXE_rankscope"), &arguments, (80, 24));
    terminal.answer("\x1b[c", "\x1b[?1;2c");
    terminal.see(&[&format!("S 0-{}", ranks - 1)]).send("1");
    settled(&terminal);
    let mut taken = Vec::new();
    for _ in 0..TIMES {
        for key in MOVES {
            let (start, before) = (Instant::now(), terminal.so_far().len());
            terminal.send(key);
            while terminal.so_far().len() == before && start.elapsed() < Duration::from_secs(10) {
                std::thread::sleep(Duration::from_micros(200));
            }
            let first = start.elapsed();
            let last = settled(&terminal).duration_since(start);
            taken.push(Move { first, last, bytes: terminal.so_far().len() - before });
        }
    }
    terminal.send("q").send("k\r");
    taken
}

/// Waits for silence; returns when the last byte came.
fn settled(terminal: &Terminal) -> Instant {
    let (mut last, mut length) = (Instant::now(), terminal.so_far().len());
    while last.elapsed() < SILENCE {
        std::thread::sleep(Duration::from_micros(300));
        let now = terminal.so_far().len();
        if now != length {
            (last, length) = (Instant::now(), now);
        }
    }
    last
}
