//! Catchpoints on system calls: while there are any, threads stop at the beginning and the end of each call.

use super::points::Breakpoints;
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::Tid;
use crate::native::tracer::pausing::pause;
use crate::native::tracer::phase::Phase;
use crate::native::tracer::tracee::Tracee;
use crate::native::tracer::tracer_shared::TracerShared;
use crate::process::call_stop::{CallStop, described, text_at};
use model::{Catch, Caught, CaughtCall, Point, SystemCall};

/// The instruction that makes a system call with the numbers of 32-bit programs, `int 0x80`.
const OF_32_BITS: [u8; 2] = [0xcd, 0x80];

impl Breakpoints {
    /// True if an enabled catchpoint waits for system calls ; `Some`: for this one.
    fn waits_for_calls(&self, call: Option<SystemCall>) -> bool {
        let mut enabled = self.points.values().filter(|point| point.request.enabled);
        enabled.any(|point| match &point.request.point {
            Point::Catch(Catch::Call(choice)) => call.is_none_or(|call| choice.contains(call)),
            _ => false,
        })
    }
}

/// Makes the threads stop at system calls while a catchpoint waits for some.
pub(in crate::native) fn update_call_stops(tracee: &mut Tracee) {
    let wanted = tracee.breakpoints.waits_for_calls(None);
    let threads = tracee.inferior.process.threads_mut();
    if std::mem::replace(&mut threads.stop_at_calls, wanted) != wanted && tracee.phase == Phase::Running {
        pause(tracee);
    }
}

/// Handles a thread that begins or ends a system call: the rank stops if a catchpoint waits for it.
pub(in crate::native) fn call_stop(tracee: &mut Tracee, shared: &mut TracerShared, tid: Tid, stop: &CallStop) {
    if tracee.breakpoints.waits_for_calls(Some(stop.call))
        && let Some(call) = of_64_bits(&mut tracee.inferior, tid, stop)
        && tracee.catch(shared, tid, &Caught::Call(call))
    {
        return;
    }
    tracee.carry_on(tid, 0);
}

/// Describes a call; `None` if its number is of the other table.
fn of_64_bits(inferior: &mut Inferior, tid: Tid, stop: &CallStop) -> Option<CaughtCall> {
    let pc = inferior.process.registers(tid).ok()?.rip;
    let mut code = [0; OF_32_BITS.len()];
    let space = inferior.process.address_space();
    if space.read_some(pc.wrapping_sub(code.len() as u64), &mut code) == code.len() && code == OF_32_BITS {
        return None;
    }
    let memory = inferior.process.memory();
    Some(described(stop, |address| text_at(address, |at, part| memory.read(at, part).is_ok())))
}
