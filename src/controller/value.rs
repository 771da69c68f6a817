//! Values and memory as text.

use crate::controller::command::MemoryFormat;
use crate::controller::report::{PrintedRegister, PrintedVariable};
use crate::model::aif::{self, AifValue, FormatLetter, FormatOptions, Number};
use crate::model::{Datum, RegisterValue, Variable, VariableValue, VirtualAddress};

/// A value as `print` shows it. What cannot be read is said so.
pub(super) fn printed(datum: &Datum, letter: Option<FormatLetter>, limits: &FormatOptions) -> String {
    aif::format(datum, &FormatOptions { letter, ..*limits }).unwrap_or_else(|error| format!("<{error}>"))
}

/// A variable as a list shows it: without the type in front that `print` gives pointers, as in gdb.
pub(super) fn printed_variable(variable: &Variable, limits: &FormatOptions) -> PrintedVariable {
    let (text, type_name) = match &variable.value {
        VariableValue::Known(datum) => {
            let untyped = Datum { type_name: String::new(), ..datum.clone() };
            (printed(&untyped, None, limits), datum.type_name.clone())
        }
        VariableValue::Unknown { why, type_name } => (format!("<{why}>"), type_name.clone()),
    };
    PrintedVariable { name: variable.name.clone(), text, type_name }
}

/// A register as gdb's `info registers` shows it: its bits, and what they mean.
pub(super) fn printed_register(register: &RegisterValue, limits: &FormatOptions) -> PrintedRegister {
    let datum = &register.value;
    let untyped = Datum { type_name: String::new(), ..datum.clone() };
    let natural = printed(&untyped, None, limits);
    let hexadecimal = || printed(datum, Some(FormatLetter::Hexadecimal), limits);
    let (raw, natural) = match datum.parsed() {
        Ok((_, AifValue::Pointer(pointer))) => (format!("{:#x}", pointer.address()), natural),
        // The number first, as there.
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

/// Rows of memory: the address of each, and its units. A unit that is not whole is left out.
pub(super) fn printed_memory(
    address: VirtualAddress,
    bytes: &[u8],
    format: MemoryFormat,
) -> Vec<(String, Vec<String>)> {
    if format.format == FormatLetter::String {
        return strings(address, bytes, format.count);
    }
    // As gdb: as many units in a row as fit its habits, two of 8 bytes, four of 4, eight of less.
    let in_row = match format.unit {
        8 => 2,
        4 => 4,
        _ => 8,
    };
    let unit = format.unit as usize;
    let whole = bytes.get(..bytes.len() / unit * unit).unwrap_or(bytes);
    let mut rows = Vec::new();
    for (row, chunk) in whole.chunks(unit * in_row).enumerate() {
        let at = address.0.wrapping_add((row * unit * in_row) as u64);
        rows.push((format!("{at:#x}"), chunk.chunks(unit).map(|bytes| printed_unit(bytes, format)).collect()));
    }
    rows
}

/// Behind the units, or strings, that are shown.
pub(super) fn memory_end(address: VirtualAddress, bytes: &[u8], format: MemoryFormat) -> VirtualAddress {
    let length = match format.format {
        FormatLetter::String => {
            let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == 0).map(|(at, _)| at + 1);
            ends.take(format.count as usize).last().unwrap_or(bytes.len())
        }
        _ => {
            let unit = (format.unit as usize).max(1);
            bytes.len() / unit * unit
        }
    };
    VirtualAddress(address.0.wrapping_add(length as u64))
}

fn printed_unit(bytes: &[u8], format: MemoryFormat) -> String {
    let kind = match format.format {
        FormatLetter::Float => "f",
        FormatLetter::Decimal | FormatLetter::Character => "is",
        _ => "iu",
    };
    let letter = match format.format {
        FormatLetter::Hexadecimal => FormatLetter::PaddedHexadecimal,
        letter => letter,
    };
    let data = bytes.iter().rev().copied().collect();
    let datum = Datum { descriptor: format!("{kind}{}", bytes.len()), data, type_name: String::new() };
    printed(&datum, Some(letter), &FormatOptions::default())
}

fn strings(address: VirtualAddress, bytes: &[u8], count: u32) -> Vec<(String, Vec<String>)> {
    let mut rows = Vec::new();
    let mut at = 0;
    while rows.len() < count as usize
        && let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty())
    {
        let length = rest.iter().position(|&byte| byte == 0).unwrap_or(rest.len());
        let text = rest.get(..length).unwrap_or(rest);
        let shown = match text {
            [] => "\"\"".to_owned(),
            text => {
                let descriptor = format!("[r0,{}is4]c", text.len());
                let datum = Datum { descriptor, data: text.to_vec(), type_name: String::new() };
                printed(&datum, None, &FormatOptions::default())
            }
        };
        rows.push((format!("{:#x}", address.0.wrapping_add(at as u64)), vec![shown]));
        at += length + 1;
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(bytes: &[u8], count: u32, unit: u32, format: FormatLetter) -> Vec<String> {
        let rows = printed_memory(VirtualAddress(0x1000), bytes, MemoryFormat { count, unit, format });
        rows.into_iter().map(|(label, units)| format!("{label}: {}", units.join(" "))).collect()
    }

    #[test]
    fn memory_looks_as_in_gdb() {
        let bytes: Vec<u8> = (1..=20).collect();
        assert_eq!(
            rows(&bytes, 5, 4, FormatLetter::Hexadecimal),
            ["0x1000: 0x04030201 0x08070605 0x0c0b0a09 0x100f0e0d", "0x1010: 0x14131211"]
        );
        assert_eq!(rows(&[0xff, 0xff, 0x41], 3, 1, FormatLetter::Decimal), ["0x1000: -1 -1 65"]);
        assert_eq!(rows(&1.5f64.to_le_bytes(), 1, 8, FormatLetter::Float), ["0x1000: 1.5"]);
        assert_eq!(
            rows(b"cell\0\0x", 3, 1, FormatLetter::String),
            ["0x1000: \"cell\"", "0x1005: \"\"", "0x1006: \"x\""]
        );
        assert_eq!(rows(&[1, 2, 3], 2, 2, FormatLetter::Hexadecimal), ["0x1000: 0x0201"]);
    }

    #[test]
    fn what_follows_begins_behind_what_was_shown() {
        let end = |bytes: &[u8], count, unit, format| {
            memory_end(VirtualAddress(0x1000), bytes, MemoryFormat { count, unit, format }).0
        };
        assert_eq!(end(&[0; 8], 4, 2, FormatLetter::Hexadecimal), 0x1008);
        assert_eq!(end(&[0; 7], 4, 2, FormatLetter::Hexadecimal), 0x1006);
        assert_eq!(end(b"ab\0c\0d", 2, 1, FormatLetter::String), 0x1005);
        assert_eq!(end(b"abc", 1, 1, FormatLetter::String), 0x1003);
    }
}
