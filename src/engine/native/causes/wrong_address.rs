//! Accesses to addresses without memory, and to memory that does not allow them.

use super::fatal_signal::FatalSignal;
use super::memory_map::MemoryMap;
use crate::native::inspect::StoppedThread;
use crate::native::ptrace::{LONGEST, decode};
use crate::native::startup::program::base_name;
use debuginfo::Registers;
use iced_x86::{FlowControl, Instruction, InstructionInfoFactory, OpAccess, Register};
use model::{Cause, CauseKind, VirtualAddress};

/// The kernel maps nothing so close to address 0 (`vm.mmap_min_addr`).
const NULL: u64 = 64 << 10;
/// `si_code` of an access to an address without memory, and of one that the memory does not allow (sigaction(2)).
const UNMAPPED: i32 = 1;
const FORBIDDEN: i32 = 2;
/// `si_code` of a general protection fault, for which the processor gives no address.
const PROTECTION: i32 = 0x80;

/// Returns the cause of a SIGSEGV by the address that was accessed.
pub(super) fn cause(signal: &FatalSignal, thread: &StoppedThread<'_>, map: &MemoryMap) -> Option<Cause> {
    let instruction = Faulting::at(thread);
    let (kind, text) = match (signal.code()?, signal.address()?) {
        (PROTECTION, _) => (CauseKind::WildPointer, instruction?.not_canonical()?.to_owned()),
        (UNMAPPED | FORBIDDEN, address) => {
            let calls = thread.registers.pc() == Some(VirtualAddress(address));
            null(address, calls).or_else(|| wild(signal.code()?, address, calls, instruction.as_ref(), map))?
        }
        _ => return None,
    };
    Some(Cause { kind, text, source: None })
}

/// Describes an access near address 0.
fn null(address: u64, calls: bool) -> Option<(CauseKind, String)> {
    let text = match (address, address.wrapping_neg()) {
        (0, _) if calls => "call of a null function pointer".to_owned(),
        (0, _) => "address 0x0 is not mapped: a null pointer".to_owned(),
        (1..NULL, _) => format!("address {address:#x} is not mapped: a null pointer plus {address}"),
        (_, under @ 1..NULL) => format!("address {address:#x} is not mapped: a null pointer minus {under}"),
        _ => return None,
    };
    Some((CauseKind::NullPointer, text))
}

/// Describes any other access, without its address, which differs between ranks.
fn wild(
    code: i32,
    address: u64,
    calls: bool,
    instruction: Option<&Faulting>,
    map: &MemoryMap,
) -> Option<(CauseKind, String)> {
    let text = if calls {
        "jump to an address without code".to_owned()
    } else if code == UNMAPPED {
        "wild pointer: nothing is mapped at its address".to_owned()
    } else {
        let memory = map.mapping(address).filter(|memory| !memory.changes)?;
        if !instruction?.writes() {
            return None;
        }
        let file = base_name(&memory.name);
        let of = if file.is_empty() || file.starts_with('[') { String::new() } else { format!(" of {file}") };
        format!("write to read-only memory{of}")
    };
    Some((CauseKind::WildPointer, text))
}

/// The instruction that could not be executed.
struct Faulting {
    instruction: Instruction,
    registers: Registers,
    /// The word on the top of the stack.
    top: Option<u64>,
}

impl Faulting {
    fn at(thread: &StoppedThread<'_>) -> Option<Self> {
        let pc = thread.registers.pc()?;
        // The next page may be unmapped.
        let code = (1..=LONGEST).rev().find_map(|length| {
            let mut code = vec![0; length];
            thread.access.read(pc, &mut code).ok().map(|()| code)
        })?;
        let top = thread.registers.sp().and_then(|sp| thread.access.word(sp).ok());
        Some(Self { instruction: decode(&code, pc.0)?, registers: thread.registers, top })
    }

    fn writes(&self) -> bool {
        let writes = |access| !matches!(access, OpAccess::Read | OpAccess::CondRead | OpAccess::NoMemAccess);
        let mut factory = InstructionInfoFactory::new();
        factory.info(&self.instruction).used_memory().iter().any(|used| writes(used.access()))
    }

    /// Describes the address that is none, if the instruction has one.
    fn not_canonical(&self) -> Option<&'static str> {
        match self.instruction.flow_control() {
            FlowControl::Return if self.top.is_some_and(is_not_canonical) => {
                return Some("return to an address that cannot exist: the stack is damaged");
            }
            FlowControl::IndirectCall | FlowControl::IndirectBranch if self.target().is_some_and(is_not_canonical) => {
                return Some("wild function pointer: its value cannot be an address");
            }
            _ => {}
        }
        self.addresses().into_iter().any(is_not_canonical).then_some("wild pointer: its value cannot be an address")
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
fn is_not_canonical(address: u64) -> bool {
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

    fn text(address: u64, calls: bool) -> Option<String> {
        null(address, calls).map(|(_, text)| text)
    }

    #[test]
    fn addresses_near_zero_are_null_pointers() {
        assert_eq!(text(0, false).unwrap(), "address 0x0 is not mapped: a null pointer");
        assert_eq!(text(16, false).unwrap(), "address 0x10 is not mapped: a null pointer plus 16");
        assert_eq!(text(16, true).unwrap(), "address 0x10 is not mapped: a null pointer plus 16");
        assert_eq!(
            text(u64::MAX - 7, false).unwrap(),
            "address 0xfffffffffffffff8 is not mapped: a null pointer minus 8"
        );
        assert_eq!(text(0, true).unwrap(), "call of a null function pointer");
        assert_eq!(text(NULL, false), None);
    }

    fn faulting(code: &[u8], values: &[(u16, u64)], top: Option<u64>) -> Faulting {
        let mut registers = Registers::new();
        values.iter().for_each(|(number, value)| registers.set(*number, *value));
        Faulting { instruction: decode(code, 0x40_1000).unwrap(), registers, top }
    }

    #[test]
    fn values_that_cannot_be_addresses_are_found_in_the_instruction() {
        const JUNK: u64 = 0x4242_4242_4242_4242;
        // mov (%rax,%rcx,8),%edx
        let load = [0x8b, 0x14, 0xc8];
        assert!(faulting(&load, &[(0, JUNK), (2, 1)], None).not_canonical().unwrap().starts_with("wild pointer"));
        assert_eq!(faulting(&load, &[(0, 0x7fff_0000), (2, 1)], None).not_canonical(), None);
        assert_eq!(faulting(&load, &[], None).not_canonical(), None, "registers are unknown");
        // call *%rax; ret; movaps %xmm0,(%rax)
        let call = faulting(&[0xff, 0xd0], &[(0, JUNK)], None);
        assert!(call.not_canonical().unwrap().starts_with("wild function pointer"));
        assert!(faulting(&[0xc3], &[], Some(JUNK)).not_canonical().unwrap().contains("the stack is damaged"));
        assert_eq!(faulting(&[0xc3], &[(7, 0x7fff_0000)], Some(0x40_1000)).not_canonical(), None);
        assert_eq!(faulting(&[0x0f, 0x29, 0x00], &[(0, 0x7fff_0008)], None).not_canonical(), None);
        assert!(faulting(&[0x0f, 0x29, 0x00], &[], None).writes() && !faulting(&load, &[], None).writes());
    }
}
