//! What is measured of a debugger of many ranks.

use std::time::Duration;

/// The measurements of one side for one number of ranks.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    /// From the start of the debugger until every rank is stopped in `main`.
    pub launch: Duration,
    /// Proportional set size of all debugger processes, in KiB.
    pub memory_kib: u64,
    /// From the command to the last answer.
    pub backtrace: Duration,
    /// From the command to the last stop: a `next` over a plain line on every rank.
    pub next: Duration,
    /// From the start of a second front end, after the first was killed, until it has shown the state of every rank;
    /// `None` for the peer.
    pub resume: Option<Duration>,
}

/// `Pss:` of a process in KiB (proc(5), `smaps_rollup`).
pub fn memory_kib(pid: u32) -> u64 {
    let rollup = std::fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
    let pss = rollup.lines().find_map(|line| line.strip_prefix("Pss:"));
    pss.and_then(|rest| rest.split_whitespace().next()).and_then(|n| n.parse().ok()).unwrap_or(0)
}
