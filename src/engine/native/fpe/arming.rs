//! Unmasks exceptions in the threads of a rank while a catchpoint waits for them.

use crate::native::breakpoints::points::Breakpoints;
use crate::native::ptrace::Tid;
use crate::native::tracer::pausing::pause;
use crate::native::tracer::phase::Phase;
use crate::native::tracer::tracee::Tracee;
use crate::native::tracer::tracer_shared::TracerShared;
use model::{Catch, Event, FloatExceptions, Point, Severity};

/// Returns the exceptions that enabled catchpoints wait for.
fn wanted(breakpoints: &Breakpoints) -> FloatExceptions {
    let enabled = breakpoints.points.values().filter(|point| point.request.enabled);
    enabled.fold(FloatExceptions::default(), |all, point| match &point.request.point {
        Point::Catch(Catch::Fpe(kinds)) => all.or(*kinds),
        _ => all,
    })
}

/// Unmasks the exceptions that catchpoints wait for, in all threads.
pub(in crate::native) fn update_fpu_traps(tracee: &mut Tracee) {
    let wanted = wanted(&tracee.breakpoints);
    if !tracee.inferior.process.threads_mut().fpu_traps_mut().set(wanted.bits()) {
        return;
    }
    let Breakpoints { fpe, claims, .. } = &mut tracee.breakpoints;
    fpe.trap(&mut tracee.inferior, claims);
    if tracee.phase == Phase::Running {
        pause(tracee);
    }
}

/// Reports, once, that a thread has masked exceptions itself.
pub(in crate::native) fn report_own_masks(tracee: &mut Tracee, shared: &mut TracerShared, tid: Tid) {
    let has_masked = tracee.inferior.process.thread_mut(tid).is_some_and(|thread| thread.fpu.take_masked_itself());
    if !has_masked || std::mem::replace(&mut tracee.breakpoints.fpe.has_told, true) {
        return;
    }
    let message = format!(
        "thread {} has masked floating-point exceptions itself: those that it raised since were not caught; they are \
            unmasked again",
        tracee.inferior.number(tid)
    );
    tracee.report(shared, Event::Message(Severity::Warning, message));
}
