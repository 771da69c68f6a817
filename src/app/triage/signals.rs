//! Signals that ask for a report: those of the batch system, and those that end a program.

use std::fs;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Signals by number, with their names.
const HEEDED: [(i32, &str); 5] = [(10, "SIGUSR1"), (12, "SIGUSR2"), (15, "SIGTERM"), (2, "SIGINT"), (1, "SIGHUP")];

/// Catches the signals from its creation on, except those that were ignored then, such as SIGHUP under nohup(1).
#[derive(Debug)]
pub(super) struct Signals(Vec<(&'static str, Signal)>);

impl Signals {
    pub(super) fn listen() -> Self {
        let ignored = ignored(&fs::read_to_string("/proc/self/status").unwrap_or_default());
        let wanted = HEEDED.iter().filter(|(number, _)| ignored >> (number - 1) & 1 == 0);
        let heard = wanted.filter_map(|&(number, name)| Some((name, signal(SignalKind::from_raw(number)).ok()?)));
        Self(heard.collect())
    }

    /// Waits for the next signal and returns its name. Cancel safe.
    pub(super) async fn next(&mut self) -> &'static str {
        std::future::poll_fn(|context| {
            for (name, signal) in &mut self.0 {
                if signal.poll_recv(context).is_ready() {
                    return std::task::Poll::Ready(*name);
                }
            }
            std::task::Poll::Pending
        })
        .await
    }
}

/// True for a signal that ends a program which does not handle it.
pub(super) fn ends(name: &str) -> bool {
    !name.starts_with("SIGUSR")
}

/// Returns the mask of ignored signals (proc_pid_status(5)).
fn ignored(status: &str) -> u64 {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mask_is_hexadecimal() {
        assert_eq!(ignored("Name:\tx\nSigIgn:\t0000000000001001\n"), 0x1001);
        assert_eq!(ignored(""), 0);
    }
}
