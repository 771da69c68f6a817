//! Formats addresses: pointers, functions, and the texts that pointers point to.

use super::letter::address_text;
use super::literal::Encoding;
use super::options::FormatLetter;
use super::print::Printer;
use crate::PrintSwitch;
use crate::aif::{AifError, AifType, AifValue, PointedText, PointerValue};

/// True for a pointer to a function, whose symbol is always shown.
fn is_of_code(ty: &AifType) -> bool {
    match ty {
        AifType::Named { ty, .. } | AifType::Spoken { ty, .. } => is_of_code(ty),
        AifType::Pointer { target, .. } => matches!(**target, AifType::Function { .. }),
        _ => false,
    }
}

impl Printer {
    /// Writes an address and its symbol, without the address if the user wants none.
    pub(super) fn address(&mut self, address: u64, symbol: Option<&str>) {
        match symbol.filter(|symbol| !symbol.is_empty()) {
            _ if self.how.has(PrintSwitch::Address) => self.push(address_text(address, symbol)),
            Some(symbol) => self.push(format!("<{symbol}>")),
            None => {}
        }
    }

    /// As [`Self::address`] for the address of data.
    pub(super) fn data_address(&mut self, address: u64, symbol: Option<&str>) {
        self.address(address, symbol.filter(|_| self.how.has(PrintSwitch::Symbol)));
    }

    pub(super) fn pointer(&mut self, ty: &AifType, pointer: &PointerValue) {
        match pointer {
            PointerValue::AddressOnly { address, symbol } if is_of_code(ty) => {
                self.address(*address, symbol.as_deref());
            }
            PointerValue::AddressOnly { address, symbol } => self.data_address(*address, symbol.as_deref()),
            pointer => self.address(pointer.address(), None),
        }
    }

    /// Writes `0x… <symbol> "text"`; the null pointer has no text.
    pub(super) fn pointed_text(&mut self, text: &PointedText, encoding: Encoding) {
        let before = self.out.len();
        self.data_address(text.address, text.symbol.as_deref());
        if text.address == 0 {
            return;
        }
        self.push(if self.out.len() > before { " " } else { "" });
        if text.unreadable.is_none() || !text.units.is_empty() {
            self.string(&text.units, encoding, text.truncated);
        }
        if let Some(address) = text.unreadable {
            self.push(format!("<error: Cannot access memory at address {address:#x}>"));
        }
    }

    /// Writes a value with its address: a function, or an array without elements.
    pub(super) fn located(&mut self, ty: &AifType, address: u64, value: &AifValue) -> Result<(), AifError> {
        match value {
            AifValue::Function(name) => match self.how.letter {
                None | Some(FormatLetter::String) => {
                    let name = String::from_utf8_lossy(name).into_owned();
                    self.address(address, Some(&name));
                }
                Some(FormatLetter::Address | FormatLetter::Character | FormatLetter::Float) => {
                    return Err(AifError::NotAnInteger);
                }
                Some(letter) => self.integer(letter, address.into(), 8, false)?,
            },
            AifValue::Elements(elements) if elements.is_empty() => self.address(address, None),
            value => return self.value(ty, value),
        }
        Ok(())
    }
}
