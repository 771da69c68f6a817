//! Formats integers by the letters of `print/`.

use super::literal::{self, Encoding};
use super::options::FormatLetter;
use crate::aif::number::sign_extended;
use crate::aif::{AifError, FloatLayout};

/// An address with its symbol: `0x401136 <main+4>`.
pub(super) fn address_text(address: u64, symbol: Option<&str>) -> String {
    match symbol {
        Some(symbol) if !symbol.is_empty() => format!("{address:#x} <{symbol}>"),
        _ => format!("{address:#x}"),
    }
}

impl FormatLetter {
    /// Formats an integer of `size` bytes.
    pub(super) fn integer(self, bits: u128, size: u32, signed: bool) -> Result<String, AifError> {
        let bits = if (1..=15).contains(&size) { bits & ((1 << (8 * size)) - 1) } else { bits };
        Ok(match self {
            Self::Hexadecimal => format!("{bits:#x}"),
            Self::PaddedHexadecimal => format!("0x{bits:0width$x}", width = 2 * size as usize),
            Self::Decimal => sign_extended(bits, size).to_string(),
            Self::Unsigned => bits.to_string(),
            Self::Octal if bits == 0 => "0".to_owned(),
            Self::Octal => format!("0{bits:o}"),
            Self::Binary => format!("{bits:b}"),
            Self::Character => {
                let byte = bits as u8;
                let number = if signed { i32::from(byte as i8) } else { i32::from(byte) };
                format!("{number} {}", literal::character(byte.into(), Encoding::new(None, 1)))
            }
            Self::Address if signed => format!("{:#x}", sign_extended(bits, size) as u64),
            Self::Address => format!("{:#x}", bits as u64),
            Self::Float => match size {
                4 | 8 => FloatLayout::ieee(size).map(|layout| layout.text(bits)).ok_or(AifError::NotAnInteger)?,
                16 => FloatLayout::x87().text(bits & ((1 << 80) - 1)),
                _ if signed => sign_extended(bits, size).to_string(),
                _ => bits.to_string(),
            },
            Self::String => return Err(AifError::NotAnInteger),
        })
    }
}
