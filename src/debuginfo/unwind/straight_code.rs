//! The target of an indirect call, by the instructions that run straight into it: compilers do not describe it if only a
//! register has it that functions need not preserve, as where it is read from a table of virtual methods.

use super::registers::Registers;
use super::thread_access::ReadMemory;
use iced_x86::{
    Code, Decoder, DecoderOptions, FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind,
    Register,
};
use model::VirtualAddress;
use std::collections::HashSet;
use std::ops::Range;

/// Longer functions are not looked through: it would take too long.
const MOST_BYTES: u64 = 32 << 10;
/// Instructions before the call.
const MOST_STEPS: usize = 64;
/// Values that are computed from others, so deep.
const DEEPEST: usize = 8;

/// The code of a function up to a call.
pub(super) struct StraightCode<'a> {
    /// The instructions, the last of which is the call.
    instructions: Vec<Instruction>,
    /// The addresses that something jumps to.
    joins: HashSet<u64>,
    /// The caller's, when the called function has returned.
    registers: &'a Registers,
    memory: &'a dyn ReadMemory,
}

impl<'a> StraightCode<'a> {
    /// Decodes a function, which consists of some parts. `None` if the program counter of `registers` does not follow a
    /// call, or if the function has jumps whose targets are not in the code.
    pub(super) fn before(
        parts: &[Range<VirtualAddress>],
        registers: &'a Registers,
        memory: &'a dyn ReadMemory,
    ) -> Option<Self> {
        let end = registers.pc()?.0;
        let length =
            parts.iter().try_fold(0_u64, |sum, part| sum.checked_add(part.end.0.checked_sub(part.start.0)?))?;
        if length > MOST_BYTES {
            return None;
        }
        let (mut instructions, mut joins) = (Vec::new(), HashSet::new());
        for part in parts {
            let mut bytes = vec![0; usize::try_from(part.end.0 - part.start.0).ok()?];
            memory.read(part.start, &mut bytes).ok()?;
            let has_call = part.start.0 < end && end <= part.end.0;
            for instruction in &mut Decoder::with_ip(64, &bytes, part.start.0, DecoderOptions::NONE) {
                match instruction.flow_control() {
                    FlowControl::IndirectBranch => return None,
                    _ if instruction.is_invalid() => return None,
                    FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch => {
                        joins.insert(instruction.near_branch_target());
                    }
                    _ => {}
                }
                if has_call && instruction.next_ip() <= end {
                    instructions.push(instruction);
                }
            }
        }
        let call = instructions.last()?;
        let is_call = matches!(call.flow_control(), FlowControl::Call | FlowControl::IndirectCall);
        (is_call && call.next_ip() == end).then_some(Self { instructions, joins, registers, memory })
    }

    /// Returns the target of the call if it is indirect.
    pub(super) fn target(&self) -> Option<VirtualAddress> {
        let at = self.instructions.len() - 1;
        let call = self.instructions.get(at)?;
        if call.flow_control() != FlowControl::IndirectCall {
            return None;
        }
        let value = match call.op0_kind() {
            OpKind::Register => self.value(call.op0_register(), at, DEEPEST),
            OpKind::Memory => self.load(call, at, 8, DEEPEST),
            _ => None,
        };
        value.map(VirtualAddress)
    }

    /// The value of a register before the instruction at a place from which the code runs straight to the call.
    fn value(&self, register: Register, at: usize, deepest: usize) -> Option<u64> {
        let deepest = deepest.checked_sub(1)?;
        if let Some(value) = self.kept(register, at) {
            return Some(value);
        }
        let mut factory = InstructionInfoFactory::new();
        for before in (at.saturating_sub(MOST_STEPS)..at).rev() {
            let (instruction, next) = (self.instructions.get(before)?, self.instructions.get(before + 1)?);
            if self.joins.contains(&next.ip()) {
                return None;
            }
            match instruction.flow_control() {
                FlowControl::Next | FlowControl::ConditionalBranch => {}
                FlowControl::Call | FlowControl::IndirectCall if is_preserved(register) => continue,
                _ => return None,
            }
            if writes(&mut factory, instruction, register) {
                return self.written(register, before, deepest);
            }
            let is_copy = instruction.code() == Code::Mov_rm64_r64 || instruction.code() == Code::Mov_r64_rm64;
            if is_copy
                && instruction.op0_kind() == OpKind::Register
                && instruction.op1_kind() == OpKind::Register
                && instruction.op1_register() == register
                && let Some(value) = self.kept(instruction.op0_register(), before + 1)
            {
                return Some(value);
            }
        }
        None
    }

    /// The value of a register that functions preserve, before the instruction at a place: that which it has after the
    /// call, if the instructions in between only count it up or down.
    fn kept(&self, register: Register, at: usize) -> Option<u64> {
        if !is_preserved(register) {
            return None;
        }
        let mut value = self.registers.get(number(register)?)?;
        let mut factory = InstructionInfoFactory::new();
        let (_, between) = self.instructions.get(at..)?.split_last()?;
        if between.len() > MOST_STEPS {
            return None;
        }
        for instruction in between.iter().rev() {
            let is_call = matches!(instruction.flow_control(), FlowControl::Call | FlowControl::IndirectCall);
            if is_call || !writes(&mut factory, instruction, register) {
                continue;
            }
            value = match instruction.mnemonic() {
                _ if register == Register::RSP && instruction.is_stack_instruction() => {
                    value.wrapping_sub(i64::from(instruction.stack_pointer_increment()) as u64)
                }
                Mnemonic::Add if is_counted(instruction) => value.wrapping_sub(instruction.immediate(1)),
                Mnemonic::Sub if is_counted(instruction) => value.wrapping_add(instruction.immediate(1)),
                Mnemonic::Lea if is_counted(instruction) => value.wrapping_sub(instruction.memory_displacement64()),
                _ => return None,
            };
        }
        Some(value)
    }

    /// The value that an instruction writes to a register.
    fn written(&self, register: Register, at: usize, deepest: usize) -> Option<u64> {
        let instruction = self.instructions.get(at)?;
        let written = instruction.op0_register();
        if instruction.op0_kind() != OpKind::Register || written.full_register() != register {
            return None;
        }
        let size = written.size();
        let value = match (instruction.mnemonic(), instruction.op1_kind()) {
            (Mnemonic::Mov, OpKind::Register) => self.value(instruction.op1_register().full_register(), at, deepest)?,
            (Mnemonic::Mov, OpKind::Memory) => self.load(instruction, at, size, deepest)?,
            (Mnemonic::Lea, _) => self.address(instruction, at, deepest)?,
            (Mnemonic::Xor, OpKind::Register) if instruction.op1_register() == written => 0,
            (Mnemonic::Mov, kind) if is_immediate(kind) => instruction.immediate(1),
            (Mnemonic::Add, kind) if is_immediate(kind) => {
                self.value(register, at, deepest)?.wrapping_add(instruction.immediate(1))
            }
            (Mnemonic::Sub, kind) if is_immediate(kind) => {
                self.value(register, at, deepest)?.wrapping_sub(instruction.immediate(1))
            }
            _ => return None,
        };
        match size {
            8 => Some(value),
            // The upper half becomes zero.
            4 => Some(u64::from(value as u32)),
            _ => None,
        }
    }

    /// The word at an instruction's operand, if nothing up to the call has written to memory outside of the stack.
    fn load(&self, instruction: &Instruction, at: usize, size: usize, deepest: usize) -> Option<u64> {
        let mut factory = InstructionInfoFactory::new();
        let between = self.instructions.get(at + 1..self.instructions.len() - 1).unwrap_or(&[]);
        let is_kept = between.iter().all(|other| {
            let is_call = matches!(other.flow_control(), FlowControl::Call | FlowControl::IndirectCall);
            let is_written = factory.info(other).used_memory().iter().any(|used| {
                !matches!(used.access(), OpAccess::Read | OpAccess::CondRead) && used.base() != Register::RSP
            });
            !is_call && !is_written
        });
        if !is_kept {
            return None;
        }
        let address = VirtualAddress(self.address(instruction, at, deepest)?);
        let mut bytes = [0; 8];
        self.memory.read(address, bytes.get_mut(..size)?).ok()?;
        Some(u64::from_le_bytes(bytes))
    }

    fn address(&self, instruction: &Instruction, at: usize, deepest: usize) -> Option<u64> {
        if matches!(instruction.segment_prefix(), Register::FS | Register::GS) {
            return None;
        }
        let register = |register: Register| match register {
            // The displacement is the sum then.
            Register::None | Register::RIP => Some(0),
            register => self.value(register, at, deepest),
        };
        let index = register(instruction.memory_index())?.wrapping_mul(u64::from(instruction.memory_index_scale()));
        let sum = register(instruction.memory_base())?.wrapping_add(index);
        Some(sum.wrapping_add(instruction.memory_displacement64()))
    }
}

/// True for the registers that functions preserve (System V ABI, AMD64 supplement, 3.2.1).
fn is_preserved(register: Register) -> bool {
    use Register::{R12, R13, R14, R15, RBP, RBX, RSP};
    matches!(register, RBX | RBP | RSP | R12 | R13 | R14 | R15)
}

/// True for `add $8,%rbx`, and for `lea 8(%rbx),%rbx`.
fn is_counted(instruction: &Instruction) -> bool {
    let register = instruction.op0_register();
    let is_whole = instruction.op0_kind() == OpKind::Register && register.size() == 8;
    let is_of_it = match instruction.op1_kind() {
        OpKind::Memory => instruction.memory_base() == register && instruction.memory_index() == Register::None,
        kind => is_immediate(kind),
    };
    is_whole && is_of_it
}

fn is_immediate(kind: OpKind) -> bool {
    matches!(
        kind,
        OpKind::Immediate8to64
            | OpKind::Immediate32to64
            | OpKind::Immediate64
            | OpKind::Immediate32
            | OpKind::Immediate8to32
    )
}

fn writes(factory: &mut InstructionInfoFactory, instruction: &Instruction, register: Register) -> bool {
    let is_read =
        |access| matches!(access, OpAccess::Read | OpAccess::CondRead | OpAccess::NoMemAccess | OpAccess::None);
    let mut used = factory.info(instruction).used_registers().iter();
    used.any(|used| used.register().full_register() == register && !is_read(used.access()))
}

/// The number of DWARF.
fn number(register: Register) -> Option<u16> {
    let numbers = [0, 2, 1, 3, 7, 6, 4, 5];
    let place = register.number();
    register.is_gpr64().then(|| numbers.get(place).copied().unwrap_or(place as u16))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::description::MemoryFault;
    use crate::unwind::registers::{RBP, RBX, RSP};

    const START: u64 = 0x1000;
    /// A word at this address of the table below is its address and this.
    const TABLE: Range<u64> = 0x4000..0x5000;
    const MORE: u64 = 0x100;

    /// Evaluates the target of the call that ends a function's first bytes.
    fn target(code: &[u8], behind: &[u8]) -> Option<u64> {
        let mut registers = Registers::new();
        let end = START + code.len() as u64;
        for (number, value) in [(16, end), (RBX, 0x4010), (RBP, 2), (12, 0x4020), (RSP, 0x4030), (0, 0x4040)] {
            registers.set(number, value);
        }
        let all = [code, behind].concat();
        let memory = |address: VirtualAddress, into: &mut [u8]| {
            if TABLE.contains(&address.0) {
                let word = (address.0 + MORE).to_le_bytes();
                into.copy_from_slice(&word[..into.len()]);
                return Ok(());
            }
            let is_code = address.0 == START && into.len() == all.len();
            is_code.then(|| into.copy_from_slice(&all)).ok_or(MemoryFault(address))
        };
        let parts = [VirtualAddress(START)..VirtualAddress(START + all.len() as u64)];
        StraightCode::before(&parts, &registers, &memory)?.target().map(|target| target.0)
    }

    /// mov (%rbx),%rdi; mov %r12d,%esi
    const OBJECT: [u8; 6] = [0x48, 0x8b, 0x3b, 0x44, 0x89, 0xe6];
    /// add $8,%rbx
    const NEXT: [u8; 4] = [0x48, 0x83, 0xc3, 0x08];
    /// mov (%rdi),%rax; call *0x10(%rax)
    const CALL: [u8; 6] = [0x48, 0x8b, 0x07, 0xff, 0x50, 0x10];

    #[test]
    fn methods_are_found_through_the_object_and_its_table() {
        let from = |object: u64| Some(object + 2 * MORE + 0x10 + MORE);
        assert_eq!(target(&[&OBJECT[..], &CALL].concat(), &[0xc3]), from(0x4010));
        assert_eq!(target(&[&OBJECT[..], &NEXT, &CALL].concat(), &[0xc3]), from(0x4008), "it was counted up since");
        // mov %rdi,%rbx: the object is in a register that was copied from the parameter.
        let method = [&[0x48, 0x89, 0xfb][..], &CALL].concat();
        assert_eq!(target(&method, &[0xc3]), Some(0x4010 + MORE + 0x10 + MORE));
        // lea 0x8(%rsp),%rdi; push %rax; mov (%rdi),%rax; call *0x10(%rax)
        let pushed = [&[0x48, 0x8d, 0x7c, 0x24, 0x08, 0x50][..], &CALL].concat();
        assert_eq!(target(&pushed, &[0xc3]), Some(0x4030 + 8 + 8 + MORE + 0x10 + MORE));
        // mov %r12,%rax; call *%rax
        assert_eq!(target(&[0x4c, 0x89, 0xe0, 0xff, 0xd0], &[0xc3]), Some(0x4020));
    }

    #[test]
    fn targets_that_were_computed_are_known() {
        // mov $0x18,%ecx; lea 8(%rbx,%rbp,8),%rax; add $0x10,%rax; sub $1,%rax; call *(%rax)
        let sum = [&[0xb9, 0x18, 0, 0, 0, 0x48, 0x8d, 0x44, 0xeb, 0x08][..], &[0x48, 0x83, 0xc0, 0x10]].concat();
        let call = [&sum[..], &[0x48, 0x83, 0xe8, 0x01, 0xff, 0x10]].concat();
        assert_eq!(target(&call, &[0xc3]), Some(0x4010 + 16 + 8 + 0x10 - 1 + MORE));
        // xor %edx,%edx; mov $0x4020,%eax; call *8(%rax,%rdx,8)
        let numbers = [0x31, 0xd2, 0xb8, 0x20, 0x40, 0, 0, 0xff, 0x54, 0xd0, 0x08];
        assert_eq!(target(&numbers, &[0xc3]), Some(0x4028 + MORE));
    }

    #[test]
    fn a_value_that_something_else_may_have_given_is_unknown() {
        let code = |between: &[u8]| [&OBJECT[..], between, &CALL].concat();
        let is_unknown = |code: &[u8], behind: &[u8]| assert_eq!(target(code, behind), None, "{code:x?} {behind:x?}");
        is_unknown(&CALL, &[0xc3]);
        // A jump from behind the call to between the load of the object and that of its table.
        let back = |to: u64| [0xeb, (to as i64 - (OBJECT.len() + CALL.len() + 2) as i64) as u8];
        is_unknown(&code(&[]), &back(OBJECT.len() as u64));
        assert!(target(&code(&[]), &back(0)).is_some(), "all of it is executed again");
        // call next: another function may change the register.
        is_unknown(&code(&[0xe8, 0, 0, 0, 0]), &[0xc3]);
        // mov %rcx,(%rdx): it may be the object.
        is_unknown(&code(&[0x48, 0x89, 0x0a]), &[0xc3]);
        // mov %rcx,(%rsp): a variable on the stack.
        assert!(target(&code(&[0x48, 0x89, 0x0c, 0x24]), &[0xc3]).is_some());
        // imul %rcx,%rdi; mov %cl,%dil; jmp *%rcx; ret; hlt and no instruction
        for other in [&[0x48, 0x0f, 0xaf, 0xf9][..], &[0x40, 0x88, 0xcf], &[0xff, 0xe1], &[0xc3], &[0x06]] {
            is_unknown(&code(other), &[0xc3]);
        }
        // A direct call, and none.
        is_unknown(&[0xe8, 0, 0, 0, 0], &[0xc3]);
        is_unknown(&NEXT, &[0xc3]);
        is_unknown(&code(&[0x90; 70]), &[0xc3]);
        let endless = [0x48, 0x89, 0xc0].repeat(20);
        is_unknown(&[&endless[..], &[0xff, 0xd0]].concat(), &[0xc3]);
    }
}
