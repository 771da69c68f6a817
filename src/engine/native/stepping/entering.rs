//! Steps into functions: through the procedure linkage table and the dynamic linker to the first line of the callee.

use super::skipping::entered_line;
use super::step_resume::{Caller, StepResume, Then};
use super::stepped_thread::SteppedThread;
use super::stepper::Last;
use crate::native::ptrace::Pace;
use crate::native::stepping::stepper::StepAction;
use crate::native::stepping::stepper::Stepping;
use model::{StepKind, VirtualAddress};

impl Stepping {
    /// Continues a step whose thread is at the first instruction of a callee.
    pub(in crate::native) fn entered(&mut self, on: &mut SteppedThread<'_>, pc: u64, caller: Caller) -> StepAction {
        if let Some(stepper) = &mut self.stepper {
            stepper.entering = None;
        }
        if on.inferior.images().locate(VirtualAddress(pc)).is_some_and(|(loaded, at)| loaded.image.file().is_plt(at)) {
            if let Some(stepper) = &mut self.stepper {
                stepper.entering = Some(caller);
            }
            self.pace(Pace::Step, Last::Plain);
            return StepAction::Resume(on.tid, 0);
        }
        let inside = entered_line(on.inferior, pc);
        if inside == Some(pc) {
            return self.end_round(on);
        }
        self.run_into(on, inside, caller)
    }

    /// Runs to the first line of a function, or through the function if it has no lines.
    pub(in crate::native) fn run_into(
        &mut self,
        on: &mut SteppedThread<'_>,
        inside: Option<u64>,
        caller: Caller,
    ) -> StepAction {
        let inside = inside.map(|address| StepResume { address, lowest_stack: 0, then: Then::Arrived });
        self.run_to_any(on, inside, caller)
    }

    /// Continues a step at the start of an indirect function's resolver (`STT_GNU_IFUNC`), which returns to the linker;
    /// the linker then jumps to the function that it chose.
    pub(in crate::native) fn at_resolver(&mut self, on: &mut SteppedThread<'_>, caller: Caller) -> StepAction {
        let Ok(registers) = on.inferior.process.registers(on.tid) else { return StepAction::Nothing };
        let returns = on.inferior.process.memory().word(registers.rsp).ok();
        let then = Then::Resolved(caller);
        let lowest_stack = registers.rsp.wrapping_add(8);
        let resolved = returns.map(|address| StepResume { address, lowest_stack, then });
        self.run_to_any(on, resolved, caller)
    }

    /// Runs to a place, if there is one, or to the return address of the callee.
    fn run_to_any(&mut self, on: &mut SteppedThread<'_>, place: Option<StepResume>, caller: Caller) -> StepAction {
        let mut landings = vec![caller.step_resume(Then::Return)];
        landings.extend(place);
        if let Err(failure) = self.land(on, &landings) {
            return StepAction::give_up(on.tid, failure);
        }
        if let Ok(pc) = on.inferior.pc(on.tid) {
            let claims = on.breakpoints.claims.at(pc).to_vec();
            self.jumps(on, &claims);
        }
        StepAction::Resume(on.tid, 0)
    }

    /// Continues a step whose thread is in a linkage table stub or has just left it.
    pub(in crate::native) fn in_stub(&mut self, on: &mut SteppedThread<'_>, pc: u64, caller: Caller) -> StepAction {
        let Some((loaded, at)) = on.inferior.images().locate(VirtualAddress(pc)) else {
            return self.run_into(on, None, caller);
        };
        if loaded.image.file().is_plt(at) {
            self.pace(Pace::Step, Last::Plain);
            return StepAction::Resume(on.tid, 0);
        }
        let linker = on.inferior.program.auxiliary.interpreter_base;
        if linker.and_then(|base| on.inferior.images().find(base)).is_some_and(|linker| linker.range == loaded.range) {
            // Not bound yet: the linker resolves the function and jumps to it.
            let target = on.inferior.unbound_target(on.tid);
            if let Some(target) = target.filter(|target| !on.inferior.is_warm(target.address)) {
                return StepAction::Await(on.tid, target.address);
            }
            if let Some(stepper) = &mut self.stepper {
                stepper.entering = None;
            }
            return match target {
                // The target is a resolver: step into the function that it chooses.
                Some(target) if target.resolves => {
                    let chosen = StepResume { address: target.address, lowest_stack: 0, then: Then::Resolver(caller) };
                    self.run_to_any(on, Some(chosen), caller)
                }
                Some(target) => self.run_into(on, entered_line(on.inferior, target.address), caller),
                None => self.run_into(on, None, caller),
            };
        }
        self.entered(on, pc, caller)
    }

    /// Continues a step after a tail call: the function that was entered by a jump returns to the stepped one's caller.
    pub(in crate::native) fn jumped_into(&mut self, on: &mut SteppedThread<'_>, pc: u64) -> StepAction {
        let Ok(registers) = on.inferior.process.registers(on.tid) else { return StepAction::Nothing };
        let Ok(back) = on.inferior.process.memory().word(registers.rsp) else {
            return self.end_round(on);
        };
        let caller = Caller { back, stack_pointer: registers.rsp.wrapping_add(8) };
        if self.stepper.as_ref().is_some_and(|stepper| stepper.kind == StepKind::Into) {
            return self.entered(on, pc, caller);
        }
        self.run_into(on, None, caller)
    }
}
