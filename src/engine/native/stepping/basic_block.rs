//! Code without branches: a step runs through it instead of stopping at every instruction.

use crate::native::ptrace::decode;
use iced_x86::{FlowControl, Instruction, InstructionInfoFactory, OpAccess, Register};

/// Fewer instructions than this are single-stepped, which costs less than inserting and removing a trap.
const WORTH: usize = 3;
/// Bytes of code that are decoded.
pub(in crate::native) const AHEAD: usize = 192;

/// The end of code without branches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::native) struct BlockEnd {
    /// The first instruction after it.
    pub address: u64,
    /// The stack pointer there.
    pub stack_pointer: u64,
}

/// True if the instruction changes the stack pointer by an amount that is not known in advance.
fn moves_stack(instruction: &Instruction, factory: &mut InstructionInfoFactory) -> bool {
    let changed = |access| {
        matches!(access, OpAccess::Write | OpAccess::ReadWrite | OpAccess::CondWrite | OpAccess::ReadCondWrite)
    };
    !instruction.is_stack_instruction()
        && factory
            .info(instruction)
            .used_registers()
            .iter()
            .any(|used| used.register().full_register() == Register::RSP && changed(used.access()))
}

/// Returns the end of the instructions that execute in sequence from `pc` while they are `inside`; `None` if they are
/// too few to be worth a trap.
pub(in crate::native) fn straight_end(code: &[u8], pc: u64, sp: u64, inside: impl Fn(u64) -> bool) -> Option<BlockEnd> {
    let mut factory = InstructionInfoFactory::new();
    let mut end = BlockEnd { address: pc, stack_pointer: sp };
    let mut count = 0;
    while inside(end.address) {
        let rest = code.get((end.address - pc) as usize..).unwrap_or_default();
        let Some(instruction) = decode(rest, end.address) else { break };
        if instruction.flow_control() != FlowControl::Next || moves_stack(&instruction, &mut factory) {
            break;
        }
        let moved = i64::from(instruction.stack_pointer_increment());
        end = BlockEnd { address: instruction.next_ip(), stack_pointer: end.stack_pointer.wrapping_add_signed(moved) };
        count += 1;
    }
    (count >= WORTH).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// push %rbp; mov %rsp,%rbp; xor %eax,%eax; inc %eax; jmp
    const CODE: &[u8] = &[0x55, 0x48, 0x89, 0xe5, 0x31, 0xc0, 0xff, 0xc0, 0xeb, 0x10];

    #[test]
    fn it_ends_at_a_branch_and_knows_the_stack() {
        let end = straight_end(CODE, 0x1000, 0x8000, |_| true);
        assert_eq!(end, Some(BlockEnd { address: 0x1008, stack_pointer: 0x7ff8 }));
    }

    #[test]
    fn it_ends_with_the_line_and_may_not_be_worth_it() {
        let end = straight_end(CODE, 0x1000, 0x8000, |pc| pc < 0x1006);
        assert_eq!(end.map(|end| end.address), Some(0x1006));
        assert_eq!(straight_end(CODE, 0x1000, 0x8000, |pc| pc < 0x1004), None);
        assert_eq!(straight_end(&CODE[..5], 0x1000, 0x8000, |_| true), None);
    }

    #[test]
    fn it_ends_before_the_stack_is_moved() {
        // nop; nop; nop; sub $0x20,%rsp
        let code = [0x90, 0x90, 0x90, 0x48, 0x83, 0xec, 0x20];
        assert_eq!(straight_end(&code, 0, 64, |_| true), Some(BlockEnd { address: 3, stack_pointer: 64 }));
        // nop; nop; nop; mov %rsp,%rbp reads it only
        let code = [0x90, 0x90, 0x90, 0x48, 0x89, 0xe5];
        assert_eq!(straight_end(&code, 0, 64, |_| true).map(|end| end.address), Some(6));
    }
}
