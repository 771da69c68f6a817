//! Seizing a process that runs already, with all its threads.

use super::process::Process;
use super::requests::{self, Tid};
use crate::process::permission::{forbidden, missing, unsuited};
use crate::process::procfs::{ProcessStatus, threads};
use model::ThreadId;
use nix::errno::Errno;
use std::collections::BTreeMap;

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
    /// Leaves a stopped process so that it goes on as if nothing had been, whatever becomes of its tracer: the traps are out
    /// until one of its threads goes on, and no thread has one to be told of. Nothing is done twice.
    pub fn rest(&mut self) {
        for thread in self.threads.iter_mut() {
            thread.leave_trap(&mut self.pending);
        }
        self.space.rest();
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
