//! Arrays and structures that are written in braces: `{1, 2, 3}`, `(struct pt) {1, 2}`.

use super::node::{located, value};
use super::operand::{converted, dereferenced};
use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::syntax::tree::{Node, NodeKind};
use crate::types::{element_of, size_of, stripped};
use crate::value::{LONGEST, Value};
use debuginfo::types::builtin::array_of;
use debuginfo::types::{Kind, Member, TypeRef};

/// Evaluates elements in braces as an array of the type of the first.
pub(crate) fn array(elements: &[Node], s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let values = elements.iter().map(|one| dereferenced(&value(one, s)?, s)).collect::<Result<Vec<_>, EvalError>>()?;
    let Some(first) = values.first() else { return Err(error("bad array bounds (0, -1)")) };
    let size = size_of(first.ty(), s).unwrap_or(0);
    let mut bytes = Vec::new();
    for one in &values {
        if size_of(one.ty(), s) != Some(size) {
            return Err(error("array elements must all be the same size"));
        }
        if size.saturating_mul(values.len() as u64) > LONGEST {
            return Err(error("The array is too long."));
        }
        bytes.extend(converted(one, one.ty(), s)?);
    }
    Ok(Value::known(array_of(first.ty().clone(), Some(size), Some(values.len() as u64)), bytes))
}

/// Evaluates a node for a place of this type, which says what elements in braces and texts stand for.
pub(crate) fn value_as(node: &Node, ty: &TypeRef, s: &EvalContext<'_>) -> Result<Value, EvalError> {
    match &node.kind {
        NodeKind::Braces(elements) => Ok(Value::known(ty.clone(), bytes_as(elements, ty, s)?)),
        NodeKind::Text(..) => {
            let text = value(node, s)?;
            let place = size_of(ty, s).filter(|size| *size <= LONGEST);
            let needed = text.size(s);
            let is_array = matches!(stripped(ty, s).1.kind, Kind::Array { .. });
            if let (true, Some(place), false) = (is_array, place, s.language().texts_are_arrays())
                && place < needed
            {
                let message = format!(
                    "Too many array elements: the text needs {needed} bytes with its NUL, the array has {place}"
                );
                return Err(error(message).of_types());
            }
            let size = place.filter(|size| *size > needed);
            match (&stripped(ty, s).1.kind, size) {
                (Kind::Array { .. }, Some(size)) if !s.language().texts_are_arrays() => {
                    let mut bytes = text.raw_bytes(s)?;
                    bytes.resize(size as usize, 0);
                    Ok(Value::known(ty.clone(), bytes))
                }
                _ => Ok(text),
            }
        }
        _ => value(node, s),
    }
}

fn bytes_as(elements: &[Node], ty: &TypeRef, s: &EvalContext<'_>) -> Result<Vec<u8>, EvalError> {
    let (_, found) = stripped(ty, s);
    let size = size_of(ty, s).filter(|size| *size <= LONGEST).ok_or_else(|| error("Invalid cast."))?;
    // What has no value of its own is zero, as in C.
    let mut bytes = vec![0; size as usize];
    match &found.kind {
        Kind::Array { .. } => {
            let element = element_of(&found, s).map(|(element, ..)| element).ok_or_else(|| error("Invalid cast."))?;
            let each = size_of(&element, s).filter(|size| *size > 0).ok_or_else(|| error("Invalid cast."))?;
            if elements.len() as u64 > size / each {
                return Err(error("Too many array elements"));
            }
            for (place, one) in bytes.chunks_mut(each as usize).zip(elements) {
                fill(place, &bytes_of(one, &element, s)?);
            }
        }
        Kind::Aggregate { members, .. } => {
            let mut members = members.iter().filter(|member| !member.is_static);
            for one in elements {
                let Some(member) = members.next() else { return Err(error("too many initializers")) };
                enter(&mut bytes, member, &bytes_of(one, &member.ty, s)?);
            }
        }
        _ => match elements {
            [one] => return bytes_of(one, ty, s),
            _ => return Err(error("too many initializers")),
        },
    }
    Ok(bytes)
}

fn bytes_of(node: &Node, ty: &TypeRef, s: &EvalContext<'_>) -> Result<Vec<u8>, EvalError> {
    let value = value_as(node, ty, s)?;
    let value = if matches!(stripped(ty, s).1.kind, Kind::Pointer(_)) { located(value, s)? } else { value };
    converted(&value, ty, s)
}

fn fill(place: &mut [u8], bytes: &[u8]) {
    place.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
}

/// Enters the bytes of a member into those of its structure.
fn enter(whole: &mut [u8], member: &Member, bytes: &[u8]) {
    let Some((first, width)) = member.bits else {
        if let Some(place) = whole.get_mut(member.offset as usize..) {
            fill(place, bytes);
        }
        return;
    };
    for bit in 0..u64::from(width) {
        let is_set = bytes.get((bit / 8) as usize).is_some_and(|byte| byte >> (bit % 8) & 1 == 1);
        let at = member.offset.saturating_mul(8).saturating_add(first).saturating_add(bit);
        if let (true, Some(byte)) = (is_set, whole.get_mut((at / 8) as usize)) {
            *byte |= 1 << (at % 8);
        }
    }
}
