//! Steps: decides after each instruction whether the line is left, whether to run through a call and where to wait.

use super::basic_block::{AHEAD, BlockEnd, straight_end};
use super::skipping::skips_function;
use super::step_resume::{Caller, StepResume, Then};
use super::stepped_thread::SteppedThread;
use super::targets::{line_ranges, loaded_range};
use crate::native::breakpoints::claims::Claim;
use crate::native::breakpoints::points::Breakpoints;
use crate::native::breakpoints::verdict::Verdict;
use crate::native::inspect::inferior::Inferior;
use crate::native::inspect::inferior::Outside;
use crate::native::ptrace::{LONGEST, Pace, Tid, decode, is_call};
use crate::native::stepping::stepper::Last;
use crate::native::stepping::stepper::StepAction;
use crate::native::stepping::stepper::Stepping;
use crate::native::tracer::outbox::RankReports;
use debuginfo::inlined_at_entry;
use iced_x86::{FlowControl, Instruction};
use model::{Failure, StepKind, StopReason, VirtualAddress};

impl Inferior {
    fn instruction_of(&mut self, tid: Tid) -> Option<(Instruction, u64)> {
        let registers = self.process.registers(tid).ok()?;
        let mut code = [0; LONGEST];
        let length = self.process.address_space().read_some(registers.rip, &mut code);
        Some((decode(code.get(..length)?, registers.rip)?, registers.rsp))
    }
}

impl Stepping {
    /// True if a thread is single-stepped for the step.
    pub(in crate::native) fn is_stepping(&self, tid: Tid) -> bool {
        self.stepper.as_ref().is_some_and(|stepper| stepper.thread == tid && stepper.pace == Pace::Step)
    }

    /// Ends the step, if there is one, without a report.
    pub(in crate::native) fn end(&mut self, inferior: &mut Inferior, breakpoints: &mut Breakpoints) {
        if self.stepper.take().is_some() {
            breakpoints.claims.remove_all(&mut inferior.process, |claim| {
                matches!(claim, Claim::StepResume | Claim::LongJump | Claim::Handler)
            });
        }
    }

    /// Waits for the thread at exactly these places.
    pub(super) fn land(&mut self, on: &mut SteppedThread<'_>, landings: &[StepResume]) -> Result<(), Failure> {
        on.breakpoints.claims.remove_all(&mut on.inferior.process, |claim| *claim == Claim::StepResume);
        for step_resume in landings {
            on.breakpoints.claims.add(&mut on.inferior.process, step_resume.address, Claim::StepResume)?;
        }
        if landings.iter().any(|step_resume| step_resume.then != Then::Passed) {
            self.see_jumps(on);
        }
        if let Some(stepper) = &mut self.stepper {
            stepper.landings = landings.to_vec();
            stepper.pace = if landings.is_empty() { Pace::Step } else { Pace::Run };
        }
        Ok(())
    }

    /// Resumes the thread of the step: for one instruction, through a call or through code without branches.
    pub(in crate::native) fn advance(&mut self, on: &mut SteppedThread<'_>) -> StepAction {
        let Some(stepper) = &self.stepper else { return StepAction::Nothing };
        let kind = stepper.kind;
        let waits = !stepper.landings.is_empty();
        let delivery = on.inferior.process.thread_mut(on.tid).map_or(0, |thread| std::mem::take(&mut thread.delivery));
        if waits {
            return StepAction::Resume(on.tid, delivery);
        }
        if let Some(stepper) = &mut self.stepper {
            stepper.enters_handler = delivery != 0;
        }
        let Some((instruction, sp)) = on.inferior.instruction_of(on.tid) else {
            // Nothing can be executed there: the thread gets a fault.
            self.pace(Pace::Step, Last::Plain);
            return self.deliver(on, delivery);
        };
        let next = instruction.next_ip();
        if is_call(&instruction) && delivery == 0 {
            match kind {
                StepKind::Into => self.pace(Pace::Step, Last::Call(Caller { back: next, stack_pointer: sp })),
                StepKind::Instruction => self.pace(Pace::Step, Last::Plain),
                _ => {
                    let caller = Caller { back: next, stack_pointer: sp };
                    if let Err(failure) = self.land(on, &[caller.step_resume(Then::Return)]) {
                        return StepAction::give_up(on.tid, failure);
                    }
                }
            }
        } else if let Some(end) = self.straight_end(on).filter(|_| delivery == 0) {
            let behind = StepResume { address: end.address, lowest_stack: end.stack_pointer, then: Then::Passed };
            if let Err(failure) = self.land(on, &[behind]) {
                return StepAction::give_up(on.tid, failure);
            }
        } else {
            let last = match instruction.flow_control() {
                FlowControl::Return => Last::Return,
                FlowControl::UnconditionalBranch | FlowControl::IndirectBranch | FlowControl::ConditionalBranch => {
                    Last::Jump
                }
                _ => Last::Plain,
            };
            self.pace(Pace::Step, last);
        }
        self.deliver(on, delivery)
    }

    /// Returns the end of the code without branches at the thread's place, for a step by lines.
    fn straight_end(&mut self, on: &mut SteppedThread<'_>) -> Option<BlockEnd> {
        let stepper = self.stepper.as_ref()?;
        if self.counts_instructions() || stepper.entering.is_some() || stepper.handler.is_some() {
            return None;
        }
        let registers = on.inferior.process.registers(on.tid).ok()?;
        let mut code = [0; AHEAD];
        let length = on.inferior.process.address_space().read_some(registers.rip, &mut code);
        let inside =
            |pc: u64| self.stepper.iter().any(|stepper| stepper.ranges.iter().any(|range| range.contains(&pc)));
        straight_end(code.get(..length)?, registers.rip, registers.rsp, inside)
    }

    pub(in crate::native) fn pace(&mut self, pace: Pace, last: Last) {
        if let Some(stepper) = &mut self.stepper {
            stepper.pace = pace;
            stepper.last = last;
        }
    }

    /// Notes that a signal is about to be delivered to the thread of the step, so that the step recognizes its handler.
    fn note_handler(&mut self, inferior: &mut Inferior, tid: Tid) {
        if !self.is_stepping(tid) {
            return;
        }
        let Ok(registers) = inferior.process.registers(tid) else { return };
        if let Some(stepper) = &mut self.stepper {
            stepper.handler = Some(Caller { back: registers.rip, stack_pointer: registers.rsp });
        }
    }

    /// Resumes the thread with a signal; the step may then run through its handler first.
    pub(in crate::native) fn deliver(&mut self, on: &mut SteppedThread<'_>, signal: i32) -> StepAction {
        if signal != 0 {
            self.note_handler(on.inferior, on.tid);
        }
        StepAction::Resume(on.tid, signal)
    }

    /// Continues a step after its thread has done one instruction.
    pub(in crate::native) fn stepped(
        &mut self,
        on: &mut SteppedThread<'_>,
        reports: &mut RankReports<'_>,
    ) -> StepAction {
        let Ok(pc) = on.inferior.pc(on.tid) else { return StepAction::Nothing };
        if self.stepper.as_ref().is_none_or(|stepper| stepper.thread != on.tid) {
            return StepAction::Resume(on.tid, 0);
        }
        if self.in_handler(on) {
            let Some(stepper) = &mut self.stepper else { return StepAction::Nothing };
            let interrupted = stepper.handler.take();
            if std::mem::take(&mut stepper.enters_handler) {
                return self.end_round(on);
            }
            let Some(interrupted) = interrupted else { return StepAction::Nothing };
            if let Err(failure) = self.land(on, &[interrupted.step_resume(Then::Resume)]) {
                return StepAction::give_up(on.tid, failure);
            }
            return StepAction::Resume(on.tid, 0);
        }
        if on.breakpoints.claims.is_claimed(pc) {
            let claims = on.breakpoints.claims.at(pc).to_vec();
            if let Some(thread) = on.inferior.process.thread_mut(on.tid) {
                thread.passes = true;
            }
            if let Some(Verdict::Stop(reason, note)) = on.breakpoints.judge(on.inferior, reports, on.tid, &claims) {
                return StepAction::Stop { tid: on.tid, reason, note };
            }
            if let Some(reason) = on.breakpoints.ended_scope(on.inferior, on.tid, &claims) {
                return StepAction::Stop { tid: on.tid, reason, note: None };
            }
        }
        let Some(stepper) = &mut self.stepper else { return StepAction::Nothing };
        (stepper.handler, stepper.enters_handler) = (None, false);
        if matches!(stepper.kind, StepKind::Instruction | StepKind::InstructionOver) {
            return self.end_round(on);
        }
        if let Some(caller) = stepper.entering {
            return self.in_stub(on, pc, caller);
        }
        match stepper.last {
            Last::Call(caller) => self.entered(on, pc, caller),
            _ => self.examine(on, pc),
        }
    }

    /// True if the thread is at the first instruction of a signal handler, by the frame that the kernel made for it
    /// (`struct rt_sigframe` of x86-64: return address, `ucontext` with the interrupted registers).
    fn in_handler(&mut self, on: &mut SteppedThread<'_>) -> bool {
        const SAVED_SP: u64 = 8 + 40 + 15 * 8;
        const SAVED_PC: u64 = SAVED_SP + 8;
        let Some(interrupted) = self.stepper.as_ref().and_then(|stepper| stepper.handler) else { return false };
        let Ok(registers) = on.inferior.process.registers(on.tid) else { return false };
        let memory = on.inferior.process.memory();
        registers.rip != interrupted.back
            && memory.word(registers.rsp.wrapping_add(SAVED_PC)) == Ok(interrupted.back)
            && memory.word(registers.rsp.wrapping_add(SAVED_SP)) == Ok(interrupted.stack_pointer)
    }

    /// Ends the round if the thread has left the line; otherwise returns the next action.
    fn examine(&mut self, on: &mut SteppedThread<'_>, pc: u64) -> StepAction {
        let Some(stepper) = &self.stepper else { return StepAction::Nothing };
        if stepper.ranges.iter().any(|range| range.contains(&pc)) {
            return self.advance(on);
        }
        let place = on.inferior.images().locate(VirtualAddress(pc)).map(|(loaded, at)| (loaded.clone(), at));
        let Some((loaded, at)) = place else { return self.end_round(on) };
        if stepper.last == Last::Jump && self.is_entry(&loaded, at) {
            return self.jumped_into(on, pc);
        }
        if loaded.image.is_signal_trampoline(at) {
            // A handler returns to this trampoline, which asks the kernel to resume the interrupted code.
            self.pace(Pace::Step, Last::Plain);
            return StepAction::Resume(on.tid, 0);
        }
        let frames = loaded.image.inline_frames(at);
        let function = loaded.image.function_at(at).map(|function| loaded.bias.loaded(function.entry).0);
        let same_function = function.is_some() && function == stepper.function;
        let Some(stepper) = &mut self.stepper else { return StepAction::Nothing };
        if !(same_function && frames.len() > stepper.inlined) {
            stepper.enters_from_here();
        }
        if same_function && frames.len() > stepper.inlined {
            // The outermost of the functions inlined here that were not inlined where the step began.
            let inner = frames.len() - stepper.inlined - 1;
            let (over, line) = (stepper.kind != StepKind::Into, stepper.line.clone());
            let over = over || skips_function(on.inferior, pc, Some(inner));
            let begins = frames.get(inner).filter(|inner| inner.entry == at || inner.range.start == at);
            if let Some(call) = begins.map(|inner| inner.call.clone()) {
                let count = inlined_at_entry(on.inferior.images(), VirtualAddress(pc)).min(inner as u32 + 1);
                if call != line {
                    // An inlined call on another line: the step ends before it.
                    on.inferior.outside = Some(Outside { tid: on.tid, pc, count });
                    return self.end_round(on);
                }
                if !over {
                    on.inferior.outside = Some(Outside { tid: on.tid, pc, count: count.saturating_sub(1) });
                    return self.end_round(on);
                }
            }
            if over {
                // An inlined function is run through like a call.
                let range = frames.get(inner).map(|inner| loaded_range(&loaded, &inner.range));
                if let Some(stepper) = &mut self.stepper {
                    stepper.ranges.extend(range);
                }
                return self.advance(on);
            }
        }
        let Some(row) = loaded.image.line_at(at) else { return self.end_round(on) };
        let begins = row.range.start == at;
        let another = stepper.line.as_ref() != Some(&row.place);
        if row.place.line != 0 && another && begins && row.is_stmt {
            return self.end_round(on);
        }
        let own = loaded_range(&loaded, &row.range);
        let ranges = line_ranges(&loaded, at, &row.range);
        if let Some(stepper) = &mut self.stepper {
            let same_frame = same_function && frames.len() == stepper.inlined;
            if row.place.line == 0 || begins && another && same_frame {
                // Not the beginning of a statement: the line to leave stays the same.
                stepper.ranges.push(own);
            } else {
                // In the middle of a line, as after a return: run to its end. At the start of a row that is no
                // statement, the next line that begins a statement ends the step, even the same line.
                let aside = begins && another && !row.is_stmt;
                stepper.ranges = if aside { vec![own] } else { ranges };
                stepper.line = (!aside).then_some(row.place);
                stepper.function = function;
                stepper.inlined = frames.len();
            }
        }
        self.advance(on)
    }

    /// Continues the step after a thread has arrived where it waits; `None` if it is not the step's thread or frame.
    pub(in crate::native) fn at_step_resume(&mut self, on: &mut SteppedThread<'_>, address: u64) -> Option<StepAction> {
        let registers = on.inferior.process.registers(on.tid).ok()?;
        let stepper = self.stepper.as_mut().filter(|stepper| stepper.thread == on.tid)?;
        let mine =
            |step_resume: &&StepResume| step_resume.address == address && registers.rsp >= step_resume.lowest_stack;
        let step_resume = stepper.landings.iter().find(mine).copied()?;
        stepper.last = if step_resume.then == Then::Passed { Last::Plain } else { Last::Return };
        if matches!(step_resume.then, Then::EndIn(cfa) if on.inferior.innermost_cfa(on.tid).is_some_and(|found| found < cfa))
        {
            return None;
        }
        if let Err(failure) = self.land(on, &[]) {
            return Some(StepAction::give_up(on.tid, failure));
        }
        Some(match step_resume.then {
            Then::End | Then::EndIn(_) | Then::Arrived => self.end_round(on),
            Then::Return if self.counts_instructions() => self.end_round(on),
            Then::Return | Then::Passed => self.examine(on, address),
            Then::Resume => self.advance(on),
            Then::Resolver(caller) => self.at_resolver(on, caller),
            Then::Resolved(caller) => self.run_into(on, on.inferior.first_line(registers.rax), caller),
        })
    }

    /// True if the thread returns from a signal handler to where it was: breakpoints there have been reported already.
    pub(in crate::native) fn comes_back(&mut self, on: &mut SteppedThread<'_>, address: u64) -> bool {
        let Ok(registers) = on.inferior.process.registers(on.tid) else { return false };
        let is_it = |step_resume: &StepResume| {
            step_resume.then == Then::Resume
                && step_resume.address == address
                && registers.rsp >= step_resume.lowest_stack
        };
        self.stepper.iter().any(|stepper| stepper.thread == on.tid && stepper.landings.iter().any(is_it))
    }

    /// Ends one repetition, and the step with the last.
    pub(in crate::native) fn end_round(&mut self, on: &mut SteppedThread<'_>) -> StepAction {
        let Some(stepper) = &mut self.stepper else { return StepAction::Nothing };
        stepper.remaining = stepper.remaining.saturating_sub(1);
        stepper.last = Last::Plain;
        stepper.entering = None;
        stepper.enters_from_here();
        let (reason, returns) = (stepper.reason.clone(), stepper.returns.take());
        self.enter_inlined(on.inferior);
        if self.stepper.as_ref().is_none_or(|stepper| stepper.remaining == 0) {
            let reason = match (reason, returns) {
                (StopReason::Finished(_), Some(ty)) => StopReason::Finished(on.inferior.returned_value(on.tid, &ty)),
                (reason, _) => reason,
            };
            return StepAction::Stop { tid: on.tid, reason, note: None };
        }
        match self.begin_round(on) {
            Ok(()) => self.advance(on),
            Err(failure) => StepAction::give_up(on.tid, failure),
        }
    }
}
