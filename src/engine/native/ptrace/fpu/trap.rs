//! Floating-point exceptions that stop a thread: the instruction that raised them, and how the thread goes on as if they
//! were masked.
//!
//! SSE and AVX report them before the instruction has an effect. The x87 unit reports them before its next instruction;
//! by then an operation with invalid operands has no result, one with a result that does not fit into memory has stored
//! nothing, and others have left a result for a handler.

use crate::native::ptrace::address_space::AddressSpace;
use crate::native::ptrace::displaced_stepping::{LONGEST, decode};
use crate::native::ptrace::requests::Status;
use iced_x86::{Instruction, Mnemonic, OpKind, Register};
use model::FloatExceptions;
use nix::libc::{user_fpregs_struct, user_regs_struct};

const INVALID: u8 = 1;
const ZERO: u8 = 1 << 2;
pub(super) const OVERFLOW: u8 = 1 << 3;
pub(super) const UNDERFLOW: u8 = 1 << 4;
pub(super) const INEXACT: u8 = 1 << 5;

/// How a thread goes on after an exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plan {
    /// By executing the instruction with the masks of the program.
    Execute,
    /// The same for an instruction of the x87 unit right before the program counter, to which the thread goes back.
    GoBack,
    /// The same for one that is further away: it is executed at once, with its operand in memory at this address.
    ExecuteNow(u64),
    /// The result in this register of the x87 unit is replaced by what the program would have got.
    Replace(usize),
    /// There is nothing to do, or it is the program's own exception.
    Nothing,
}

/// A floating-point exception that a thread has stopped for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FpuTrap {
    /// The kinds that were raised and are not masked.
    pub exceptions: FloatExceptions,
    /// True if the program itself has unmasked one of them: it expects the signal.
    pub is_of_program: bool,
    /// The address of the instruction; 0 if it is not known.
    pub instruction: u64,
    /// True if other instructions have been executed since.
    pub is_late: bool,
    /// The kinds that the x87 unit reports.
    pub(super) of_x87: u8,
    pub(super) plan: Plan,
}

impl FpuTrap {
    /// True if the operands of the instruction are as it has read them.
    pub fn has_operands(&self) -> bool {
        matches!(self.plan, Plan::Execute | Plan::GoBack | Plan::ExecuteNow(_))
            || self.is_of_program && self.of_x87 == 0
    }

    /// The address of the operand in memory, if registers may have changed since.
    pub fn operand(&self) -> Option<u64> {
        match self.plan {
            Plan::ExecuteNow(address) => Some(address),
            _ => None,
        }
    }

    /// The exceptions that the x87 unit reports again if nobody has handled them.
    pub(super) fn waiting(&self) -> u8 {
        self.of_x87
    }
}

/// The reason of a SIGFPE.
pub(in crate::native::ptrace) enum Reason {
    FloatingPoint(FpuTrap),
    /// Any other.
    Other,
    /// None: the thread has done this instead.
    Instead(Status),
}

/// Reads the instruction at an address.
pub(super) fn instruction_at(space: &AddressSpace, address: u64) -> Option<Instruction> {
    let mut code = [0; LONGEST];
    let length = space.read_some(address, &mut code);
    decode(code.get(..length)?, address)
}

/// True if the x87 unit executes the instruction at an address, or waits in it.
pub(super) fn is_of_x87(space: &AddressSpace, address: u64) -> bool {
    let mut code = [0; LONGEST];
    let length = space.read_some(address, &mut code);
    let prefix = |byte: &u8| matches!(byte, 0x26 | 0x2e | 0x36 | 0x3e | 0x40..=0x4f | 0x64..=0x67 | 0xf2 | 0xf3);
    let first = code.iter().take(length).find(|byte| !prefix(byte));
    first.is_some_and(|byte| matches!(byte, 0x9b | 0xd8..=0xdf))
}

/// Returns the exception that the x87 unit reports.
pub(super) fn trap_of_x87(
    space: &AddressSpace,
    registers: &user_regs_struct,
    floats: &user_fpregs_struct,
    raised: u8,
) -> FpuTrap {
    // The address of the last instruction that was no control instruction; it may have been executed in a slot.
    let address = space.outside_of_slots(floats.rip).unwrap_or(floats.rip);
    let instruction = instruction_at(space, address).filter(|_| is_of_x87(space, address));
    let is_next = |instruction: &Instruction| instruction.next_ip() == registers.rip;
    let plan = match &instruction {
        None => Plan::Nothing,
        Some(instruction)
            if raised & (INVALID | ZERO) != 0 || stores(instruction) && raised & (OVERFLOW | UNDERFLOW) != 0 =>
        {
            if is_next(instruction) {
                Plan::GoBack
            } else {
                Plan::ExecuteNow(floats.rdp)
            }
        }
        Some(instruction) if raised & (OVERFLOW | UNDERFLOW) != 0 => Plan::Replace(result_register(instruction)),
        Some(_) => Plan::Nothing,
    };
    FpuTrap {
        exceptions: FloatExceptions::of_bits(raised),
        is_of_program: false,
        instruction: if instruction.is_some() { address } else { 0 },
        is_late: instruction.is_some_and(|instruction| !is_next(&instruction)),
        of_x87: raised,
        plan,
    }
}

/// True if the instruction stores a number in memory.
fn stores(instruction: &Instruction) -> bool {
    use Mnemonic::{Fbstp, Fist, Fistp, Fisttp, Fst, Fstp};
    matches!(instruction.mnemonic(), Fst | Fstp | Fist | Fistp | Fisttp | Fbstp)
        && instruction.op0_kind() == OpKind::Memory
}

/// Returns the register, by its place on the stack, that has the result of an instruction.
fn result_register(instruction: &Instruction) -> usize {
    use Mnemonic::{Faddp, Fdivp, Fdivrp, Fmulp, Fsubp, Fsubrp};
    if instruction.op0_kind() != OpKind::Register || !instruction.op0_register().is_st() {
        return 0;
    }
    let named = instruction.op0_register() as usize - Register::ST0 as usize;
    let pops = matches!(instruction.mnemonic(), Faddp | Fdivp | Fdivrp | Fmulp | Fsubp | Fsubrp);
    named.saturating_sub(usize::from(pops))
}
