//! Steps: which instructions belong to the line, when a call is run through, where a thread is waited for.

use super::basic_block::{AHEAD, BlockEnd, straight_end};
use super::step_resume::{StepResume, Then};
use super::targets::{line_ranges, loaded_range};
use crate::native::breakpoints::claims::Claim;
use crate::native::breakpoints::verdict::Verdict;
use crate::native::inspect::inferior::Inferior;
use crate::native::inspect::inferior::Outside;
use crate::native::ptrace::{LONGEST, Pace, Tid, decode, is_call};
use crate::native::tracer::phase::Halt;
use crate::native::tracer::shared::TracerShared;
use crate::native::tracer::tracee::Tracee;
use debuginfo::inlined_at_entry;
use debuginfo::types::TypeRef;
use iced_x86::{FlowControl, Instruction};
use model::{Failure, SourcePlace, StepKind, StopReason, VirtualAddress};
use std::ops::Range;

/// A step under way.
#[derive(Clone, Debug)]
pub(in crate::native) struct Stepper {
    /// The thread that steps; the others run.
    pub thread: Tid,
    /// How it was resumed last.
    pub pace: Pace,
    pub(in crate::native) kind: StepKind,
    pub(in crate::native) remaining: u32,
    /// The line it is to leave; `None` in a function without lines.
    pub(in crate::native) line: Option<SourcePlace>,
    /// The instructions it is to leave.
    pub(in crate::native) ranges: Vec<Range<u64>>,
    /// Where the function of the line is entered, and how many functions are inlined there.
    pub(in crate::native) function: Option<u64>,
    pub(in crate::native) inlined: usize,
    /// Where it is waited for.
    pub(in crate::native) landings: Vec<StepResume>,
    pub(in crate::native) last: Last,
    /// In a stub on the way into a function: where that returns to, and the stack pointer there.
    pub(in crate::native) entering: Option<(u64, u64)>,
    /// A signal was delivered here: program counter and stack pointer to come back to.
    handler: Option<(u64, u64)>,
    /// It is the signal that the thread had stopped for: the step goes into its handler.
    enters_handler: bool,
    /// What ends it says.
    pub(in crate::native) reason: StopReason,
    /// What the function that is being left hands back.
    pub(in crate::native) returns: Option<TypeRef>,
}

/// The kind of the instruction that was stepped last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::native) enum Last {
    Plain,
    /// Returning there with this stack pointer.
    Call(u64, u64),
    Return,
    Jump,
}

impl Stepper {
    pub(in crate::native) fn new(thread: Tid, kind: StepKind, count: u32, reason: StopReason) -> Self {
        Self {
            thread,
            pace: Pace::Run,
            kind,
            remaining: count.max(1),
            line: None,
            ranges: Vec::new(),
            function: None,
            inlined: 0,
            landings: Vec::new(),
            last: Last::Plain,
            entering: None,
            handler: None,
            enters_handler: false,
            reason,
            returns: None,
        }
    }

    /// Whether it is in a stub on the way into a function.
    pub(in crate::native) fn is_entering(&self) -> bool {
        self.entering.is_some()
    }
}

impl Inferior {
    fn instruction_of(&mut self, tid: Tid) -> Option<(Instruction, u64)> {
        let registers = self.process.registers(tid).ok()?;
        let mut code = [0; LONGEST];
        let length = self.process.read_some(registers.rip, &mut code);
        Some((decode(code.get(..length)?, registers.rip)?, registers.rsp))
    }
}

impl Tracee {
    /// Ends a step without a word.
    pub(in crate::native) fn drop_stepper(&mut self) {
        if self.stepper.take().is_some() {
            self.breakpoints.claims.remove_all(&mut self.inferior.process, |claim| {
                matches!(claim, Claim::StepResume | Claim::LongJump | Claim::Handler)
            });
        }
    }

    /// Waits for the thread at these places and nowhere else.
    pub(in crate::native) fn land(&mut self, landings: &[StepResume]) -> Result<(), Failure> {
        self.breakpoints.claims.remove_all(&mut self.inferior.process, |claim| *claim == Claim::StepResume);
        for step_resume in landings {
            self.breakpoints.claims.add(&mut self.inferior.process, step_resume.address, Claim::StepResume)?;
        }
        if landings.iter().any(|step_resume| step_resume.then != Then::Passed) {
            self.see_jumps();
        }
        if let Some(stepper) = &mut self.stepper {
            stepper.landings = landings.to_vec();
            stepper.pace = if landings.is_empty() { Pace::Step } else { Pace::Run };
        }
        Ok(())
    }

    /// Resumes the thread of the step: one instruction, or through a call.
    pub(in crate::native) fn advance(&mut self, shared: &mut TracerShared) {
        let Some(stepper) = &self.stepper else { return };
        let (tid, kind) = (stepper.thread, stepper.kind);
        let waits = !stepper.landings.is_empty();
        let delivery = self.inferior.process.thread_mut(tid).map_or(0, |thread| std::mem::take(&mut thread.delivery));
        if waits {
            return self.carry_on(tid, delivery);
        }
        if let Some(stepper) = &mut self.stepper {
            stepper.enters_handler = delivery != 0;
        }
        let Some((instruction, sp)) = self.inferior.instruction_of(tid) else {
            // Nothing can be executed there: the thread gets its fault.
            self.pace(Pace::Step, Last::Plain);
            return self.deliver(tid, delivery);
        };
        let next = instruction.next_ip();
        if is_call(&instruction) && delivery == 0 {
            match kind {
                StepKind::Into => self.pace(Pace::Step, Last::Call(next, sp)),
                StepKind::Instruction => self.pace(Pace::Step, Last::Plain),
                _ => {
                    let back = StepResume { address: next, lowest_stack: sp, then: Then::Return };
                    if let Err(failure) = self.land(&[back]) {
                        return self.give_up(shared, tid, failure);
                    }
                }
            }
        } else if let Some(end) = self.straight_end(tid).filter(|_| delivery == 0) {
            let behind = StepResume { address: end.address, lowest_stack: end.stack_pointer, then: Then::Passed };
            if let Err(failure) = self.land(&[behind]) {
                return self.give_up(shared, tid, failure);
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
        self.deliver(tid, delivery);
    }

    /// Where the code without branches ends in which the thread is, when lines are stepped.
    fn straight_end(&mut self, tid: Tid) -> Option<BlockEnd> {
        let stepper = self.stepper.as_ref()?;
        if self.counts_instructions() || stepper.entering.is_some() || stepper.handler.is_some() {
            return None;
        }
        let registers = self.inferior.process.registers(tid).ok()?;
        let mut code = [0; AHEAD];
        let length = self.inferior.process.read_some(registers.rip, &mut code);
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

    pub(in crate::native) fn give_up(&mut self, shared: &mut TracerShared, tid: Tid, failure: Failure) {
        self.halt(shared, Halt::Stop { tid, reason: StopReason::Step, note: Some(failure.message) });
    }

    /// A signal is about to be delivered to the thread of the step: its handler is run through.
    pub(in crate::native) fn note_handler(&mut self, tid: Tid) {
        if !self.is_stepping(tid) {
            return;
        }
        let Ok(registers) = self.inferior.process.registers(tid) else { return };
        if let Some(stepper) = &mut self.stepper {
            stepper.handler = Some((registers.rip, registers.rsp));
        }
    }

    /// A thread did one instruction.
    pub(in crate::native) fn stepped(&mut self, shared: &mut TracerShared, tid: Tid) {
        let Ok(pc) = self.inferior.pc(tid) else { return };
        if self.stepper.as_ref().is_none_or(|stepper| stepper.thread != tid) {
            return self.carry_on(tid, 0);
        }
        if self.in_handler(tid) {
            let Some(stepper) = &mut self.stepper else { return };
            let interrupted = stepper.handler.take();
            if std::mem::take(&mut stepper.enters_handler) {
                return self.end_round(shared, tid);
            }
            let Some((back, sp)) = interrupted else { return };
            if let Err(failure) = self.land(&[StepResume { address: back, lowest_stack: sp, then: Then::Resume }]) {
                return self.give_up(shared, tid, failure);
            }
            return self.carry_on(tid, 0);
        }
        if self.breakpoints.claims.is_claimed(pc) {
            let claims = self.breakpoints.claims.at(pc).to_vec();
            if let Some(thread) = self.inferior.process.thread_mut(tid) {
                thread.passes = true;
            }
            if let Some(Verdict::Stop(reason, note)) =
                self.breakpoints.judge(&mut self.inferior, &mut shared.outbox.of(self.control, self.rank), tid, &claims)
            {
                return self.halt(shared, Halt::Stop { tid, reason, note });
            }
            if let Some(reason) = self.breakpoints.ended_scope(&mut self.inferior, tid, &claims) {
                return self.halt(shared, Halt::Stop { tid, reason, note: None });
            }
        }
        let Some(stepper) = &mut self.stepper else { return };
        (stepper.handler, stepper.enters_handler) = (None, false);
        if matches!(stepper.kind, StepKind::Instruction | StepKind::InstructionOver) {
            return self.end_round(shared, tid);
        }
        if let Some((back, sp)) = stepper.entering {
            return self.in_stub(shared, tid, pc, back, sp);
        }
        match stepper.last {
            Last::Call(back, sp) => self.entered(shared, tid, pc, back, sp),
            _ => self.examine(shared, tid, pc),
        }
    }

    /// Whether the thread is at the first instruction of a signal handler. The kernel made a frame for it (`struct
    /// rt_sigframe` of x86-64: return address, `ucontext` with the interrupted registers).
    fn in_handler(&mut self, tid: Tid) -> bool {
        const SAVED_SP: u64 = 8 + 40 + 15 * 8;
        const SAVED_PC: u64 = SAVED_SP + 8;
        let Some((pc, sp)) = self.stepper.as_ref().and_then(|stepper| stepper.handler) else { return false };
        let Ok(registers) = self.inferior.process.registers(tid) else { return false };
        let memory = self.inferior.process.memory();
        registers.rip != pc
            && memory.word(registers.rsp.wrapping_add(SAVED_PC)) == Ok(pc)
            && memory.word(registers.rsp.wrapping_add(SAVED_SP)) == Ok(sp)
    }

    /// Whether the thread has left the line, and what to do when it has not.
    fn examine(&mut self, shared: &mut TracerShared, tid: Tid, pc: u64) {
        let Some(stepper) = &self.stepper else { return };
        if stepper.ranges.iter().any(|range| range.contains(&pc)) {
            return self.advance(shared);
        }
        let place = self.inferior.images().locate(VirtualAddress(pc)).map(|(loaded, at)| (loaded.clone(), at));
        let Some((loaded, at)) = place else { return self.end_round(shared, tid) };
        if stepper.last == Last::Jump && self.is_entry(&loaded, at) {
            return self.jumped_into(shared, tid, pc);
        }
        if loaded.image.is_signal_trampoline(at) {
            // A handler returns to where the kernel takes up what it interrupted.
            self.pace(Pace::Step, Last::Plain);
            return self.carry_on(tid, 0);
        }
        let frames = loaded.image.inline_frames(at);
        let function = loaded.image.function_at(at).map(|function| loaded.bias.loaded(function.entry).0);
        let same_function = function.is_some() && function == stepper.function;
        if same_function && frames.len() > stepper.inlined {
            // The outermost of the functions that are inlined here and were not where the step began.
            let inner = frames.len() - stepper.inlined - 1;
            let (over, line) = (stepper.kind != StepKind::Into, stepper.line.clone());
            let begins = frames.get(inner).filter(|inner| inner.entry == at || inner.range.start == at);
            if let Some(call) = begins.map(|inner| inner.call.clone()) {
                let count = inlined_at_entry(self.inferior.images(), VirtualAddress(pc)).min(inner as u32 + 1);
                if call != line {
                    // A call on another line: the step ends before it.
                    self.inferior.outside = Some(Outside { tid, pc, count });
                    return self.end_round(shared, tid);
                }
                if !over {
                    self.inferior.outside = Some(Outside { tid, pc, count: count.saturating_sub(1) });
                    return self.end_round(shared, tid);
                }
            }
            if over {
                // An inlined function is run through like a call.
                let range = frames.get(inner).map(|inner| loaded_range(&loaded, &inner.range));
                if let Some(stepper) = &mut self.stepper {
                    stepper.ranges.extend(range);
                }
                return self.advance(shared);
            }
        }
        let Some(row) = loaded.image.line_at(at) else { return self.end_round(shared, tid) };
        let begins = row.range.start == at;
        let another = stepper.line.as_ref() != Some(&row.place);
        if row.place.line != 0 && another && begins && row.is_stmt {
            return self.end_round(shared, tid);
        }
        let own = loaded_range(&loaded, &row.range);
        let ranges = line_ranges(&loaded, at, &row.range);
        if let Some(stepper) = &mut self.stepper {
            let same_frame = same_function && frames.len() == stepper.inlined;
            if row.place.line == 0 || begins && another && same_frame {
                // Not the beginning of a statement: the line that is left stays the one to leave.
                stepper.ranges.push(own);
            } else {
                // In the middle of a line, as after a return: to its end. Where a row begins that is no statement, any
                // line that begins one ends the step, the same too.
                let aside = begins && another && !row.is_stmt;
                stepper.ranges = if aside { vec![own] } else { ranges };
                stepper.line = (!aside).then_some(row.place);
                stepper.function = function;
                stepper.inlined = frames.len();
            }
        }
        self.advance(shared);
    }

    /// A thread arrived where a step waits; whether it was the step's.
    pub(in crate::native) fn at_step_resume(&mut self, shared: &mut TracerShared, tid: Tid, address: u64) -> bool {
        let Ok(registers) = self.inferior.process.registers(tid) else { return false };
        let Some(stepper) = self.stepper.as_mut().filter(|stepper| stepper.thread == tid) else { return false };
        let mine =
            |step_resume: &&StepResume| step_resume.address == address && registers.rsp >= step_resume.lowest_stack;
        let Some(step_resume) = stepper.landings.iter().find(mine).copied() else { return false };
        stepper.last = if step_resume.then == Then::Passed { Last::Plain } else { Last::Return };
        if matches!(step_resume.then, Then::EndIn(cfa) if self.inferior.innermost_cfa(tid).is_some_and(|found| found < cfa))
        {
            return false;
        }
        if let Err(failure) = self.land(&[]) {
            self.give_up(shared, tid, failure);
            return true;
        }
        match step_resume.then {
            Then::End | Then::EndIn(_) | Then::Arrived => self.end_round(shared, tid),
            Then::Return if self.counts_instructions() => self.end_round(shared, tid),
            Then::Return | Then::Passed => self.examine(shared, tid, address),
            Then::Resume => self.advance(shared),
            Then::Resolver(back, sp) => self.at_resolver(shared, tid, back, sp),
            Then::Resolved(back, sp) => self.run_into(shared, tid, self.inferior.first_line(registers.rax), back, sp),
        }
        true
    }

    /// Whether the thread comes back from a signal handler to where it was: what waits there has been told.
    pub(in crate::native) fn comes_back(&mut self, tid: Tid, address: u64) -> bool {
        let Ok(registers) = self.inferior.process.registers(tid) else { return false };
        let is_it = |step_resume: &StepResume| {
            step_resume.then == Then::Resume
                && step_resume.address == address
                && registers.rsp >= step_resume.lowest_stack
        };
        self.stepper.iter().any(|stepper| stepper.thread == tid && stepper.landings.iter().any(is_it))
    }

    /// One repetition is done.
    pub(in crate::native) fn end_round(&mut self, shared: &mut TracerShared, tid: Tid) {
        let Some(stepper) = &mut self.stepper else { return };
        stepper.remaining = stepper.remaining.saturating_sub(1);
        stepper.last = Last::Plain;
        stepper.entering = None;
        let (reason, returns) = (stepper.reason.clone(), stepper.returns.take());
        self.enter_inlined();
        if self.stepper.as_ref().is_none_or(|stepper| stepper.remaining == 0) {
            let reason = match (reason, returns) {
                (StopReason::Finished(_), Some(ty)) => StopReason::Finished(self.inferior.returned_value(tid, &ty)),
                (reason, _) => reason,
            };
            return self.halt(shared, Halt::Stop { tid, reason, note: None });
        }
        match self.begin_round(tid) {
            Ok(()) => self.advance(shared),
            Err(failure) => self.give_up(shared, tid, failure),
        }
    }
}
