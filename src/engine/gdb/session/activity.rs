//! Distinguishes a busy gdb from a hung one. A gdb that reads the symbols of a large program computes or waits for a
//! disk; one that hangs, or whose output is held back by a wrapper, does neither.

use std::path::Path;
use std::time::{Duration, Instant};

const PAUSE: Duration = Duration::from_secs(1);

/// The CPU time that gdb has used since the last command.
pub(in crate::gdb) struct Work {
    /// The process group of gdb and its wrapper.
    group: u32,
    seen: u64,
    since: Instant,
}

impl Work {
    /// Starts measuring a process group.
    pub(in crate::gdb) fn of(group: u32) -> Self {
        Self { group, seen: ticks(group).unwrap_or(0), since: Instant::now() }
    }

    /// Returns the time since the last activity.
    pub(in crate::gdb) fn idle(&mut self) -> Duration {
        // Waiting for a disk counts as work.
        match ticks(self.group) {
            Some(seen) if seen == self.seen => {}
            other => {
                self.seen = other.unwrap_or(self.seen);
                self.since = Instant::now();
            }
        }
        self.since.elapsed()
    }
}

/// Returns the time until the next check, at most what is left.
pub(in crate::gdb) fn until_next_look(left: Duration) -> Duration {
    left.min(PAUSE)
}

/// Returns the clock ticks used by a process group; `None` while one of its processes waits for a disk.
fn ticks(group: u32) -> Option<u64> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return None };
    let mut sum = 0;
    for entry in entries.flatten().filter(|entry| entry.file_name().as_encoded_bytes().iter().all(u8::is_ascii_digit)) {
        let Some(of) = Stat::of(&entry.path()).filter(|of| of.group == group) else { continue };
        if of.waits_for_disk {
            return None;
        }
        sum += of.ticks;
    }
    Some(sum)
}

/// Fields of `/proc/PID/stat` (proc(5)).
struct Stat {
    group: u32,
    waits_for_disk: bool,
    ticks: u64,
}

impl Stat {
    fn of(process: &Path) -> Option<Self> {
        let text = std::fs::read_to_string(process.join("stat")).ok()?;
        let mut fields = text.rsplit_once(") ")?.1.split(' ');
        let (state, _parent, group) = (fields.next()?, fields.next()?, fields.next()?.parse().ok()?);
        // The 14th and 15th field of the line, user and system time; the first two are already consumed.
        let mut times = fields.skip(8).map(|field| field.parse::<u64>().ok());
        let ticks = times.next()?? + times.next()??;
        Some(Self { group, waits_for_disk: state == "D", ticks })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command, Stdio};

    fn group_of(script: &str) -> Child {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]).stdin(Stdio::piped()).process_group(0).spawn().unwrap()
    }

    #[test]
    fn who_computes_is_told_from_who_waits() {
        // In a child process, as behind a wrapper.
        let mut busy = group_of("(while :; do :; done) & read x; kill $!");
        // On a busy machine it may wait for its own file at first.
        let before = std::iter::repeat_with(|| ticks(busy.id())).find_map(|seen| seen).unwrap();
        while ticks(busy.id()).unwrap_or(0) <= before {}
        drop(busy.stdin.take());
        busy.wait().unwrap();
        let mut idle = group_of("read x");
        let mut work = Work::of(idle.id());
        let first = work.idle();
        while work.idle() <= first {}
        drop(idle.stdin.take());
        idle.wait().unwrap();
    }
}
