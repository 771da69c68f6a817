//! Steps by lines from a frame further out, as it is selected after a stop in a library: the functions that it has called
//! are run through first, as `next` does.

use super::line_to_leave::no_bounds;
use super::step_resume::{Caller, Then};
use super::stepped_thread::SteppedThread;
use super::stepper::{Stepper, Stepping};
use debuginfo::{Stack, StackFrame};
use model::{ErrorCode, Failure, StepKind, StopReason};

/// Returns the place where the thread comes back into a frame, when the function that it has called returns; `None` if
/// the thread is there already, in a function inlined into it.
fn way_back(frames: &[StackFrame], frame: &StackFrame) -> Result<Option<Caller>, Failure> {
    let inner = frames.iter().take_while(|inner| inner.frame.level < frame.frame.level);
    let Some(called) = inner.filter(|inner| !inner.frame.inlined).last() else { return Ok(None) };
    // A frame that a tail call has replaced is not returned to, but its callers are.
    let back = frame.given_up_to.last().copied().or_else(|| frame.registers.pc());
    let known = back.zip(called.cfa).map(|(back, cfa)| Some(Caller { back: back.0, stack_pointer: cfa.0 }));
    known.ok_or_else(|| {
        let words = format!(
            "Cannot find where frame {} continues: \"frame 0\" first steps the innermost frame.",
            frame.frame.level
        );
        Failure::new(ErrorCode::DEBUGGER, words)
    })
}

impl Stepping {
    /// Prepares a step by lines that begins in this frame, not in the innermost one.
    pub(super) fn begin_in_frame(
        &mut self,
        on: &mut SteppedThread<'_>,
        kind: StepKind,
        count: u32,
        level: u32,
    ) -> Result<(), Failure> {
        let Stack { frames, .. } = on.inferior.stack(on.tid, 0, Some(level))?;
        let missing = || Failure::new(ErrorCode::NO_STACK, format!("No frame at level {level}."));
        let frame = frames.iter().find(|frame| frame.frame.level == level).ok_or_else(missing)?;
        let back = way_back(&frames, frame)?;
        let mut stepper = Stepper::new(on.tid, kind, count, StopReason::Step);
        if frame.given_up_to.is_empty() {
            let place = frame.lookup_address().and_then(|address| on.inferior.images().locate(address));
            let (loaded, at) = place.ok_or_else(no_bounds)?;
            stepper.leave_line(loaded, at, frame.inline_depth as usize)?;
            if kind == StepKind::Into && frame.inline_depth > 0 {
                (stepper.kind, stepper.enters_later) = (StepKind::Over, true);
            }
        }
        self.stepper = Some(stepper);
        let landings: Vec<_> = back.iter().map(|back| back.step_resume(Then::Return)).collect();
        self.land(on, &landings).inspect_err(|_| self.end(on.inferior, on.breakpoints))
    }
}
