//! What the stops of a thread at system calls mean: calls that a stop has interrupted are told once.

use crate::process::call_stop::{CallStop, is_interrupted};
use model::SystemCall;
use nix::libc::{self, user_regs_struct};

/// The system calls of one thread, as far as its stops have told.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::native::ptrace) struct ThreadCalls {
    /// True if the thread was last resumed so that it stops at system calls.
    pub(in crate::native::ptrace) are_traced: bool,
    /// True in the stop at the beginning of a call, which the thread makes when it is resumed.
    pub(in crate::native::ptrace) begins: bool,
    /// True from that stop to the one at the end.
    pub(super) is_inside: bool,
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

/// What `PTRACE_GETEVENTMSG` says in these stops (Linux 5.3).
const ENTRY: i64 = 1;
const EXIT: i64 = 2;

/// True at the beginning of a call. Older kernels do not say; they set the result to this error before the call.
pub(super) fn begins(message: Option<i64>, result: u64, is_inside: bool) -> bool {
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
    pub(super) fn at(
        &mut self,
        begins: bool,
        registers: &user_regs_struct,
        is_signalled: impl Fn() -> bool,
    ) -> Option<CallStop> {
        (self.begins, self.is_inside) = (begins, begins);
        // The kernel has none (-1) if the call was called off, and after a signal handler has returned.
        let number = u32::try_from(registers.orig_rax).ok()?;
        let again = self.again.take();
        let mut call = SystemCall(number);
        let user_regs_struct { rip: pc, rsp: stack_pointer, rdi, rsi, rdx, r10, r8, r9, .. } = *registers;
        if call == SystemCall::RESTART
            && let Some(continued) = self.continued.or(again.map(|again| again.call))
        {
            call = continued;
        }
        let place = Place { call, pc, stack_pointer };
        self.continued = None;
        if begins && again == Some(place) {
            self.continued = Some(call);
            return None;
        }
        if !begins && is_interrupted(registers.rax) && !is_signalled() {
            self.again = Some(place);
            return None;
        }
        // It comes after the calls of a handler, which runs on the same stack.
        self.again = again.filter(|again| again.stack_pointer > stack_pointer);
        let returned = (!begins).then_some(registers.rax);
        Some(CallStop { call, arguments: [rdi, rsi, rdx, r10, r8, r9], returned })
    }

    /// Notes that a thread makes a call, with these registers, that has been reported already.
    pub(super) fn put_off(&mut self, registers: &user_regs_struct) {
        let user_regs_struct { orig_rax, rip: pc, rsp: stack_pointer, .. } = *registers;
        self.resumed(false);
        self.again = u32::try_from(orig_rax).ok().map(|call| Place { call: SystemCall(call), pc, stack_pointer });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const READ: u64 = 0;
    const NANOSLEEP: u64 = 35;
    const INTERRUPTED: i64 = -512;

    fn registers(number: u64, pc: u64, stack_pointer: u64, result: i64) -> user_regs_struct {
        #[expect(unsafe_code, reason = "the structure has no other default")]
        // SAFETY: all of its fields are numbers, for which zeros are a value.
        let empty: user_regs_struct = unsafe { std::mem::zeroed() };
        user_regs_struct { orig_rax: number, rip: pc, rsp: stack_pointer, rax: result.cast_unsigned(), ..empty }
    }

    /// The numbers of the reported calls, each with its result.
    fn told(stops: &[(bool, user_regs_struct, bool)]) -> Vec<(u32, Option<i64>)> {
        let mut calls = ThreadCalls::default();
        let stops = stops.iter().filter_map(|(begins, registers, signalled)| {
            let stop = calls.at(*begins, registers, || *signalled);
            calls.resumed(true);
            stop
        });
        stops.map(|stop| (stop.call.0, stop.returned.map(u64::cast_signed))).collect()
    }

    #[test]
    fn a_call_that_a_stop_interrupts_is_told_once() {
        let read = |begins, result| (begins, registers(READ, 0x10, 0x100, result), false);
        let stops = [read(true, 0), read(false, INTERRUPTED), read(true, 0), read(false, 7), read(true, 0)];
        assert_eq!(told(&stops), [(0, None), (0, Some(7)), (0, None)]);
    }

    #[test]
    fn a_signal_ends_the_call_and_what_follows_is_another() {
        let read = |begins, result, signalled| (begins, registers(READ, 0x10, 0x100, result), signalled);
        let stops = [read(true, 0, false), read(false, INTERRUPTED, true), read(true, 0, false)];
        assert_eq!(told(&stops), [(0, None), (0, Some(INTERRUPTED)), (0, None)]);
    }

    #[test]
    fn the_kernels_own_call_is_the_one_that_it_continues() {
        let sleep = |number, begins, result| (begins, registers(number, 0x10, 0x100, result), false);
        let restart = u64::from(SystemCall::RESTART.0);
        let stops = [
            sleep(NANOSLEEP, true, 0),
            sleep(NANOSLEEP, false, -516),
            sleep(restart, true, 0),
            sleep(restart, false, -516),
            sleep(restart, true, 0),
            sleep(restart, false, 0),
        ];
        assert_eq!(told(&stops), [(35, None), (35, Some(0))]);
    }

    #[test]
    fn calls_of_a_handler_are_told_before_the_interrupted_one_goes_on() {
        let at = |pc, stack_pointer, begins, result| (begins, registers(READ, pc, stack_pointer, result), false);
        let stops = [
            at(0x10, 0x100, true, 0),
            at(0x10, 0x100, false, INTERRUPTED),
            at(0x10, 0x80, true, 0),
            at(0x10, 0x80, false, 3),
            at(0x10, 0x100, true, 0),
            at(0x10, 0x100, false, 4),
        ];
        assert_eq!(told(&stops), [(0, None), (0, None), (0, Some(3)), (0, Some(4))]);
    }

    #[test]
    fn without_a_number_there_is_no_call() {
        assert_eq!(told(&[(false, registers(u64::MAX, 0x10, 0x100, 0), false)]), []);
    }

    #[test]
    fn older_kernels_show_the_beginning_by_its_result() {
        let enosys = -i64::from(libc::ENOSYS);
        assert!(begins(Some(1), 0, true) && !begins(Some(2), enosys.cast_unsigned(), false));
        assert!(begins(Some(0), enosys.cast_unsigned(), false));
        assert!(!begins(Some(0), enosys.cast_unsigned(), true), "the kernel lacks the call");
        assert!(!begins(None, 0, false));
    }
}
