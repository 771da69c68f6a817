//! The signals that ask a process to end.

use nix::sys::signal::Signal;

/// From a terminal, from a person or a scheduler, and at the end of a session.
const ENDING: [Signal; 3] = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP];

/// Returns the signals to handle. One ignored at our start (nohup(1), a shell's background job) stays ignored.
pub(super) fn heeded() -> impl Iterator<Item = Signal> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    ENDING.into_iter().filter(move |signal| !is_ignored(*signal, &status))
}

/// True if a signal is ignored according to the text of /proc/PID/status (proc(5), `SigIgn`).
fn is_ignored(signal: Signal, status: &str) -> bool {
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask & (1 << (signal as u32 - 1)) != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_signals_are_read_from_the_status() {
        let status = "Name:\tx\nSigBlk:\t0000000000000003\nSigIgn:\t0000000000001001\nSigCgt:\t0\n";
        assert!(is_ignored(Signal::SIGHUP, status) && is_ignored(Signal::SIGPIPE, status));
        assert!(!is_ignored(Signal::SIGINT, status) && !is_ignored(Signal::SIGTERM, status));
        assert!(!is_ignored(Signal::SIGHUP, "SigIgn:\tnonsense"));
    }
}
