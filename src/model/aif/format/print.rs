//! Formats values as gdb's `print` does.

use super::literal::{self, Encoding};
use super::options::{FormatLetter, FormatOptions};
use crate::Datum;
use crate::aif::number::{number, sign_extended};
use crate::aif::{AifError, AifType, AifValue, Field, Number, PointedText, PointerValue, Spelling, as_gdb_spells};

/// Limit on the characters read from an array; gdb's `max-value-size`.
pub(super) const LONGEST_STRING: usize = 65536;

/// Limit on the output for one value, in bytes; otherwise nested runs could multiply without bound.
const LONGEST_TEXT: usize = 4 << 20;

/// Formats a value as gdb 13 does.
pub fn format(datum: &Datum, how: &FormatOptions) -> Result<String, AifError> {
    let (ty, value) = datum.parsed()?;
    let mut printer = Printer { out: String::new(), how: *how, language: None };
    let by_type = matches!(how.letter, None | Some(FormatLetter::String));
    if by_type && let Some(prefix) = type_prefix(&ty, &value, &datum.type_name) {
        printer.out.push_str(&prefix);
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

pub(super) struct Printer {
    pub(super) out: String,
    pub(super) how: FormatOptions,
    /// `None`: C-like.
    pub(super) language: Option<Spelling>,
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
                if self.how.letter.is_none() && !matches!(**ty, AifType::Titled(_)) {
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
            (AifType::Aggregate { .. }, AifValue::Members(values)) => {
                return self.members(ty.aggregate_members(), values);
            }
            (AifType::Union { members, .. }, AifValue::Members(values)) => return self.members(members.iter(), values),
            (AifType::Array { index, element }, AifValue::Elements(values)) => {
                let runs = values.iter().map(|value| (1, value));
                return self.array(element, runs, index.range_count());
            }
            (AifType::Runs { index, element }, AifValue::Runs(runs)) => {
                let runs = runs.iter().map(|(repetitions, value)| (u64::from(*repetitions), value));
                return self.array(element, runs, index.range_count());
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

    /// True if elements of this type form a text; in Rust, bytes are numbers, and characters are shown one by one.
    fn is_text(&self, element: &AifType) -> bool {
        element.is_character() && (self.language != Some(Spelling::Rust) || *element == AifType::Char)
    }

    pub(super) fn members<'a>(
        &mut self,
        members: impl Iterator<Item = &'a Field>,
        values: &[AifValue],
    ) -> Result<(), AifError> {
        self.some_members(members, values, usize::MAX)
    }

    /// Writes at most `most` members; the limit on elements applies to members made by a pretty-printer.
    pub(super) fn some_members<'a>(
        &mut self,
        members: impl Iterator<Item = &'a Field>,
        values: &[AifValue],
        most: usize,
    ) -> Result<(), AifError> {
        if values.is_empty() {
            self.push("{<No data fields>}");
            return Ok(());
        }
        self.push("{");
        let mut only_bases = true;
        for (number, (field, value)) in members.zip(values).enumerate().take(most) {
            if number > 0 {
                self.push(", ");
            }
            if !field.name.is_empty() {
                self.push(&field.name);
                self.push(" = ");
            }
            only_bases &= field.name.starts_with('<');
            self.value(&field.ty, value)?;
        }
        self.push(match only_bases {
            // gdb does not check whether there are more members than the limit.
            _ if values.len() >= most => "...}",
            true => ", <No data fields>}",
            false => "}",
        });
        Ok(())
    }

    fn array<'a>(
        &mut self,
        element: &AifType,
        elements: impl Iterator<Item = (u64, &'a AifValue)>,
        count: u64,
    ) -> Result<(), AifError> {
        let mut runs: Vec<(u64, &AifValue)> = Vec::new();
        for (repetitions, value) in elements {
            match runs.last_mut() {
                Some((sum, last)) if *last == value => *sum += repetitions,
                _ => runs.push((repetitions, value)),
            }
        }
        let goes_on = runs.iter().map(|(repetitions, _)| *repetitions).sum::<u64>() < count;
        let rust = self.language == Some(Spelling::Rust);
        if let (true, None | Some(FormatLetter::String)) = (self.is_text(element), self.how.letter) {
            let units: Vec<u32> = runs
                .iter()
                .flat_map(|(repetitions, value)| std::iter::repeat_n(*value, *repetitions as usize))
                .take(LONGEST_STRING)
                .map(|value| if let AifValue::Scalar(bits) = value { *bits as u32 } else { 0 })
                .collect();
            self.string(&units, encoding(element), goes_on);
            return Ok(());
        }
        self.push(if rust { "[" } else { "{" });
        let mut shown = 0;
        let mut finished = true;
        for (repetitions, value) in runs {
            let threshold = self.how.threshold as u64;
            let times = if repetitions > threshold { 1 } else { repetitions };
            for _ in 0..times {
                if shown >= self.how.limit {
                    finished = false;
                    break;
                }
                if shown > 0 {
                    self.push(", ");
                }
                self.value(element, value)?;
                shown += 1;
            }
            if repetitions > threshold && finished {
                self.push(format!(" <repeats {repetitions} times>"));
                shown += self.how.threshold.saturating_sub(1);
            }
        }
        self.push(if goes_on || !finished { "..." } else { "" });
        self.push(if rust { "]" } else { "}" });
        Ok(())
    }

    fn string(&mut self, units: &[u32], encoding: Encoding, goes_on: bool) {
        let text = literal::string(units, encoding, goes_on, self.how.limit, self.how.threshold);
        self.push(text);
    }

    fn located(&mut self, ty: &AifType, address: u64, value: &AifValue) -> Result<(), AifError> {
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

    pub(super) fn address(&mut self, address: u64, symbol: Option<&str>) {
        self.push(format!("{address:#x}"));
        if let Some(symbol) = symbol.filter(|symbol| !symbol.is_empty()) {
            self.push(format!(" <{symbol}>"));
        }
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
            (AifType::Reference { .. }, AifValue::Pointer(pointer)) => {
                self.push("@");
                self.push(format!("{:#x}", pointer.address()));
            }
            (_, AifValue::Pointer(PointerValue::AddressOnly { address, symbol })) => {
                self.address(*address, symbol.as_deref());
            }
            (_, AifValue::Pointer(pointer)) => self.address(pointer.address(), None),
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

    /// Writes `0x… <symbol> "text"`; the null pointer has no text.
    fn pointed_text(&mut self, text: &PointedText, encoding: Encoding) {
        self.address(text.address, text.symbol.as_deref());
        if text.address == 0 {
            return;
        }
        self.push(" ");
        if text.unreadable.is_none() || !text.units.is_empty() {
            self.string(&text.units, encoding, text.truncated);
        }
        if let Some(address) = text.unreadable {
            self.push(format!("<error: Cannot access memory at address {address:#x}>"));
        }
    }

    fn by_letter(&mut self, letter: FormatLetter, ty: &AifType, value: &AifValue) -> Result<(), AifError> {
        if let (FormatLetter::Address, AifValue::Pointer(PointerValue::AddressOnly { address, symbol })) =
            (letter, value)
        {
            self.address(*address, symbol.as_deref());
            return Ok(());
        }
        if let (FormatLetter::Address, AifValue::Text(text)) = (letter, value) {
            self.address(text.address, text.symbol.as_deref());
            return Ok(());
        }
        let number = match (ty, value) {
            (AifType::Reference { .. }, AifValue::Pointer(pointer)) => Number::Unsigned(pointer.address().into()),
            _ => number(ty, value).ok_or(AifError::NotAnInteger)?,
        };
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
    fn integer(&mut self, letter: FormatLetter, bits: u128, size: u32, signed: bool) -> Result<(), AifError> {
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
