//! The instruction that a thread could not execute.

use super::failed_thread::FailedThread;
use crate::native::ptrace::{LONGEST, decode};
use debuginfo::{ReadMemory, Registers};
use iced_x86::{FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register, UsedMemory};
use model::VirtualAddress;

/// The use of a value that cannot be an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NotCanonical {
    Data,
    Function,
    Return,
}

/// The instruction that could not be executed.
pub(super) struct FaultingInstruction {
    instruction: Instruction,
    registers: Registers,
    /// The word on the top of the stack.
    top: Option<u64>,
}

impl FaultingInstruction {
    pub(super) fn at(thread: &dyn FailedThread) -> Option<Self> {
        let (memory, registers) = (thread.memory(), thread.registers());
        let pc = registers.pc()?;
        // The next page may be unmapped.
        let code = (1..=LONGEST).rev().find_map(|length| {
            let mut code = vec![0; length];
            memory.read(pc, &mut code).ok().map(|()| code)
        })?;
        let top = registers.sp().and_then(|sp| memory.word(sp).ok());
        Some(Self { instruction: decode(&code, pc.0)?, registers, top })
    }

    /// Returns the values that a thread has used as pointers when it failed, without offsets.
    pub(super) fn pointers(thread: &dyn FailedThread) -> Vec<u64> {
        let Some(faulting) = Self::at(thread) else {
            // It has jumped to where no code is.
            return thread.registers().pc().map(|pc| pc.0).into_iter().collect();
        };
        let mut factory = InstructionInfoFactory::new();
        let used = factory.info(&faulting.instruction).used_memory();
        let mut names: Vec<Register> = used.iter().map(UsedMemory::base).collect();
        let flow = faulting.instruction.flow_control();
        if matches!(flow, FlowControl::IndirectCall | FlowControl::IndirectBranch) {
            names.push(faulting.instruction.op0_register());
        }
        names.into_iter().filter_map(|name| register(&faulting.registers, name)).collect()
    }

    /// True if the instruction changes memory.
    pub(super) fn writes(&self) -> bool {
        let writes = |access| !matches!(access, OpAccess::Read | OpAccess::CondRead | OpAccess::NoMemAccess);
        let mut factory = InstructionInfoFactory::new();
        factory.info(&self.instruction).used_memory().iter().any(|used| writes(used.access()))
    }

    /// Returns the use of a value that cannot be an address, if the instruction has one.
    pub(super) fn not_canonical(&self) -> Option<NotCanonical> {
        match self.instruction.flow_control() {
            FlowControl::Return if self.top.is_some_and(is_not_canonical) => {
                return Some(NotCanonical::Return);
            }
            FlowControl::IndirectCall | FlowControl::IndirectBranch if self.target().is_some_and(is_not_canonical) => {
                return Some(NotCanonical::Function);
            }
            _ => {}
        }
        self.addresses().into_iter().any(is_not_canonical).then_some(NotCanonical::Data)
    }

    /// Returns the divisor of an integer division.
    pub(super) fn divisor(&self, memory: &(impl ReadMemory + ?Sized)) -> Option<u64> {
        let instruction = &self.instruction;
        if !matches!(instruction.mnemonic(), Mnemonic::Div | Mnemonic::Idiv) {
            return None;
        }
        let (value, size) = if instruction.op0_kind() == OpKind::Memory {
            let at = self.addresses().into_iter().next()?;
            let size = instruction.memory_size().size();
            let mut bytes = [0; 8];
            memory.read(VirtualAddress(at), bytes.get_mut(..size)?).ok()?;
            (u64::from_le_bytes(bytes), size)
        } else {
            let name = instruction.op0_register();
            let upper_half = [Register::AH, Register::BH, Register::CH, Register::DH];
            let value = register(&self.registers, name.full_register())?;
            (value >> if upper_half.contains(&name) { 8 } else { 0 }, name.size())
        };
        Some(if size < 8 { value & ((1 << (size * 8)) - 1) } else { value })
    }

    /// Returns the target of a jump that is in a register.
    fn target(&self) -> Option<u64> {
        register(&self.registers, self.instruction.op0_register())
    }

    /// Returns the addresses of the operands in memory.
    fn addresses(&self) -> Vec<u64> {
        let mut factory = InstructionInfoFactory::new();
        let used = factory.info(&self.instruction).used_memory().to_vec();
        used.iter().filter_map(|used| used.virtual_address(0, |name, _, _| register(&self.registers, name))).collect()
    }
}

/// True if no address can have this value: the upper bits of an address are equal.
pub(super) fn is_not_canonical(address: u64) -> bool {
    let upper = (address as i64) >> 47;
    upper != 0 && upper != -1
}

/// Returns the value of a register that an address is computed from.
fn register(registers: &Registers, name: Register) -> Option<u64> {
    // By DWARF number (System V ABI, AMD64 supplement, figure 3.36).
    const GENERAL: [Register; 16] = [
        Register::RAX,
        Register::RDX,
        Register::RCX,
        Register::RBX,
        Register::RSI,
        Register::RDI,
        Register::RBP,
        Register::RSP,
        Register::R8,
        Register::R9,
        Register::R10,
        Register::R11,
        Register::R12,
        Register::R13,
        Register::R14,
        Register::R15,
    ];
    match name {
        Register::CS | Register::DS | Register::ES | Register::SS => Some(0),
        Register::FS => registers.get(58),
        Register::GS => registers.get(59),
        name => registers.get(GENERAL.iter().position(|known| *known == name)? as u16),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use debuginfo::types::MemoryFault;

    fn faulting(code: &[u8], values: &[(u16, u64)], top: Option<u64>) -> FaultingInstruction {
        let mut registers = Registers::new();
        values.iter().for_each(|(number, value)| registers.set(*number, *value));
        FaultingInstruction { instruction: decode(code, 0x40_1000).unwrap(), registers, top }
    }

    #[test]
    fn values_that_cannot_be_addresses_are_found_in_the_instruction() {
        const JUNK: u64 = 0x4242_4242_4242_4242;
        // mov (%rax,%rcx,8),%edx
        let load = [0x8b, 0x14, 0xc8];
        assert_eq!(faulting(&load, &[(0, JUNK), (2, 1)], None).not_canonical(), Some(NotCanonical::Data));
        assert_eq!(faulting(&load, &[(0, 0x7fff_0000), (2, 1)], None).not_canonical(), None);
        assert_eq!(faulting(&load, &[], None).not_canonical(), None, "registers are unknown");
        // call *%rax; ret; movaps %xmm0,(%rax)
        let call = faulting(&[0xff, 0xd0], &[(0, JUNK)], None);
        assert_eq!(call.not_canonical(), Some(NotCanonical::Function));
        assert_eq!(faulting(&[0xc3], &[], Some(JUNK)).not_canonical(), Some(NotCanonical::Return));
        assert_eq!(faulting(&[0xc3], &[(7, 0x7fff_0000)], Some(0x40_1000)).not_canonical(), None);
        assert_eq!(faulting(&[0x0f, 0x29, 0x00], &[(0, 0x7fff_0008)], None).not_canonical(), None);
        assert!(faulting(&[0x0f, 0x29, 0x00], &[], None).writes() && !faulting(&load, &[], None).writes());
    }

    #[test]
    fn divisors_are_found_in_registers_and_memory() {
        let none = |_: VirtualAddress, _: &mut [u8]| -> Result<(), MemoryFault> { panic!("no memory is needed") };
        // idiv %ecx; div %ch; idivl 8(%rbp); add %ecx,%eax
        let of = |code: &[u8], values: &[(u16, u64)]| faulting(code, values, None).divisor(&none);
        assert_eq!(of(&[0xf7, 0xf9], &[(2, 0xffff_ffff_0000_0000)]), Some(0));
        assert_eq!(of(&[0xf7, 0xf9], &[(2, 7)]), Some(7));
        assert_eq!(of(&[0xf6, 0xf5], &[(2, 0x00ff)]), Some(0));
        assert_eq!(of(&[0x01, 0xc8], &[(2, 0)]), None);
        let memory = |at: VirtualAddress, into: &mut [u8]| -> Result<(), MemoryFault> {
            (at.0 == 0x2008).then(|| into.fill(1)).ok_or(MemoryFault(at))
        };
        let division = |rbp| faulting(&[0xf7, 0x7d, 0x08], &[(6, rbp)], None).divisor(&memory);
        assert_eq!((division(0x2000), division(0x3000)), (Some(0x0101_0101), None));
    }
}
