//! Texts and bytes that convenience functions compare: arrays of characters, and what is behind pointers.

use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::eval::operand::{Operand, dereferenced};
use crate::types::stripped;
use crate::value::Value;
use debuginfo::types::Kind;
use debuginfo::types::builtin::{Builtin, array_of};
use model::VirtualAddress;

/// Longest string that is compared.
const LONGEST_TEXT: u64 = 1 << 20;

/// Reads the bytes up to the NUL, from an array or behind a pointer.
pub(super) fn text_of(value: &Value, s: &EvalContext<'_>) -> Result<Vec<u8>, EvalError> {
    let value = dereferenced(value, s)?;
    if value.address().is_none() && matches!(stripped(value.ty(), s).1.kind, Kind::Array { .. }) {
        let (bytes, _) = value.read_known(value.size(s), s)?;
        return Ok(bytes.into_iter().take_while(|byte| *byte != 0).collect());
    }
    let start = value.as_address(s)?;
    let mut text = Vec::new();
    while (text.len() as u64) < LONGEST_TEXT {
        let mut byte = [0];
        s.read(VirtualAddress(start.0.wrapping_add(text.len() as u64)), &mut byte)?;
        if byte == [0] {
            return Ok(text);
        }
        text.extend(byte);
    }
    Err(error("The string is not terminated."))
}

/// As [`text_of`], as characters.
pub(super) fn characters_of(value: &Value, s: &EvalContext<'_>) -> Result<String, EvalError> {
    Ok(String::from_utf8_lossy(&text_of(value, s)?).into_owned())
}

/// Returns an array of `char` of the debugger's own, with the NUL.
pub(super) fn text_value(text: &str) -> Value {
    let mut bytes = text.as_bytes().to_vec();
    bytes.push(0);
    let count = bytes.len() as u64;
    Value::known(array_of(Builtin::Char.ty(), Some(1), Some(count)), bytes)
}

/// True if two places have the same `length` bytes.
pub(super) fn same_memory(arguments: &[Value], s: &EvalContext<'_>) -> Result<bool, EvalError> {
    let [left, right, length] = arguments else { return Ok(false) };
    let Operand::Integer { value: length, .. } = Operand::of(length, s)? else {
        return Err(error("The number of bytes must be an integer."));
    };
    let length = u64::try_from(length).ok().filter(|length| *length <= LONGEST_TEXT);
    let length = length.ok_or_else(|| error("The number of bytes is out of range."))? as usize;
    Ok(bytes_of(left, length, s)? == bytes_of(right, length, s)?)
}

/// Reads that many bytes at an address, or of a literal, which has none.
pub(super) fn bytes_of(value: &Value, length: usize, s: &EvalContext<'_>) -> Result<Vec<u8>, EvalError> {
    if value.address().is_none() && matches!(stripped(value.ty(), s).1.kind, Kind::Array { .. }) {
        let (mut bytes, _) = value.read_known(value.size(s), s)?;
        if bytes.len() < length {
            return Err(error("The number of bytes is out of range."));
        }
        bytes.truncate(length);
        return Ok(bytes);
    }
    let mut bytes = vec![0; length];
    s.read(value.as_address(s)?, &mut bytes)?;
    Ok(bytes)
}
