//! Resuming threads, past the breakpoint they are at when there is one.

use super::displaced_stepping::{CallTarget, Passage, operand_target};
use super::process::{Observation, Process};
use super::requests::{self, Status, Tid};
use super::thread::{Activity, Pace};
use crate::process::memory::mappings;
use crate::process::thread_signal::send_signal;
use iced_x86::Register;
use nix::errno::Errno;
use nix::libc::{self, user_regs_struct};

impl Process {
    /// Resumes a stopped thread, delivering a signal unless it is 0. One that is gone meanwhile is left to its status.
    pub fn resume(&mut self, tid: Tid, pace: Pace, signal: i32) {
        let Some(thread) = self.threads.get_mut(&tid).filter(|thread| thread.is_stopped()) else { return };
        if std::mem::take(&mut thread.group_stopped) && signal == 0 && pace == Pace::Run {
            if thread.flush().is_ok() && requests::listen(tid).is_ok() {
                thread.activity = Activity::Running;
            }
            return;
        }
        self.sites.wake(&self.memory);
        // A program counter left in a slot is moved out, which may mean that a breakpoint is to be passed.
        let Ok(registers) = self.registers(tid) else { return self.lost(tid) };
        let passes = self.threads.get_mut(&tid).is_some_and(|thread| {
            thread.arrived = false;
            std::mem::take(&mut thread.passes)
        });
        // A signal handler is to return to the program, not to a slot, when its end is waited for.
        let passes = passes && (signal == 0 || pace == Pace::Run) && self.sites.contains(registers.rip);
        if passes && !self.pass(tid, registers, pace) {
            return;
        }
        self.arm(tid);
        let Some(thread) = self.threads.get_mut(&tid) else { return };
        let signal = if signal == 0 { thread.deferred_signal.take().unwrap_or(0) } else { signal };
        let outcome = thread.flush().and_then(|()| match pace {
            Pace::Run => requests::resume(tid, signal),
            Pace::Step => requests::step(tid, signal),
        });
        match outcome {
            Ok(()) => {
                thread.activity = Activity::Running;
                thread.stepping = pace == Pace::Step;
                thread.stepped = thread.stepping;
            }
            Err(_) => self.lost(tid),
        }
    }

    /// Gives a stopped thread the debug registers it does not have yet.
    fn arm(&mut self, tid: Tid) {
        let Some(thread) = self.threads.get_mut(&tid) else { return };
        if thread.debug_version != self.debug.version() && self.debug.apply(tid).is_ok() {
            thread.debug_version = self.debug.version();
        }
    }

    /// Whether a stopped thread takes the debug registers as they are to be.
    pub fn can_arm(&mut self, tid: Tid) -> bool {
        self.arm(tid);
        self.thread(tid).is_some_and(|thread| thread.debug_version == self.debug.version())
    }

    /// A thread that cannot be resumed is being killed; its status will come.
    fn lost(&mut self, tid: Tid) {
        if let Some(thread) = self.threads.get_mut(&tid) {
            thread.activity = Activity::Ending;
        }
    }

    /// Makes a thread pass the breakpoint at its program counter; whether it is still to be resumed.
    fn pass(&mut self, tid: Tid, registers: user_regs_struct, pace: Pace) -> bool {
        let site = registers.rip;
        let seen = self.seen_code.take().filter(|(at, _)| *at == site).map(|(_, code)| code);
        let (mut passage, mut slot) = self.sites.passage(&self.memory, site, seen);
        if passage == Passage::Roomless {
            self.make_room(tid, site, registers);
            (passage, slot) = self.sites.passage(&self.memory, site, None);
        }
        match passage {
            Passage::Slot { .. } => {
                if let Some(thread) = self.threads.get_mut(&tid) {
                    thread.move_to(registers, slot);
                }
                true
            }
            Passage::Call(target) => match self.call(registers, target) {
                Some(after) => {
                    self.put(tid, after);
                    if pace == Pace::Step {
                        self.made.push_back((tid, Observation::Stepped));
                    }
                    pace == Pace::Run
                }
                // The fault is the program's to have: it executes the call in place and gets its signal.
                None => self.pass_in_place(tid, pace),
            },
            Passage::InPlace | Passage::Roomless => self.pass_in_place(tid, pace),
        }
    }

    pub(super) fn put(&mut self, tid: Tid, registers: user_regs_struct) {
        if let Some(thread) = self.threads.get_mut(&tid) {
            thread.put(registers);
        }
    }

    fn call(&self, mut registers: user_regs_struct, target: CallTarget) -> Option<user_regs_struct> {
        let mut code = [0; super::displaced_stepping::LONGEST];
        let length = self.read_some(registers.rip, &mut code);
        let instruction = super::displaced_stepping::decode(code.get(..length)?, registers.rip)?;
        let target = match target {
            CallTarget::Direct(target) => target,
            CallTarget::Operand(call) => {
                operand_target(&call, |name| operand(&registers, name), |at| self.memory.word(at).ok())?
            }
        };
        registers.rsp = registers.rsp.wrapping_sub(8);
        self.memory.write(registers.rsp, &instruction.next_ip().to_le_bytes()).ok()?;
        registers.rip = target;
        Some(registers)
    }

    /// Executes the instruction where it is, with the breakpoint out and every other thread stopped.
    fn pass_in_place(&mut self, tid: Tid, pace: Pace) -> bool {
        let Ok(registers) = self.registers(tid) else { return true };
        let site = registers.rip;
        let others: Vec<Tid> = self
            .threads
            .values()
            .filter(|thread| thread.tid != tid && thread.activity == Activity::Running)
            .map(|thread| thread.tid)
            .collect();
        let held: Vec<Tid> = others.into_iter().filter(|other| self.hold(*other)).collect();
        self.arm(tid);
        self.sites.lift(&self.memory, site, true);
        let stepped = self.step_now(tid);
        self.sites.lift(&self.memory, site, false);
        for other in held {
            let _ = requests::resume(other, 0);
        }
        match stepped {
            Ok(Status::Stopped(libc::SIGTRAP)) => {
                if let Some(thread) = self.threads.get_mut(&tid) {
                    thread.registers = None;
                }
                let places = self.debug.take_trapped(tid);
                if places != 0 {
                    self.made.push_back((tid, Observation::Watched { places, stepped: pace == Pace::Step }));
                    return false;
                }
                if pace == Pace::Step {
                    self.made.push_back((tid, Observation::Stepped));
                }
                pace == Pace::Run
            }
            Ok(other) => {
                self.early.push_back((tid, other));
                false
            }
            Err(_) => false,
        }
    }

    pub(super) fn step_now(&mut self, tid: Tid) -> Result<Status, Errno> {
        if let Some(thread) = self.threads.get_mut(&tid) {
            (thread.stepped, thread.settled) = (true, false);
            thread.flush()?;
        }
        loop {
            requests::step(tid, 0)?;
            match requests::await_status(tid)? {
                // A stop asked for before, which another one forestalled: nothing was executed, nobody waits for it.
                Status::Event(libc::PTRACE_EVENT_STOP, libc::SIGTRAP) => {}
                status => return Ok(status),
            }
        }
    }

    /// Stops a running thread for a moment; whether it is to be resumed afterwards. What else it had to say is kept.
    fn hold(&mut self, tid: Tid) -> bool {
        if requests::interrupt(tid).is_err() {
            return false;
        }
        match requests::await_status(tid) {
            Ok(Status::Event(libc::PTRACE_EVENT_STOP, libc::SIGTRAP)) => true,
            Ok(other) => {
                self.early.push_back((tid, other));
                false
            }
            Err(_) => false,
        }
    }

    /// The value of `rax` after one instruction from these registers.
    pub(super) fn run_at_gate(&mut self, tid: Tid, registers: user_regs_struct) -> Option<u64> {
        requests::set_registers(tid, registers).ok()?;
        let mut forestalled = Vec::new();
        let outcome = self.step_at_gate(tid, registers.rip, &mut forestalled);
        // They come again when the thread goes on, and are dealt with then.
        forestalled.into_iter().for_each(|signal| send_signal(self.pid(), tid, signal));
        outcome
    }

    /// The step itself, and the signals that came first.
    fn step_at_gate(&mut self, tid: Tid, gate: u64, forestalled: &mut Vec<i32>) -> Option<u64> {
        for _ in 0..16 {
            requests::step(tid, 0).ok()?;
            match requests::await_status(tid).ok()? {
                Status::Stopped(libc::SIGTRAP) => {
                    let after = requests::registers(tid).ok()?;
                    return (after.rip != gate).then_some(after.rax);
                }
                // A stop asked for before, which another one forestalled: nobody waits for it.
                Status::Event(libc::PTRACE_EVENT_STOP, _) => {}
                Status::Stopped(signal) => forestalled.push(signal),
                other => {
                    self.early.push_back((tid, other));
                    return None;
                }
            }
        }
        None
    }

    /// A `syscall` instruction that is always there: the vdso has some for calls it cannot answer itself.
    pub(super) fn gate(&self) -> Option<u64> {
        *self.gate.get_or_init(|| {
            let vdso = mappings(self.pid()).into_iter().find(|mapping| mapping.name == "[vdso]")?;
            let mut code = vec![0; (vdso.end - vdso.start) as usize];
            self.memory.read(vdso.start, &mut code).ok()?;
            let place = code.windows(2).position(|bytes| bytes == [0x0f, 0x05])?;
            Some(vdso.start + place as u64)
        })
    }
}

/// A register of an operand by its name in the instruction.
fn operand(registers: &user_regs_struct, name: Register) -> Option<u64> {
    Some(match name {
        Register::RAX => registers.rax,
        Register::RBX => registers.rbx,
        Register::RCX => registers.rcx,
        Register::RDX => registers.rdx,
        Register::RSI => registers.rsi,
        Register::RDI => registers.rdi,
        Register::RBP => registers.rbp,
        Register::RSP => registers.rsp,
        Register::R8 => registers.r8,
        Register::R9 => registers.r9,
        Register::R10 => registers.r10,
        Register::R11 => registers.r11,
        Register::R12 => registers.r12,
        Register::R13 => registers.r13,
        Register::R14 => registers.r14,
        Register::R15 => registers.r15,
        Register::FS => registers.fs_base,
        Register::GS => registers.gs_base,
        Register::CS | Register::DS | Register::ES | Register::SS => 0,
        _ => return None,
    })
}
