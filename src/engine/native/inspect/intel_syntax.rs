//! Instructions in Intel's syntax, as gdb writes it.

use iced_x86::{
    Code, Formatter, Instruction, MasmFormatter, MemorySize, MemorySizeOptions, Mnemonic, OpKind, Register,
};

/// Formats an instruction without the names of its addresses.
pub(super) fn formatted(instruction: &Instruction) -> String {
    if let Some(text) = of_string(instruction) {
        return text;
    }
    let mut formatter = MasmFormatter::new();
    let options = formatter.options_mut();
    options.set_first_operand_char_index(7);
    options.set_uppercase_keywords(true);
    options.set_uppercase_hex(false);
    options.set_hex_prefix("0x");
    options.set_hex_suffix("");
    options.set_small_hex_numbers_in_decimal(false);
    options.set_branch_leading_zeros(false);
    options.set_show_branch_size(false);
    options.set_rip_relative_addresses(true);
    options.set_signed_memory_displacements(!instruction.is_ip_rel_memory_operand());
    options.set_memory_size_options(MemorySizeOptions::Always);
    options.set_always_show_scale(instruction.memory_index() != Register::None);
    options.set_show_zero_displacements(instruction.memory_displ_size() != 0);
    let mut text = String::new();
    formatter.format(instruction, &mut text);
    let text = as_gdb(instruction, text.trim_end());
    let is_absolute = instruction.memory_base() == Register::None && instruction.memory_index() == Register::None;
    let has_memory = (0..instruction.op_count()).any(|number| instruction.op_kind(number) == OpKind::Memory);
    if is_absolute && has_memory { without_brackets(&text) } else { text }
}

/// Writes what Microsoft's assembler leaves out or has in another order.
fn as_gdb(instruction: &Instruction, text: &str) -> String {
    use Mnemonic as M;
    let (name, operands) = text.split_once(' ').map_or((text, ""), |(name, operands)| (name, operands.trim_start()));
    let with = |name: &str, operands: &str| format!("{name:<6} {operands}");
    match (instruction.mnemonic(), operands.split_once(',')) {
        (M::Nop, _) if instruction.segment_prefix() != Register::None => {
            // More prefixes pad it to the length that the assembler needs.
            let padding = "data16 ".repeat(instruction.len().saturating_sub(10));
            format!("{padding}{} {name} {operands}", name_of(instruction.segment_prefix()))
        }
        (M::Faddp | M::Fmulp | M::Fsubp | M::Fsubrp | M::Fdivp | M::Fdivrp, None) if operands.is_empty() => {
            with(name, "st(1),st")
        }
        (M::Fxch | M::Fcom | M::Fcomp | M::Fucom | M::Fucomp, None) if operands.is_empty() => with(name, "st(1)"),
        (M::Imul, Some((first, second))) if instruction.op_count() == 3 && !second.contains(',') => {
            with(name, &format!("{first},{first},{second}"))
        }
        (M::Xchg, Some((first, second))) if format!("{:?}", instruction.code()).contains("_rm") => {
            with(name, &format!("{second},{first}"))
        }
        (M::Mov, _) if is_of_64_bits(instruction) => with("movabs", operands),
        (_, Some((first, "0x1"))) if format!("{:?}", instruction.code()).ends_with("_1") => {
            with(name, &format!("{first},1"))
        }
        _ => text.to_owned(),
    }
}

/// True if the instruction contains a number or an address of 64 bits.
fn is_of_64_bits(instruction: &Instruction) -> bool {
    let code = format!("{:?}", instruction.code());
    instruction.code() == Code::Mov_r64_imm64 || code.contains("moffs")
}

fn name_of(register: Register) -> String {
    format!("{register:?}").to_lowercase()
}

/// Writes an address without registers as gdb does: `fs:0x28`.
fn without_brackets(text: &str) -> String {
    let Some((before, rest)) = text.split_once('[') else { return text.to_owned() };
    let segment = if before.ends_with(':') { "" } else { "ds:" };
    format!("{before}{segment}{}", rest.replacen(']', "", 1))
}

/// Formats an instruction on strings with all its operands: `rep stos QWORD PTR es:[rdi],rax`.
fn of_string(instruction: &Instruction) -> Option<String> {
    use Mnemonic as M;
    let (name, compares) = match instruction.mnemonic() {
        M::Movsb | M::Movsw | M::Movsd | M::Movsq => ("movs", false),
        M::Stosb | M::Stosw | M::Stosd | M::Stosq => ("stos", false),
        M::Lodsb | M::Lodsw | M::Lodsd | M::Lodsq => ("lods", false),
        M::Insb | M::Insw | M::Insd => ("ins", false),
        M::Outsb | M::Outsw | M::Outsd => ("outs", false),
        M::Scasb | M::Scasw | M::Scasd | M::Scasq => ("scas", true),
        M::Cmpsb | M::Cmpsw | M::Cmpsd | M::Cmpsq => ("cmps", true),
        _ => return None,
    };
    if !instruction.is_string_instruction() {
        return None;
    }
    let prefix = match (instruction.has_rep_prefix(), instruction.has_repne_prefix()) {
        (true, _) if compares => "repz ",
        (true, _) => "rep ",
        (_, true) => "repnz ",
        _ => "",
    };
    let size = match instruction.memory_size() {
        MemorySize::UInt8 => "BYTE",
        MemorySize::UInt16 => "WORD",
        MemorySize::UInt32 => "DWORD",
        _ => "QWORD",
    };
    let operand = |number| match instruction.op_kind(number) {
        OpKind::MemorySegRSI => format!("{size} PTR {}:[rsi]", name_of(instruction.memory_segment())),
        OpKind::MemorySegESI => format!("{size} PTR {}:[esi]", name_of(instruction.memory_segment())),
        OpKind::MemoryESRDI => format!("{size} PTR es:[rdi]"),
        OpKind::MemoryESEDI => format!("{size} PTR es:[edi]"),
        _ => name_of(instruction.op_register(number)),
    };
    let operands = (0..instruction.op_count()).map(operand).collect::<Vec<_>>().join(",");
    // gdb pads a name without a prefix.
    Some(if prefix.is_empty() { format!("{name:<6} {operands}") } else { format!("{prefix}{name} {operands}") })
}
