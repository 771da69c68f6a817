//! The function that a frame has called, and the integers and addresses that it has passed in registers, by the
//! instructions before the call: also where the compiler has not described it, and where the function has jumped on to
//! another one.

use super::machine::{Machine, Next, stores, written};
use crate::native::inspect::StoppedThread;
use debuginfo::{Registers, StackFrame};
use iced_x86::{FlowControl, Instruction, Mnemonic, Register};
use model::VirtualAddress;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The bytes of the largest function whose instructions are read.
const LARGEST_FUNCTION: u64 = 1 << 18;

/// The lengths of calls: of an address, through a register, through memory.
const CALL_LENGTHS: [u64; 4] = [5, 6, 2, 3];

/// DWARF numbers of the registers by their numbers in instructions.
const DWARF: [u16; 16] = [0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15];

/// Numbers in instructions of the registers that functions preserve (System V ABI, AMD64 supplement, 3.2.1): rbx, rsp,
/// rbp, r12 to r15. After a call, they are known.
const PRESERVED: [usize; 7] = [3, 4, 5, 12, 13, 14, 15];

/// Numbers in instructions of the registers with the first arguments: rdi, rsi, rdx.
const ARGUMENTS: [usize; 3] = [7, 6, 2];

/// Returns the name of the function that a frame has called.
pub(super) fn called(thread: &StoppedThread<'_>, frame: &StackFrame) -> Option<Arc<str>> {
    let back = returns_to(frame)?;
    let mut machine = Machine::new(thread, preserved(&frame.registers, &[]));
    let call = call_before(&mut machine, back)?;
    let target = machine.target(&call)?;
    let (loaded, address) = thread.images.locate(VirtualAddress(target))?;
    let (name, offset) = loaded.image.symbol_at(address)?;
    (offset == 0).then(|| name.split(['@', '(']).next().unwrap_or_default().into())
}

/// True if a frame has called a function by its address in a register or in memory.
pub(super) fn calls_by_address(thread: &StoppedThread<'_>, frame: &StackFrame) -> bool {
    let mut machine = Machine::new(thread, [None; 16]);
    let call = returns_to(frame).and_then(|back| call_before(&mut machine, back));
    call.is_some_and(|call| call.flow_control() == FlowControl::IndirectCall)
}

/// Returns the first three arguments of the call that a frame has made, as far as they are known.
pub(super) fn passed(thread: &StoppedThread<'_>, frame: &StackFrame) -> [Option<u64>; 3] {
    let before = returns_to(frame).and_then(|back| instructions_before(thread, back));
    before.map_or([None; 3], |(instructions, targets)| arguments(thread, &frame.registers, &instructions, &targets))
}

/// Returns the address to which the called function returns in a frame that exists itself.
fn returns_to(frame: &StackFrame) -> Option<u64> {
    let is_there = !frame.interrupted && frame.given_up_to.is_empty();
    frame.registers.pc().filter(|_| is_there).map(|back| back.0)
}

/// Returns the instruction that ends where a call returns to, if it is a call.
fn call_before(machine: &mut Machine<'_>, back: u64) -> Option<Instruction> {
    CALL_LENGTHS.iter().find_map(|length| {
        let instruction = machine.instruction(back.checked_sub(*length)?)?;
        (instruction.mnemonic() == Mnemonic::Call && instruction.next_ip() == back).then_some(instruction)
    })
}

/// Returns the instructions of a function up to the call that returns to an address, and the addresses to which its
/// instructions jump; `None` if not all of these are known.
fn instructions_before(thread: &StoppedThread<'_>, back: u64) -> Option<(Vec<Instruction>, BTreeSet<u64>)> {
    let (loaded, address) = thread.images.locate(VirtualAddress(back.checked_sub(1)?))?;
    let range = loaded.image.function_at(address)?.range;
    let (begin, end) = (loaded.bias.loaded(range.start).0, loaded.bias.loaded(range.end).0);
    if end.checked_sub(begin)? > LARGEST_FUNCTION {
        return None;
    }
    let mut machine = Machine::new(thread, [None; 16]);
    let (mut instructions, mut targets) = (Vec::new(), BTreeSet::new());
    let mut at = begin;
    while at < end {
        let instruction = machine.instruction(at)?;
        match instruction.flow_control() {
            FlowControl::IndirectBranch => return None,
            FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch => {
                targets.insert(instruction.near_branch_target());
            }
            _ => {}
        }
        at = instruction.next_ip();
        if at <= back {
            instructions.push(instruction);
        }
    }
    let is_call = |call: &Instruction| call.mnemonic() == Mnemonic::Call && call.next_ip() == back;
    instructions.last().is_some_and(is_call).then_some((instructions, targets))
}

/// Follows the instructions that lead to a call, without a jump between them.
fn arguments(
    thread: &StoppedThread<'_>,
    registers: &Registers,
    instructions: &[Instruction],
    targets: &BTreeSet<u64>,
) -> [Option<u64>; 3] {
    let Some((call, before)) = instructions.split_last() else { return [None; 3] };
    if targets.contains(&call.ip()) {
        return [None; 3];
    }
    let mut begin = before.len();
    for instruction in before.iter().rev() {
        if instruction.flow_control() != FlowControl::Next {
            break;
        }
        begin -= 1;
        if targets.contains(&instruction.ip()) {
            break;
        }
    }
    let block = before.get(begin..).unwrap_or_default();
    // What a register had before it was written here is not known.
    let changed: Vec<usize> = block.iter().flat_map(written).collect();
    let known = preserved(registers, &changed);
    let mut machine = Machine::new(thread, known);
    let mut constant = [false; 16];
    for instruction in block {
        if !matches!(machine.step(instruction), Some(Next::At(_))) {
            machine.forget(instruction);
        }
        let is_constant = is_constant(instruction);
        for number in written(instruction) {
            if let Some(place) = constant.get_mut(number) {
                *place = is_constant;
            }
        }
        if stores(instruction) {
            // What was read before may have been overwritten: memory is as it is now.
            for (number, is_constant) in constant.iter().enumerate() {
                if !is_constant {
                    machine.set_register(number, known.get(number).copied().flatten());
                }
            }
        }
    }
    ARGUMENTS.map(|number| machine.register(number))
}

/// True if an instruction sets a register to what no register and no memory changes.
fn is_constant(instruction: &Instruction) -> bool {
    match instruction.mnemonic() {
        Mnemonic::Lea => instruction.is_ip_rel_memory_operand() && instruction.memory_index() == Register::None,
        Mnemonic::Mov => !matches!(instruction.op1_kind(), iced_x86::OpKind::Register | iced_x86::OpKind::Memory),
        _ => false,
    }
}

/// Returns the registers that a call preserves, without those that have changed before it.
fn preserved(registers: &Registers, changed: &[usize]) -> [Option<u64>; 16] {
    let mut known = [None; 16];
    for number in PRESERVED.iter().filter(|number| !changed.contains(number)) {
        let value = DWARF.get(*number).and_then(|dwarf| registers.get(*dwarf));
        if let Some(place) = known.get_mut(*number) {
            *place = value;
        }
    }
    known
}
