//! Facts of proc(5) about a process and its threads that the notes of a core file have.

use crate::process::procfs::witness;
use std::fs;

/// Clock ticks per second in `/proc` (`USER_HZ`), the same on every x86-64.
const TICKS: u64 = 100;

/// The numbers of `/proc/PID/stat` and `/proc/PID/status` that are used here; 0 where the kernel tells nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ThreadFacts {
    pub(super) name: Vec<u8>,
    pub(super) parent: i32,
    pub(super) group: i32,
    pub(super) session: i32,
    /// User time, system time, and both of the children that have ended: seconds and microseconds.
    pub(super) times: [(u64, u64); 4],
    pub(super) flags: u64,
    pub(super) nice: i8,
    pub(super) pending_signals: u64,
    pub(super) blocked_signals: u64,
    pub(super) user: u32,
    pub(super) user_group: u32,
}

impl ThreadFacts {
    /// Reads the facts of a thread.
    pub(super) fn of_thread(pid: i32, tid: i32) -> Self {
        let stat = fs::read(format!("/proc/{pid}/task/{tid}/stat")).unwrap_or_default();
        let status = fs::read(format!("/proc/{pid}/task/{tid}/status")).unwrap_or_default();
        Self::parse(&stat, &String::from_utf8_lossy(&status))
    }

    fn parse(stat: &[u8], status: &str) -> Self {
        // The name is in parentheses and may have some itself.
        let open = stat.iter().position(|byte| *byte == b'(').map_or(0, |at| at + 1);
        let close = stat.iter().rposition(|byte| *byte == b')').unwrap_or(0);
        let rest = stat.get(close + 1..).unwrap_or_default();
        let words: Vec<i64> =
            String::from_utf8_lossy(rest).split_ascii_whitespace().map(|word| word.parse().unwrap_or(0)).collect();
        let word = |index: usize| words.get(index).copied().unwrap_or(0);
        let time = |index: usize| {
            let ticks = word(index).unsigned_abs();
            (ticks / TICKS, ticks % TICKS * (1_000_000 / TICKS))
        };
        let line = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
            line.and_then(|line| line.split_ascii_whitespace().next()).unwrap_or_default()
        };
        let mask = |name: &str| u64::from_str_radix(line(name), 16).unwrap_or(0);
        Self {
            name: stat.get(open..close).unwrap_or_default().to_vec(),
            parent: word(1) as i32,
            group: word(2) as i32,
            session: word(3) as i32,
            times: [time(11), time(12), time(13), time(14)],
            flags: word(6).unsigned_abs(),
            nice: word(16) as i8,
            pending_signals: mask("SigPnd"),
            blocked_signals: mask("SigBlk"),
            user: line("Uid").parse().unwrap_or(0),
            user_group: line("Gid").parse().unwrap_or(0),
        }
    }
}

/// Returns the command line of a process, its words separated by blanks.
pub(super) fn command_line(pid: i32) -> Vec<u8> {
    let mut line = fs::read(format!("/proc/{}/cmdline", witness(pid))).unwrap_or_default();
    while line.last() == Some(&0) {
        line.pop();
    }
    line.iter_mut().filter(|byte| **byte == 0).for_each(|byte| *byte = b' ');
    line
}

/// Returns the auxiliary vector of a process (getauxval(3)), in memory order.
pub(super) fn auxiliary_vector(pid: i32) -> Vec<u8> {
    fs::read(format!("/proc/{}/auxv", witness(pid))).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_read_whatever_the_name_is() {
        let stat = b"12 (a) b (c) t 3 4 5 0 -1 4194304 1 2 3 4 250 101 7 8 20 -5 2 0";
        let status =
            "Name:\tx\nUid:\t1000\t0\t0\t0\nGid:\t100\t1\nSigPnd:\t0000000000000200\nSigBlk:\t0000000000000001\n";
        let facts = ThreadFacts::parse(stat, status);
        assert_eq!((facts.name.as_slice(), facts.parent, facts.group, facts.session), (&b"a) b (c"[..], 3, 4, 5));
        assert_eq!(facts.times, [(2, 500_000), (1, 10_000), (0, 70_000), (0, 80_000)]);
        assert_eq!((facts.flags, facts.nice, facts.user, facts.user_group), (4_194_304, -5, 1000, 100));
        assert_eq!((facts.pending_signals, facts.blocked_signals), (0x200, 1));
        assert_eq!(ThreadFacts::parse(b"", ""), ThreadFacts::default());
    }

    #[test]
    fn the_own_process_has_facts() {
        let own = std::process::id() as i32;
        assert!(!command_line(own).is_empty() && !command_line(own).contains(&0));
        assert_eq!(auxiliary_vector(own).len() % 16, 0);
        assert!(ThreadFacts::of_thread(own, own).parent != 0);
    }
}
