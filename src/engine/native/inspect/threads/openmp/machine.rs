//! Follows instructions of a stopped thread with its memory, without running it.

use crate::native::inspect::StoppedThread;
use iced_x86::{
    ConditionCode, Decoder, DecoderOptions, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register,
};
use model::VirtualAddress;

/// The number of the stack pointer in instructions.
const RSP: usize = 4;

/// The longest instruction (Intel SDM, volume 2, 2.3.11).
const LONGEST: usize = 15;

/// Instructions that are read at once.
const BLOCK: usize = 128;

/// The two numbers, signed, that the instructions before a jump have compared; if those were computed, the carry is not
/// known.
#[derive(Clone, Copy)]
struct Compared {
    one: i64,
    other: i64,
    has_carry: bool,
}

/// The instruction that comes next.
pub(super) enum Next {
    At(u64),
    /// A call of this address.
    Call(u64),
    Return,
}

/// The registers of a thread as far as they are known, and its memory.
pub(super) struct Machine<'a> {
    thread: &'a StoppedThread<'a>,
    /// By their numbers in instructions: rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 to r15.
    registers: [Option<u64>; 16],
    pushed: Vec<Option<u64>>,
    compared: Option<Compared>,
    last_read: Option<u64>,
    /// Instructions that have been read, and their address.
    code: (u64, Vec<u8>),
}

impl<'a> Machine<'a> {
    pub(super) fn new(thread: &'a StoppedThread<'a>, registers: [Option<u64>; 16]) -> Self {
        Self { thread, registers, pushed: Vec::new(), compared: None, last_read: None, code: (0, Vec::new()) }
    }

    /// Returns a register by its number in instructions.
    pub(super) fn register(&self, number: usize) -> Option<u64> {
        self.registers.get(number).copied().flatten()
    }

    pub(super) fn set_register(&mut self, number: usize, value: Option<u64>) {
        if let Some(register) = self.registers.get_mut(number) {
            *register = value;
        }
    }

    /// The address of the last operand that was read from memory.
    pub(super) fn last_read(&self) -> Option<u64> {
        self.last_read
    }

    pub(super) fn word(&self, address: u64) -> Option<u64> {
        self.thread.access.word(VirtualAddress(address)).ok()
    }

    /// Reads the instruction at an address.
    pub(super) fn instruction(&mut self, at: u64) -> Option<Instruction> {
        let is_there = |(from, code): &(u64, Vec<u8>)| {
            at.checked_sub(*from).is_some_and(|offset| offset.saturating_add(LONGEST as u64) <= code.len() as u64)
        };
        if !is_there(&self.code) {
            let mut code = vec![0; BLOCK];
            if self.thread.access.read(VirtualAddress(at), &mut code).is_err() {
                code.truncate(LONGEST);
                self.thread.access.read(VirtualAddress(at), &mut code).ok()?;
            }
            self.code = (at, code);
        }
        let (from, code) = &self.code;
        let offset = usize::try_from(at.checked_sub(*from)?).ok()?;
        let instruction = Decoder::with_ip(64, code.get(offset..)?, at, DecoderOptions::NONE).decode();
        (!instruction.is_invalid()).then_some(instruction)
    }

    /// Follows one instruction; `None` if it is not understood, or needs a register that is not known.
    pub(super) fn step(&mut self, instruction: &Instruction) -> Option<Next> {
        match instruction.mnemonic() {
            Mnemonic::Endbr64 | Mnemonic::Nop => {}
            Mnemonic::Push => {
                let value = self.operand(instruction, 0);
                self.push(value);
            }
            Mnemonic::Pop => {
                let value = self.pushed.pop().flatten();
                self.set_register(RSP, None);
                self.set_register(instruction.op0_register().full_register().number(), value);
            }
            Mnemonic::Ret => return Some(Next::Return),
            Mnemonic::Jmp => return self.target(instruction).map(Next::At),
            Mnemonic::Call => return self.target(instruction).map(Next::Call),
            Mnemonic::Add | Mnemonic::Sub if instruction.op0_register() == Register::RSP => {
                self.move_stack(instruction)?;
            }
            Mnemonic::Cmp | Mnemonic::Test => {
                let size = size(instruction, 0)?;
                let (one, other) = (self.operand(instruction, 0)?, self.operand(instruction, 1)?);
                let (one, other) = match instruction.mnemonic() {
                    Mnemonic::Cmp => (signed(one, size), signed(other, size)),
                    _ => (signed(one & other, size), 0),
                };
                self.compared = Some(Compared { one, other, has_carry: true });
            }
            _ if instruction.is_jcc_short_or_near() => {
                let jumps = self.is_met(instruction.condition_code())?;
                return Some(Next::At(if jumps { instruction.near_branch64() } else { instruction.next_ip() }));
            }
            _ => self.compute(instruction)?,
        }
        Some(Next::At(instruction.next_ip()))
    }

    /// Follows an instruction that sets its first operand, a register.
    fn compute(&mut self, instruction: &Instruction) -> Option<()> {
        let value = match instruction.mnemonic() {
            Mnemonic::Mov | Mnemonic::Movsxd => self.operand(instruction, 1)?,
            Mnemonic::Movzx => {
                let bits = 8 * size(instruction, 1)? as u32;
                self.operand(instruction, 1)? & u64::MAX.checked_shr(64 - bits)?
            }
            Mnemonic::Lea => self.address(instruction)?,
            Mnemonic::Cdqe => {
                let value = signed(self.register(0)?, 4) as u64;
                self.set_register(0, Some(value));
                return Some(());
            }
            Mnemonic::Cmove | Mnemonic::Cmovne => {
                let moves = self.is_met(instruction.condition_code())?;
                self.operand(instruction, u32::from(moves))?
            }
            Mnemonic::Neg => {
                self.compared = None;
                self.operand(instruction, 0)?.wrapping_neg()
            }
            Mnemonic::Shl | Mnemonic::Shr => {
                self.compared = None;
                // The processor counts modulo the size; nothing that is followed does.
                let count = if instruction.op_count() > 1 { self.operand(instruction, 1)? } else { 1 };
                let count = u32::try_from(count).ok().filter(|count| *count < 32)?;
                let value = self.operand(instruction, 0)?;
                let is_wide = size(instruction, 0)? == 8;
                match instruction.mnemonic() {
                    Mnemonic::Shl => value << count,
                    _ if is_wide => value >> count,
                    _ => (value & u64::from(u32::MAX)) >> count,
                }
            }
            Mnemonic::Xor if instruction.op0_register() == instruction.op1_register() => {
                self.compared = Some(Compared { one: 0, other: 0, has_carry: true });
                0
            }
            Mnemonic::Add | Mnemonic::Sub | Mnemonic::Xor | Mnemonic::And => {
                let (one, other) = (self.operand(instruction, 0)?, self.operand(instruction, 1)?);
                let value = match instruction.mnemonic() {
                    Mnemonic::Add => one.wrapping_add(other),
                    Mnemonic::Sub => one.wrapping_sub(other),
                    Mnemonic::Xor => one ^ other,
                    _ => one & other,
                };
                let one = signed(value, size(instruction, 0)?);
                self.compared = Some(Compared { one, other: 0, has_carry: false });
                value
            }
            _ => return None,
        };
        self.set(instruction, value)
    }

    /// Forgets the registers that an instruction writes which was not followed.
    pub(super) fn forget(&mut self, instruction: &Instruction) {
        self.compared = None;
        for number in written(instruction) {
            self.set_register(number, None);
        }
    }

    fn push(&mut self, value: Option<u64>) {
        self.pushed.push(value);
        self.set_register(RSP, None);
    }

    /// Follows a change of the stack pointer by a number of words: what is there is not known.
    fn move_stack(&mut self, instruction: &Instruction) -> Option<()> {
        let words = usize::try_from(self.operand(instruction, 1)? as i64).ok()? / 8;
        // No function that is followed has more.
        if words > 64 {
            return None;
        }
        for _ in 0..words {
            if instruction.mnemonic() == Mnemonic::Sub {
                self.pushed.push(None);
            } else {
                self.pushed.pop();
            }
        }
        self.set_register(RSP, None);
        Some(())
    }

    fn is_met(&self, condition: ConditionCode) -> Option<bool> {
        let Compared { one, other, has_carry } = self.compared?;
        Some(match condition {
            // Numbers with their signs extended have the order of those without.
            ConditionCode::b if has_carry => (one as u64) < other as u64,
            ConditionCode::ae if has_carry => one as u64 >= other as u64,
            ConditionCode::e => one == other,
            ConditionCode::ne => one != other,
            ConditionCode::l => one < other,
            ConditionCode::ge => one >= other,
            ConditionCode::le => one <= other,
            ConditionCode::g => one > other,
            ConditionCode::s => one.wrapping_sub(other) < 0,
            ConditionCode::ns => one.wrapping_sub(other) >= 0,
            _ => return None,
        })
    }

    /// Returns the target of a jump or call.
    pub(super) fn target(&mut self, instruction: &Instruction) -> Option<u64> {
        match instruction.op0_kind() {
            OpKind::NearBranch64 => Some(instruction.near_branch64()),
            OpKind::Register | OpKind::Memory => self.operand(instruction, 0),
            _ => None,
        }
    }

    /// Returns the address of the operand in memory.
    fn address(&self, instruction: &Instruction) -> Option<u64> {
        if instruction.is_ip_rel_memory_operand() {
            return Some(instruction.ip_rel_memory_address());
        }
        let register = |register: Register| match register {
            Register::None => Some(0),
            register => self.register(register.full_register().number()),
        };
        let base = register(instruction.memory_base())?;
        let index = register(instruction.memory_index())?;
        let scaled = index.wrapping_mul(u64::from(instruction.memory_index_scale()));
        Some(base.wrapping_add(scaled).wrapping_add(instruction.memory_displacement64()))
    }

    /// Returns an operand, its sign extended.
    fn operand(&mut self, instruction: &Instruction, at: u32) -> Option<u64> {
        let size = size(instruction, at)?;
        let value = match instruction.op_kind(at) {
            OpKind::Register => {
                let register = instruction.op_register(at);
                // The second byte of a register has no number of its own.
                if matches!(register, Register::AH | Register::BH | Register::CH | Register::DH) {
                    return None;
                }
                self.register(register.full_register().number())?
            }
            OpKind::Memory => {
                let address = match instruction.memory_segment() {
                    Register::FS => self.thread_pointer()?.wrapping_add(self.address(instruction)?),
                    Register::GS => return None,
                    _ => self.address(instruction)?,
                };
                let mut bytes = [0; 8];
                self.thread.access.read(VirtualAddress(address), bytes.get_mut(..size)?).ok()?;
                self.last_read = Some(address);
                u64::from_le_bytes(bytes)
            }
            OpKind::Immediate8
            | OpKind::Immediate32
            | OpKind::Immediate64
            | OpKind::Immediate8to32
            | OpKind::Immediate8to64
            | OpKind::Immediate32to64 => instruction.immediate(at),
            _ => return None,
        };
        Some(signed(value, size) as u64)
    }

    pub(super) fn thread_pointer(&self) -> Option<u64> {
        self.thread.registers.get(debuginfo::FS_BASE)
    }

    /// Sets the register that is the first operand; one of 32 bits is extended with zeros.
    fn set(&mut self, instruction: &Instruction, value: u64) -> Option<()> {
        if instruction.op0_kind() != OpKind::Register {
            return None;
        }
        let register = instruction.op0_register();
        let value = match register.size() {
            8 => value,
            4 => value & u64::from(u32::MAX),
            _ => return None,
        };
        self.set_register(register.full_register().number(), Some(value));
        Some(())
    }
}

/// Returns the numbers of the registers that an instruction writes.
pub(super) fn written(instruction: &Instruction) -> Vec<usize> {
    let mut factory = InstructionInfoFactory::new();
    let writes = |access: OpAccess| !matches!(access, OpAccess::None | OpAccess::Read | OpAccess::CondRead);
    let used = factory.info(instruction).used_registers().iter();
    let written = used.filter(|used| writes(used.access()) && used.register().is_gpr());
    written.map(|used| used.register().full_register().number()).collect()
}

/// True if an instruction writes to memory.
pub(super) fn stores(instruction: &Instruction) -> bool {
    let mut factory = InstructionInfoFactory::new();
    let writes = |access: OpAccess| !matches!(access, OpAccess::None | OpAccess::Read | OpAccess::CondRead);
    factory.info(instruction).used_memory().iter().any(|used| writes(used.access()))
}

/// Returns the size of an operand in bytes.
fn size(instruction: &Instruction, at: u32) -> Option<usize> {
    let size = match instruction.op_kind(at) {
        OpKind::Register => instruction.op_register(at).size(),
        OpKind::Memory => instruction.memory_size().size(),
        _ => 8,
    };
    matches!(size, 1 | 2 | 4 | 8).then_some(size)
}

/// Returns a number of so many bytes with its sign.
fn signed(value: u64, size: usize) -> i64 {
    match size {
        1 => i64::from(value as u8 as i8),
        2 => i64::from(value as u16 as i16),
        4 => i64::from(value as u32 as i32),
        _ => value as i64,
    }
}
