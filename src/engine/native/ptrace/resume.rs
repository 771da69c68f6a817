//! Resuming threads, past the breakpoint that they are at if there is one.

use super::displaced_stepping::Passage;
use super::observation::Observation;
use super::process::Process;
use super::requests::{Status, Tid};
use super::thread::{Pace, Thread};
use nix::errno::Errno;
use nix::libc::{self, user_regs_struct};
use std::mem;

impl Process {
    /// Resumes a stopped thread, delivering a signal unless it is 0. The end of a thread is left to its wait status.
    pub fn resume(&mut self, tid: Tid, pace: Pace, signal: i32) {
        let Some(thread) = self.threads.get_mut(tid).filter(|thread| thread.is_stopped()) else { return };
        if thread.take_group_stop() && signal == 0 && pace == Pace::Run {
            return thread.listen();
        }
        self.space.wake();
        // Moving the program counter out of a slot may mean that a breakpoint must be passed.
        let Ok(registers) = thread.registers(&self.space) else { return thread.lost() };
        thread.arrived = false;
        // A signal handler whose end is waited for must return to the program, not to a slot.
        let is_passing = mem::take(&mut thread.passes);
        let passes = is_passing && (signal == 0 || pace == Pace::Run) && self.space.has_site(registers.rip);
        if self.debug.executes_at(registers.rip) {
            pass_hardware(thread, registers, is_passing);
        }
        let is_trapped = thread.fpu.passes.take() == Some(registers.rip);
        if passes && !self.pass(tid, registers, pace) || is_trapped && !pass_fpu_trap(self, tid, registers.rip, pace) {
            return;
        }
        let (traps, stops_at_calls) = (self.threads.fpu_traps(), self.threads.stop_at_calls);
        let Some(thread) = self.threads.get_mut(tid) else { return };
        thread.arm(&self.debug);
        thread.fpu.unmask(tid, traps);
        thread.go_on(pace, signal, stops_at_calls && !thread.is_companion());
    }

    /// Writes the intended debug registers of a stopped thread (`None`: of some thread). True if that succeeds, or if no
    /// thread is stopped: running threads get theirs in a pause.
    pub fn can_arm(&mut self, tid: Option<Tid>) -> bool {
        match tid {
            Some(tid) => self.threads.get_mut(tid).is_some_and(|thread| thread.arm(&self.debug)),
            None => {
                let stopped = self.threads.iter_mut().find(|thread| thread.is_stopped());
                stopped.is_none_or(|thread| thread.arm(&self.debug))
            }
        }
    }

    /// Makes a thread pass the breakpoint at its program counter. True if it must still be resumed.
    fn pass(&mut self, tid: Tid, registers: user_regs_struct, pace: Pace) -> bool {
        let site = registers.rip;
        let (mut passage, mut slot) = self.space.passage(site);
        if passage == Passage::Roomless {
            self.make_room(tid, site);
            (passage, slot) = self.space.passage(site);
        }
        let Some(thread) = self.threads.get_mut(tid) else { return true };
        match passage {
            Passage::Slot { .. } => {
                thread.move_to(registers, slot);
                true
            }
            Passage::Call(target) => match self.space.push_call(registers, target) {
                Some(after) => {
                    thread.put(after);
                    if pace == Pace::Step {
                        self.pending.add(tid, Observation::Stepped);
                    }
                    pace == Pace::Run
                }
                // The call faults: the program executes it in place and gets its signal.
                None => self.pass_in_place(tid, site, pace),
            },
            Passage::InPlace | Passage::Roomless => self.pass_in_place(tid, site, pace),
        }
    }

    /// Executes the instruction in place, with the breakpoint removed and every other thread stopped.
    fn pass_in_place(&mut self, tid: Tid, site: u64, pace: Pace) -> bool {
        let stepped = self.step_in_place(tid, site);
        passed(self, tid, stepped, pace)
    }

    /// Executes one instruction at an address, without the breakpoint that may be there.
    pub(super) fn step_in_place(&mut self, tid: Tid, address: u64) -> Result<Status, Errno> {
        let is_alone = !self.space.has_site(address);
        let others = self.threads.iter().filter(|thread| !is_alone && thread.tid != tid && thread.is_running());
        let held: Vec<Tid> = others.filter(|other| other.hold(&mut self.pending)).map(|other| other.tid).collect();
        let Some(thread) = self.threads.get_mut(tid) else { return Err(Errno::ESRCH) };
        thread.arm(&self.debug);
        let stepped = self.space.without_trap(address, || thread.step_now());
        for other in held {
            if let Some(thread) = self.threads.get(other) {
                thread.go_on_after_hold();
            }
        }
        stepped
    }
}

/// True, once after each change of the debug registers, if a running thread still has the former ones.
pub fn takes_debug_registers_late(process: &mut Process) -> bool {
    let version = process.debug.version();
    let is_late = |thread: &Thread| thread.is_running() && thread.debug_version != version;
    process.debug.take_change() && process.threads.iter().any(is_late)
}

/// Lets a thread execute the instruction of a hardware breakpoint, or has it stopped there.
fn pass_hardware(thread: &mut Thread, mut registers: user_regs_struct, passes: bool) {
    /// The resume flag of the processor: the next instruction raises no debug exception.
    const RESUME_FLAG: u64 = 1 << 16;
    let before = registers.eflags;
    registers.eflags = if passes { before | RESUME_FLAG } else { before & !RESUME_FLAG };
    if registers.eflags != before {
        thread.put(registers);
    }
}

/// Executes the instruction that has raised a floating-point exception, with the masks of the program, unless the
/// thread has passed it already. True if the thread must still be resumed.
fn pass_fpu_trap(process: &mut Process, tid: Tid, address: u64, pace: Pace) -> bool {
    let Some(thread) = process.threads.get_mut(tid) else { return true };
    let Ok(now) = thread.registers(&process.space).map(|registers| registers.rip) else { return true };
    if now != address && process.space.outside_of_slots(now) != Some(address) {
        return true;
    }
    thread.arm(&process.debug);
    let stepped = thread.step_now();
    passed(process, tid, stepped, pace)
}

/// Handles the outcome of one instruction. True if the thread must still be resumed.
fn passed(process: &mut Process, tid: Tid, stepped: Result<Status, Errno>, pace: Pace) -> bool {
    let Some(thread) = process.threads.get_mut(tid) else { return true };
    match stepped {
        Ok(Status::Stopped(libc::SIGTRAP)) => {
            thread.forget_registers();
            let places = process.debug.take_trapped(tid);
            if places != 0 {
                process.pending.add(tid, Observation::Watched { places, stepped: pace == Pace::Step });
                return false;
            }
            if pace == Pace::Step {
                process.pending.add(tid, Observation::Stepped);
            }
            pace == Pace::Run
        }
        Ok(other) => {
            process.pending.add_status(tid, other);
            false
        }
        Err(_) => false,
    }
}
