//! One process under ptrace(2): its threads, its memory and the breakpoint instructions in it.

use super::address_space::AddressSpace;
use super::debug_registers::DebugRegisters;
use super::fpu::trap::Reason;
use super::observation::{Observation, Pending, PendingReports};
use super::requests::{self, Status, Tid};
use super::thread::{Activity, Pace, Thread};
use super::threads::Threads;
use crate::process::memory::Memory;
use model::ThreadId;
use nix::errno::Errno;
use nix::libc::{self, user_regs_struct};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

/// A traced process with its threads, memory and breakpoints.
#[derive(Debug)]
pub struct Process {
    pid: Tid,
    pub(super) threads: Threads,
    pub(super) space: AddressSpace,
    pub(super) debug: DebugRegisters,
    pub(super) pending: PendingReports,
    /// The parent, stopped, while this process shares its memory.
    pub(super) suspended: Option<Box<Process>>,
}

impl Process {
    /// Creates the state of a process that was just seized, with its first thread.
    pub fn new(pid: Tid) -> io::Result<Self> {
        Self::of_threads(pid, &BTreeMap::from([(pid, ThreadId(1))]))
    }

    /// Creates the state of a process that was just seized, with its threads and the user's numbers for them.
    pub fn of_threads(pid: Tid, threads: &BTreeMap<Tid, ThreadId>) -> io::Result<Self> {
        let running = threads.iter().map(|(tid, number)| Thread::new(pid, *tid, *number, Activity::Running(Pace::Run)));
        Ok(Self {
            pid,
            threads: Threads::of(pid, running, threads.len() as u32),
            space: AddressSpace::open(pid)?,
            debug: DebugRegisters::default(),
            pending: PendingReports::default(),
            suspended: None,
        })
    }

    /// Returns the process id.
    pub fn pid(&self) -> Tid {
        self.pid
    }

    /// Returns its memory, traps included.
    pub fn memory(&self) -> &Arc<Memory> {
        self.space.memory()
    }

    /// Returns its memory with the debugger's breakpoints.
    pub fn address_space(&self) -> &AddressSpace {
        &self.space
    }

    /// Returns its memory with the debugger's breakpoints.
    pub fn address_space_mut(&mut self) -> &mut AddressSpace {
        &mut self.space
    }

    /// Returns the seized threads.
    pub fn threads(&self) -> &Threads {
        &self.threads
    }

    /// Returns the seized threads.
    pub fn threads_mut(&mut self) -> &mut Threads {
        &mut self.threads
    }

    /// Returns a thread by kernel number; `None` if it is unknown or has ended.
    pub fn thread(&self, tid: Tid) -> Option<&Thread> {
        self.threads.get(tid)
    }

    /// Returns a thread by kernel number; `None` if it is unknown or has ended.
    pub fn thread_mut(&mut self, tid: Tid) -> Option<&mut Thread> {
        self.threads.get_mut(tid)
    }

    /// Returns the intended debug registers of its threads.
    pub fn debug_registers(&self) -> &DebugRegisters {
        &self.debug
    }

    /// Returns the intended debug registers of its threads.
    pub fn debug_registers_mut(&mut self) -> &mut DebugRegisters {
        &mut self.debug
    }

    /// Adds a wait status of one of its threads that arrived before the thread was known.
    pub fn hand_over(&mut self, tid: Tid, status: Status) {
        self.pending.add_status(tid, status);
    }

    /// Takes an event that was held back, to be handled before new statuses.
    pub fn take_early(&mut self) -> Option<(Tid, Observation)> {
        let (tid, pending) = self.pending.take()?;
        match pending {
            Pending::Observed(observation) => Some((tid, observation)),
            Pending::Status(status) => Some((tid, self.observe(tid, status))),
        }
    }

    /// Makes a process that shares this memory (vfork(2)) pass a trap, whatever breakpoint it is.
    pub fn pass_companion(&mut self, tid: Tid) {
        let mut companion = Thread::new(self.pid, tid, Thread::OF_COMPANION, Activity::Stopped);
        let signal = match companion.trapped(false, &self.space, &self.debug) {
            Observation::Signal(signal) => signal,
            _ => 0,
        };
        companion.passes = true;
        companion.fpu.keeps_masks = true;
        self.threads.insert(companion);
        self.resume(tid, Pace::Run, signal);
        self.threads.remove(tid);
    }

    /// Updates the state from a wait status of one of its threads and returns the event.
    pub fn observe(&mut self, tid: Tid, status: Status) -> Observation {
        self.space.forget_code();
        match status {
            Status::Exited(code) => return self.ended(tid, Observation::Exited(code)),
            Status::Killed(signal) => return self.ended(tid, Observation::Killed(signal)),
            Status::Other => return Observation::Nothing,
            Status::Stopped(_) | Status::Event(..) | Status::Call => {}
        }
        let Some(thread) = self.threads.get_mut(tid) else { return Observation::ThreadEnded };
        if matches!(status, Status::Event(libc::PTRACE_EVENT_STOP, _)) && thread.goes_on_to_trap() {
            return Observation::Soon;
        }
        let stepping = thread.note_stop(status);
        let reason = match status {
            Status::Stopped(libc::SIGFPE) => self.reason_of_fpe(tid),
            _ => Reason::Other,
        };
        if let Reason::Instead(status) = reason {
            return self.observe(tid, status);
        }
        let Some(thread) = self.threads.get_mut(tid) else { return Observation::ThreadEnded };
        thread.fpu.mask(tid);
        match status {
            Status::Stopped(libc::SIGTRAP) => thread.trapped(stepping, &self.space, &self.debug),
            Status::Stopped(signal) => match reason {
                Reason::FloatingPoint(trap) => Observation::FloatTrap(trap),
                _ => Observation::Signal(signal),
            },
            Status::Event(libc::PTRACE_EVENT_STOP, signal) => {
                thread.note_group_stop(signal);
                Observation::Halted
            }
            Status::Event(event, _) => self.event(tid, event),
            Status::Call => thread.at_call(&self.space),
            Status::Exited(_) | Status::Killed(_) | Status::Other => Observation::Nothing,
        }
    }

    fn ended(&mut self, tid: Tid, end: Observation) -> Observation {
        if tid == self.pid {
            self.free_parent();
        }
        self.threads.ended(tid, end)
    }

    fn event(&mut self, tid: Tid, event: i32) -> Observation {
        let message = requests::event_message(tid).unwrap_or(0) as Tid;
        match event {
            libc::PTRACE_EVENT_CLONE => Observation::Cloned(message),
            libc::PTRACE_EVENT_FORK => Observation::Forked { child: message, shares_memory: false },
            libc::PTRACE_EVENT_VFORK => Observation::Forked { child: message, shares_memory: true },
            libc::PTRACE_EVENT_EXEC => {
                self.executed();
                Observation::Executed
            }
            libc::PTRACE_EVENT_EXIT => {
                if let Some(thread) = self.threads.get_mut(tid) {
                    thread.lost();
                }
                let _ = requests::resume(tid, 0);
                Observation::ThreadEnded
            }
            _ => Observation::Nothing,
        }
    }

    /// Updates the threads after an exec: the calling thread has the number of the process now; the others have ended.
    fn executed(&mut self) {
        self.free_parent();
        let (fpu, stop_at_calls) = (self.threads.fpu_traps(), self.threads.stop_at_calls);
        self.threads = Threads::first_alone(self.pid);
        *self.threads.fpu_traps_mut() = fpu;
        self.threads.stop_at_calls = stop_at_calls;
        self.space.executed();
        self.debug = DebugRegisters::default();
        self.pending.clear();
    }

    /// Returns the registers of a stopped thread as the program sees them: the program counter is never in a slot.
    pub fn registers(&mut self, tid: Tid) -> Result<user_regs_struct, Errno> {
        self.threads.get_mut(tid).ok_or(Errno::ESRCH)?.registers(&self.space)
    }

    /// Changes the registers of a stopped thread.
    pub fn set_registers(&mut self, tid: Tid, registers: user_regs_struct) -> Result<(), Errno> {
        self.threads.get_mut(tid).ok_or(Errno::ESRCH)?.set_registers(&self.space, registers)
    }

    /// Kills the process.
    pub fn kill(&self) {
        // Sent to the process, because its first thread may have ended. Fails if the process has ended already.
        let _ = kill(Pid::from_raw(self.pid), Signal::SIGKILL);
    }

    /// Detaches from a stopped process: removes breakpoints, moves threads out of slots and delivers signals.
    pub fn release(&mut self) {
        self.space.lift_all();
        for thread in self.threads.iter_mut() {
            let _ = thread.registers(&self.space);
            self.debug.clear(thread.tid);
            let _ = thread.flush();
            let signal = thread.deferred_signal.take().unwrap_or(0);
            let _ = requests::detach(thread.tid, signal);
        }
        self.threads.clear();
        self.free_parent();
    }
}
