//! A thread runs functions that read or change masks and flags with those of the program.

use super::catching::{FloatCatching, Inside};
use super::environment_calls::EnvironmentCalls;
use crate::native::breakpoints::claims::{Claim, Claims};
use crate::native::inspect::inferior::Inferior;
use crate::native::ptrace::Tid;

impl FloatCatching {
    /// Adds functions of files that are new.
    pub(in crate::native) fn add(&mut self, inferior: &mut Inferior, claims: &mut Claims, found: EnvironmentCalls) {
        self.calls.extend(found);
        self.is_armed = false;
        self.trap(inferior, claims);
    }

    /// Inserts traps at the functions that lack them while exceptions are caught, and removes them afterwards.
    pub(super) fn trap(&mut self, inferior: &mut Inferior, claims: &mut Claims) {
        let wanted = inferior.process.threads().fpu_traps().are_any();
        if std::mem::replace(&mut self.is_armed, wanted) == wanted {
            return;
        }
        if !wanted {
            return claims.remove_all(&mut inferior.process, |claim| *claim == Claim::Environment);
        }
        for address in self.calls.addresses() {
            if !claims.at(address).contains(&Claim::Environment) {
                // Without its trap, the program sees the debugger's masks there.
                let _ = claims.add(&mut inferior.process, address, Claim::Environment);
            }
        }
    }

    /// Decides whether a thread that is about to be resumed keeps the masks of the program, because it begins such a
    /// function or has not returned from it.
    pub(in crate::native) fn mind(&mut self, inferior: &mut Inferior, claims: &mut Claims, tid: Tid) {
        if !self.is_armed && self.inside.is_empty() {
            return;
        }
        let Ok(registers) = inferior.process.registers(tid) else { return };
        match self.inside.get(&tid).copied() {
            Some(inside) if registers.rsp > inside.stack_pointer => self.forget_thread(inferior, claims, tid),
            Some(_) => {}
            None if self.is_armed && self.calls.at(registers.rip).is_some() => {
                let Ok(back) = inferior.process.memory().word(registers.rsp) else { return };
                if claims.add(&mut inferior.process, back, Claim::EnvironmentEnd).is_ok() {
                    self.inside.insert(tid, Inside { back, stack_pointer: registers.rsp });
                }
            }
            None => {}
        }
        let is_inside = self.inside.contains_key(&tid);
        if let Some(thread) = inferior.process.thread_mut(tid) {
            thread.fpu.keeps_masks = is_inside;
        }
    }

    /// Forgets the function that a thread is in, because it has returned or the thread has ended.
    pub(in crate::native) fn forget_thread(&mut self, inferior: &mut Inferior, claims: &mut Claims, tid: Tid) {
        if let Some(inside) = self.inside.remove(&tid) {
            claims.remove(&mut inferior.process, inside.back, Claim::EnvironmentEnd);
        }
    }
}
