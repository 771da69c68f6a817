//! The functions that an indirect call may have called, by the instruction before its return address. Compilers describe
//! the target only where a register holds it, not where a table does.

use super::registers::{RBP, RBX, RSP, Registers};
use super::thread_access::ReadMemory;
use model::VirtualAddress;

/// The bytes of an indirect call with a prefix, an index and a displacement.
const LONGEST: usize = 8;

/// `call` with an operand in a register or in memory is `FF /2` (AMD64 manual, volume 3).
const CALL: u8 = 0xff;
const EXTENSION: u8 = 2;

/// The number of `rsp` in an index, where it means none, and as a base, where another byte follows.
const STACK_POINTER: u8 = 4;
/// The number of `rbp` as a base, which means none where no displacement follows.
const FRAME_POINTER: u8 = 5;

/// Returns the targets of the calls that the bytes before a frame's program counter can be read as. Bytes cannot be read
/// backwards for certain, so a target is only likely until it is known to lead to the function that runs.
pub(super) fn targets(registers: &Registers, memory: &dyn ReadMemory) -> Vec<VirtualAddress> {
    let mut bytes = [0; LONGEST];
    let Some(end) = registers.pc() else { return Vec::new() };
    let start = VirtualAddress(end.0.wrapping_sub(LONGEST as u64));
    if memory.read(start, &mut bytes).is_err() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for at in 0..LONGEST {
        let (before, code) = bytes.split_at(at);
        let prefix = before.last().copied().filter(|prefix| prefix & 0xf0 == 0x40);
        for prefix in [0].into_iter().chain(prefix) {
            let call = Call { prefix, end, registers, memory };
            found.extend(call.target(code).filter(|target| !found.contains(target)));
        }
    }
    found
}

struct Call<'a> {
    /// REX, or 0.
    prefix: u8,
    /// The address after the instruction.
    end: VirtualAddress,
    registers: &'a Registers,
    memory: &'a dyn ReadMemory,
}

impl Call<'_> {
    /// Returns the target if the bytes are a call from end to end.
    fn target(&self, code: &[u8]) -> Option<VirtualAddress> {
        let [CALL, mode, rest @ ..] = code else { return None };
        let (kind, low) = (mode >> 6, mode & 7);
        if mode >> 3 & 7 != EXTENSION {
            return None;
        }
        let (sum, has_base, rest) = match (kind, low) {
            (3, _) => return rest.is_empty().then(|| self.register(low, 0))?.map(VirtualAddress),
            (0, FRAME_POINTER) => (self.end.0, false, rest),
            (_, STACK_POINTER) => self.scaled(kind, rest)?,
            _ => (self.register(low, 0)?, true, rest),
        };
        let displacement = match (kind, has_base, rest) {
            (0, true, []) => 0,
            (1, _, [byte]) => i64::from(*byte as i8),
            (2, _, [a, b, c, d]) | (0, false, [a, b, c, d]) => i64::from(i32::from_le_bytes([*a, *b, *c, *d])),
            _ => return None,
        };
        let address = VirtualAddress(sum.wrapping_add(displacement as u64));
        self.memory.word(address).ok().map(VirtualAddress)
    }

    /// Returns the sum of base and scaled index, whether there is a base, and the bytes that follow.
    fn scaled<'b>(&self, kind: u8, rest: &'b [u8]) -> Option<(u64, bool, &'b [u8])> {
        let (byte, rest) = rest.split_first()?;
        let (scale, index, base) = (byte >> 6, byte >> 3 & 7, byte & 7);
        let has_index = index != STACK_POINTER || self.prefix & 2 != 0;
        let index = if has_index { self.register(index, 1)? << scale } else { 0 };
        let has_base = kind != 0 || base != FRAME_POINTER;
        let base = if has_base { self.register(base, 0)? } else { 0 };
        Some((base.wrapping_add(index), has_base, rest))
    }

    /// The value of a register by its number in instructions, if functions preserve it; `bit` of the prefix adds 8.
    fn register(&self, low: u8, bit: u8) -> Option<u64> {
        let number = match (u16::from(low), self.prefix >> bit & 1) {
            (low, 1) if low >= 4 => low + 8,
            (3, 0) => RBX,
            (4, 0) => RSP,
            (5, 0) => RBP,
            _ => return None,
        };
        self.registers.get(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::description::MemoryFault;

    const END: u64 = 0x1000;
    /// A word at this address of the table below is its target.
    const TABLE: std::ops::Range<u64> = 0x4000..0x4100;

    fn found(code: &[u8]) -> Vec<u64> {
        let mut registers = Registers::new();
        for (number, value) in [(16, END), (RBX, 0x4010), (RBP, 2), (12, 0x4020), (RSP, 0x4030), (0, 0x4040)] {
            registers.set(number, value);
        }
        let memory = |address: VirtualAddress, into: &mut [u8]| {
            if TABLE.contains(&address.0) {
                into.copy_from_slice(&(address.0 + 0x1_0000).to_le_bytes());
                return Ok(());
            }
            // What precedes the call is `nop`.
            let all = [&[0x90; LONGEST][code.len()..], code].concat();
            let is_code = address.0 == END - LONGEST as u64;
            is_code.then(|| into.copy_from_slice(&all)).ok_or(MemoryFault(address))
        };
        targets(&registers, &memory).into_iter().map(|target| target.0).collect()
    }

    #[test]
    fn targets_are_where_the_operand_says() {
        for (code, expected) in [
            (&[0xff, 0x53, 0x08][..], 0x1_4018),                     // call *8(%rbx)
            (&[0xff, 0x13], 0x1_4010),                               // call *(%rbx)
            (&[0xff, 0xd3], 0x4010),                                 // call *%rbx
            (&[0x41, 0xff, 0xd4], 0x4020),                           // call *%r12
            (&[0x41, 0xff, 0x54, 0x24, 0x10], 0x1_4030),             // call *16(%r12)
            (&[0xff, 0x14, 0xeb], 0x1_4020),                         // call *(%rbx,%rbp,8)
            (&[0xff, 0x54, 0x24, 0x08], 0x1_4038),                   // call *8(%rsp)
            (&[0xff, 0x15, 0x08, 0x30, 0x00, 0x00], 0x1_4008),       // call *0x3008(%rip)
            (&[0xff, 0x14, 0xed, 0x00, 0x40, 0x00, 0x00], 0x1_4010), // call *0x4000(,%rbp,8)
            (&[0xff, 0x93, 0x20, 0x00, 0x00, 0x00], 0x1_4030),       // call *0x20(%rbx)
        ] {
            assert!(found(code).contains(&expected), "{code:x?}: {:x?}", found(code));
        }
    }

    #[test]
    fn registers_that_the_called_function_may_have_changed_tell_nothing() {
        // call *%rax, call *(%rbx,%rax,8), call 0x…
        for code in [&[0xff, 0xd0][..], &[0xff, 0x14, 0xc3], &[0xe8, 0x10, 0x20, 0x00, 0x00]] {
            assert!(found(code).is_empty(), "{code:x?}: {:x?}", found(code));
        }
    }
}
