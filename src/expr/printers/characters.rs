//! The characters of strings and string views of the C++ standard library, their methods, and texts of any type as bytes.

use super::printer_members::PrinterMembers;
use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::eval::operand::{Operand, dereferenced, integer_value, pointer_value};
use crate::types::{made, size_of, stripped};
use crate::value::Value;
use debuginfo::types::builtin::{Builtin, pointer_to};
use debuginfo::types::{Kind, Qualifier, TypeRef};
use model::VirtualAddress;

/// Longest text that is compared.
const LONGEST_TEXT: u64 = 1 << 20;
/// Texts are read in blocks that double from this size to that of a page.
const FIRST_BLOCK: u64 = 64;
const PAGE: u64 = 4096;
/// In a string of the older ABI, its length is that far before its characters.
const LENGTH_BEFORE: u64 = 24;

/// Where the characters of a string are.
pub(crate) struct Characters {
    pub(crate) unit: TypeRef,
    pub(crate) address: u64,
    pub(crate) length: u64,
}

impl Characters {
    /// Finds the characters of a `basic_string`, with either ABI, or of a `basic_string_view`.
    pub(crate) fn of(members: &PrinterMembers<'_>, template: &str) -> Option<Self> {
        let (pointer, length) = match template {
            "basic_string" => {
                let pointer = members.part(&["_M_dataplus", "_M_p"])?;
                let length = members.number(&["_M_string_length"]).or_else(|| {
                    let before = members.word(&pointer)?.checked_sub(LENGTH_BEFORE)?;
                    members.word(&PrinterMembers::placed(&Builtin::UnsignedLong.ty(), before))
                })?;
                (pointer, length)
            }
            "basic_string_view" => (members.part(&["_M_str"])?, members.number(&["_M_len"])?),
            _ => return None,
        };
        Some(Self { unit: members.pointed(&pointer)?, address: members.word(&pointer)?, length })
    }

    pub(super) fn character(&self, index: i128, context: &EvalContext<'_>) -> Option<Value> {
        let size = size_of(&self.unit, context)?;
        Some(PrinterMembers::placed(&self.unit, self.address.wrapping_add(distance(index, size)?)))
    }

    /// Computes the methods that only strings have.
    pub(super) fn method(
        &self,
        method: &str,
        arguments: &[Value],
        context: &EvalContext<'_>,
    ) -> Result<Option<Value>, EvalError> {
        let truth = |holds: bool| integer_value(holds.into(), Builtin::CplusplusBool);
        Ok(match (method, arguments) {
            ("length", []) => Some(integer_value(i128::from(self.length), Builtin::UnsignedLong)),
            ("data", []) => Some(pointer_value(self.address, pointer_to(self.unit.clone()))),
            ("c_str", []) => {
                let unit = made(size_of(&self.unit, context), Kind::Qualified(Qualifier::Const, self.unit.clone()));
                Some(pointer_value(self.address, pointer_to(unit)))
            }
            ("operator==" | "operator!=", [other]) => {
                let is_narrow = size_of(&self.unit, context) == Some(1);
                let Some(other) = is_narrow.then(|| text_of(other, context)).transpose()?.flatten() else {
                    return Ok(None);
                };
                Some(truth((self.bytes(context)? == other) == (method == "operator==")))
            }
            _ => None,
        })
    }

    pub(super) fn bytes(&self, context: &EvalContext<'_>) -> Result<Vec<u8>, EvalError> {
        let length = self.length.saturating_mul(size_of(&self.unit, context).unwrap_or(1));
        if length > LONGEST_TEXT {
            return Err(error("The string is too long to be compared."));
        }
        charge(context, length)?;
        let mut bytes = vec![0; length as usize];
        context.read(VirtualAddress(self.address), &mut bytes)?;
        Ok(bytes)
    }
}

/// Returns the name of a library template, without its arguments.
pub(crate) fn template(name: &str) -> Option<&str> {
    let plain = name.strip_prefix("std::")?;
    plain.strip_prefix("__cxx11::").unwrap_or(plain).split('<').next()
}

/// Returns the bytes of a text: a string of the library, an array or pointer of characters, up to its NUL; `None` for
/// anything else.
pub(crate) fn text_of(value: &Value, context: &EvalContext<'_>) -> Result<Option<Vec<u8>>, EvalError> {
    let value = dereferenced(value, context)?;
    let (_, ty) = stripped(value.ty(), context);
    let is_character = |ty: &TypeRef| {
        let (_, ty) = stripped(ty, context);
        matches!(ty.kind, Kind::Base(_)) && ty.size == Some(1)
    };
    match &ty.kind {
        Kind::Aggregate { .. } => {
            let Some(template) = ty.name.as_deref().and_then(template) else { return Ok(None) };
            let members = PrinterMembers { value: &value, context };
            Characters::of(&members, template).map(|characters| characters.bytes(context)).transpose()
        }
        Kind::Array { element, .. } if is_character(element) && value.address().is_none() => {
            let (bytes, _) = value.read_known(value.size(context), context)?;
            Ok(Some(bytes.into_iter().take_while(|byte| *byte != 0).collect()))
        }
        Kind::Array { element: unit, .. } | Kind::Pointer(unit) if is_character(unit) => {
            let Operand::Pointer { address, .. } = Operand::of(&value, context)? else { return Ok(None) };
            terminated(address, context).map(Some)
        }
        _ => Ok(None),
    }
}

/// Returns the bytes from the first element to that of an index, which may be before it; `None` for more than there
/// are in memory.
pub(super) fn distance(index: i128, size: u64) -> Option<u64> {
    let bytes = index.checked_mul(size.into())?;
    (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&bytes).then_some(bytes as u64)
}

/// Reads the bytes at an address up to the NUL.
pub(crate) fn terminated(start: u64, context: &EvalContext<'_>) -> Result<Vec<u8>, EvalError> {
    let mut text = Vec::new();
    let mut most = FIRST_BLOCK;
    while (text.len() as u64) < LONGEST_TEXT {
        let address = start.wrapping_add(text.len() as u64);
        // What follows the NUL may lie in memory that cannot be read.
        let mut block = vec![0; most.min(PAGE - address % PAGE) as usize];
        charge(context, block.len() as u64)?;
        context.read(VirtualAddress(address), &mut block)?;
        if let Some(end) = block.iter().position(|byte| *byte == 0) {
            block.truncate(end);
            text.extend(block);
            return Ok(text);
        }
        text.extend(block);
        most = PAGE.min(2 * most);
    }
    Err(error("The string is not terminated."))
}

/// Charges bytes that are about to be read.
pub(super) fn charge(context: &EvalContext<'_>, bytes: u64) -> Result<(), EvalError> {
    context.budget().map_or(Ok(()), |budget| budget.read(bytes)).map_err(error)
}
