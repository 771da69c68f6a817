//! Converts a value to the base kinds, for a peer that supports only those.

use super::number::float_layout;
use super::{AifError, AifType, AifValue, CharStyle, Field, PointedText, PointerValue};

/// Limit on the elements when an array in runs is expanded.
const LONGEST_ARRAY: usize = 65536;

/// Limit on the values in one reply; otherwise nested runs could multiply without bound.
const MOST_VALUES: usize = 1 << 18;

/// Converts a value to the nearest base kinds: bit-fields and characters to integers, complex numbers to aggregates,
/// x87 floats to doubles, references to pointers, text of any width to UTF-8, unavailable values to void. Symbols, and
/// the marks of truncated data, are lost.
pub fn to_base(ty: &AifType, value: &AifValue) -> Result<(AifType, AifValue), AifError> {
    convert(ty, value, &mut { MOST_VALUES })
}

fn convert(ty: &AifType, value: &AifValue, left: &mut usize) -> Result<(AifType, AifValue), AifError> {
    *left = left.checked_sub(1).ok_or(AifError::TooLong)?;
    Ok(match (ty, value) {
        (AifType::Named { id, ty }, value) => {
            let (ty, value) = convert(ty, value, left)?;
            (AifType::Named { id: *id, ty: Box::new(ty) }, value)
        }
        (AifType::Pointer { size, target } | AifType::Reference { size, target }, AifValue::Pointer(pointer)) => {
            self::pointer(*size, target, pointer, left)?
        }
        (AifType::CharPointer { size }, AifValue::Text(text)) => {
            let plain = PointedText { address: text.address, units: text.units.clone(), ..PointedText::default() };
            (AifType::CharPointer { size: *size }, AifValue::Text(plain))
        }
        (AifType::TextPointer { unit, size }, AifValue::Text(text)) => {
            let units = match **unit {
                AifType::Character { style: CharStyle::Utf16, .. } => in_utf8(&text.units, true),
                AifType::Character { style: CharStyle::Utf32 | CharStyle::Wide, .. } => in_utf8(&text.units, false),
                _ => text.units.clone(),
            };
            let plain = PointedText { address: text.address, units, ..PointedText::default() };
            (AifType::CharPointer { size: *size }, AifValue::Text(plain))
        }
        (AifType::Array { index, element }, AifValue::Elements(values)) => {
            let (element, values) = elements(element, values.iter(), left)?;
            (AifType::Array { index: index.clone(), element: Box::new(element) }, AifValue::Elements(values))
        }
        (AifType::Titled(ty), AifValue::Titled(_, value)) => return convert(ty, value, left),
        (AifType::Spoken { ty, .. }, value) => return convert(ty, value, left),
        (AifType::Own, AifValue::Own(ty, value)) => return convert(ty, value, left),
        (AifType::Children { element, .. }, AifValue::Children { held, .. }) => {
            let (element, values) = elements(element, held.iter().map(|(_, value)| value), left)?;
            (AifType::array(0, values.len() as u64, element), AifValue::Elements(values))
        }
        (AifType::Runs { index, element }, AifValue::Runs(runs)) => {
            let all = runs
                .iter()
                .flat_map(|(repetitions, value)| std::iter::repeat_n(value, *repetitions as usize))
                .take(LONGEST_ARRAY);
            let (element, values) = elements(element, all, left)?;
            let low = if let AifType::Range { low, .. } = **index { low } else { 0 };
            (AifType::array(low, values.len() as u64, element), AifValue::Elements(values))
        }
        (AifType::Aggregate { name, sections, trailing }, AifValue::Members(values)) => {
            let mut members = Members { values: values.iter(), based: Vec::new() };
            let mut based = <[Vec<Field>; 4]>::default();
            for (section, fields) in based.iter_mut().zip(sections) {
                *section = members.fields(fields, left)?;
            }
            let trailing = members.fields(trailing, left)?;
            let ty = AifType::Aggregate { name: name.clone(), sections: based, trailing };
            (ty, AifValue::Members(members.based))
        }
        (AifType::Union { name, members }, AifValue::Members(values)) => {
            let there = members.get(..values.len()).unwrap_or(members);
            let mut held = Members { values: values.iter(), based: Vec::new() };
            let members = held.fields(there, left)?;
            (AifType::Union { name: name.clone(), members }, AifValue::Members(held.based))
        }
        (AifType::Complex(part), AifValue::Complex(real, imaginary)) => {
            let (ty, real) = convert(part, &AifValue::Scalar(*real), left)?;
            let (_, imaginary) = convert(part, &AifValue::Scalar(*imaginary), left)?;
            let field = |name: &str| Field { name: name.to_owned(), ty: ty.clone() };
            let ty = AifType::aggregate("complex", vec![field("real"), field("imaginary")]);
            (ty, AifValue::Members(vec![real, imaginary]))
        }
        (AifType::Extended | AifType::Brain, AifValue::Scalar(bits)) => {
            let double = float_layout(ty).map_or(f64::NAN, |layout| layout.to_f64(*bits));
            (AifType::Float { size: 8 }, AifValue::Scalar(double.to_bits().into()))
        }
        (AifType::BitField { base, .. }, value) => return convert(base, value, left),
        (AifType::Enumeration { name, enumerators, base }, value) => {
            let plain = || (base_type(base), value.clone());
            enumeration(name, enumerators, base, value).unwrap_or_else(plain)
        }
        (AifType::Character { style: CharStyle::Unsigned | CharStyle::Utf8, .. }, value) => {
            (AifType::Char, value.clone())
        }
        (AifType::Character { style, size }, value) => {
            (AifType::Integer { signed: *style == CharStyle::Wide, size: *size }, value.clone())
        }
        (AifType::Located { ty, .. }, AifValue::Located(_, value)) => return convert(ty, value, left),
        (AifType::AnnotatedAddress { size }, AifValue::Annotated(address, _)) => {
            (AifType::Address { size: *size }, AifValue::Scalar((*address).into()))
        }
        (AifType::Optional(ty), AifValue::Available(value)) => return convert(ty, value, left),
        (_, AifValue::Unavailable(_)) => (AifType::Void { size: 0 }, AifValue::Scalar(0)),
        (ty, value) => (base_type(ty), value.clone()),
    })
}

/// The members of an object during conversion.
struct Members<'a> {
    values: std::slice::Iter<'a, AifValue>,
    based: Vec<AifValue>,
}

impl Members<'_> {
    fn fields(&mut self, fields: &[Field], left: &mut usize) -> Result<Vec<Field>, AifError> {
        let mut found = Vec::with_capacity(fields.len());
        for field in fields {
            let (ty, value) = convert(&field.ty, self.values.next().ok_or(AifError::Mismatch)?, left)?;
            self.based.push(value);
            found.push(Field { name: field.name.clone(), ty });
        }
        Ok(found)
    }
}

/// Converts all elements to one type. If their types differ, pointers become pointers to void, and all else becomes
/// void.
fn elements<'a>(
    element: &AifType,
    values: impl Iterator<Item = &'a AifValue>,
    left: &mut usize,
) -> Result<(AifType, Vec<AifValue>), AifError> {
    let mut common: Option<AifType> = None;
    let mut based = Vec::new();
    let mut differ = false;
    for value in values {
        let (ty, value) = convert(element, value, left)?;
        differ |= common.as_ref().is_some_and(|common| *common != ty);
        common.get_or_insert(ty);
        based.push(value);
    }
    if let (true, AifType::Pointer { size, .. }) = (differ, element)
        && based.iter().all(|value| matches!(value, AifValue::Pointer(_)))
    {
        let address = |value: &AifValue| match value {
            AifValue::Pointer(pointer) => Some(pointer.address()).filter(|address| *address != 0),
            _ => None,
        };
        let based = based.iter().map(|value| to_nothing(*size, address(value)).1).collect();
        return Ok((to_nothing(*size, None).0, based));
    }
    if differ {
        based.fill(AifValue::Scalar(0));
        return Ok((AifType::Void { size: 0 }, based));
    }
    Ok((common.unwrap_or_else(|| base_type(element)), based))
}

fn pointer(
    size: u32,
    target: &AifType,
    pointer: &PointerValue,
    left: &mut usize,
) -> Result<(AifType, AifValue), AifError> {
    let (target, pointer) = match pointer {
        PointerValue::Target { address, target: value } => {
            let (ty, value) = convert(target, value, left)?;
            (ty, PointerValue::Target { address: *address, target: Box::new(value) })
        }
        PointerValue::NamedTarget { address, target: value, .. } => {
            let (ty, value) = convert(target, value, left)?;
            (ty, PointerValue::Target { address: *address, target: Box::new(value) })
        }
        PointerValue::Null => (base_type(target), PointerValue::Null),
        PointerValue::Repeated { address, .. }
        | PointerValue::Invalid { address }
        | PointerValue::AddressOnly { address, .. } => return Ok(to_nothing(size, Some(*address))),
    };
    Ok((AifType::Pointer { size, target: Box::new(target) }, AifValue::Pointer(pointer)))
}

/// A pointer whose target is not sent. The original decoders skip the null pointer and an address with a target, and
/// misread the data after any other tag: so it becomes a pointer to void, which has no target data.
fn to_nothing(size: u32, address: Option<u64>) -> (AifType, AifValue) {
    let pointer = match address {
        Some(address) => PointerValue::Target { address, target: Box::new(AifValue::Scalar(0)) },
        None => PointerValue::Null,
    };
    let ty = AifType::Pointer { size, target: Box::new(AifType::Void { size: 0 }) };
    (ty, AifValue::Pointer(pointer))
}

/// Narrows the constants and the value to 4 bytes, the width the original decoder assumes; `None` if they do not fit.
fn enumeration(
    name: &str,
    enumerators: &[(String, i64)],
    base: &AifType,
    value: &AifValue,
) -> Option<(AifType, AifValue)> {
    let AifValue::Scalar(bits) = value else { return None };
    let size = base.scalar_size()?;
    let shift = 128_u32.checked_sub(8 * size)?;
    let number =
        if base.is_signed() { ((*bits << shift) as i128) >> shift } else { ((*bits << shift) >> shift) as i128 };
    let fits = |number: i128| i32::try_from(number).is_ok() || u32::try_from(number).is_ok();
    if !fits(number) || !enumerators.iter().all(|(_, number)| fits((*number).into())) {
        return None;
    }
    let enumerators = enumerators.iter().map(|(name, number)| (name.clone(), i64::from(*number as i32))).collect();
    let base = AifType::Integer { signed: true, size: 4 };
    let ty = AifType::Enumeration { name: name.to_owned(), enumerators, base: Box::new(base) };
    Some((ty, AifValue::Scalar((number as u32).into())))
}

/// The base kind of a type, without a value to go by.
fn base_type(ty: &AifType) -> AifType {
    let boxed = |ty: &AifType| Box::new(base_type(ty));
    match ty {
        AifType::Named { id, ty } => AifType::Named { id: *id, ty: boxed(ty) },
        AifType::Pointer { size, target } | AifType::Reference { size, target } => {
            AifType::Pointer { size: *size, target: boxed(target) }
        }
        AifType::TextPointer { size, .. } => AifType::CharPointer { size: *size },
        AifType::Array { index, element } | AifType::Runs { index, element } => {
            AifType::Array { index: index.clone(), element: boxed(element) }
        }
        AifType::Aggregate { name, sections, trailing } => {
            let fields = |fields: &Vec<Field>| -> Vec<Field> {
                fields.iter().map(|f| Field { name: f.name.clone(), ty: base_type(&f.ty) }).collect()
            };
            let [public, protected, private, package] = sections;
            AifType::Aggregate {
                name: name.clone(),
                sections: [fields(public), fields(protected), fields(private), fields(package)],
                trailing: fields(trailing),
            }
        }
        AifType::Union { name, members } => {
            let members = members.iter().map(|f| Field { name: f.name.clone(), ty: base_type(&f.ty) }).collect();
            AifType::Union { name: name.clone(), members }
        }
        AifType::Function { parameters, returns } => {
            AifType::Function { parameters: parameters.iter().map(base_type).collect(), returns: boxed(returns) }
        }
        AifType::Complex(part) => {
            let field = |name: &str| Field { name: name.to_owned(), ty: base_type(part) };
            AifType::aggregate("complex", vec![field("real"), field("imaginary")])
        }
        AifType::Extended | AifType::Brain => AifType::Float { size: 8 },
        AifType::BitField { base, .. } => base_type(base),
        AifType::Character { style: CharStyle::Unsigned | CharStyle::Utf8, .. } => AifType::Char,
        AifType::Character { style, size } => AifType::Integer { signed: *style == CharStyle::Wide, size: *size },
        AifType::Located { ty, .. } | AifType::Optional(ty) => base_type(ty),
        AifType::Titled(ty) | AifType::Spoken { ty, .. } => base_type(ty),
        AifType::Own => AifType::Void { size: 0 },
        AifType::Children { element, .. } => AifType::array(0, 0, base_type(element)),
        AifType::AnnotatedAddress { size } => AifType::Address { size: *size },
        AifType::Flags { size, .. } => AifType::Integer { signed: false, size: *size },
        other => other.clone(),
    }
}

fn in_utf8(units: &[u32], utf16: bool) -> Vec<u32> {
    let text: String = if utf16 {
        char::decode_utf16(units.iter().map(|unit| *unit as u16)).map(|c| c.unwrap_or('\u{fffd}')).collect()
    } else {
        units.iter().map(|unit| char::from_u32(*unit).unwrap_or('\u{fffd}')).collect()
    };
    text.bytes().map(u32::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aif::{from_hex, to_hex};

    #[track_caller]
    fn becomes(descriptor: &str, data: &str, base_descriptor: &str, base_data: &str) {
        let ty: AifType = descriptor.parse().unwrap();
        let value = AifValue::read(&ty, &from_hex(&data.replace(' ', "")).unwrap()).unwrap();
        let (ty, value) = to_base(&ty, &value).unwrap();
        assert_eq!(ty.to_string(), base_descriptor);
        assert_eq!(to_hex(&value.write(&ty).unwrap()), base_data.replace(' ', ""));
    }

    #[test]
    fn extension_kinds_become_base_kinds() {
        becomes("d3,is4", "FFFFFFFD", "is4", "FFFFFFFD");
        becomes("wb1", "C8", "c", "C8");
        becomes("g<CF=0,ZF=6>4", "00000040", "iu4", "00000040");
        becomes("wL4", "00000061", "is4", "00000061");
        becomes("xf4", "3F80000040000000", "{complex|real=f4,imaginary=f4;;;}", "3F80000040000000");
        becomes("e10", "40008000000000000000", "f8", "4000000000000000");
        becomes("^a8is4", "05 0000000000000010", "^a8v0", "01 0000000000000010");
        becomes("^a8wb1", "06 0000000000000010 0001 66", "^a8v0", "01 0000000000000010");
        becomes("^a8is4", "04 0000000000000010", "^a8v0", "01 0000000000000010");
        becomes("^a8wb1", "00", "^a8c", "00");
        becomes("[r0,2is4]^a8wb1", "00 05 0000000000000010", "[r0,2is4]^a8v0", "00 01 0000000000000010");
        becomes("<e|A=0,B=6>iu1", "06", "<e|A=0,B=6>is4", "00000006");
        becomes("<e|A=-1,B=6>is8", "FFFFFFFFFFFFFFFF", "<e|A=-1,B=6>is4", "FFFFFFFF");
        becomes("<e|A=8589934592>is8", "0000000200000000", "is8", "0000000200000000");
        becomes("~a8is4", "01 0000000000000010 00000003", "^a8is4", "01 0000000000000010 00000003");
        becomes("@a8&/is4", "0000000000000010 6600", "&/is4", "6600");
        becomes("A8", "0000000000000010 0001 66", "a8", "0000000000000010");
        becomes("!is4", "01 00000003", "is4", "00000003");
        becomes("{|a=!is4,b=is4;;;}", "00 0001 66 00000001", "{|a=v0,b=is4;;;}", "00000001");
        becomes("[r0,2is4]!is4", "01 00000003 00 0000", "[r0,2is4]v0", "");
        becomes("qwL4a8", "0000000000000010 0001 00004E2D", "pa8", "0000000000000010 0003 E4B8AD");
        becomes("pa8", "0000000000000010 FF03 0001 66 0001 61", "pa8", "0000000000000010 0001 61");
        becomes("z[r0,9is4]c", "00000002 00000002 61 00000001 62", "[r0,3is4]c", "616162");
        becomes("(u|a=wb1,b=d2,iu4)", "01 00000001", "(u|a=c,b=iu4)", "01 00000001");
    }
}
