//! The return of called functions that the rank has stopped in.

use super::called_frame::CalledFrame;
use crate::native::breakpoints::claims::Claim;
use crate::native::breakpoints::points::Breakpoints;
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::{Process, Tid};
use crate::native::stepping::stepper::Stepping;
use crate::native::tracer::phase::Halt;
use model::{ErrorCode, Failure, StopReason};

/// Restores a thread to its state before the call.
pub(super) fn put_back(process: &mut Process, frame: CalledFrame) -> Result<(), Failure> {
    process.restore(frame.thread, frame.saved).map_err(|errno| {
        Failure::new(ErrorCode::DEBUGGER, format!("The registers cannot be put back: {}", errno.desc()))
    })
}

/// Handles a thread at the return address of called functions: if it has returned from one, the rank stops.
pub(in crate::native) fn returned(
    inferior: &mut Inferior,
    breakpoints: &mut Breakpoints,
    stepping: &mut Stepping,
    tid: Tid,
    address: u64,
) -> Option<Halt> {
    let stack = inferior.process.registers(tid).map_or(0, |registers| registers.rsp);
    let frame = inferior.left_calls.take(tid, address, stack)?;
    breakpoints.claims.remove(&mut inferior.process, address, Claim::CallEnd);
    let returns = stepping.finishes_at(tid, address, stack);
    let value = returns.and_then(|returns| inferior.returned_value(tid, &returns));
    let note = match put_back(&mut inferior.process, frame) {
        Ok(()) => "the function that was called has returned".to_owned(),
        Err(failure) => failure.message,
    };
    Some(Halt::Stop { tid, reason: StopReason::Finished(value), note: Some(note) })
}

/// The same for a thread that single-stepped there.
pub(in crate::native) fn stepped_out(
    inferior: &mut Inferior,
    breakpoints: &mut Breakpoints,
    stepping: &mut Stepping,
    tid: Tid,
) -> Option<Halt> {
    if inferior.left_calls.is_empty() {
        return None;
    }
    let pc = inferior.pc(tid).ok()?;
    returned(inferior, breakpoints, stepping, tid, pc)
}

/// Cancels every called function that has not returned, before the process is detached.
pub(in crate::native) fn abandon(inferior: &mut Inferior, breakpoints: &mut Breakpoints) {
    while let Some(frame) = inferior.left_calls.pop() {
        breakpoints.claims.remove(&mut inferior.process, frame.back, Claim::CallEnd);
        let _ = put_back(&mut inferior.process, frame);
    }
}
