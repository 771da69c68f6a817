//! Hands a stopped process to another tracer, or takes one over, without executing anything in between.
//!
//! Between two tracers SIGSTOP holds it: it is pending while every thread is in a ptrace stop, and stops each thread
//! when that is detached (signal(7): it can neither be blocked nor ignored).

use super::address_space::AddressSpace;
use super::debug_registers;
use super::observation::PendingReports;
use super::process::Process;
use super::requests::{self, Status, Tid};
use super::thread::{Activity, Thread};
use super::threads::Threads;
use crate::process::procfs::{has_filters_of_its_own, threads, waiting_signals};
use model::ThreadId;
use nix::errno::Errno;
use nix::libc;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// Signals of a process that is handed over.
#[derive(Debug, Default)]
pub struct Signals {
    /// Signals that threads stopped for and have not received.
    pub undelivered: Vec<(Tid, i32)>,
    /// Signals that arrived for threads and have not been examined.
    pub unheard: Vec<(Tid, i32)>,
}

/// The maximum number of signals read from one thread; further ones are sent again.
const MOST_UNHEARD: usize = 64;

/// The `syscall` instruction.
const SYSCALL: [u8; 2] = [0x0f, 0x05];

/// The reason why a process could not be taken over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Untaken {
    /// ptrace(2) refused it with this error.
    Refused(Errno),
    /// The process has ended.
    Ended,
}

impl Process {
    /// Detaches from the stopped process and keeps it from running; removes breakpoints and moves threads out of slots.
    /// Returns the signals that it would have received.
    pub fn give_away(&mut self, current: Tid) -> Signals {
        self.allow_successors(current);
        let told = self.threads.told_elsewhere(current, &self.space);
        self.space.lift_all();
        for tid in told {
            if let Some(thread) = self.threads.get_mut(tid) {
                thread.pass_on_its_way(&self.space);
            }
        }
        let mut signals = Signals::default();
        for thread in self.threads.iter_mut() {
            thread.hear_waiting(&self.space, &mut self.pending, &mut signals.unheard);
        }
        // Fails if the process has ended.
        let _ = kill(Pid::from_raw(self.pid()), Signal::SIGSTOP);
        for thread in self.threads.iter_mut() {
            // Moves it out of a slot if it is in one.
            let _ = thread.registers(&self.space);
            let tid = thread.tid;
            debug_registers::reset(tid);
            let told = Some(std::mem::take(&mut thread.delivery)).filter(|signal| *signal != 0);
            signals.undelivered.extend(told.map(|signal| (tid, signal)));
            signals.unheard.extend(thread.deferred_signal.take().map(|signal| (tid, signal)));
            // Fails if the thread has ended.
            let _ = thread.flush().and_then(|()| requests::detach(tid, 0));
        }
        self.threads.clear();
        signals
    }

    /// Where only ancestors may trace (the Yama module), lets our child processes trace it: the process itself must
    /// allow that (prctl(2), `PR_SET_PTRACER`). Elsewhere it is not needed, and under seccomp(2) the extra system call
    /// might kill the process.
    fn allow_successors(&mut self, tid: Tid) {
        if only_ancestors_trace() && !has_filters_of_its_own(tid) {
            let arguments = [libc::PR_SET_PTRACER as u64, u64::from(std::process::id()), 0, 0, 0, 0];
            let _ = self.system_call(tid, libc::SYS_prctl, arguments);
        }
    }

    /// Takes over a process that is held by SIGSTOP. Threads get the given numbers; others get the following ones.
    pub fn take_over(pid: Tid, guest: bool, numbers: &[(Tid, ThreadId)], current: Tid) -> Result<Self, Untaken> {
        let tids =
            seize_all(pid, if guest { requests::seize_guest } else { requests::seize }).map_err(Untaken::Refused)?;
        let given_up = |untaken| {
            // Threads in group-stop stay in it.
            for tid in &tids {
                let _ = requests::detach(*tid, 0);
            }
            Err(untaken)
        };
        let Ok(mut process) = Self::new(pid) else { return given_up(Untaken::Ended) };
        let highest = numbers.iter().map(|(_, number)| number.0).max().unwrap_or(0);
        let mut next = highest;
        let mut threads = Vec::new();
        for tid in &tids {
            let number = numbers.iter().find(|(known, _)| known == tid).map_or_else(
                || {
                    next += 1;
                    ThreadId(next)
                },
                |(_, number)| *number,
            );
            match first_stop(*tid) {
                Found::Stopped(signal) => {
                    let mut thread = Thread::new(pid, *tid, number, Activity::Stopped);
                    thread.deferred_signal = Some(signal).filter(|signal| *signal != 0);
                    if signal != 0 {
                        thread.note_signal_stop();
                    }
                    threads.push(thread);
                }
                Found::Gone if *tid == pid => return given_up(Untaken::Ended),
                Found::Gone => {}
            }
        }
        process.threads = Threads::of(pid, threads, next);
        let taker = if process.thread(current).is_some() { current } else { pid };
        let stop_ended = process.threads.get_mut(taker).map(|thread| thread.end_group_stop(pid));
        if let Some(Some(status)) = stop_ended {
            process.hand_over(taker, status);
        }
        for thread in process.threads.iter() {
            // Values left by the previous tracer would stop it.
            debug_registers::reset(thread.tid);
        }
        Ok(process)
    }
}

impl Thread {
    /// Reads the signals pending for the thread: most arrive before the stop signal and would reach the program while
    /// it is not traced. The thread executes nothing, because it reports them first; traps are left pending.
    fn hear_waiting(&mut self, space: &AddressSpace, pending: &mut PendingReports, unheard: &mut Vec<(Tid, i32)>) {
        let tid = self.tid;
        for _ in 0..MOST_UNHEARD {
            let waiting = waiting_signals(tid);
            if waiting & !bit(libc::SIGSTOP) == 0 || waiting & bit(libc::SIGTRAP) != 0 {
                return;
            }
            // Moves it out of a slot if it is in one.
            let _ = self.registers(space);
            if self.flush().is_err() || requests::resume(tid, 0).is_err() {
                return;
            }
            match requests::await_status(tid) {
                Ok(Status::Stopped(signal)) => unheard.push((tid, signal)),
                Ok(Status::Event(libc::PTRACE_EVENT_STOP, _)) => {}
                Ok(other) => return pending.add_status(tid, other),
                Err(_) => return,
            }
        }
    }

    /// Executes the instruction at a breakpoint whose hit has been reported, because the next tracer does not know of
    /// that report. A thread that might wait in the kernel for another one stays where it is.
    fn pass_on_its_way(&mut self, space: &AddressSpace) {
        let mut code = [0; 2];
        let at = self.registers(space).map(|registers| registers.rip);
        if at.is_err() || at.is_ok_and(|at| space.read(at, &mut code).is_err()) || code == SYSCALL {
            return;
        }
        let outcome = self.step_now();
        self.forget_registers();
        match outcome {
            Ok(Status::Stopped(libc::SIGTRAP)) | Err(_) => {}
            Ok(Status::Stopped(signal)) => self.deferred_signal = Some(signal),
            Ok(_) => self.lost(),
        }
    }

    /// Ends the effect of the stop signal after the take-over: SIGCONT ends the group-stop, and another SIGSTOP, which
    /// this thread reports and does not receive, removes the SIGCONT. It executes nothing, because it reports the
    /// signal first. Returns the status that it reports instead, if any.
    fn end_group_stop(&mut self, pid: Tid) -> Option<Status> {
        let _ = kill(Pid::from_raw(pid), Signal::SIGCONT);
        self.send(libc::SIGSTOP);
        let mut more = Vec::new();
        let instead = loop {
            let status = requests::resume(self.tid, 0).and_then(|()| requests::await_status(self.tid));
            match status {
                Ok(Status::Stopped(libc::SIGSTOP)) | Err(_) => break None,
                Ok(Status::Stopped(signal)) => more.push(signal),
                Ok(Status::Event(libc::PTRACE_EVENT_STOP, _)) => {}
                Ok(other) => break Some(other),
            }
        };
        self.note_signal_stop();
        for signal in more {
            // The first is deferred in the thread, the others are sent again.
            if self.deferred_signal.is_none() {
                self.deferred_signal = Some(signal);
            } else {
                self.send(signal);
            }
        }
        instead
    }
}

/// True if the Yama module restricts tracing (`/proc/sys/kernel/yama/ptrace_scope`: 1).
fn only_ancestors_trace() -> bool {
    let scope = std::fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope");
    scope.is_ok_and(|scope| scope.trim() != "0")
}

/// Seizes all threads of a process, or none.
fn seize_all(pid: Tid, seize: fn(Tid) -> Result<(), Errno>) -> Result<Vec<Tid>, Errno> {
    let mut seized = Vec::new();
    loop {
        let mut fresh = false;
        for tid in threads(pid) {
            if seized.contains(&tid) {
                continue;
            }
            match seize(tid) {
                Ok(()) => {
                    seized.push(tid);
                    fresh = true;
                }
                // Gone meanwhile.
                Err(Errno::ESRCH) if tid != pid => {}
                Err(errno) => {
                    for tid in seized {
                        if matches!(first_stop(tid), Found::Stopped(_)) {
                            let _ = requests::detach(tid, 0);
                        }
                    }
                    return Err(errno);
                }
            }
        }
        if !fresh {
            return Ok(seized);
        }
    }
}

/// Returns the bit of a signal in a mask.
const fn bit(signal: i32) -> u64 {
    1 << (signal - 1)
}

/// The state of a thread that was just seized.
enum Found {
    /// Stopped and about to receive this signal, unless it is 0.
    Stopped(i32),
    Gone,
}

/// Waits for the stop of a thread that was just seized.
fn first_stop(tid: Tid) -> Found {
    let _ = requests::interrupt(tid);
    loop {
        match requests::await_status(tid) {
            Ok(Status::Stopped(libc::SIGSTOP)) => return Found::Stopped(0),
            Ok(Status::Stopped(signal)) => return Found::Stopped(signal),
            Ok(Status::Event(libc::PTRACE_EVENT_EXIT, _)) => {
                let _ = requests::resume(tid, 0);
            }
            Ok(Status::Event(..) | Status::Call) => return Found::Stopped(0),
            Ok(Status::Exited(_) | Status::Killed(_)) | Err(_) => return Found::Gone,
            Ok(Status::Other) => {}
        }
    }
}
