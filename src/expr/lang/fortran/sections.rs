//! Elements, components and sections of Fortran arrays.

use super::classes::component;
use crate::EvalError;
use crate::context::EvalContext;
use crate::eval::access::member;
use crate::eval::operand::dereferenced;
use crate::eval::strided::{array, is_text, is_within, of_each};
use crate::types::{size_of, stripped};
use crate::value::Value;
use debuginfo::types::dimensions::{distances, without_natural};
use debuginfo::types::{Dimension, Encoding, Kind, Type, TypeRef};
use model::ErrorCode;
use std::sync::Arc;

/// The part taken along one dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subscript {
    At(i64),
    /// `low:high:stride`; a bound left out is that of the array.
    Range {
        low: Option<i64>,
        high: Option<i64>,
        stride: i64,
    },
}

fn error(message: impl Into<String>) -> EvalError {
    EvalError::new(ErrorCode::DEBUGGER, message)
}

/// Returns an element of an array, or a section as an array; the first subscript is that of the innermost dimension.
pub(crate) fn section(of: &Value, subscripts: &[Subscript], s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let of = dereferenced(of, s)?;
    let (_, found) = stripped(of.ty(), s);
    let Kind::Array { element, dimensions } = &found.kind else {
        return Err(error("cannot perform a subscript on a non-array type"));
    };
    if is_array(element, s) {
        // After a component of several elements, the subscripts are those of the component.
        let part = section(&of.part(element.clone(), 0, None), subscripts, s)?;
        return of_each(&part, element, dimensions, s);
    }
    if subscripts.len() != dimensions.len() {
        return Err(error("Wrong number of subscripts"));
    }
    let size = size_of(element, s).ok_or_else(|| error("The elements have no size."))?;
    let distances = distances(dimensions, size);
    let mut offset = 0_i64;
    let mut kept = Vec::new();
    for ((dimension, distance), subscript) in dimensions.iter().zip(distances).zip(subscripts.iter().rev()) {
        let last = dimension.count.map(|count| dimension.lower.saturating_add_unsigned(count).saturating_sub(1));
        let inside = |index: i64| index >= dimension.lower && last.is_none_or(|last| index <= last);
        let start = match *subscript {
            Subscript::At(index) if inside(index) => index,
            Subscript::At(_) => return Err(error("no such vector element")),
            Subscript::Range { low, high, stride } => {
                let (first, last) =
                    if stride < 0 { (last, Some(dimension.lower)) } else { (Some(dimension.lower), last) };
                let unbounded = || error("array bounds are not known");
                let (low, high) = (low.or(first).ok_or_else(unbounded)?, high.or(last).ok_or_else(unbounded)?);
                if stride == 0 || (high < low) != (stride < 0) && high != low {
                    return Err(error("incorrect stride and boundary combination"));
                }
                if !inside(low) || !inside(high) {
                    return Err(error("array subscript out of bounds"));
                }
                let count = (i128::from(high) - i128::from(low)) / i128::from(stride) + 1;
                let stride = distance.saturating_mul(stride);
                let count = u64::try_from(count).ok();
                kept.push(Dimension { lower: 1, count, assumed: false, stride: Some(stride) });
                low
            }
        };
        offset = offset.saturating_add(start.saturating_sub(dimension.lower).saturating_mul(distance));
    }
    let ty = if kept.is_empty() {
        element.clone()
    } else {
        // In gdb a substring has no fixed length.
        let element = plain_character(element, s).unwrap_or_else(|| element.clone());
        array(element, without_natural(kept, size), s)
    };
    Ok(of.part(ty, offset as u64, None))
}

/// Returns the component of each element of an array, as an array with the same distance between elements as the whole
/// array. `None` if the value is not an array.
pub(crate) fn components(of: &Value, name: &str, s: &EvalContext<'_>) -> Option<Result<Value, EvalError>> {
    let of = match dereferenced(of, s) {
        Ok(of) => of,
        Err(error) => return Some(Err(error)),
    };
    let (_, found) = stripped(of.ty(), s);
    let Kind::Array { element, dimensions } = &found.kind else { return None };
    let no_structure = || error("Attempt to extract a component of a value that is not a structure.");
    let whole = size_of(element, s).filter(|_| matches!(stripped(element, s).1.kind, Kind::Aggregate { .. }));
    let Some(size) = whole else { return Some(Err(no_structure())) };
    // The address of the first element's component gives its offset in every element.
    let first = of.part(element.clone(), 0, None);
    let part = component(&first, name, s).and_then(|found| found.map_or_else(|| member(&first, name, false, s), Ok));
    Some(part.and_then(|part| {
        if is_array(part.ty(), s) && !is_within(&part, &first, size) {
            // Each element's array is stored elsewhere.
            return Err(error(format!("{name} is an array in each element: take one element of them first.")));
        }
        of_each(&part, element, dimensions, s)
    }))
}

/// True for an array of anything but characters.
fn is_array(ty: &TypeRef, s: &EvalContext<'_>) -> bool {
    matches!(stripped(ty, s).1.kind, Kind::Array { .. }) && !is_text(ty, s)
}

fn plain_character(element: &TypeRef, s: &EvalContext<'_>) -> Option<TypeRef> {
    let (_, found) = stripped(element, s);
    let is_text = matches!(element, TypeRef::Made(_)) && found.kind == Kind::Base(Encoding::SignedChar);
    let plain = Type { name: Some("character".into()), ..Type::clone(&found) };
    is_text.then(|| TypeRef::Made(Arc::new(plain)))
}
