//! The numbers that OpenMP gives to the threads of a team.
//!
//! The run-time libraries keep a thread's number where only they know, in the thread's own storage, and describe it nowhere.
//! Their function `omp_get_thread_num` (OpenMP 5.2, 18.2.4) reads it in a few instructions: these are followed here, with
//! the registers and the memory of the stopped thread, so that the program does not run.

use crate::native::inspect::StoppedThread;
use debuginfo::{FS_BASE, LoadedImage, LoadedImages};
use iced_x86::{Code, ConditionCode, Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};
use model::{Frame, VirtualAddress};

/// The file names of the libraries begin so: those of GCC, LLVM and Intel.
const LIBRARIES: [&str; 3] = ["libgomp.so", "libomp.so", "libiomp5.so"];

/// The most instructions that are followed.
const MOST_INSTRUCTIONS: usize = 200;

/// The most bytes of the function that are read.
const MOST_BYTES: usize = 512;

/// True if a file is a run-time library of OpenMP.
fn is_runtime(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    LIBRARIES.iter().any(|library| name.starts_with(library))
}

/// True if the program has loaded such a library.
pub(crate) fn has_runtime(images: &LoadedImages) -> bool {
    images.iter().any(|loaded| is_runtime(&loaded.name))
}

/// Returns the number of a thread in its team, if its frames show that OpenMP runs it.
pub(crate) fn number_in_team(thread: &StoppedThread<'_>, frames: &[Frame]) -> Option<u32> {
    let runs = |frame: &Frame| frame.code.module.as_deref().is_some_and(is_runtime);
    let library = frames.iter().filter(|frame| runs(frame)).find_map(|frame| frame.code.module.as_deref())?;
    let loaded = thread.images.iter().find(|loaded| *loaded.name == *library)?;
    let number = Follower::new(thread, loaded)?.result()?;
    // No team is larger: something else was read.
    u32::try_from(number as u32 as i32).ok().filter(|number| *number < 1 << 20)
}

/// The name of such a thread.
pub(crate) fn name_in_team(number: u32) -> String {
    format!("OpenMP {number}")
}

/// The two numbers, signed, that the instructions before a jump have compared.
#[derive(Clone, Copy)]
struct Compared(i64, i64);

/// Follows the instructions of the function.
struct Follower<'a> {
    thread: &'a StoppedThread<'a>,
    loaded: &'a LoadedImage,
    thread_pointer: u64,
    code: Vec<u8>,
    begin: u64,
    registers: [u64; 16],
    stack: Vec<u64>,
    compared: Option<Compared>,
}

impl<'a> Follower<'a> {
    fn new(thread: &'a StoppedThread<'a>, loaded: &'a LoadedImage) -> Option<Self> {
        let thread_pointer = thread.registers.get(FS_BASE)?;
        let begin = loaded.symbol("omp_get_thread_num")?;
        let left = loaded.range.end.0.checked_sub(begin.0).and_then(|left| usize::try_from(left).ok())?;
        let mut code = vec![0; left.min(MOST_BYTES)];
        thread.access.read(begin, &mut code).ok()?;
        let (registers, stack, compared) = ([0; 16], Vec::new(), None);
        Some(Self { thread, loaded, thread_pointer, code, begin: begin.0, registers, stack, compared })
    }

    /// Returns what the function returns; `None` if it does anything that is not understood.
    fn result(&mut self) -> Option<u64> {
        let mut at = self.begin;
        for _ in 0..MOST_INSTRUCTIONS {
            let offset = usize::try_from(at.checked_sub(self.begin)?).ok()?;
            let mut decoder = Decoder::with_ip(64, self.code.get(offset..)?, at, DecoderOptions::NONE);
            let instruction = decoder.decode();
            if instruction.mnemonic() == Mnemonic::Ret {
                return self.registers.first().copied();
            }
            at = self.step(&instruction)?;
        }
        None
    }

    /// Follows one instruction; returns the address of the next.
    fn step(&mut self, instruction: &Instruction) -> Option<u64> {
        let next = instruction.next_ip();
        match instruction.mnemonic() {
            Mnemonic::Endbr64 | Mnemonic::Nop => {}
            Mnemonic::Push => {
                let value = self.operand(instruction, 0)?;
                self.stack.push(value);
            }
            Mnemonic::Pop => {
                let value = self.stack.pop()?;
                self.set(instruction, value)?;
            }
            Mnemonic::Mov | Mnemonic::Movsxd => {
                let value = self.operand(instruction, 1)?;
                self.set(instruction, value)?;
            }
            Mnemonic::Lea => {
                let address = self.address(instruction)?;
                self.set(instruction, address)?;
            }
            Mnemonic::Add | Mnemonic::Sub | Mnemonic::Xor => {
                // The stack pointer is not kept: what is pushed is.
                if instruction.op0_register() == Register::RSP {
                    return Some(next);
                }
                let (one, other) = (self.operand(instruction, 0)?, self.operand(instruction, 1)?);
                let value = match instruction.mnemonic() {
                    Mnemonic::Add => one.wrapping_add(other),
                    Mnemonic::Sub => one.wrapping_sub(other),
                    _ => one ^ other,
                };
                self.set(instruction, value)?;
                self.compared = Some(Compared(signed(value, size(instruction, 0)?), 0));
            }
            Mnemonic::Cmp | Mnemonic::Test => {
                let size = size(instruction, 0)?;
                let (one, other) = (self.operand(instruction, 0)?, self.operand(instruction, 1)?);
                self.compared = Some(match instruction.mnemonic() {
                    Mnemonic::Cmp => Compared(signed(one, size), signed(other, size)),
                    _ => Compared(signed(one & other, size), 0),
                });
            }
            Mnemonic::Jmp => return near(instruction),
            Mnemonic::Call => self.call(near(instruction)?)?,
            _ if instruction.is_jcc_short_or_near() => {
                let Compared(one, other) = self.compared?;
                let jumps = match instruction.condition_code() {
                    ConditionCode::e => one == other,
                    ConditionCode::ne => one != other,
                    ConditionCode::l => one < other,
                    ConditionCode::ge => one >= other,
                    ConditionCode::le => one <= other,
                    ConditionCode::g => one > other,
                    ConditionCode::s => one.wrapping_sub(other) < 0,
                    ConditionCode::ns => one.wrapping_sub(other) >= 0,
                    _ => return None,
                };
                return if jumps { near(instruction) } else { Some(next) };
            }
            _ => return None,
        }
        Some(next)
    }

    /// Follows a call: only that for the address of a thread-local variable (the general dynamic model of the TLS
    /// specification for x86-64) is understood.
    fn call(&mut self, target: u64) -> Option<()> {
        let (name, offset) = self.loaded.image.symbol_at(self.loaded.bias.unloaded(VirtualAddress(target)))?;
        if offset != 0 || !name.starts_with("__tls_get_addr") {
            return None;
        }
        // RDI points to the module's number and the offset in its block; the thread's vector has the block.
        let index = *self.registers.get(7)?;
        let (module, offset) = (self.word(index)?, self.word(index.checked_add(8)?)?);
        let vector = self.word(self.thread_pointer.checked_add(8)?)?;
        let block = self.word(vector.checked_add(module.checked_mul(16)?)?)?;
        if block == 0 || block == u64::MAX {
            return None;
        }
        *self.registers.first_mut()? = block.wrapping_add(offset);
        Some(())
    }

    fn word(&self, address: u64) -> Option<u64> {
        self.thread.access.word(VirtualAddress(address)).ok()
    }

    /// Returns the address of the operand in memory.
    fn address(&self, instruction: &Instruction) -> Option<u64> {
        if instruction.is_ip_rel_memory_operand() {
            return Some(instruction.ip_rel_memory_address());
        }
        let register = |register: Register| match register {
            Register::None => Some(0),
            register => self.registers.get(register.full_register().number()).copied(),
        };
        let base = register(instruction.memory_base())?;
        let index = register(instruction.memory_index())?;
        let scaled = index.wrapping_mul(u64::from(instruction.memory_index_scale()));
        Some(base.wrapping_add(scaled).wrapping_add(instruction.memory_displacement64()))
    }

    /// Returns an operand, its sign extended.
    fn operand(&self, instruction: &Instruction, at: u32) -> Option<u64> {
        let size = size(instruction, at)?;
        let value = match instruction.op_kind(at) {
            OpKind::Register => *self.registers.get(instruction.op_register(at).full_register().number())?,
            OpKind::Memory => {
                let address = match instruction.memory_segment() {
                    Register::FS => self.thread_pointer.wrapping_add(self.address(instruction)?),
                    Register::GS => return None,
                    _ => self.address(instruction)?,
                };
                let mut bytes = [0; 8];
                self.thread.access.read(VirtualAddress(address), bytes.get_mut(..size)?).ok()?;
                u64::from_le_bytes(bytes)
            }
            OpKind::Immediate8
            | OpKind::Immediate32
            | OpKind::Immediate8to32
            | OpKind::Immediate8to64
            | OpKind::Immediate32to64 => instruction.immediate(at),
            _ => return None,
        };
        Some(signed(value, size) as u64)
    }

    /// Sets the register that is the first operand; one of 32 bits is extended with zeros.
    fn set(&mut self, instruction: &Instruction, value: u64) -> Option<()> {
        if instruction.op0_kind() != OpKind::Register {
            return None;
        }
        let register = instruction.op0_register();
        let place = self.registers.get_mut(register.full_register().number())?;
        *place = match register.size() {
            8 => value,
            4 => value & u64::from(u32::MAX),
            _ => return None,
        };
        Some(())
    }
}

/// Returns the size of an operand in bytes: 4 or 8.
fn size(instruction: &Instruction, at: u32) -> Option<usize> {
    let size = match instruction.op_kind(at) {
        OpKind::Register => instruction.op_register(at).size(),
        OpKind::Memory => instruction.memory_size().size(),
        _ => 8,
    };
    matches!(size, 4 | 8).then_some(size)
}

/// Returns a number of so many bytes with its sign.
fn signed(value: u64, size: usize) -> i64 {
    if size == 4 { i64::from(value as u32 as i32) } else { value as i64 }
}

/// Returns the target of a jump or call that is written in the instruction.
fn near(instruction: &Instruction) -> Option<u64> {
    let is_near = instruction.op0_kind() == OpKind::NearBranch64 && instruction.code() != Code::INVALID;
    is_near.then(|| instruction.near_branch64())
}
