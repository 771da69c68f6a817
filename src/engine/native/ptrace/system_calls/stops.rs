//! Stops at the beginning and at the end of system calls (ptrace(2), syscall-stops).

use crate::native::ptrace::address_space::AddressSpace;
use crate::native::ptrace::observation::Observation;
use crate::native::ptrace::process::Process;
use crate::native::ptrace::requests::{self, Status, Tid};
use crate::native::ptrace::thread::Thread;
use crate::process::call_stop::{CallStop, is_interrupted};
use crate::process::procfs::waiting_signals;
use model::SystemCall;
use nix::errno::Errno;
use nix::libc::{self, user_regs_struct};

/// The system calls of one thread, as far as its stops have told.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::native::ptrace) struct ThreadCalls {
    /// True if the thread was last resumed so that it stops at system calls.
    pub(in crate::native::ptrace) are_traced: bool,
    /// True in the stop at the beginning of a call, which the thread makes when it is resumed.
    pub(in crate::native::ptrace) begins: bool,
    /// True from that stop to the one at the end.
    is_inside: bool,
    /// A call that was reported and that the thread makes again, because a stop of the debugger has interrupted it.
    again: Option<Place>,
    /// The call that restart_syscall(2) continues.
    continued: Option<SystemCall>,
}

/// A call by its number and the registers after its instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    call: SystemCall,
    pc: u64,
    stack_pointer: u64,
}

/// The length of `syscall`, and of `int 0x80`.
const INSTRUCTION: u64 = 2;
/// What `PTRACE_GETEVENTMSG` says in these stops (Linux 5.3).
const ENTRY: i64 = 1;
const EXIT: i64 = 2;

/// True at the beginning of a call. Older kernels do not say; they set the result to this error before the call.
fn begins(message: Option<i64>, result: u64, is_inside: bool) -> bool {
    match message {
        Some(ENTRY) => true,
        Some(EXIT) => false,
        _ => !is_inside && result.cast_signed() == -i64::from(libc::ENOSYS),
    }
}

impl ThreadCalls {
    /// Notes that the thread goes on; `traced`: until the next stop at a system call.
    pub(in crate::native::ptrace) fn resumed(&mut self, traced: bool) {
        self.are_traced = traced;
        self.begins = false;
        self.is_inside &= traced;
    }

    /// Returns the stop to report at a call; `None` if it has been reported before, or is none of the program's.
    fn at(&mut self, begins: bool, registers: &user_regs_struct, is_signalled: impl Fn() -> bool) -> Option<CallStop> {
        (self.begins, self.is_inside) = (begins, begins);
        let again = self.again.take();
        // The kernel has none (-1) if the call was called off, and after a signal handler has returned.
        let number = u32::try_from(registers.orig_rax).ok()?;
        let mut call = SystemCall(number);
        let user_regs_struct { rip: pc, rsp: stack_pointer, rdi, rsi, rdx, r10, r8, r9, .. } = *registers;
        if call == SystemCall::RESTART
            && let Some(continued) = self.continued.or(again.map(|again| again.call))
        {
            call = continued;
        }
        let place = Place { call, pc, stack_pointer };
        if begins {
            self.continued = None;
            if again == Some(place) {
                self.continued = Some(call);
                return None;
            }
            // It comes after those of a handler, which runs on the same stack.
            self.again = again.filter(|again| again.stack_pointer > stack_pointer);
        } else {
            self.continued = None;
            if is_interrupted(registers.rax) && !is_signalled() {
                self.again = Some(place);
                return None;
            }
        }
        let returned = (!begins).then_some(registers.rax);
        Some(CallStop { call, arguments: [rdi, rsi, rdx, r10, r8, r9], returned })
    }
}

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
        let call = u32::try_from(registers.orig_rax).map(SystemCall).map_err(|_| Errno::EINVAL)?;
        thread.calls.resumed(false);
        thread.calls.again = Some(Place { call, pc: registers.rip, stack_pointer: registers.rsp });
        thread.put(user_regs_struct { rip: pc, rax: registers.orig_rax, orig_rax: u64::MAX, ..registers });
        thread.passes = self.space.has_site(pc);
        Ok(())
    }
}
