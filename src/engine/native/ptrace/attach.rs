//! Attaching to a running process with all its threads.

use super::process::Process;
use super::requests::{self, Tid};
use crate::process::permission::{forbidden, missing, unsuited};
use crate::process::procfs::{ProcessStatus, threads};
use model::ThreadId;
use nix::errno::Errno;
use std::collections::BTreeMap;

/// An attached process, which outlives the debugger.
#[derive(Debug)]
pub struct Seized {
    /// The process with all its threads, none of which has been asked to stop yet.
    pub process: Process,
    /// True if a signal had stopped it before.
    pub was_stopped: bool,
}

/// Seizes a process without stopping it; it does not end with its tracer. On failure, returns a message for the user.
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
    // A first thread that has ended cannot be seized; the others can.
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
    /// Makes a stopped process safe against the death of its tracer: removes the traps until one of its threads is
    /// resumed, and moves threads out of trap stops. Does nothing if that has been done already.
    pub fn rest(&mut self) {
        for thread in self.threads.iter_mut() {
            thread.leave_trap(&mut self.pending);
        }
        self.space.rest();
    }
}

/// Seizes the other threads. Those created meanwhile are found by listing them again, or are traced from the beginning.
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

/// Detaches from a thread after a failed attach. Its first stop is dropped only if it answers our own request.
fn give_back(tid: Tid) {
    if requests::interrupt(tid).is_ok()
        && let Ok(status) = requests::await_status(tid)
    {
        requests::call_off(tid, status);
    }
}
