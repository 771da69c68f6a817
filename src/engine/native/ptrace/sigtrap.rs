//! What a thread stopped for that got a SIGTRAP.

use super::inserted_breakpoints::TRAP;
use super::process::{Observation, Process};
use super::requests::{self, Tid};
use nix::libc::{self, user_regs_struct};

/// Codes of SIGTRAP (sigaction(2)): sent by the kernel for `int3`, and for a single step.
pub(super) const SI_KERNEL: i32 = 0x80;
pub(super) const TRAP_BRKPT: i32 = 1;
pub(super) const TRAP_TRACE: i32 = 2;
/// A debug register.
pub(super) const TRAP_HWBKPT: i32 = 4;
/// A step into a signal handler, of which the kernel tells by the signal alone.
const INTO_HANDLER: i32 = libc::SIGTRAP;

impl Process {
    /// What a thread was stopped for by a SIGTRAP.
    pub(super) fn trapped(&mut self, tid: Tid, stepping: bool) -> Observation {
        let registers = if stepping { None } else { requests::registers(tid).ok() };
        if let Some(registers) = registers
            && self.is_plainly_at_trap(&registers)
        {
            return self.at_trap(tid, registers);
        }
        let code = requests::signal_information(tid).map_or(0, |information| information.si_code);
        match code {
            SI_KERNEL => match registers.or_else(|| requests::registers(tid).ok()) {
                Some(registers) => self.at_trap(tid, registers),
                None => Observation::Nothing,
            },
            TRAP_BRKPT | TRAP_TRACE | TRAP_HWBKPT => match self.debug.take_trapped(tid) {
                0 if code == TRAP_HWBKPT && self.debug.version() > 0 => Observation::Nothing,
                0 if stepping => Observation::Stepped,
                0 => Observation::Signal(libc::SIGTRAP),
                places => Observation::Watched { places, stepped: stepping && code != TRAP_HWBKPT },
            },
            INTO_HANDLER if stepping => Observation::Stepped,
            _ => Observation::Signal(libc::SIGTRAP),
        }
    }

    /// Whether a thread that stopped for a SIGTRAP can have done so only at a trap of ours: then the kernel need not be
    /// asked who sent it. Where places are watched it may have done both.
    fn is_plainly_at_trap(&self, registers: &user_regs_struct) -> bool {
        self.debug.version() == 0 && self.sites.is_telling(registers.rip.wrapping_sub(1))
    }

    fn at_trap(&mut self, tid: Tid, registers: user_regs_struct) -> Observation {
        let address = registers.rip.wrapping_sub(1);
        let ours = self.sites.contains(address);
        if !ours {
            let mut byte = [0];
            if self.memory.read(address, &mut byte).is_err() || byte == [TRAP] {
                return Observation::Signal(libc::SIGTRAP);
            }
        }
        if let Some(thread) = self.threads.get_mut(&tid) {
            thread.move_to(registers, address);
        }
        // Taken out between the arrival and now: the instruction is to be executed again.
        if ours { Observation::Breakpoint(address) } else { Observation::Nothing }
    }
}
