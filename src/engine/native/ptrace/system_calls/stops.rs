//! Stops at the beginning and at the end of system calls (ptrace(2), syscall-stops).

use super::thread_calls::begins;
use crate::native::ptrace::address_space::AddressSpace;
use crate::native::ptrace::observation::Observation;
use crate::native::ptrace::process::Process;
use crate::native::ptrace::requests::{self, Status, Tid};
use crate::native::ptrace::thread::Thread;
use crate::process::procfs::waiting_signals;
use nix::errno::Errno;
use nix::libc::{self, user_regs_struct};

/// The length of `syscall`, and of `int 0x80`.
const INSTRUCTION: u64 = 2;
impl Thread {
    /// Returns the event of a thread that has stopped at a system call.
    pub(in crate::native::ptrace) fn at_call(&mut self, space: &AddressSpace) -> Observation {
        let Ok(registers) = self.registers(space) else { return Observation::Nothing };
        let begins = begins(requests::event_message(self.tid).ok(), registers.rax, self.calls.is_inside);
        let tid = self.tid;
        match self.calls.at(begins, &registers, || waiting_signals(tid) != 0) {
            Some(stop) => Observation::Call(stop),
            None => Observation::Nothing,
        }
    }
}

impl Process {
    /// Takes a thread that has stopped at the beginning of a system call to before its instruction, so that it can do
    /// something else; it makes the call afterwards, which is not reported again.
    pub(in crate::native::ptrace) fn put_off_call(&mut self, tid: Tid) -> Result<(), Errno> {
        let Some(thread) = self.threads.get_mut(tid).filter(|thread| thread.calls.begins) else { return Ok(()) };
        let registers = thread.registers(&self.space)?;
        // Without a number the kernel makes no call; after a single step it stops before the next instruction.
        thread.put(user_regs_struct { orig_rax: u64::MAX, ..registers });
        match thread.step_now()? {
            Status::Stopped(libc::SIGTRAP) => {}
            other => {
                self.pending.add_status(tid, other);
                return Err(Errno::ESRCH);
            }
        }
        thread.note_signal_stop();
        let pc = registers.rip.wrapping_sub(INSTRUCTION);
        thread.calls.put_off(&registers);
        thread.put(user_regs_struct { rip: pc, rax: registers.orig_rax, orig_rax: u64::MAX, ..registers });
        thread.passes = self.space.has_site(pc) || self.debug.executes_at(pc);
        Ok(())
    }
}
