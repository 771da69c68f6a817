//! Steps into functions: through stubs of the linkage table and the linker to the first line of what is called.

use super::step_resume::{StepResume, Then};
use super::stepper::Last;
use crate::native::breakpoints::points::Breakpoints;
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::{Pace, Tid};
use crate::native::stepping::stepper::StepAction;
use crate::native::stepping::stepper::Stepping;
use model::{StepKind, VirtualAddress};

impl Stepping {
    /// The thread is at the first instruction of something that was called.
    pub(in crate::native) fn entered(
        &mut self,
        inferior: &mut Inferior,
        breakpoints: &mut Breakpoints,
        tid: Tid,
        pc: u64,
        back: u64,
        sp: u64,
    ) -> StepAction {
        if let Some(stepper) = &mut self.stepper {
            stepper.entering = None;
        }
        if inferior.images().locate(VirtualAddress(pc)).is_some_and(|(loaded, at)| loaded.image.file().is_plt(at)) {
            if let Some(stepper) = &mut self.stepper {
                stepper.entering = Some((back, sp));
            }
            self.pace(Pace::Step, Last::Plain);
            return StepAction::Resume(tid, 0);
        }
        let inside = inferior.first_line(pc);
        if inside == Some(pc) {
            return self.end_round(inferior, breakpoints, tid);
        }
        self.run_into(inferior, breakpoints, tid, inside, back, sp)
    }

    /// Runs to the first line of a function, or through it when it has none.
    pub(in crate::native) fn run_into(
        &mut self,
        inferior: &mut Inferior,
        breakpoints: &mut Breakpoints,
        tid: Tid,
        inside: Option<u64>,
        back: u64,
        sp: u64,
    ) -> StepAction {
        let inside = inside.map(|address| StepResume { address, lowest_stack: 0, then: Then::Arrived });
        self.run_to_any(inferior, breakpoints, tid, inside, back, sp)
    }

    /// The thread is where a function begins that says which one is meant by a name (`STT_GNU_IFUNC`): it returns to the
    /// linker, which goes on to that one.
    pub(in crate::native) fn at_resolver(
        &mut self,
        inferior: &mut Inferior,
        breakpoints: &mut Breakpoints,
        tid: Tid,
        back: u64,
        sp: u64,
    ) -> StepAction {
        let Ok(registers) = inferior.process.registers(tid) else { return StepAction::Nothing };
        let returns = inferior.process.memory().word(registers.rsp).ok();
        let then = Then::Resolved(back, sp);
        let lowest_stack = registers.rsp.wrapping_add(8);
        let resolved = returns.map(|address| StepResume { address, lowest_stack, then });
        self.run_to_any(inferior, breakpoints, tid, resolved, back, sp)
    }

    /// Runs to a place, if there is one, or to where what was called returns to.
    fn run_to_any(
        &mut self,
        inferior: &mut Inferior,
        breakpoints: &mut Breakpoints,
        tid: Tid,
        place: Option<StepResume>,
        back: u64,
        sp: u64,
    ) -> StepAction {
        let mut landings = vec![StepResume { address: back, lowest_stack: sp, then: Then::Return }];
        landings.extend(place);
        if let Err(failure) = self.land(inferior, breakpoints, &landings) {
            return StepAction::give_up(tid, failure);
        }
        if let Ok(pc) = inferior.pc(tid) {
            let claims = breakpoints.claims.at(pc).to_vec();
            self.jumps(inferior, breakpoints, tid, &claims);
        }
        StepAction::Resume(tid, 0)
    }

    /// The thread is in a stub that leads to a function of another file, or behind it.
    pub(in crate::native) fn in_stub(
        &mut self,
        inferior: &mut Inferior,
        breakpoints: &mut Breakpoints,
        tid: Tid,
        pc: u64,
        back: u64,
        sp: u64,
    ) -> StepAction {
        let Some((loaded, at)) = inferior.images().locate(VirtualAddress(pc)) else {
            return self.run_into(inferior, breakpoints, tid, None, back, sp);
        };
        if loaded.image.file().is_plt(at) {
            self.pace(Pace::Step, Last::Plain);
            return StepAction::Resume(tid, 0);
        }
        let linker = inferior.program.auxiliary.interpreter_base;
        if linker.and_then(|base| inferior.images().find(base)).is_some_and(|linker| linker.range == loaded.range) {
            // Not bound yet: the linker looks the function up and jumps to it.
            let target = inferior.unbound_target(tid);
            if let Some(target) = target.filter(|target| !inferior.is_warm(target.address)) {
                return StepAction::Await(tid, target.address);
            }
            if let Some(stepper) = &mut self.stepper {
                stepper.entering = None;
            }
            return match target {
                // Another function says which one is meant: that one is what is stepped into.
                Some(target) if target.resolves => {
                    let chosen =
                        StepResume { address: target.address, lowest_stack: 0, then: Then::Resolver(back, sp) };
                    self.run_to_any(inferior, breakpoints, tid, Some(chosen), back, sp)
                }
                Some(target) => {
                    self.run_into(inferior, breakpoints, tid, inferior.first_line(target.address), back, sp)
                }
                None => self.run_into(inferior, breakpoints, tid, None, back, sp),
            };
        }
        self.entered(inferior, breakpoints, tid, pc, back, sp)
    }

    /// A function was entered by a jump, in place of the one that was stepped: it returns to the caller of that.
    pub(in crate::native) fn jumped_into(
        &mut self,
        inferior: &mut Inferior,
        breakpoints: &mut Breakpoints,
        tid: Tid,
        pc: u64,
    ) -> StepAction {
        let Ok(registers) = inferior.process.registers(tid) else { return StepAction::Nothing };
        let Ok(back) = inferior.process.memory().word(registers.rsp) else {
            return self.end_round(inferior, breakpoints, tid);
        };
        let sp = registers.rsp.wrapping_add(8);
        if self.stepper.as_ref().is_some_and(|stepper| stepper.kind == StepKind::Into) {
            return self.entered(inferior, breakpoints, tid, pc, back, sp);
        }
        self.run_into(inferior, breakpoints, tid, None, back, sp)
    }
}
