//! What becomes of processes that were there before us when we are killed: the kernel lets them go on, with our traps in
//! them, and a trap that nobody takes ends a process. While all of a process stands still its traps are out of it. For one
//! that runs there is a caretaker, a process that lives on and puts back what the traps hide.

use crate::native::ptrace::tracer_death;
use crate::native::ptrace::{Memory, Process, TRAP, Tid};
use nix::sys::signal::{SigHandler, Signal, signal};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, BufRead, Write};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The last line: nothing of ours is in any process.
const OVER: &str = "over";

/// After so many that ended by themselves there is no other.
const MOST_LOST: u32 = 20;

/// A process, and the addresses of its traps with what they hide.
type Told = (Tid, Vec<(u64, u8)>);
/// What is to be put back where.
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

/// What a caretaker does: it hears of processes and their traps, the last word on each counts. When the lines end without
/// `over`, whoever wrote them was killed, and the traps that are still there are taken out.
pub fn take_care(lines: impl BufRead) {
    outlive_others();
    let processes = Arc::default();
    let same = Arc::clone(&processes);
    // Its pipe is closed when what it traced runs on already: this is told before.
    let early = move || {
        if tracer_death::wait(io::stdout()).is_ok() {
            take_out(&mut lock(&same));
        }
    };
    // Without it the pipe is what there is.
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
        // A line that was cut short is of a trap that is not in yet.
        let Some((pid, traps)) = parse(&line) else { continue };
        // Opened before there is haste. One that has ended needs nobody.
        let memory = if traps.is_empty() { None } else { Memory::open(pid).ok() };
        lock(processes).insert(pid, (traps, memory));
    }
    take_out(&mut lock(processes));
}

fn take_out(processes: &mut Cared) {
    for (traps, memory) in processes.values() {
        let Some(memory) = memory else { continue };
        for &(address, hidden) in traps {
            let mut there = [0];
            if memory.read(address, &mut there).is_ok() && there == [TRAP] {
                // What cannot be written is not mapped any more.
                let _ = memory.write(address, &[hidden]);
            }
        }
    }
}

/// What ends all processes of a session or a group is not for this one, which ends when it is not needed any more.
fn outlive_others() {
    // Whoever leads its group stays where it is.
    let _ = nix::unistd::setsid();
    for kind in [Signal::SIGHUP, Signal::SIGINT, Signal::SIGTERM, Signal::SIGPIPE] {
        #[expect(unsafe_code, reason = "signals are ignored")]
        // SAFETY: no handler is involved.
        let _ = unsafe { signal(kind, SigHandler::SigIgn) };
    }
}

/// The process, once there is something to take care of, and what it has been told of each of the others.
#[derive(Debug)]
pub(in crate::native) struct BreakpointCleaner {
    /// The words that start one; without them nobody takes care.
    words: Vec<OsString>,
    process: Option<(Child, ChildStdin)>,
    told: BTreeMap<Tid, u64>,
    /// What tells of the end of the tracer thread.
    last_breath: Option<OwnedFd>,
    /// How often one has ended too early.
    lost: u32,
}

impl BreakpointCleaner {
    pub(in crate::native) fn new(words: Vec<OsString>) -> Self {
        Self { words, process: None, told: BTreeMap::new(), last_breath: None, lost: 0 }
    }

    /// Tells of a process, if anything has changed since the last time.
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

    /// A process has ended; whether it was the caretaker, in whose place another one comes that is told everything.
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

    /// Forgets all but these.
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
            // What ps(1) shows.
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
    /// Nothing of ours is in any process.
    fn drop(&mut self) {
        if let Some((mut child, mut input)) = self.process.take() {
            // One that has ended was told nothing it could have done.
            let _ = writeln!(input, "{OVER}");
            drop(input);
            let _ = child.wait();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function of a process of its own is not needed: any byte that is a trap stands for one.
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
        // What is no trap stays.
        assert_eq!(std::hint::black_box(&memory)[..], [0x55, 7]);
    }
}
