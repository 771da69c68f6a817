//! A stopped process given away to another tracer, and taken over from one, without executing anything in between.
//!
//! Between two tracers SIGSTOP holds it: pending while every thread is in a stop of ptrace, it is what each thread finds
//! when it is let go (signal(7): it can neither be blocked nor ignored).

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

/// Signals of a process that is given away.
#[derive(Debug, Default)]
pub struct Signals {
    /// What threads were stopped for and have not got.
    pub undelivered: Vec<(Tid, i32)>,
    /// What came for threads and has not been looked at.
    pub unheard: Vec<(Tid, i32)>,
}

/// Signals that one thread is asked for at most: more at once come again.
const MOST_UNHEARD: usize = 64;

/// The instruction that enters the kernel.
const SYSCALL: [u8; 2] = [0x0f, 0x05];

/// Why a process could not be taken over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Untaken {
    /// ptrace(2) says no.
    Refused(Errno),
    /// It has ended.
    Ended,
}

impl Process {
    /// Lets go of the stopped process and keeps it from running: breakpoints out, threads out of slots. The signals that
    /// it would have got.
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
        // A process that is gone needs no holding.
        let _ = kill(Pid::from_raw(self.pid()), Signal::SIGSTOP);
        for thread in self.threads.iter_mut() {
            // Out of a slot, when it is in one.
            let _ = thread.registers(&self.space);
            let tid = thread.tid;
            debug_registers::reset(tid);
            let told = Some(std::mem::take(&mut thread.delivery)).filter(|signal| *signal != 0);
            signals.undelivered.extend(told.map(|signal| (tid, signal)));
            signals.unheard.extend(thread.deferred_signal.take().map(|signal| (tid, signal)));
            // A thread that is gone has nothing to be let go.
            let _ = thread.flush().and_then(|()| requests::detach(tid, 0));
        }
        self.threads.clear();
        signals
    }

    /// Where only ancestors may trace (the Yama module), lets those whom we start trace it: the process itself has to
    /// say so (prctl(2), `PR_SET_PTRACER`). Elsewhere it is not needed, and where the kernel looks at the system calls of
    /// the program the process is not to be ended for one that it did not make.
    fn allow_successors(&mut self, tid: Tid) {
        if only_ancestors_trace() && !has_filters_of_its_own(tid) {
            let arguments = [libc::PR_SET_PTRACER as u64, u64::from(std::process::id()), 0, 0, 0, 0];
            let _ = self.system_call(tid, libc::SYS_prctl, arguments);
        }
    }

    /// Takes a process over that is held by SIGSTOP. Threads get the numbers that are given; others follow.
    pub fn take_over(pid: Tid, guest: bool, numbers: &[(Tid, ThreadId)], current: Tid) -> Result<Self, Untaken> {
        let tids =
            seize_all(pid, if guest { requests::seize_guest } else { requests::seize }).map_err(Untaken::Refused)?;
        let given_up = |untaken| {
            // In group-stop they stay there.
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
            // What the tracer before has left in them would stop it.
            debug_registers::reset(thread.tid);
        }
        Ok(process)
    }
}

impl Thread {
    /// The signals that wait for it: most come before the stop signal does, and would reach the program when nobody
    /// traces it. The thread executes nothing, since it has them to report first; what a trap has to say is left to it.
    fn hear_waiting(&mut self, space: &AddressSpace, pending: &mut PendingReports, unheard: &mut Vec<(Tid, i32)>) {
        let tid = self.tid;
        for _ in 0..MOST_UNHEARD {
            let waiting = waiting_signals(tid);
            if waiting & !bit(libc::SIGSTOP) == 0 || waiting & bit(libc::SIGTRAP) != 0 {
                return;
            }
            // Out of a slot, when it is in one.
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

    /// It executes the instruction at the breakpoint at which it has been told to be, as it was to: nobody else knows that
    /// its arrival has been told. One that might wait in the kernel for another thread stays.
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

    /// The stop signal is not to outlive the take-over: SIGCONT ends what it has done, and another SIGSTOP, which this
    /// thread takes and is not given, removes the SIGCONT. It executes nothing: it has the signal to report first. What it
    /// reports instead.
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
            // One waits in the thread's own place, the others where they came from.
            if self.deferred_signal.is_none() {
                self.deferred_signal = Some(signal);
            } else {
                self.send(signal);
            }
        }
        instead
    }
}

/// Whether the Yama module restricts who may trace (`/proc/sys/kernel/yama/ptrace_scope`: 1).
fn only_ancestors_trace() -> bool {
    let scope = std::fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope");
    scope.is_ok_and(|scope| scope.trim() != "0")
}

/// Every thread of a process becomes a tracee, or none.
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

/// Of a signal in a mask.
const fn bit(signal: i32) -> u64 {
    1 << (signal - 1)
}

/// How a thread is found that was just seized.
enum Found {
    /// Stopped; about to get this signal, unless it is 0.
    Stopped(i32),
    /// Gone.
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
            Ok(Status::Event(..)) => return Found::Stopped(0),
            Ok(Status::Exited(_) | Status::Killed(_)) | Err(_) => return Found::Gone,
            Ok(Status::Other) => {}
        }
    }
}
