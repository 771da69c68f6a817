//! Handles a thread that has stopped for a floating-point exception: the rank stops if a catchpoint waits for it;
//! otherwise the thread goes on as the program would.

use super::environment_calls::EnvironmentCall;
use super::operands::described;
use crate::native::ptrace::{FpuTrap, Tid, handle_fpu_trap};
use crate::native::tracer::phase::Halt;
use crate::native::tracer::tracee::Tracee;
use crate::native::tracer::tracer_shared::TracerShared;
use model::{Caught, FloatExceptions, FloatTrap};
use nix::libc;

/// Handles a floating-point exception that a thread has raised.
pub(in crate::native) fn float_trap(tracee: &mut Tracee, shared: &mut TracerShared, tid: Tid, trap: FpuTrap) {
    match catch_exception(tracee, tid, trap) {
        Some(halt) => tracee.halt(shared, halt),
        None if trap.is_of_program => tracee.signal(shared, tid, libc::SIGFPE),
        None => tracee.carry_on(tid, 0),
    }
}

/// Returns the stop of a catchpoint that waits for an exception, which is handled unless it is the program's own.
fn catch_exception(tracee: &mut Tracee, tid: Tid, trap: FpuTrap) -> Option<Halt> {
    let caught = Caught::Float(described(&mut tracee.inferior, tid, &trap));
    handle_fpu_trap(&mut tracee.inferior.process, tid, trap);
    let halt = tracee.breakpoints.caught(&mut tracee.inferior, tid, &caught)?;
    if trap.is_of_program
        && let Some(thread) = tracee.inferior.process.thread_mut(tid)
    {
        thread.delivery = libc::SIGFPE;
    }
    Some(halt)
}

/// Returns the stop of a catchpoint for a thread that is about to raise exceptions by a function of the C library.
pub(in crate::native) fn raised(tracee: &mut Tracee, tid: Tid, address: u64) -> Option<Halt> {
    let fpe = &tracee.breakpoints.fpe;
    if fpe.calls.at(address) != Some(EnvironmentCall::Raise) || fpe.inside.contains_key(&tid) {
        return None;
    }
    let registers = tracee.inferior.process.registers(tid).ok()?;
    let trap = FloatTrap {
        exceptions: FloatExceptions::of_bits(registers.rdi as u8),
        instruction: String::new(),
        operands: Vec::new(),
        before: None,
    };
    tracee.breakpoints.caught(&mut tracee.inferior, tid, &Caught::Float(trap))
}
