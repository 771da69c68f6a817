//! Constants from debug information, as bytes.

use crate::dwarf::debug_info::DebugInformation;
use crate::dwarf::entry::Attribute;
use crate::dwarf::unit::Unit;
use crate::types::description::Place;
use crate::types::reader::signed;
use gimli::AttributeValue;

/// Returns a constant (DWARF 5, 4.1 item 10) as the bytes of a value of this size.
pub(crate) fn constant(debug: &DebugInformation, unit: &Unit, value: Attribute, size: Option<u64>) -> Place {
    let size = size.and_then(|size| usize::try_from(size).ok()).unwrap_or(8);
    match value {
        AttributeValue::Block(block) => Place::Bytes(block.slice().to_vec()),
        AttributeValue::Exprloc(expression) => Place::Bytes(expression.0.slice().to_vec()),
        AttributeValue::Data16(value) => Place::Bytes(value.to_le_bytes().to_vec()),
        value => match signed(&value) {
            Some(number) => {
                // Bytes beyond the word only extend the sign.
                let filler = if number < 0 { 0xff } else { 0 };
                let mut bytes = number.to_le_bytes().to_vec();
                bytes.resize(size.min(64), filler);
                Place::Bytes(bytes)
            }
            None => debug.string(unit, value).map_or(Place::OptimizedOut, |text| {
                let mut bytes = text.to_vec();
                bytes.push(0);
                Place::Bytes(bytes)
            }),
        },
    }
}

/// Returns the first bytes, padded with zeros to the wanted size.
pub(crate) fn padded(bytes: &[u8], length: usize, size: Option<u64>) -> Vec<u8> {
    let mut bytes = bytes.get(..length).unwrap_or(bytes).to_vec();
    if let Some(size) = size
        && size <= 64
    {
        bytes.resize(size as usize, 0);
    }
    bytes
}

pub(crate) fn value_bytes(value: gimli::Value) -> Vec<u8> {
    match value {
        gimli::Value::F32(value) => value.to_le_bytes().to_vec(),
        gimli::Value::F64(value) => value.to_le_bytes().to_vec(),
        value => value.to_u64(u64::MAX).unwrap_or(0).to_le_bytes().to_vec(),
    }
}
