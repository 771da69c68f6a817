//! The beginning of a step: the code that the thread must leave, and the places to wait for it.

use super::line_to_leave::no_bounds;
use super::skipping::skips_function;
use super::step_resume::{Caller, StepResume, Then};
use super::stepped_thread::SteppedThread;
use super::stepper::Stepper;
use super::targets::loaded_range;
use crate::native::breakpoints::points::Breakpoints;
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::Tid;
use crate::native::stepping::stepper::Stepping;
use debuginfo::{Stack, StackFrame};
use model::{Context, ErrorCode, Failure, StepKind, StopReason, VirtualAddress};

fn bounds(missing: &str) -> Failure {
    Failure::new(ErrorCode::DEBUGGER, missing)
}

impl Inferior {
    /// Prepares to leave an inlined function by stepping over its instructions.
    fn leave_inlined(&self, stepper: &mut Stepper, frame: &StackFrame) -> Option<()> {
        let (loaded, at) = self.images().locate(frame.registers.pc()?)?;
        let frames = loaded.image.inline_frames(at);
        let inlined = frames.get(frame.inline_depth as usize)?;
        stepper.kind = StepKind::Over;
        stepper.ranges = vec![loaded_range(loaded, &inlined.range)];
        stepper.inlined = frames.len().saturating_sub(frame.inline_depth as usize + 1);
        stepper.function = frames.last().map(|function| loaded.bias.loaded(function.entry).0);
        Some(())
    }

    /// Returns the caller of the innermost frame, whose code keeps no frame pointer: the CFA follows the return address
    /// (System V ABI, AMD64 supplement, 3.2.2).
    fn caller_of(&mut self, tid: Tid) -> Option<Caller> {
        let cfa = self.innermost_cfa(tid)?;
        let back = self.process.memory().word(cfa.checked_sub(8)?).ok()?;
        Some(Caller { back, stack_pointer: cfa })
    }

    /// Returns the CFA of the innermost frame.
    pub(in crate::native) fn innermost_cfa(&mut self, tid: Tid) -> Option<u64> {
        let Stack { frames, .. } = self.stack(tid, 0, Some(0)).ok()?;
        frames.first()?.cfa.map(|cfa| cfa.0)
    }

    pub(in crate::native) fn function_entry(&self, pc: Option<VirtualAddress>) -> Option<u64> {
        let (loaded, at) = self.images().locate(pc?)?;
        loaded.image.function_at(at).map(|function| loaded.bias.loaded(function.entry).0)
    }
}

impl Stepping {
    /// True if the step counts instructions, not lines.
    pub(in crate::native) fn counts_instructions(&self) -> bool {
        let kind = self.stepper.as_ref().map(|stepper| stepper.kind);
        matches!(kind, Some(StepKind::Instruction | StepKind::InstructionOver))
    }

    /// Prepares a step of a stopped thread; [`Stepping::advance`] then resumes it.
    pub(in crate::native) fn begin_step(
        &mut self,
        inferior: &mut Inferior,
        breakpoints: &mut Breakpoints,
        kind: StepKind,
        count: u32,
        context: Context,
    ) -> Result<(), Failure> {
        let tid = inferior.thread(context.thread)?;
        let on = &mut SteppedThread { inferior, breakpoints, tid };
        match kind {
            StepKind::Finish => return self.begin_finish(on, context.frame),
            StepKind::Into | StepKind::Over | StepKind::Onward if context.frame > 0 => {
                return self.begin_in_frame(on, kind, count, context.frame);
            }
            _ => {}
        }
        self.stepper = Some(Stepper::new(on.tid, kind, count, StopReason::Step));
        self.enter_inlined(on.inferior);
        self.begin_round(on).inspect_err(|_| self.end(on.inferior, on.breakpoints))
    }

    /// Enters inlined functions that begin here: each uses up a repetition but executes nothing.
    pub(in crate::native) fn enter_inlined(&mut self, inferior: &mut Inferior) {
        let Some(stepper) = self.stepper.as_mut().filter(|stepper| stepper.kind == StepKind::Into) else { return };
        let Some(mut outside) = inferior.outside.filter(|outside| outside.tid == stepper.thread) else { return };
        while stepper.remaining > 0
            && let Some(next) = outside.count.checked_sub(1)
            && !skips_function(inferior, outside.pc, Some(next as usize))
        {
            outside.count = next;
            stepper.remaining -= 1;
        }
        inferior.outside = Some(outside);
    }

    /// Prepares to run a thread until one of its frames returns.
    fn begin_finish(&mut self, on: &mut SteppedThread<'_>, level: u32) -> Result<(), Failure> {
        let outermost = || bounds("\"finish\" not meaningful in the outermost frame.");
        let Stack { frames, fault } = on.inferior.stack(on.tid, 0, Some(level + 1))?;
        let frame = frames.get(level as usize).ok_or_else(|| bounds("No frame at that level."))?;
        let mut stepper = Stepper::new(on.tid, StepKind::Finish, 1, StopReason::Finished(None));
        if frame.frame.inlined {
            on.inferior.leave_inlined(&mut stepper, frame).ok_or_else(outermost)?;
            self.stepper = Some(stepper);
            return Ok(());
        }
        let Some(caller) = frames.get(level as usize + 1) else {
            return Err(fault.map_or_else(outermost, |fault| bounds(&format!("Cannot find the caller: {fault}"))));
        };
        let (address, cfa) = caller.registers.pc().zip(frame.cfa).ok_or_else(outermost)?;
        stepper.returns = on.inferior.return_type(on.tid, level);
        self.stepper = Some(stepper);
        self.land(on, &[StepResume { address: address.0, lowest_stack: cfa.0, then: Then::End }])
            .inspect_err(|_| self.end(on.inferior, on.breakpoints))
    }

    /// Prepares to run a thread to one of these places, in its frame or `anywhere`, or until the frame returns.
    pub(in crate::native) fn begin_until(
        &mut self,
        inferior: &mut Inferior,
        breakpoints: &mut Breakpoints,
        places: &[u64],
        context: Context,
        anywhere: bool,
    ) -> Result<(), Failure> {
        let tid = inferior.thread(context.thread)?;
        let on = &mut SteppedThread { inferior, breakpoints, tid };
        let Stack { frames, .. } = on.inferior.stack(on.tid, 0, Some(context.frame + 1))?;
        let frame = frames.get(context.frame as usize).ok_or_else(|| bounds("No frame at that level."))?;
        // A place is in the frame if it is in its function, and is only waited for in this activation.
        let function = on.inferior.function_entry(frame.registers.pc());
        let inside = |at: &u64| on.inferior.function_entry(Some(VirtualAddress(*at))) == function;
        let then = frame.cfa.filter(|_| !anywhere).map_or(Then::End, |cfa| Then::EndIn(cfa.0));
        let wanted = places.iter().filter(|address| anywhere || inside(address));
        let mut landings: Vec<StepResume> =
            wanted.map(|address| StepResume { address: *address, lowest_stack: 0, then }).collect();
        if let Some(caller) = frames.get(context.frame as usize + 1).filter(|_| !frame.frame.inlined)
            && let Some((address, cfa)) = caller.registers.pc().zip(frame.cfa)
        {
            landings.push(StepResume { address: address.0, lowest_stack: cfa.0, then: Then::End });
        }
        self.stepper = Some(Stepper::new(on.tid, StepKind::Finish, 1, StopReason::Step));
        self.land(on, &landings).inspect_err(|_| self.end(on.inferior, on.breakpoints))
    }

    /// Leaves a linkage table stub, which a step by instructions has led to: into the function that it calls, or
    /// through it. Once the stub has begun, the top of the stack is not the return address.
    fn leave_stub(&mut self, on: &mut SteppedThread<'_>, caller: Caller) -> Result<(), Failure> {
        let Some(stepper) = &mut self.stepper else { return Ok(()) };
        (stepper.line, stepper.function, stepper.inlined) = (None, None, 0);
        stepper.ranges.clear();
        if stepper.kind == StepKind::Into {
            stepper.entering = Some(caller);
            return Ok(());
        }
        self.land(on, &[caller.step_resume(Then::Return)])
    }

    /// Finds the line and the instructions that the thread must leave.
    pub(in crate::native) fn begin_round(&mut self, on: &mut SteppedThread<'_>) -> Result<(), Failure> {
        let pc = on.inferior.pc(on.tid)?;
        let outside = on.inferior.outside_at(on.tid, pc) as usize;
        let place = on.inferior.images().locate(VirtualAddress(pc)).map(|(loaded, at)| (loaded.clone(), at));
        let Some(stepper) = &mut self.stepper else { return Ok(()) };
        if matches!(stepper.kind, StepKind::Instruction | StepKind::InstructionOver) {
            return Ok(());
        }
        let (loaded, at) = place.ok_or_else(no_bounds)?;
        if loaded.image.file().is_plt(at)
            && let Some(caller) = on.inferior.caller_of(on.tid)
        {
            return self.leave_stub(on, caller);
        }
        let Some(stepper) = &mut self.stepper else { return Ok(()) };
        stepper.leave_line(&loaded, at, outside)
    }
}
