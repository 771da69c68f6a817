//! Formats values and memory as text.

use crate::command::MemoryFormat;
use crate::report::MemoryRow;
use model::aif::{self, AifValue, FormatLetter, FormatOptions, Number};
use model::{Datum, RegisterValue, Variable, VariableValue, VirtualAddress, texts};

/// A variable as printed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PrintedVariable {
    /// The name as in the source.
    pub name: String,
    /// The value as gdb prints it, or `<…>`.
    pub text: String,
    /// The type as DWARF spells it.
    pub type_name: String,
}

/// A register as printed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PrintedRegister {
    /// The register as a value of its type.
    pub variable: PrintedVariable,
    /// The bits in hexadecimal; for a floating-point register the value.
    pub raw: String,
    /// The meaning; for a floating-point register the bits.
    pub natural: String,
}

/// Formats a value as `print` does, with a note in place of parts that cannot be read.
pub(crate) fn printed(datum: &Datum, letter: Option<FormatLetter>, limits: &FormatOptions) -> String {
    aif::format(datum, &FormatOptions { letter, ..*limits }).unwrap_or_else(|error| format!("<{error}>"))
}

/// Formats a variable for a list: without the type that `print` puts before pointers, as gdb does.
pub(crate) fn printed_variable(variable: &Variable, limits: &FormatOptions) -> PrintedVariable {
    let (text, type_name) = match &variable.value {
        VariableValue::Known(datum) => {
            let untyped = Datum { type_name: String::new(), ..datum.clone() };
            (printed(&untyped, None, limits), datum.type_name.clone())
        }
        VariableValue::Unknown { why, type_name } => (format!("<{why}>"), type_name.clone()),
    };
    PrintedVariable { name: variable.name.clone(), text, type_name }
}

/// Formats a register as gdb's `info registers`: the bits and the meaning.
pub(crate) fn printed_register(register: &RegisterValue, limits: &FormatOptions) -> PrintedRegister {
    let limits = &limits.on_one_line();
    let datum = &register.value;
    let untyped = Datum { type_name: String::new(), ..datum.clone() };
    let natural = printed(&untyped, None, limits);
    let hexadecimal = || printed(datum, Some(FormatLetter::Hexadecimal), limits);
    let (raw, natural) = match datum.parsed() {
        Ok((_, AifValue::Pointer(pointer))) => (format!("{:#x}", pointer.address()), natural),
        // The number comes first, as in gdb.
        Ok((_, AifValue::Scalar(_))) if matches!(datum.number(), Some(Number::Float(..))) => {
            (natural, format!("(raw 0x{})", aif::to_hex(&datum.data).to_lowercase()))
        }
        _ => (hexadecimal(), natural),
    };
    let variable = PrintedVariable {
        text: printed(datum, None, limits),
        name: register.name.clone(),
        type_name: datum.type_name.clone(),
    };
    PrintedRegister { variable, raw, natural }
}

/// Returns rows of memory: the address of each and its units. An incomplete unit is left out.
pub(crate) fn printed_memory(
    address: VirtualAddress,
    bytes: &[u8],
    format: MemoryFormat,
    limits: &FormatOptions,
) -> Vec<MemoryRow> {
    if format.format == FormatLetter::String {
        return strings(address, bytes, format, limits);
    }
    // As in gdb: two units of 8 bytes in a row, four of 4, eight of less.
    let in_row = match format.unit {
        8 => 2,
        4 => 4,
        _ => 8,
    };
    let unit = format.unit as usize;
    let whole = bytes.get(..bytes.len() / unit * unit).unwrap_or(bytes);
    let mut rows = Vec::new();
    for (row, chunk) in whole.chunks(unit * in_row).enumerate() {
        let address = VirtualAddress(address.0.wrapping_add((row * unit * in_row) as u64));
        let units = chunk.chunks(unit).map(|bytes| printed_unit(bytes, format.format)).collect();
        rows.push(MemoryRow { address, symbol: None, units });
    }
    rows
}

/// Returns the address after the shown units or strings.
pub(crate) fn memory_end(address: VirtualAddress, bytes: &[u8], format: MemoryFormat) -> VirtualAddress {
    let length = match format.format {
        FormatLetter::String => {
            let shown = texts(bytes, format.unit, format.limit).take(format.count as usize);
            shown.last().map_or(bytes.len(), |text| text.next)
        }
        _ => {
            let unit = (format.unit as usize).max(1);
            bytes.len() / unit * unit
        }
    };
    VirtualAddress(address.0.wrapping_add(length as u64))
}

/// Returns a number in memory, the lowest byte first, as `x` prints it.
pub fn printed_unit(bytes: &[u8], format: FormatLetter) -> String {
    let kind = match format {
        FormatLetter::Float => "f",
        FormatLetter::Decimal | FormatLetter::Character => "is",
        _ => "iu",
    };
    let letter = match format {
        FormatLetter::Hexadecimal => FormatLetter::PaddedHexadecimal,
        letter => letter,
    };
    let data = bytes.iter().rev().copied().collect();
    let datum = Datum { descriptor: format!("{kind}{}", bytes.len()), data, type_name: String::new() };
    let text = printed(&datum, Some(letter), &FormatOptions::default());
    match letter {
        FormatLetter::Binary => format!("{text:0>width$}", width = bytes.len() * 8),
        _ => text,
    }
}

fn strings(address: VirtualAddress, bytes: &[u8], format: MemoryFormat, limits: &FormatOptions) -> Vec<MemoryRow> {
    let unit = (format.unit as usize).max(1);
    let (prefix, element) = match unit {
        2 => ("u", "wu2"),
        4 => ("U", "wU4"),
        _ => ("", "c"),
    };
    let mut rows = Vec::new();
    for text in texts(bytes, format.unit, format.limit).take(format.count as usize) {
        let shown = match bytes.get(text.characters.clone()).unwrap_or(&[]) {
            [] => format!("{prefix}\"\""),
            characters => {
                let descriptor = format!("[r0,{}is4]{element}", characters.len() / unit);
                let data = characters.chunks_exact(unit).flat_map(|one| one.iter().rev()).copied().collect();
                printed(&Datum { descriptor, data, type_name: String::new() }, None, limits)
            }
        };
        let goes_on = if text.goes_on && !shown.ends_with("...") { "..." } else { "" };
        let address = VirtualAddress(address.0.wrapping_add(text.characters.start as u64));
        rows.push(MemoryRow { address, symbol: None, units: vec![format!("{shown}{goes_on}")] });
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(bytes: &[u8], count: u32, unit: u32, format: FormatLetter) -> Vec<String> {
        let format = MemoryFormat { count, unit, format, limit: 5, back: false };
        let rows = printed_memory(VirtualAddress(0x1000), bytes, format, &FormatOptions::default());
        rows.into_iter().map(|row| format!("{}: {}", row.label(), row.units.join(" "))).collect()
    }

    #[test]
    fn memory_looks_as_in_gdb() {
        let bytes: Vec<u8> = (1..=20).collect();
        assert_eq!(
            rows(&bytes, 5, 4, FormatLetter::Hexadecimal),
            ["0x1000: 0x04030201 0x08070605 0x0c0b0a09 0x100f0e0d", "0x1010: 0x14131211"]
        );
        assert_eq!(rows(&[0xff, 0xff, 0x41], 3, 1, FormatLetter::Decimal), ["0x1000: -1 -1 65"]);
        assert_eq!(rows(&[5, 0], 1, 2, FormatLetter::Binary), ["0x1000: 0000000000000101"]);
        assert_eq!(rows(&1.5f64.to_le_bytes(), 1, 8, FormatLetter::Float), ["0x1000: 1.5"]);
        assert_eq!(
            rows(b"cell\0\0x", 3, 1, FormatLetter::String),
            ["0x1000: \"cell\"", "0x1005: \"\"", "0x1006: \"x\""]
        );
        assert_eq!(rows(b"abcdefg\0x", 2, 1, FormatLetter::String), ["0x1000: \"abcde\"...", "0x1005: \"fg\""]);
        assert_eq!(rows(&[1, 2, 3], 2, 2, FormatLetter::Hexadecimal), ["0x1000: 0x0201"]);
        let wide: Vec<u8> = "gr\u{fc}n\0\0x".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(
            rows(&wide, 3, 2, FormatLetter::String),
            ["0x1000: u\"gr\u{fc}n\"", "0x100a: u\"\"", "0x100c: u\"x\""]
        );
        let wide: Vec<u8> = "\u{1f600}!\0".chars().flat_map(|c| (c as u32).to_le_bytes()).collect();
        assert_eq!(rows(&wide, 2, 4, FormatLetter::String), ["0x1000: U\"\u{1f600}!\""]);
    }

    #[test]
    fn what_follows_begins_behind_what_was_shown() {
        let end = |bytes: &[u8], count, unit, format| {
            memory_end(VirtualAddress(0x1000), bytes, MemoryFormat { count, unit, format, limit: 5, back: false }).0
        };
        assert_eq!(end(&[0; 8], 4, 2, FormatLetter::Hexadecimal), 0x1008);
        assert_eq!(end(&[0; 7], 4, 2, FormatLetter::Hexadecimal), 0x1006);
        assert_eq!(end(b"ab\0c\0d", 2, 1, FormatLetter::String), 0x1005);
        assert_eq!(end(b"abc", 1, 1, FormatLetter::String), 0x1003);
        assert_eq!(end(b"abcdefg\0", 1, 1, FormatLetter::String), 0x1005);
        assert_eq!(end(b"a\0\0\0b\0", 1, 2, FormatLetter::String), 0x1004);
    }
}
