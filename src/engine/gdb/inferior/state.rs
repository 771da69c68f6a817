//! The rank's process: id, phase, current thread and frame.

use super::modules::Modules;
use crate::Adoption;
use crate::gdb::mi::{Command, Results};
use crate::gdb::session::fault::GdbError;
use crate::gdb::session::gdb::Gdb;
use crate::process::memory_kills::MemoryKills;
use crate::process::procfs::{ProcessStatus, threads};
use model::{Frame, ThreadId};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The state of the program, as last reported by gdb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::gdb) enum Phase {
    Attaching,
    Running,
    /// Every thread is stopped.
    Stopped,
    /// Stopped for changed libraries until the front end has been informed; reported as running.
    Waiting,
}

/// A process that was attached to: it survives the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::gdb) struct Guest {
    pub(in crate::gdb) adoption: Adoption,
    /// True if a signal had stopped it before.
    pub(in crate::gdb) was_stopped: bool,
}

impl Guest {
    /// A process attached to while running.
    pub(in crate::gdb) const AT_WORK: Self = Self { adoption: Adoption::Running, was_stopped: false };
}

/// The general registers of a thread when it was resumed, in hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Snapshot {
    /// The kernel id.
    thread: i32,
    registers: String,
}

#[derive(Debug)]
pub(in crate::gdb) struct InferiorState {
    phase: Phase,
    guest: Option<Guest>,
    /// The default thread of commands, normally the one that stopped.
    pub(super) current: ThreadId,
    /// The innermost frame of the current thread, if known.
    pub(super) frame: Option<Frame>,
    pub(super) modules: Modules,
    /// The registers with which threads were resumed after a reported stop.
    resumed: Vec<Snapshot>,
    /// True if the process was seen to have ended without a report of gdb.
    seen_ended: bool,
    memory_kills: MemoryKills,
}

impl InferiorState {
    pub(in crate::gdb) fn new() -> Self {
        Self {
            phase: Phase::Running,
            guest: None,
            current: ThreadId(1),
            frame: None,
            modules: Modules::default(),
            resumed: Vec::new(),
            seen_ended: false,
            memory_kills: MemoryKills::default(),
        }
    }

    pub(in crate::gdb) fn pid(&self) -> Option<i32> {
        self.modules.process()
    }

    /// Makes this process the rank's.
    pub(in crate::gdb) fn becomes(&mut self, pid: i32) {
        self.modules.look_into(pid);
        self.memory_kills = MemoryKills::of(pid);
    }

    /// The processes that the kernel has killed for lack of memory since this one is the rank's.
    pub(in crate::gdb) fn memory_kills(&self) -> &MemoryKills {
        &self.memory_kills
    }

    pub(in crate::gdb) fn phase(&self) -> Phase {
        self.phase
    }

    pub(in crate::gdb) fn is_stopped(&self) -> bool {
        self.phase == Phase::Stopped
    }

    pub(in crate::gdb) fn enter(&mut self, phase: Phase) {
        self.phase = phase;
    }

    pub(in crate::gdb) fn guest(&self) -> Option<Guest> {
        self.guest
    }

    pub(in crate::gdb) fn is_held_guest(&self) -> bool {
        self.guest.is_some_and(|guest| guest.adoption == Adoption::Held)
    }

    pub(in crate::gdb) fn set_guest(&mut self, guest: Option<Guest>) {
        self.guest = guest;
    }

    pub(in crate::gdb) fn current(&self) -> ThreadId {
        self.current
    }

    /// Makes a thread the default of commands.
    pub(in crate::gdb) fn make_current(&mut self, thread: ThreadId) {
        self.current = thread;
    }

    /// Records a stop.
    pub(in crate::gdb) fn stopped(&mut self, results: &Results) {
        self.phase = Phase::Stopped;
        if let Some(thread) = results.number("thread-id") {
            self.current = ThreadId(thread as u32);
        }
        self.keep_frame(results);
    }

    /// Keeps the current thread's frame, if the record of a stop has one.
    pub(in crate::gdb) fn keep_frame(&mut self, results: &Results) {
        self.frame = results.inside("frame").map(|frame| self.modules.frame(frame));
    }

    /// Makes the next query ask gdb for the current thread's frame.
    pub(in crate::gdb) fn forget_frame(&mut self) {
        self.frame = None;
    }

    pub(in crate::gdb) fn run(&mut self, gdb: &mut Gdb, command: &Command) -> Result<(), GdbError> {
        gdb.ask(command)?;
        self.phase = Phase::Running;
        Ok(())
    }

    /// Continues after an unreported stop.
    pub(in crate::gdb) fn go(&mut self, gdb: &mut Gdb) -> Result<(), GdbError> {
        self.run(gdb, &Command::new("exec-continue"))
    }

    pub(in crate::gdb) fn modules(&mut self) -> &mut Modules {
        &mut self.modules
    }

    /// Returns the executable of the process.
    pub(in crate::gdb) fn executable(&self) -> PathBuf {
        self.pid().and_then(|pid| std::fs::read_link(format!("/proc/{pid}/exe")).ok()).unwrap_or_default()
    }

    pub(in crate::gdb) fn kill(&mut self) {
        // Whatever the kernel does meanwhile, its end was asked for.
        self.memory_kills = MemoryKills::default();
        if let Some(pid) = self.pid() {
            // It may be gone already.
            let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
        }
    }

    /// Checks whether the process has ended; at the second check in a row, gdb has had the time to report it.
    pub(super) fn find_ended(&mut self) -> Option<Ended> {
        let ended = self.pid().filter(|pid| ProcessStatus::read(*pid).is_some_and(|status| status.has_ended()));
        let before = std::mem::replace(&mut self.seen_ended, ended.is_some());
        ended.map(|pid| if before { Ended::Untold(pid) } else { Ended::JustNow })
    }

    /// Keeps the registers of the current thread before it is resumed from a reported stop. Another thread may stop the
    /// program before this one executes anything: unchanged registers will show it.
    pub(in crate::gdb) fn note_resumed(&mut self, gdb: &mut Gdb) -> Result<(), GdbError> {
        let threads = self.pid().map_or(0, |pid| threads(pid).len());
        if gdb.has_python()
            && threads > 1
            && let Ok(shot) = gdb.script::<Snapshot>(&format!("snapshot({})", self.current))?
        {
            self.resumed.retain(|other| other.thread != shot.thread);
            self.resumed.push(shot);
        }
        Ok(())
    }

    /// Returns the snapshots of all threads but this one, for the script that detaches.
    pub(in crate::gdb) fn resumed_but(&mut self, current: i32) -> String {
        self.resumed.retain(|shot| shot.thread != current);
        serde_json::to_string(&self.resumed).unwrap_or_default()
    }
}

/// An end of the process that gdb has not reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    JustNow,
    /// It had already ended at the check before.
    Untold(i32),
}
