//! Instructions in Intel's syntax, as gdb writes it.

use iced_x86::{Formatter, Instruction, IntelFormatter, MemorySize, MemorySizeOptions, Mnemonic, OpKind, Register};

/// Formats an instruction without the names of its addresses.
pub(super) fn formatted(instruction: &Instruction) -> String {
    if let Some(text) = of_string(instruction) {
        return text;
    }
    let mut formatter = IntelFormatter::new();
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
    text.trim_end().to_owned()
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
    let name_of = |register: Register| format!("{register:?}").to_lowercase();
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
    let operands: Vec<String> = (0..instruction.op_count()).map(operand).collect();
    Some(format!("{prefix}{name:<6} {}", operands.join(",")).replace("  ", if prefix.is_empty() { "  " } else { " " }))
}
