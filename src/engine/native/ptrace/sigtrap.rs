//! Finds the event behind a SIGTRAP.

use super::address_space::AddressSpace;
use super::debug_registers::{Access, DebugRegisters};
use super::observation::Observation;
use super::requests;
use super::thread::{SI_KERNEL, TRAP_BRKPT, TRAP_HWBKPT, TRAP_TRACE, Thread};
use nix::libc::{self, user_regs_struct};

/// The code of a single step into a signal handler, which the kernel reports by the signal number alone.
const INTO_HANDLER: i32 = libc::SIGTRAP;

impl Thread {
    /// Returns the event behind a SIGTRAP.
    pub(super) fn trapped(&mut self, stepping: bool, space: &AddressSpace, debug: &DebugRegisters) -> Observation {
        let registers = if stepping { None } else { requests::registers(self.tid).ok() };
        // Only a trap of the debugger can have stopped it here, so there is no need to ask the kernel for the sender.
        // With watched places, it may have done both.
        if let Some(registers) = registers
            && debug.version() == 0
            && space.is_telling(registers.rip.wrapping_sub(1))
        {
            return self.at_trap(registers, space);
        }
        let code = requests::signal_information(self.tid).map_or(0, |information| information.si_code);
        match code {
            SI_KERNEL => match registers.or_else(|| requests::registers(self.tid).ok()) {
                Some(registers) => self.at_trap(registers, space),
                None => Observation::Nothing,
            },
            TRAP_BRKPT | TRAP_TRACE | TRAP_HWBKPT => match debug.take_trapped(self.tid) {
                0 if code == TRAP_HWBKPT && debug.version() > 0 => Observation::Nothing,
                0 if stepping => Observation::Stepped,
                0 => Observation::Signal(libc::SIGTRAP),
                places if debug.of_bits(places).any(|region| region.access == Access::Execute) => {
                    self.at_instruction(registers)
                }
                places => Observation::Watched { places, stepped: stepping && code != TRAP_HWBKPT },
            },
            INTO_HANDLER if stepping => Observation::Stepped,
            _ => Observation::Signal(libc::SIGTRAP),
        }
    }

    /// The thread is about to execute an instruction of a hardware breakpoint.
    fn at_instruction(&self, registers: Option<user_regs_struct>) -> Observation {
        let registers = registers.or_else(|| requests::registers(self.tid).ok());
        registers.map_or(Observation::Nothing, |registers| Observation::Breakpoint(registers.rip))
    }

    fn at_trap(&mut self, registers: user_regs_struct, space: &AddressSpace) -> Observation {
        let address = registers.rip.wrapping_sub(1);
        let ours = space.has_site(address);
        if !ours && space.has_foreign_trap(address) {
            return Observation::Signal(libc::SIGTRAP);
        }
        self.move_to(registers, address);
        // If the trap was removed after the arrival, the instruction must be executed again.
        if ours { Observation::Breakpoint(address) } else { Observation::Nothing }
    }
}
