//! Reads and writes the data of a value: big-endian, laid out by its type.

use super::named::named_types;
use super::{AifError, AifType, AifValue, ChildStyle, Field, MAX_DEPTH, PointedText, PointerValue};
use std::collections::HashMap;

const TAG_NULL: u8 = 0;
const TAG_TARGET: u8 = 1;
const TAG_NAMED: u8 = 2;
const TAG_REPEATED: u8 = 3;
const TAG_INVALID: u8 = 4;
const TAG_ADDRESS: u8 = 5;
const TAG_SYMBOL: u8 = 6;

/// A `pa` length of this or more marks the extended form; its low bits are flags for the parts that follow.
const EXTENDED_TEXT: u16 = 0xFF00;
const TEXT_SYMBOL: u16 = 1;
const TEXT_TRUNCATED: u16 = 2;
const TEXT_UNREADABLE: u16 = 4;

/// A greater length would mark the extended form.
pub(super) const LONGEST_TEXT: usize = EXTENDED_TEXT as usize - 1;

/// Limit on values without bytes, such as objects without members; no engine puts this many into one value.
const WITHOUT_BYTES: usize = 1 << 19;

impl AifValue {
    /// Reads all of `data` as a value of `ty`.
    pub fn read(ty: &AifType, data: &[u8]) -> Result<Self, AifError> {
        let mut reader =
            Reader { data, position: 0, depth: 0, values_left: WITHOUT_BYTES + 2 * data.len(), named: named_types(ty) };
        let value = reader.value(ty)?;
        match data.len() - reader.position {
            0 => Ok(value),
            // Empty data travels as one zero byte (wire, section 4).
            1 if data == [0] => Ok(value),
            left => Err(AifError::Trailing(left)),
        }
    }

    /// Encodes the value as data of type `ty`.
    pub fn write(&self, ty: &AifType) -> Result<Vec<u8>, AifError> {
        let mut writer = Writer { data: Vec::new(), depth: 0, named: named_types(ty) };
        writer.value(ty, self)?;
        Ok(writer.data)
    }
}

struct Reader<'a> {
    data: &'a [u8],
    position: usize,
    depth: usize,
    /// Limits the values that a count in the data can create, even if they take no bytes.
    values_left: usize,
    named: HashMap<u32, &'a AifType>,
}

impl<'a> Reader<'a> {
    fn take(&mut self, wanted: usize) -> Result<&'a [u8], AifError> {
        let left = self.data.len() - self.position;
        match self.data.get(self.position..).and_then(|rest| rest.get(..wanted)) {
            Some(bytes) => {
                self.position += wanted;
                Ok(bytes)
            }
            None => Err(AifError::Truncated { wanted, left, position: self.position }),
        }
    }

    fn bits(&mut self, size: u32) -> Result<u128, AifError> {
        Ok(self.take(size as usize)?.iter().fold(0, |bits, byte| bits << 8 | u128::from(*byte)))
    }

    fn word(&mut self, size: u32) -> Result<u64, AifError> {
        self.bits(size).map(|bits| bits as u64)
    }

    fn text(&mut self) -> Result<Vec<u8>, AifError> {
        let length = self.bits(2)? as usize;
        self.take(length).map(<[u8]>::to_vec)
    }

    fn words(&mut self) -> Result<String, AifError> {
        self.text().map(|text| String::from_utf8_lossy(&text).into_owned())
    }

    fn rest(&mut self) -> Vec<u8> {
        let rest = self.data.get(self.position..).unwrap_or_default();
        self.position = self.data.len();
        rest.to_vec()
    }

    fn boxed(&mut self, ty: &'a AifType) -> Result<Box<AifValue>, AifError> {
        self.value(ty).map(Box::new)
    }

    fn value(&mut self, ty: &'a AifType) -> Result<AifValue, AifError> {
        if self.depth >= MAX_DEPTH {
            return Err(AifError::TooDeep);
        }
        self.values_left = self.values_left.checked_sub(1).ok_or(AifError::TooMany)?;
        self.depth += 1;
        let value = self.kind(ty);
        self.depth -= 1;
        value
    }

    fn kind(&mut self, ty: &'a AifType) -> Result<AifValue, AifError> {
        if let Some(size) = ty.scalar_size() {
            return self.bits(size).map(AifValue::Scalar);
        }
        Ok(match ty {
            AifType::Pointer { size, target } | AifType::Reference { size, target } => {
                AifValue::Pointer(self.pointer(*size, target)?)
            }
            AifType::CharPointer { size } => AifValue::Text(self.pointed_text(*size, 1)?),
            AifType::TextPointer { unit, size } => {
                AifValue::Text(self.pointed_text(*size, unit.scalar_size().unwrap_or(1))?)
            }
            AifType::String => AifValue::String(self.text()?),
            AifType::Array { index, element } => {
                let mut elements = Vec::new();
                for _ in 0..index.range_count() {
                    elements.push(self.value(element)?);
                }
                AifValue::Elements(elements)
            }
            AifType::Runs { element, .. } => {
                let mut runs = Vec::new();
                for _ in 0..self.word(4)? {
                    let repetitions = self.bits(4)? as u32;
                    runs.push((repetitions, self.value(element)?));
                }
                AifValue::Runs(runs)
            }
            AifType::Aggregate { .. } => {
                AifValue::Members(ty.aggregate_members().map(|field| self.value(&field.ty)).collect::<Result<_, _>>()?)
            }
            AifType::Union { members, .. } => {
                AifValue::Members(members.iter().map(|field| self.value(&field.ty)).collect::<Result<_, _>>()?)
            }
            AifType::Function { .. } => {
                let rest = self.data.get(self.position..).unwrap_or_default();
                let Some(length) = rest.iter().position(|byte| *byte == 0) else {
                    return Err(AifError::Truncated {
                        wanted: rest.len() + 1,
                        left: rest.len(),
                        position: self.position,
                    });
                };
                let name = self.take(length)?.to_vec();
                self.take(1)?;
                AifValue::Function(name)
            }
            AifType::Named { ty, .. } => self.value(ty)?,
            AifType::NamedReference { id } => match self.named.get(id).copied() {
                Some(named) if self.position < self.data.len() => self.value(named)?,
                _ => AifValue::Opaque(Vec::new()),
            },
            AifType::Complex(part) => {
                let size = part.scalar_size().ok_or(AifError::Mismatch)?;
                AifValue::Complex(self.bits(size)?, self.bits(size)?)
            }
            AifType::Located { size, ty } => AifValue::Located(self.word(*size)?, self.boxed(ty)?),
            AifType::AnnotatedAddress { size } => AifValue::Annotated(self.word(*size)?, self.words()?),
            AifType::Optional(ty) => match self.take(1)? {
                [0] => AifValue::Unavailable(self.words()?),
                _ => AifValue::Available(self.boxed(ty)?),
            },
            AifType::Titled(ty) => AifValue::Titled(self.words()?, self.boxed(ty)?),
            AifType::Spoken { ty, .. } => self.value(ty)?,
            AifType::Own => self.own()?,
            AifType::Children { style, key, element } => {
                let more = self.bits(1)? != 0;
                let mut held = Vec::new();
                for _ in 0..self.word(4)? {
                    let key = if *style == ChildStyle::Keyed { Some(self.value(key)?) } else { None };
                    held.push((key, self.value(element)?));
                }
                AifValue::Children { held, more }
            }
            AifType::Unknown(_) => AifValue::Opaque(Vec::new()),
            _ => AifValue::Opaque(self.rest()),
        })
    }

    /// A value preceded by its type descriptor.
    fn own(&mut self) -> Result<AifValue, AifError> {
        let length = self.bits(4)? as usize;
        let text = self.take(length)?;
        let ty: AifType = String::from_utf8_lossy(text).parse()?;
        let rest = self.data.get(self.position..).unwrap_or_default();
        let (depth, values_left) = (self.depth, self.values_left);
        let mut inner = Reader { data: rest, position: 0, depth, values_left, named: named_types(&ty) };
        let value = inner.value(&ty)?;
        (self.position, self.values_left) = (self.position + inner.position, inner.values_left);
        Ok(AifValue::Own(Box::new(ty), Box::new(value)))
    }

    fn pointer(&mut self, size: u32, target: &'a AifType) -> Result<PointerValue, AifError> {
        let position = self.position;
        let tag = self.bits(1)? as u8;
        Ok(match tag {
            TAG_NULL => PointerValue::Null,
            TAG_TARGET => PointerValue::Target { address: self.word(size)?, target: self.boxed(target)? },
            TAG_NAMED => PointerValue::NamedTarget {
                id: self.bits(4)? as u32,
                address: self.word(size)?,
                target: self.boxed(target)?,
            },
            TAG_REPEATED => PointerValue::Repeated { id: self.bits(4)? as u32, address: self.word(size)? },
            TAG_INVALID => PointerValue::Invalid { address: self.word(size)? },
            TAG_ADDRESS => PointerValue::AddressOnly { address: self.word(size)?, symbol: None },
            TAG_SYMBOL => PointerValue::AddressOnly { address: self.word(size)?, symbol: Some(self.words()?) },
            _ => return Err(AifError::Tag { tag, position }),
        })
    }

    fn pointed_text(&mut self, size: u32, unit: u32) -> Result<PointedText, AifError> {
        let mut text = PointedText { address: self.word(size)?, ..PointedText::default() };
        let mut length = self.bits(2)? as u16;
        if length >= EXTENDED_TEXT {
            text.truncated = length & TEXT_TRUNCATED != 0;
            if length & TEXT_SYMBOL != 0 {
                text.symbol = Some(self.words()?);
            }
            if length & TEXT_UNREADABLE != 0 {
                text.unreadable = Some(self.word(size)?);
            }
            length = self.bits(2)? as u16;
        }
        for _ in 0..length {
            text.units.push(self.bits(unit.max(1))? as u32);
        }
        Ok(text)
    }
}

struct Writer<'a> {
    data: Vec<u8>,
    depth: usize,
    named: HashMap<u32, &'a AifType>,
}

impl<'a> Writer<'a> {
    fn bits(&mut self, bits: u128, size: u32) {
        self.data.extend(bits.to_be_bytes().iter().skip(16_usize.saturating_sub(size as usize)));
    }

    fn address(&mut self, address: u64, size: u32) {
        self.bits(u128::from(address), size);
    }

    /// Truncates a text that is too long for the format.
    fn text(&mut self, text: &[u8]) {
        let text = text.get(..LONGEST_TEXT).unwrap_or(text);
        self.bits(text.len() as u128, 2);
        self.data.extend_from_slice(text);
    }

    fn value(&mut self, ty: &'a AifType, value: &AifValue) -> Result<(), AifError> {
        if self.depth >= MAX_DEPTH {
            return Err(AifError::TooDeep);
        }
        self.depth += 1;
        let written = self.kind(ty, value);
        self.depth -= 1;
        written
    }

    fn kind(&mut self, ty: &'a AifType, value: &AifValue) -> Result<(), AifError> {
        if let (Some(size), AifValue::Scalar(bits)) = (ty.scalar_size(), value) {
            self.bits(*bits, size);
            return Ok(());
        }
        match (ty, value) {
            (AifType::Pointer { size, target } | AifType::Reference { size, target }, AifValue::Pointer(pointer)) => {
                return self.pointer(*size, target, pointer);
            }
            (AifType::CharPointer { size }, AifValue::Text(text)) => self.pointed_text(*size, 1, text),
            (AifType::TextPointer { unit, size }, AifValue::Text(text)) => {
                self.pointed_text(*size, unit.scalar_size().unwrap_or(1), text);
            }
            (AifType::String, AifValue::String(text)) => self.text(text),
            (AifType::Array { index, element }, AifValue::Elements(elements)) => {
                if index.range_count() != elements.len() as u64 {
                    return Err(AifError::Mismatch);
                }
                for value in elements {
                    self.value(element, value)?;
                }
            }
            (AifType::Runs { element, .. }, AifValue::Runs(runs)) => {
                self.bits(runs.len() as u128, 4);
                for (repetitions, value) in runs {
                    self.bits(u128::from(*repetitions), 4);
                    self.value(element, value)?;
                }
            }
            (AifType::Aggregate { .. }, AifValue::Members(values)) => {
                return self.members(ty.aggregate_members().collect(), values);
            }
            (AifType::Union { members, .. }, AifValue::Members(values)) => {
                return self.members(members.iter().collect(), values);
            }
            (AifType::Function { .. }, AifValue::Function(name)) => {
                self.data.extend(name.iter().filter(|byte| **byte != 0));
                self.data.push(0);
            }
            (AifType::Named { ty, .. } | AifType::Spoken { ty, .. }, value) => return self.value(ty, value),
            (AifType::Titled(ty), AifValue::Titled(title, value)) => {
                self.text(title.as_bytes());
                return self.value(ty, value);
            }
            (AifType::Own, AifValue::Own(ty, value)) => return self.own(ty, value),
            (AifType::Children { style, key: key_type, element }, AifValue::Children { held, more }) => {
                self.bits(u128::from(*more), 1);
                self.bits(held.len() as u128, 4);
                for (key, value) in held {
                    match (style, key) {
                        (ChildStyle::Keyed, Some(key)) => self.value(key_type, key)?,
                        (ChildStyle::Plain | ChildStyle::Numbered, None) => {}
                        _ => return Err(AifError::Mismatch),
                    }
                    self.value(element, value)?;
                }
            }
            (_, AifValue::Opaque(bytes)) => self.data.extend_from_slice(bytes),
            (AifType::NamedReference { id }, value) => {
                let named = self.named.get(id).copied().ok_or(AifError::Mismatch)?;
                return self.value(named, value);
            }
            (AifType::Complex(part), AifValue::Complex(real, imaginary)) => {
                let size = part.scalar_size().ok_or(AifError::Mismatch)?;
                self.bits(*real, size);
                self.bits(*imaginary, size);
            }
            (AifType::Located { size, ty }, AifValue::Located(address, value)) => {
                self.address(*address, *size);
                return self.value(ty, value);
            }
            (AifType::AnnotatedAddress { size }, AifValue::Annotated(address, symbol)) => {
                self.address(*address, *size);
                self.text(symbol.as_bytes());
            }
            (AifType::Optional(_), AifValue::Unavailable(why)) => {
                self.data.push(0);
                self.text(why.as_bytes());
            }
            (AifType::Optional(ty), AifValue::Available(value)) => {
                self.data.push(1);
                return self.value(ty, value);
            }
            _ => return Err(AifError::Mismatch),
        }
        Ok(())
    }

    fn members(&mut self, fields: Vec<&'a Field>, values: &[AifValue]) -> Result<(), AifError> {
        if fields.len() != values.len() {
            return Err(AifError::Mismatch);
        }
        fields.into_iter().zip(values).try_for_each(|(field, value)| self.value(&field.ty, value))
    }

    /// A value preceded by its type descriptor.
    fn own(&mut self, ty: &AifType, value: &AifValue) -> Result<(), AifError> {
        let descriptor = ty.to_string();
        self.bits(descriptor.len() as u128, 4);
        self.data.extend_from_slice(descriptor.as_bytes());
        let mut inner = Writer { data: Vec::new(), depth: self.depth, named: named_types(ty) };
        inner.value(ty, value)?;
        self.data.append(&mut inner.data);
        Ok(())
    }

    fn pointer(&mut self, size: u32, target: &'a AifType, pointer: &PointerValue) -> Result<(), AifError> {
        match pointer {
            PointerValue::Null => self.data.push(TAG_NULL),
            PointerValue::Target { address, target: value } => {
                self.data.push(TAG_TARGET);
                self.address(*address, size);
                return self.value(target, value);
            }
            PointerValue::NamedTarget { id, address, target: value } => {
                self.data.push(TAG_NAMED);
                self.bits(u128::from(*id), 4);
                self.address(*address, size);
                return self.value(target, value);
            }
            PointerValue::Repeated { id, address } => {
                self.data.push(TAG_REPEATED);
                self.bits(u128::from(*id), 4);
                self.address(*address, size);
            }
            PointerValue::Invalid { address } => {
                self.data.push(TAG_INVALID);
                self.address(*address, size);
            }
            PointerValue::AddressOnly { address, symbol: None } => {
                self.data.push(TAG_ADDRESS);
                self.address(*address, size);
            }
            PointerValue::AddressOnly { address, symbol: Some(symbol) } => {
                self.data.push(TAG_SYMBOL);
                self.address(*address, size);
                self.text(symbol.as_bytes());
            }
        }
        Ok(())
    }

    fn pointed_text(&mut self, size: u32, unit: u32, text: &PointedText) {
        self.address(text.address, size);
        let flags = if text.symbol.is_some() { TEXT_SYMBOL } else { 0 }
            | if text.truncated { TEXT_TRUNCATED } else { 0 }
            | if text.unreadable.is_some() { TEXT_UNREADABLE } else { 0 };
        if flags != 0 {
            self.bits(u128::from(EXTENDED_TEXT | flags), 2);
            if let Some(symbol) = &text.symbol {
                self.text(symbol.as_bytes());
            }
            if let Some(address) = text.unreadable {
                self.address(address, size);
            }
        }
        let units = text.units.get(..LONGEST_TEXT).unwrap_or(&text.units);
        self.bits(units.len() as u128, 2);
        for unit_bits in units {
            self.bits(u128::from(*unit_bits), unit);
        }
    }
}
