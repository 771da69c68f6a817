//! Protects attached processes if the debugger is killed: the kernel then resumes them with our breakpoint instructions
//! still in their code, and the first one they hit kills them. While a whole process is stopped, its breakpoints are
//! removed. For running processes a caretaker, a process that outlives the debugger, restores the original code.

use crate::native::ptrace::{Memory, Process, Tid, take_out_trap, tracer_death};
use nix::sys::signal::{SigHandler, Signal, signal};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, BufRead, Write};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The last line of an orderly end: no process has a breakpoint instruction left.
const OVER: &str = "over";

/// After this many caretakers that ended by themselves, no other is started.
const MOST_LOST: u32 = 20;

/// A process, and the addresses of its traps with the bytes that they replace.
type Told = (Tid, Vec<(u64, u8)>);
/// The bytes to restore in each process, by address.
type Cared = BTreeMap<Tid, (Vec<(u64, u8)>, Option<Memory>)>;

fn print(pid: Tid, traps: impl Iterator<Item = (u64, u8)>) -> String {
    let mut line = pid.to_string();
    for (address, hidden) in traps {
        let _ = write!(line, " {address:x}:{hidden:x}");
    }
    line
}

fn parse(line: &str) -> Option<Told> {
    let mut words = line.split(' ');
    let pid = words.next()?.parse().ok()?;
    let trap = |word: &str| {
        let (address, hidden) = word.split_once(':')?;
        Some((u64::from_str_radix(address, 16).ok()?, u8::from_str_radix(hidden, 16).ok()?))
    };
    Some((pid, words.map(trap).collect::<Option<_>>()?))
}

/// Runs a caretaker: each line gives a process's current traps and replaces its earlier line. If the lines end without
/// `over`, the debugger was killed, and the caretaker removes the traps that are still there.
pub fn take_care(lines: impl BufRead) {
    outlive_others();
    let processes = Arc::default();
    let same = Arc::clone(&processes);
    // The pipe is closed only after the tracees have resumed; this notification comes earlier.
    let early = move || {
        if tracer_death::wait(io::stdout()).is_ok() {
            take_out(&mut lock(&same));
        }
    };
    // If the thread cannot be started, the end of the pipe still triggers the removal.
    let _ = std::thread::Builder::new().name("last-breath".to_owned()).spawn(early);
    listen(lines, &processes);
}

fn lock(processes: &Mutex<Cared>) -> MutexGuard<'_, Cared> {
    processes.lock().unwrap_or_else(PoisonError::into_inner)
}

fn listen(lines: impl BufRead, processes: &Mutex<Cared>) {
    for line in lines.lines().map_while(Result::ok) {
        if line == OVER {
            return;
        }
        // A truncated line describes a trap that has not been inserted yet.
        let Some((pid, traps)) = parse(&line) else { continue };
        // Opened now to save time later. A process that has ended needs no cleaning.
        let memory = if traps.is_empty() { None } else { Memory::open(pid).ok() };
        lock(processes).insert(pid, (traps, memory));
    }
    take_out(&mut lock(processes));
}

fn take_out(processes: &mut Cared) {
    for (traps, memory) in processes.values() {
        let Some(memory) = memory else { continue };
        for &(address, hidden) in traps {
            take_out_trap(memory, address, hidden);
        }
    }
}

/// Keeps signals to the session or process group from ending the caretaker, which ends by itself.
fn outlive_others() {
    // Fails for a process group leader, which then stays in its session.
    let _ = nix::unistd::setsid();
    for kind in [Signal::SIGHUP, Signal::SIGINT, Signal::SIGTERM, Signal::SIGPIPE] {
        #[expect(unsafe_code, reason = "signals are ignored")]
        // SAFETY: no handler is involved.
        let _ = unsafe { signal(kind, SigHandler::SigIgn) };
    }
}

/// The debugger's side of the caretaker: starts it when the first trap is inserted and tells it of every change.
#[derive(Debug)]
pub(in crate::native) struct BreakpointCleaner {
    /// The command line of a caretaker; if empty, none is started.
    words: Vec<OsString>,
    process: Option<(Child, ChildStdin)>,
    told: BTreeMap<Tid, u64>,
    /// Lets the caretaker notice the end of the tracer thread.
    last_breath: Option<OwnedFd>,
    /// The number of caretakers that ended too early.
    lost: u32,
}

impl BreakpointCleaner {
    pub(in crate::native) fn new(words: Vec<OsString>) -> Self {
        Self { words, process: None, told: BTreeMap::new(), last_breath: None, lost: 0 }
    }

    /// Sends the traps of a process if they have changed since the last time.
    pub(in crate::native) fn tell(&mut self, process: &Process) -> io::Result<()> {
        let (version, traps) = process.address_space().traps();
        let known = self.told.get(&process.pid());
        if known == Some(&version) {
            return Ok(());
        }
        let line = print(process.pid(), traps);
        if known.is_none() && !line.contains(' ') {
            return Ok(());
        }
        self.told.insert(process.pid(), version);
        self.say(&line)
    }

    /// Notes that a process has ended. True if it was the caretaker; the next one is then told everything again.
    pub(in crate::native) fn ended(&mut self, pid: Tid) -> bool {
        if self.process.as_ref().is_none_or(|(child, _)| child.id() != pid.unsigned_abs()) {
            return false;
        }
        self.process = None;
        self.told.clear();
        self.lost += 1;
        if self.lost == MOST_LOST {
            tracing::error!("caretaker processes end as soon as they are started: giving up");
            self.words.clear();
        }
        true
    }

    /// Forgets all processes except these.
    pub(in crate::native) fn keep(&mut self, there: impl Fn(Tid) -> bool) -> io::Result<()> {
        let gone: Vec<Tid> = self.told.keys().copied().filter(|pid| !there(*pid)).collect();
        for pid in gone {
            self.told.remove(&pid);
            self.say(&pid.to_string())?;
        }
        Ok(())
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        if self.process.is_none() {
            let Some((program, words)) = self.words.split_first() else { return Ok(()) };
            let mut command = Command::new(program);
            // The name shown by ps(1).
            command.arg0("rankscope").args(words).current_dir("/").stdin(Stdio::piped());
            if self.last_breath.is_none() {
                self.last_breath = tracer_death::of_this_thread().ok();
            }
            let shared = self.last_breath.as_ref().and_then(|memory| memory.try_clone().ok());
            let mut child =
                command.stdout(shared.map_or_else(Stdio::null, Stdio::from)).stderr(Stdio::null()).spawn()?;
            let input = child.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
            self.process = Some((child, input));
        }
        let Some((_, input)) = &mut self.process else { return Ok(()) };
        input.write_all(format!("{line}\n").as_bytes())
    }
}

impl Drop for BreakpointCleaner {
    /// Reports an orderly end: no process has a trap left.
    fn drop(&mut self) {
        if let Some((mut child, mut input)) = self.process.take() {
            // A failed write means that the caretaker has ended, and there is nothing left for it to do.
            let _ = writeln!(input, "{OVER}");
            drop(input);
            let _ = child.wait();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::ptrace::TRAP;

    /// Needs no other process: a byte with the value of a trap stands for one.
    fn after(lines: &str, memory: &[u8]) {
        listen(lines.as_bytes(), &Mutex::default());
        assert_eq!(memory.len(), 2);
    }

    #[test]
    fn traps_are_taken_out_when_nobody_says_that_it_is_over() {
        let (own, memory) = (std::process::id() as Tid, std::hint::black_box(vec![TRAP, 7]));
        let at = memory.as_ptr() as u64;
        let line = print(own, [(at, 0x55), (at + 1, 0x66)].into_iter());
        assert_eq!(parse(&line), Some((own, vec![(at, 0x55), (at + 1, 0x66)])));
        after(&format!("{line}\n{OVER}\n"), &memory);
        assert_eq!(std::hint::black_box(&memory)[..], [TRAP, 7]);
        after(&format!("{line}\n{own}\n"), &memory);
        assert_eq!(std::hint::black_box(&memory)[..], [TRAP, 7], "the last word on it is that it has none");
        after(&format!("{line}\n{own} {at:x}:"), &memory);
        // A byte that is no trap stays.
        assert_eq!(std::hint::black_box(&memory)[..], [0x55, 7]);
    }
}
