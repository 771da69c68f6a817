//! The instruction that raised a floating-point exception, with the operands that it has read.

use crate::native::inspect::disassembly::formatted;
use crate::native::inspect::inferior::Inferior;
use crate::native::inspect::wide_registers::wide_register;
use crate::native::ptrace::{AddressSpace, FpuTrap, LONGEST, Tid, decode, float_registers, operand};
use debuginfo::LoadedImages;
use iced_x86::{Instruction, InstructionInfoFactory, MemorySize, Mnemonic, OpAccess, OpKind, Register};
use model::{Datum, FloatPlace, FloatTrap, Variable, VariableValue, VirtualAddress};
use nix::libc::{user_fpregs_struct, user_regs_struct};

/// Instructions that read the last of their operands alone, by the beginnings of their names.
const READ_ONE: [&str; 7] = ["sqrt", "cvt", "round", "rcp", "rsqrt", "rndscale", "getexp"];

/// Describes an exception of a stopped thread. Debug information at the instruction has been read if it is late.
pub(super) fn described(inferior: &mut Inferior, tid: Tid, trap: &FpuTrap) -> FloatTrap {
    let before = trap.is_late.then(|| place(inferior.images(), trap.instruction));
    let process = &mut inferior.process;
    let mut described =
        FloatTrap { exceptions: trap.exceptions, instruction: String::new(), operands: Vec::new(), before };
    let mut code = [0; LONGEST];
    let length = process.address_space().read_some(trap.instruction, &mut code);
    let Some(instruction) = decode(code.get(..length).unwrap_or_default(), trap.instruction) else { return described };
    described.instruction = formatted(&instruction).split_whitespace().collect::<Vec<_>>().join(" ");
    if !trap.has_operands() {
        return described;
    }
    let (Ok(registers), Ok(floats)) = (process.registers(tid), float_registers(tid)) else { return described };
    let space = process.address_space();
    let reader = Reader { tid, registers, floats, space, operand: trap.operand() };
    described.operands = reader.operands(&instruction);
    described
}

/// Returns the place of an instruction.
fn place(images: &LoadedImages, address: u64) -> FloatPlace {
    let Some((loaded, at)) = images.locate(VirtualAddress(address)) else { return FloatPlace::default() };
    let function = loaded.image.function_at(at).map(|function| function.name);
    FloatPlace { function, source: loaded.image.line_at(at).map(|row| row.place) }
}

/// The type of a number in a register or in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Element {
    descriptor: &'static str,
    type_name: &'static str,
    size: usize,
}

const EXTENDED: Element = Element { descriptor: "e10", type_name: "long double", size: 10 };

impl Element {
    fn of(size: MemorySize) -> Option<Self> {
        let (descriptor, type_name) = match size.element_type() {
            MemorySize::Float32 => ("f4", "float"),
            MemorySize::Float64 => ("f8", "double"),
            MemorySize::Float80 => return Some(EXTENDED),
            MemorySize::Int16 => ("is2", "short"),
            MemorySize::Int32 => ("is4", "int"),
            MemorySize::Int64 => ("is8", "long"),
            MemorySize::UInt32 => ("iu4", "unsigned int"),
            MemorySize::UInt64 => ("iu8", "unsigned long"),
            _ => return None,
        };
        Some(Self { descriptor, type_name, size: size.element_size() })
    }

    /// Returns the value of bytes in memory order: a number, or several.
    fn datum(self, bytes: &[u8]) -> Option<Datum> {
        let numbers: Vec<&[u8]> = bytes.chunks_exact(self.size).collect();
        let data = numbers.iter().flat_map(|number| number.iter().rev().copied()).collect();
        let descriptor = match numbers.len() {
            0 => return None,
            1 => self.descriptor.to_owned(),
            count => format!("[r0,{count}is4]{}", self.descriptor),
        };
        Some(Datum { descriptor, data, type_name: self.type_name.to_owned() })
    }
}

/// The registers and memory of a stopped thread.
struct Reader<'a> {
    tid: Tid,
    registers: user_regs_struct,
    floats: user_fpregs_struct,
    space: &'a AddressSpace,
    /// The address of the operand in memory, if it is not by the registers.
    operand: Option<u64>,
}

impl Reader<'_> {
    fn operands(&self, instruction: &Instruction) -> Vec<Variable> {
        let mut factory = InstructionInfoFactory::new();
        let info = factory.info(instruction);
        let is_read = |index: u32| {
            let reads = matches!(
                info.op_access(index),
                OpAccess::Read | OpAccess::ReadWrite | OpAccess::CondRead | OpAccess::ReadCondWrite
            );
            reads && matches!(instruction.op_kind(index), OpKind::Register | OpKind::Memory)
        };
        let mut read: Vec<u32> = (0..instruction.op_count()).filter(|index| is_read(*index)).collect();
        let name = format!("{:?}", instruction.mnemonic()).to_lowercase();
        let name = name.strip_prefix('v').unwrap_or(&name);
        if READ_ONE.iter().any(|start| name.starts_with(start)) {
            read.drain(..read.len().saturating_sub(1));
        }
        let mut found: Vec<Variable> = read.into_iter().filter_map(|index| self.operand(instruction, index)).collect();
        if is_of_x87(instruction) && found.iter().all(|operand| operand.name != "st(0)") && !loads(instruction) {
            found.extend(self.x87(0));
        }
        found
    }

    fn operand(&self, instruction: &Instruction, index: u32) -> Option<Variable> {
        let size = match instruction.mnemonic() {
            // The size in memory is that of the result.
            Mnemonic::Vcvtps2ph => MemorySize::Float32,
            _ => instruction.memory_size(),
        };
        if instruction.op_kind(index) == OpKind::Memory {
            let by_registers = || instruction.virtual_address(index, 0, |name, _, _| operand(&self.registers, name));
            let mut bytes = vec![0; size.size()];
            let address = self.operand.or_else(by_registers)?;
            let is_whole = self.space.read_some(address, &mut bytes) == bytes.len();
            return named("memory", Element::of(size)?.datum(&bytes).filter(|_| is_whole)?);
        }
        let register = instruction.op_register(index);
        if register.is_st() {
            return self.x87(register as usize - Register::ST0 as usize);
        }
        let element = Element::of(size)?;
        let length = element.size * size.element_count().max(1);
        let name = format!("{register:?}").to_lowercase();
        let bytes = if register.is_xmm() {
            let first = (register as usize - Register::XMM0 as usize) * 4;
            let words = self.floats.xmm_space.get(first..first + 4)?;
            words.iter().flat_map(|word| word.to_le_bytes()).collect()
        } else if register.is_ymm() {
            wide_register(self.tid, u16::try_from(register as usize - Register::YMM0 as usize).ok()?)?
        } else if register.is_gpr() {
            operand(&self.registers, register.full_register())?.to_le_bytes().to_vec()
        } else {
            return None;
        };
        named(&name, element.datum(bytes.get(..length.min(bytes.len()))?)?)
    }

    fn x87(&self, index: usize) -> Option<Variable> {
        let words = self.floats.st_space.get(index * 4..index * 4 + 3)?;
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).take(EXTENDED.size).collect();
        named(&format!("st({index})"), EXTENDED.datum(&bytes)?)
    }
}

fn named(name: &str, value: Datum) -> Option<Variable> {
    Some(Variable { name: name.to_owned(), value: VariableValue::Known(value) })
}

fn is_of_x87(instruction: &Instruction) -> bool {
    format!("{:?}", instruction.mnemonic()).starts_with('F')
}

/// True if the instruction reads nothing but memory.
fn loads(instruction: &Instruction) -> bool {
    matches!(instruction.mnemonic(), Mnemonic::Fld | Mnemonic::Fild | Mnemonic::Fbld)
}
