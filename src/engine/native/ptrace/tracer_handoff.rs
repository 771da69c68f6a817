//! A stopped process given away to another tracer, and taken over from one, without executing anything in between.
//!
//! Between two tracers SIGSTOP holds it: pending while every thread is in a stop of ptrace, it is what each thread finds
//! when it is let go (signal(7): it can neither be blocked nor ignored).

use super::debug_registers;
use super::process::Process;
use super::requests::{self, Status, Tid};
use super::thread::{Activity, Changed, Thread};
use crate::process::procfs::{has_filters_of_its_own, threads, waiting_signals};
use crate::process::thread_signal::send_signal;
use model::ThreadId;
use nix::errno::Errno;
use nix::libc::{self, user_regs_struct};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::collections::BTreeMap;

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
    /// Whether its first thread is there and stopped: no tracer can take a process over whose first thread has ended.
    pub fn can_be_given_away(&self) -> bool {
        self.thread(self.pid()).is_some_and(Thread::is_stopped)
    }

    /// Lets go of the stopped process and keeps it from running: breakpoints out, threads out of slots. The signals that
    /// it would have got.
    pub fn give_away(&mut self, current: Tid) -> Signals {
        self.allow_successors(current);
        let told = self.told_elsewhere(current);
        self.sites.lift_all(&self.memory);
        told.into_iter().for_each(|tid| self.pass_on_its_way(tid));
        let pid = Pid::from_raw(self.pid());
        let tids: Vec<Tid> = self.threads.keys().copied().collect();
        let mut signals = Signals::default();
        for tid in &tids {
            self.hear_waiting(*tid, &mut signals.unheard);
        }
        // A process that is gone needs no holding.
        let _ = kill(pid, Signal::SIGSTOP);
        for tid in tids {
            // Out of a slot, when it is in one.
            let _ = self.registers(tid);
            debug_registers::reset(tid);
            if let Some(thread) = self.threads.get_mut(&tid) {
                let told = Some(std::mem::take(&mut thread.delivery)).filter(|signal| *signal != 0);
                signals.undelivered.extend(told.map(|signal| (tid, signal)));
                signals.unheard.extend(thread.deferred_signal.take().map(|signal| (tid, signal)));
                // A thread that is gone has nothing to be let go.
                let _ = thread.flush().and_then(|()| requests::detach(tid, 0));
            }
        }
        self.threads.clear();
        signals
    }

    /// The signals that wait for a thread: most come before the stop signal does, and would reach the program when nobody
    /// traces it. The thread executes nothing, since it has them to report first; what a trap has to say is left to it.
    fn hear_waiting(&mut self, tid: Tid, unheard: &mut Vec<(Tid, i32)>) {
        for _ in 0..MOST_UNHEARD {
            let waiting = waiting_signals(tid);
            if waiting & !bit(libc::SIGSTOP) == 0 || waiting & bit(libc::SIGTRAP) != 0 {
                return;
            }
            // Out of a slot, when it is in one.
            let _ = self.registers(tid);
            if self.threads.get_mut(&tid).is_none_or(|thread| thread.flush().is_err())
                || requests::resume(tid, 0).is_err()
            {
                return;
            }
            match requests::await_status(tid) {
                Ok(Status::Stopped(signal)) => unheard.push((tid, signal)),
                Ok(Status::Event(libc::PTRACE_EVENT_STOP, _)) => {}
                Ok(other) => return self.hand_over(tid, other),
                Err(_) => return,
            }
        }
    }

    /// Threads other than the one that stopped, at breakpoints at which they have been told to be: they were resumed since,
    /// and came no further.
    fn told_elsewhere(&mut self, current: Tid) -> Vec<Tid> {
        let passing = self.threads.values().filter(|thread| thread.tid != current && thread.passes && !thread.arrived);
        let tids: Vec<Tid> = passing.map(|thread| thread.tid).collect();
        let at_site = |tid: &Tid| self.registers(*tid).is_ok_and(|registers| self.sites.contains(registers.rip));
        tids.into_iter().filter(at_site).collect()
    }

    /// Such a thread executes the instruction there, as it was to: nobody else knows that its arrival has been told. One
    /// that might wait in the kernel for another thread stays.
    fn pass_on_its_way(&mut self, tid: Tid) {
        let mut code = [0; 2];
        let at = self.registers(tid).map(|registers| registers.rip);
        if at.is_err() || at.is_ok_and(|at| self.read(at, &mut code).is_err()) || code == SYSCALL {
            return;
        }
        let outcome = self.step_now(tid);
        let Some(thread) = self.threads.get_mut(&tid) else { return };
        thread.registers = None;
        thread.changed = Changed::Nothing;
        match outcome {
            Ok(Status::Stopped(libc::SIGTRAP)) | Err(_) => {}
            Ok(Status::Stopped(signal)) => thread.deferred_signal = Some(signal),
            Ok(_) => thread.activity = Activity::Ending,
        }
    }

    /// Where only ancestors may trace (the Yama module), lets those whom we start trace it: the process itself has to
    /// say so (prctl(2), `PR_SET_PTRACER`). Elsewhere it is not needed, and where the kernel looks at the system calls of
    /// the program the process is not to be ended for one that it did not make.
    fn allow_successors(&mut self, tid: Tid) {
        if !only_ancestors_trace() || has_filters_of_its_own(tid) {
            return;
        }
        let Ok(before) = self.registers(tid) else { return };
        let Some(gate) = self.gate() else { return };
        let call = user_regs_struct {
            rip: gate,
            rax: libc::SYS_prctl as u64,
            orig_rax: u64::MAX,
            rdi: libc::PR_SET_PTRACER as u64,
            rsi: u64::from(std::process::id()),
            ..before
        };
        let _ = self.run_at_gate(tid, call);
        self.put(tid, before);
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
        process.threads = BTreeMap::new();
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
                    let mut thread = Thread::new(*tid, number, Activity::Stopped);
                    thread.deferred_signal = Some(signal).filter(|signal| *signal != 0);
                    thread.takes_signal = signal != 0;
                    process.threads.insert(*tid, thread);
                }
                Found::Gone if *tid == pid => return given_up(Untaken::Ended),
                Found::Gone => {}
            }
        }
        process.threads_seen(next);
        process.end_group_stop(current);
        for tid in process.threads.keys() {
            // What the tracer before has left in them would stop it.
            debug_registers::reset(*tid);
        }
        Ok(process)
    }

    /// The stop signal is not to outlive the take-over: SIGCONT ends what it has done, and another SIGSTOP, which one
    /// thread takes and is not given, removes the SIGCONT. That thread executes nothing: it has the signal to report
    /// first.
    fn end_group_stop(&mut self, current: Tid) {
        let pid = self.pid();
        let tid = if self.threads.contains_key(&current) { current } else { pid };
        let _ = kill(Pid::from_raw(pid), Signal::SIGCONT);
        send_signal(pid, tid, libc::SIGSTOP);
        let mut more = Vec::new();
        loop {
            let status = requests::resume(tid, 0).and_then(|()| requests::await_status(tid));
            match status {
                Ok(Status::Stopped(libc::SIGSTOP)) => break,
                Ok(Status::Stopped(signal)) => more.push(signal),
                Ok(Status::Event(libc::PTRACE_EVENT_STOP, _)) => {}
                Ok(other) => {
                    self.hand_over(tid, other);
                    break;
                }
                Err(_) => break,
            }
        }
        if let Some(thread) = self.threads.get_mut(&tid) {
            thread.takes_signal = true;
            for signal in more {
                // One waits in the thread's own place, the others where they came from.
                if thread.deferred_signal.is_none() {
                    thread.deferred_signal = Some(signal);
                } else {
                    send_signal(pid, tid, signal);
                }
            }
        }
    }

    /// A signal that a thread was stopped for under its tracer before: it gets it without anybody being asked.
    pub fn redeliver(&mut self, tid: Tid, signal: i32) {
        let pid = self.pid();
        let Some(thread) = self.threads.get_mut(&tid) else { return };
        if thread.takes_signal && thread.delivery == 0 {
            thread.delivery = signal;
        } else {
            thread.expected_signal = Some(signal);
            send_signal(pid, tid, signal);
        }
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
