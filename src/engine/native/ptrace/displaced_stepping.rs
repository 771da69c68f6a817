//! Moving the instruction under a breakpoint elsewhere, so that a thread can pass the breakpoint while it stays in
//! for the others.
//!
//! The instruction is written to a slot, fixed up for its new address, followed by a jump to the instruction after
//! the original. A thread passes by continuing from the slot; it need not be stepped. Calls push an address of the
//! code they are in, so they are carried out by the tracer instead.

use iced_x86::{
    BlockEncoder, BlockEncoderOptions, Decoder, DecoderOptions, FlowControl, Instruction, InstructionBlock, Mnemonic,
    OpKind, Register,
};

/// The longest x86-64 instruction (Intel manual, volume 2, 2.3.11).
pub const LONGEST: usize = 15;
/// Size of a slot in bytes: an instruction, which the encoder may have made longer, and the jump back.
pub const SLOT_SIZE: usize = 32;
/// `jmp rel32`, without the distance.
const JUMP: u8 = 0xe9;
/// Length of the jump, with the distance.
const JUMP_LENGTH: usize = 5;

/// The way to pass the instruction under a breakpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Passage {
    /// By continuing from a slot.
    Slot {
        /// The code in the slot.
        code: Vec<u8>,
        /// Offset in the slot of the jump back: a thread found there has executed the instruction.
        done: usize,
        /// Target of the jump back.
        next: u64,
    },
    /// By pushing the return address and going to the target.
    Call(CallTarget),
    /// By executing it in place.
    InPlace,
    /// By a slot if room for one is found, else in place.
    Roomless,
}

/// The target of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallTarget {
    /// A fixed address.
    Direct(u64),
    /// The value of the instruction's first operand.
    Operand(Instruction),
}

/// Decodes one instruction; `None` if the bytes are not a valid one.
pub fn decode(code: &[u8], address: u64) -> Option<Instruction> {
    let mut decoder = Decoder::with_ip(64, code, address, DecoderOptions::NONE);
    let instruction = decoder.decode();
    (!instruction.is_invalid()).then_some(instruction)
}

/// True if the instruction is a call that returns to the instruction after it.
pub fn is_call(instruction: &Instruction) -> bool {
    matches!(instruction.flow_control(), FlowControl::Call | FlowControl::IndirectCall)
        && instruction.mnemonic() == Mnemonic::Call
}

/// Returns the way to pass the instruction at the start of `code`, which is at `address`. `slot` is the address of a
/// slot, or `None` if there is none.
pub fn passage(code: &[u8], address: u64, slot: Option<u64>) -> Passage {
    let Some(instruction) = decode(code, address) else { return Passage::InPlace };
    if is_call(&instruction) {
        return match instruction.op0_kind() {
            OpKind::NearBranch64 => Passage::Call(CallTarget::Direct(instruction.near_branch_target())),
            OpKind::Register | OpKind::Memory => Passage::Call(CallTarget::Operand(instruction)),
            _ => Passage::InPlace,
        };
    }
    // A branch to itself would stay in the slot and never arrive again.
    let to_itself = instruction.near_branch_target() == address && instruction.op0_kind() == OpKind::NearBranch64;
    let movable = match instruction.flow_control() {
        _ if to_itself => false,
        FlowControl::Next | FlowControl::Return | FlowControl::UnconditionalBranch | FlowControl::IndirectBranch => {
            true
        }
        // The encoder turns loops into more than one instruction with an effect.
        FlowControl::ConditionalBranch => {
            !instruction.is_loop() && !instruction.is_loopcc() && !instruction.is_jcx_short()
        }
        // The system calls; `syscall` alone has this flow and is no call.
        FlowControl::Call => instruction.mnemonic() == Mnemonic::Syscall,
        FlowControl::Exception => true,
        _ => false,
    };
    match slot {
        _ if !movable => Passage::InPlace,
        Some(slot) => in_slot(instruction, slot).unwrap_or(Passage::InPlace),
        None => Passage::Roomless,
    }
}

fn in_slot(instruction: Instruction, slot: u64) -> Option<Passage> {
    let block = [instruction];
    let encoded =
        BlockEncoder::encode(64, InstructionBlock::new(&block, slot), BlockEncoderOptions::NONE).ok()?.code_buffer;
    let done = encoded.len();
    let mut code = encoded;
    let (next, behind) = (instruction.next_ip(), slot.wrapping_add((done + JUMP_LENGTH) as u64));
    let distance = i32::try_from(next.wrapping_sub(behind).cast_signed()).ok()?;
    code.push(JUMP);
    code.extend_from_slice(&distance.to_le_bytes());
    (code.len() <= SLOT_SIZE).then_some(Passage::Slot { code, done, next })
}

/// Returns the target of a call with an operand; `None` if registers or memory cannot be read.
pub fn operand_target(
    instruction: &Instruction,
    register: impl Fn(Register) -> Option<u64>,
    word: impl Fn(u64) -> Option<u64>,
) -> Option<u64> {
    match instruction.op0_kind() {
        OpKind::Register => register(instruction.op0_register()),
        OpKind::Memory => word(instruction.virtual_address(0, 0, |name, _, _| register(name))?),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: u64 = 0x40_1000;
    const SLOT: u64 = 0x40_8000;

    fn moved(code: &[u8]) -> (Instruction, usize, Vec<u8>) {
        let Passage::Slot { code, done, next } = passage(code, AT, Some(SLOT)) else { panic!("not moved") };
        let back = decode(&code[done..], SLOT + done as u64).unwrap();
        assert_eq!((back.near_branch_target(), done + back.len()), (next, code.len()));
        (decode(&code, SLOT).unwrap(), done, code)
    }

    fn jumps_to(code: &[u8], done: usize) -> u64 {
        decode(&code[done..], SLOT + done as u64).unwrap().near_branch_target()
    }

    #[test]
    fn a_plain_instruction_keeps_its_bytes_and_jumps_back() {
        let (_, done, code) = moved(&[0x55, 0x90]);
        assert_eq!(done, 1);
        assert_eq!(code[0], 0x55);
        assert_eq!(jumps_to(&code, done), AT + 1);
    }

    #[test]
    fn addresses_relative_to_the_instruction_stay() {
        // mov 0x2ef4(%rip),%eax
        let (instruction, _, _) = moved(&[0x8b, 0x05, 0xf4, 0x2e, 0, 0]);
        assert_eq!(instruction.memory_displacement64(), AT + 6 + 0x2ef4);
    }

    #[test]
    fn branches_keep_their_targets() {
        // jne +0x10 (short), jmp -2 (to itself)
        let (instruction, done, code) = moved(&[0x75, 0x10]);
        assert_eq!(instruction.near_branch_target(), AT + 2 + 0x10);
        assert_eq!(jumps_to(&code, done), AT + 2);
        assert_eq!(moved(&[0xeb, 0xee]).0.near_branch_target(), AT - 0x10);
    }

    #[test]
    fn calls_are_carried_out_by_hand() {
        assert_eq!(passage(&[0xe8, 0xfb, 0xff, 0xff, 0xff], AT, None), Passage::Call(CallTarget::Direct(AT)));
        // call *0x10(%rax)
        let Passage::Call(CallTarget::Operand(call)) = passage(&[0xff, 0x50, 0x10], AT, None) else { panic!() };
        let target = operand_target(&call, |r| Some(if r == Register::RAX { 0x1000 } else { 0 }), |a| Some(a + 1));
        assert_eq!(target, Some(0x1011));
    }

    #[test]
    fn what_cannot_be_moved_stays() {
        // loop, a jump to itself, garbage, and data too far from the slot
        assert_eq!(passage(&[0xeb, 0xfe], AT, Some(SLOT)), Passage::InPlace);
        assert_eq!(passage(&[0xe2, 0x10], AT, Some(SLOT)), Passage::InPlace);
        assert_eq!(passage(&[0x06], AT, Some(SLOT)), Passage::InPlace);
        let far = 0x5555_5555_5000;
        assert_eq!(passage(&[0x8b, 0x05, 0, 0, 0, 0], far, Some(0x7fff_0000_0000)), Passage::InPlace);
        assert_eq!(passage(&[0x55], AT, None), Passage::Roomless);
        assert_eq!(passage(&[0xe2, 0x10], AT, None), Passage::InPlace);
    }

    #[test]
    fn a_system_call_runs_in_the_slot() {
        assert_eq!(moved(&[0x0f, 0x05]).1, 2);
    }
}
