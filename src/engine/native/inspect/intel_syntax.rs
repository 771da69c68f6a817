//! Instructions in Intel's syntax, as gdb writes it.

use iced_x86::{Formatter, IntelFormatter, MemorySizeOptions, Register};

/// Formats an instruction without the names of its addresses.
pub(super) fn formatted(instruction: &iced_x86::Instruction) -> String {
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
    options.set_memory_size_options(MemorySizeOptions::Always);
    options.set_always_show_scale(instruction.memory_index() != Register::None);
    options.set_always_show_segment_register(instruction.is_string_instruction());
    options.set_show_zero_displacements(instruction.memory_displ_size() != 0);
    let mut text = String::new();
    formatter.format(instruction, &mut text);
    text.trim_end().to_owned()
}
