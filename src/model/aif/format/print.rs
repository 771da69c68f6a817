//! Formats values as gdb's `print` does.

use super::letter::address_text;
use super::literal::{self, Encoding};
use super::options::{FormatLetter, FormatOptions};
use crate::aif::number::{number, sign_extended};
use crate::aif::{AifError, AifType, AifValue, Number, PointerValue, Spelling, as_gdb_spells};
use crate::{Datum, PrintSwitch};

/// Limit on the characters read from an array; gdb's `max-value-size`.
pub(super) const LONGEST_STRING: usize = 65536;

/// Limit on the output for one value, in bytes; otherwise nested runs could multiply without bound.
const LONGEST_TEXT: usize = 4 << 20;

/// Formats a value as gdb 13 does.
pub fn format(datum: &Datum, how: &FormatOptions) -> Result<String, AifError> {
    let (ty, value) = datum.parsed()?;
    let mut printer = Printer { out: String::new(), how: *how, language: None, depth: 0, unnamed: 0 };
    let by_type = matches!(how.letter, None | Some(FormatLetter::String));
    if by_type && let Some(prefix) = type_prefix(&ty, &value, &datum.type_name) {
        printer.out.push_str(&prefix);
    }
    if how.has(PrintSwitch::Object) && is_of_dynamic_class(&ty) && !datum.type_name.is_empty() {
        printer.push(format!("({}) ", as_gdb_spells(&datum.type_name)));
    }
    printer.outermost(&ty, &value)?;
    Ok(printer.out)
}

/// The type that gdb writes before an outermost pointer, reference or function.
fn type_prefix(ty: &AifType, value: &AifValue, type_name: &str) -> Option<String> {
    let spelled = as_gdb_spells(type_name);
    match (ty, value) {
        _ if spelled.is_empty() => None,
        (AifType::Named { ty, .. } | AifType::Spoken { ty, .. }, _) => type_prefix(ty, value, type_name),
        // A value with a title is shown without its reference.
        (AifType::Reference { target, .. }, _) if matches!(**target, AifType::Titled(_)) => None,
        (AifType::Optional(ty), AifValue::Available(value)) => type_prefix(ty, value, type_name),
        // An unavailable pointer still shows its type; a value that was optimised out (void) shows none.
        (AifType::Optional(ty), AifValue::Unavailable(_)) if !matches!(**ty, AifType::Void { .. }) => {
            type_prefix(ty, value, type_name)
        }
        (AifType::Function { .. }, _) => Some(format!("{{{spelled}}} ")),
        (AifType::Located { .. }, AifValue::Located(_, inner)) if matches!(**inner, AifValue::Function(_)) => {
            Some(format!("{{{spelled}}} "))
        }
        (
            AifType::Pointer { .. }
            | AifType::Reference { .. }
            | AifType::CharPointer { .. }
            | AifType::TextPointer { .. },
            _,
        ) if !quotes_say_its_type(&spelled) => Some(format!("({spelled}) ")),
        _ => None,
    }
}

/// True for pointers to the plain character types: their string literal shows the type.
fn quotes_say_its_type(type_name: &str) -> bool {
    let Some(star) = type_name.find('*') else { return false };
    let (target, pointer) = type_name.split_at_checked(star).unwrap_or((type_name, ""));
    let mut target = target.split_whitespace().filter(|word| !matches!(*word, "const" | "volatile"));
    let mut pointer = pointer.split(['*', ' ']).filter(|word| !matches!(*word, "" | "const" | "volatile" | "restrict"));
    pointer.next().is_none()
        && type_name.matches('*').count() == 1
        && matches!(target.next(), Some("char" | "wchar_t" | "char16_t" | "char32_t"))
        && target.next().is_none()
}

/// True for a class with virtual methods or bases: itself or one of its bases has a pointer to a table of them.
fn is_of_dynamic_class(ty: &AifType) -> bool {
    match ty {
        AifType::Named { ty, .. } | AifType::Spoken { ty, .. } => is_of_dynamic_class(ty),
        AifType::Aggregate { .. } => ty.aggregate_members().any(|member| {
            member.name.starts_with("_vptr") || member.name.starts_with('<') && is_of_dynamic_class(&member.ty)
        }),
        _ => false,
    }
}

pub(super) struct Printer {
    pub(super) out: String,
    pub(super) how: FormatOptions,
    /// `None`: C-like.
    pub(super) language: Option<Spelling>,
    /// The number of structures and arrays around the value.
    pub(super) depth: usize,
    /// Those of them that are members without a name: they do not count as nested.
    pub(super) unnamed: usize,
}

impl Printer {
    pub(super) fn push(&mut self, text: impl AsRef<str>) {
        self.out.push_str(text.as_ref());
    }

    /// Writes the outermost value: only there does a reference show its target.
    fn outermost(&mut self, ty: &AifType, value: &AifValue) -> Result<(), AifError> {
        match (ty, value) {
            (AifType::Named { ty, .. }, value) => self.outermost(ty, value),
            (AifType::Spoken { language, ty }, value) => {
                self.language = Some(*language);
                self.outermost(ty, value)
            }
            (
                AifType::Reference { target: ty, .. },
                AifValue::Pointer(
                    PointerValue::Target { address, target } | PointerValue::NamedTarget { address, target, .. },
                ),
            ) => {
                let is_addressed = self.how.letter.is_none() && self.how.has(PrintSwitch::Address);
                if is_addressed && !matches!(**ty, AifType::Titled(_)) && !self.is_too_deep(ty, target) {
                    self.push(format!("@{address:#x}: "));
                }
                self.value(ty, target)
            }
            _ => self.value(ty, value),
        }
    }

    pub(super) fn value(&mut self, ty: &AifType, value: &AifValue) -> Result<(), AifError> {
        if self.out.len() > LONGEST_TEXT {
            return Err(AifError::TooLong);
        }
        if self.is_closed(ty, value) {
            return Ok(());
        }
        if self.language == Some(Spelling::Fortran) && self.in_fortran(ty, value)? {
            return Ok(());
        }
        if self.language == Some(Spelling::Rust) && self.in_rust(ty, value)? {
            return Ok(());
        }
        match (ty, value) {
            (AifType::Named { ty, .. } | AifType::Spoken { ty, .. }, value) => return self.value(ty, value),
            (AifType::Own, AifValue::Own(ty, value)) => return self.value(ty, value),
            (AifType::Titled(ty), AifValue::Titled(title, value)) => return self.titled(ty, title, value),
            (AifType::Children { style, key, element }, AifValue::Children { held, more }) => {
                return self.children(*style, key, element, held, *more);
            }
            (AifType::Void { .. }, _) => self.push("void"),
            (_, AifValue::Unavailable(why)) => self.push(format!("<{why}>")),
            (AifType::Optional(ty), AifValue::Available(value)) => return self.value(ty, value),
            (_, AifValue::Opaque(_)) => self.push("<incomplete type>"),
            (AifType::Aggregate { name, .. }, AifValue::Members(values)) => {
                return self.members(name, ty.aggregate_members(), values);
            }
            (AifType::Union { .. }, AifValue::Members(_)) if self.depth > 0 && !self.how.has(PrintSwitch::Union) => {
                self.push("{...}");
            }
            (AifType::Union { members, .. }, AifValue::Members(values)) => {
                return self.members("", members.iter(), values);
            }
            (AifType::Array { index, element }, AifValue::Elements(values)) => {
                let runs = values.iter().map(|value| (1, value));
                return self.array(element, runs, index);
            }
            (AifType::Runs { index, element }, AifValue::Runs(runs)) => {
                let runs = runs.iter().map(|(repetitions, value)| (u64::from(*repetitions), value));
                return self.array(element, runs, index);
            }
            (AifType::Located { ty, .. }, AifValue::Located(address, inner)) => {
                return self.located(ty, *address, inner);
            }
            (AifType::Function { .. }, AifValue::Function(name)) => self.push(String::from_utf8_lossy(name)),
            (AifType::String, AifValue::String(text)) => {
                let units: Vec<u32> = text.iter().map(|byte| u32::from(*byte)).collect();
                self.string(&units, Encoding::new(None, 1), false);
            }
            (AifType::Complex(part), AifValue::Complex(real, imaginary)) => self.complex(part, *real, *imaginary)?,
            _ => match self.how.letter {
                None | Some(FormatLetter::String) => self.by_type(ty, value)?,
                Some(letter) => self.by_letter(letter, ty, value)?,
            },
        }
        Ok(())
    }

    pub(super) fn string(&mut self, units: &[u32], encoding: Encoding, goes_on: bool) {
        let text = literal::string(units, encoding, goes_on, self.how.limit, self.how.threshold);
        self.push(text);
    }

    fn complex(&mut self, part: &AifType, real: u128, imaginary: u128) -> Result<(), AifError> {
        match (self.how.letter, part.scalar_size()) {
            (None | Some(FormatLetter::String), _) => {
                self.value(part, &AifValue::Scalar(real))?;
                self.push(" + ");
                self.value(part, &AifValue::Scalar(imaginary))?;
                self.push("i");
                Ok(())
            }
            (Some(letter), Some(size @ 1..=8)) => self.integer(letter, imaginary << (8 * size) | real, 2 * size, false),
            (Some(_), _) => Err(AifError::NotAnInteger),
        }
    }

    fn by_type(&mut self, ty: &AifType, value: &AifValue) -> Result<(), AifError> {
        match (ty, value) {
            (AifType::Reference { .. }, AifValue::Pointer(pointer)) if self.how.has(PrintSwitch::Address) => {
                self.push(format!("@{:#x}", pointer.address()));
            }
            (AifType::Reference { .. }, AifValue::Pointer(_)) => {}
            (ty, AifValue::Pointer(pointer)) => self.pointer(ty, pointer),
            (_, AifValue::Annotated(address, symbol)) => self.address(*address, Some(symbol)),
            (AifType::CharPointer { .. }, AifValue::Text(text)) => self.pointed_text(text, Encoding::new(None, 1)),
            (AifType::TextPointer { unit, .. }, AifValue::Text(text)) => self.pointed_text(text, encoding(unit)),
            (AifType::Address { .. }, AifValue::Scalar(bits)) => self.push(format!("{bits:#x}")),
            (AifType::BitField { base, .. } | AifType::Range { base, .. }, value) => return self.by_type(base, value),
            (AifType::Flags { names, .. }, AifValue::Scalar(bits)) => {
                let set = names.iter().filter(|(_, bit)| *bit < 128 && bits >> bit & 1 == 1);
                let set: String = set.map(|(name, _)| format!("{name} ")).collect();
                self.push(format!("[ {set}]"));
            }
            (AifType::Bool { .. }, AifValue::Scalar(0)) => self.push("false"),
            (AifType::Bool { .. }, AifValue::Scalar(1)) => self.push("true"),
            (AifType::Enumeration { enumerators, base, .. }, AifValue::Scalar(bits)) => {
                let size = base.scalar_size().unwrap_or(4);
                let value = if base.is_signed() { sign_extended(*bits, size) } else { *bits as i128 };
                let text = enumerator_text(enumerators, value);
                self.push(text);
            }
            (ty, value) if ty.is_character() => {
                let AifValue::Scalar(bits) = value else { return Err(AifError::Mismatch) };
                let literal = literal::character(*bits as u32, encoding(ty));
                self.plain_number(ty, value)?;
                self.push(" ");
                self.push(literal);
            }
            (ty, value) => self.plain_number(ty, value)?,
        }
        Ok(())
    }

    fn plain_number(&mut self, ty: &AifType, value: &AifValue) -> Result<(), AifError> {
        match number(ty, value) {
            Some(Number::Signed(value)) => self.push(value.to_string()),
            Some(Number::Unsigned(value)) => self.push(value.to_string()),
            Some(Number::Float(layout, bits)) => self.push(layout.text(bits)),
            None => return Err(AifError::Mismatch),
        }
        Ok(())
    }

    fn by_letter(&mut self, letter: FormatLetter, ty: &AifType, value: &AifValue) -> Result<(), AifError> {
        if let (FormatLetter::Address, AifValue::Pointer(PointerValue::AddressOnly { address, symbol })) =
            (letter, value)
        {
            self.push(address_text(*address, symbol.as_deref()));
            return Ok(());
        }
        if let (FormatLetter::Address, AifValue::Text(text)) = (letter, value) {
            self.push(address_text(text.address, text.symbol.as_deref()));
            return Ok(());
        }
        // A format letter does not change how a member that is a reference is shown.
        if let AifType::Reference { .. } = ty {
            return self.by_type(ty, value);
        }
        let number = number(ty, value).ok_or(AifError::NotAnInteger)?;
        match (number, letter) {
            (Number::Float(layout, bits), FormatLetter::Float) => self.push(layout.text(bits)),
            (Number::Float(layout, bits), FormatLetter::Character | FormatLetter::Address) => {
                let whole = layout.to_f64(bits) as i64;
                self.integer(letter, whole as u128, 8, true)?;
            }
            (Number::Float(layout, bits), _) => self.integer(letter, bits, layout.size, true)?,
            (Number::Signed(value), _) => {
                self.integer(letter, value as u128, ty.scalar_size().unwrap_or(8), true)?;
            }
            (Number::Unsigned(bits), _) => self.integer(letter, bits, ty.scalar_size().unwrap_or(8), false)?,
        }
        Ok(())
    }

    /// Writes an integer of `size` bytes by a letter.
    pub(super) fn integer(
        &mut self,
        letter: FormatLetter,
        bits: u128,
        size: u32,
        signed: bool,
    ) -> Result<(), AifError> {
        let text = letter.integer(bits, size, signed)?;
        self.push(text);
        Ok(())
    }
}

pub(super) fn encoding(ty: &AifType) -> Encoding {
    match ty {
        AifType::Character { style, size } => Encoding::new(Some(*style), *size),
        AifType::Named { ty, .. } => encoding(ty),
        _ => Encoding::new(None, 1),
    }
}

/// Returns the name of a value; for an enumeration of single bits, the names of its bits.
fn enumerator_text(enumerators: &[(String, i64)], value: i128) -> String {
    if let Some((name, _)) = enumerators.iter().find(|(_, known)| i128::from(*known) == value) {
        return name.clone();
    }
    if enumerators.iter().any(|(_, known)| *known < 0 || known.count_ones() > 1) || enumerators.is_empty() {
        return value.to_string();
    }
    if value == 0 {
        return "0".to_owned();
    }
    let mut left = value as u128 & u128::from(u64::MAX);
    let mut parts = Vec::new();
    for (name, bit) in enumerators {
        if left & *bit as u128 != 0 {
            left &= !(*bit as u128);
            parts.push(name.clone());
        }
    }
    if left != 0 {
        parts.push(format!("unknown: {left:#x}"));
    }
    format!("({})", parts.join(" | "))
}

#[cfg(test)]
mod tests;
