//! Seizing a process that runs already, with all its threads.

use super::process::Process;
use super::requests::{self, Status, Tid};
use super::sigtrap::{SI_KERNEL, TRAP_BRKPT, TRAP_HWBKPT, TRAP_TRACE};
use crate::process::permission::{forbidden, missing, unsuited};
use crate::process::procfs::{ProcessStatus, threads};
use model::ThreadId;
use nix::errno::Errno;
use nix::libc::{PTRACE_EVENT_STOP, SIGTRAP};
use std::collections::BTreeMap;

/// The code of a stop that was asked for (ptrace(2), `PTRACE_EVENT_STOP`).
const HALTED: i32 = PTRACE_EVENT_STOP << 8 | SIGTRAP;

/// A process that ran without us and shall survive us.
#[derive(Debug)]
pub struct Seized {
    /// With every thread it has, none of them asked to stop yet.
    pub process: Process,
    /// A signal had stopped it before.
    pub was_stopped: bool,
}

/// Seizes a process: it neither stops nor ends when its tracer does. Otherwise a sentence for the user.
pub fn seize_running(pid: Tid) -> Result<Seized, String> {
    let gone = || missing(pid);
    if pid <= 0 {
        return Err(gone());
    }
    let status = ProcessStatus::read(pid).ok_or_else(gone)?;
    if let Some(why) = unsuited(pid, &status) {
        return Err(why);
    }
    let mut seized = BTreeMap::new();
    // A first thread that has ended is not to be had; the others are.
    if ProcessStatus::of_thread(pid).is_some_and(|first| !first.has_ended()) {
        requests::seize_guest(pid).map_err(|errno| forbidden(pid, errno))?;
        seized.insert(pid, ThreadId(1));
    }
    let outcome = seize_others(pid, &mut seized).and_then(|()| {
        if seized.is_empty() {
            return Err(gone());
        }
        Process::of_threads(pid, &seized).map_err(|error| format!("cannot read process {pid}: {error}"))
    });
    match outcome {
        Ok(process) => Ok(Seized { process, was_stopped: status.state == 'T' }),
        Err(why) => {
            seized.keys().for_each(|tid| give_back(*tid));
            Err(why)
        }
    }
}

impl Process {
    /// Its first thread, or, where that has ended, the oldest of the others.
    pub fn first(&self) -> Tid {
        let oldest = self.threads.values().min_by_key(|thread| thread.number).map_or(self.pid(), |thread| thread.tid);
        if self.threads.contains_key(&self.pid()) { self.pid() } else { oldest }
    }

    /// Leaves a stopped process so that it goes on as if nothing had been, whatever becomes of its tracer: the traps are out
    /// until one of its threads goes on, and no thread has one to be told of. Nothing is done twice.
    pub fn rest(&mut self) {
        let unsettled = self.threads.values().filter(|thread| thread.is_stopped() && !thread.settled);
        let tids: Vec<Tid> = unsettled.map(|thread| thread.tid).collect();
        for tid in tids {
            self.leave_trap(tid);
        }
        self.sites.rest(&self.memory);
    }

    /// A thread that was stopped by a trap gets its signal when the tracer is gone, and one that was to execute one
    /// instruction the signal for that: its process ends by it. The thread is brought to another stop, and executes nothing
    /// on the way.
    fn leave_trap(&mut self, tid: Tid) {
        let Some(thread) = self.threads.get_mut(&tid) else { return };
        thread.settled = true;
        if thread.write().is_err() {
            return;
        }
        let stop = requests::signal_information(tid).map_or((0, 0), |signal| (signal.si_signo, signal.si_code));
        match stop {
            (SIGTRAP, SI_KERNEL | TRAP_BRKPT | TRAP_TRACE | TRAP_HWBKPT) => {}
            (SIGTRAP, HALTED) if thread.stepped => {}
            _ => return,
        }
        if requests::interrupt(tid).is_err() {
            return;
        }
        match requests::resume(tid, 0).and_then(|()| requests::await_status(tid)) {
            Ok(Status::Event(PTRACE_EVENT_STOP, signal)) => {
                (thread.takes_signal, thread.stepped) = (false, false);
                thread.group_stopped = signal != SIGTRAP;
            }
            Ok(other) => self.early.push_back((tid, other)),
            Err(_) => {}
        }
    }

    /// What the traps in it are and hide, and a number that changes with them.
    pub fn traps(&self) -> (u64, impl Iterator<Item = (u64, u8)>) {
        (self.sites.version(), self.sites.hidden())
    }
}

/// The other threads; those that are created meanwhile are found by looking again, or are ours from the beginning.
fn seize_others(pid: Tid, seized: &mut BTreeMap<Tid, ThreadId>) -> Result<(), String> {
    let own = nix::unistd::gettid().as_raw();
    loop {
        let mut found = false;
        for tid in threads(pid) {
            if seized.contains_key(&tid) {
                continue;
            }
            match requests::seize_guest(tid) {
                Ok(()) => {
                    seized.insert(tid, ThreadId(seized.len() as u32 + 1));
                    found = true;
                }
                Err(Errno::ESRCH) => {}
                Err(errno) => match ProcessStatus::of_thread(tid) {
                    // Created by a thread that was seized already: it will be announced.
                    Some(status) if status.tracer == own => {}
                    Some(status) if !status.has_ended() => return Err(forbidden(tid, errno)),
                    _ => {}
                },
            }
        }
        if !found {
            return Ok(());
        }
    }
}

/// Lets go of a thread that was seized in vain. What it stops for first is dropped only when it is our own request.
fn give_back(tid: Tid) {
    if requests::interrupt(tid).is_ok()
        && let Ok(status) = requests::await_status(tid)
    {
        requests::call_off(tid, status);
    }
}
