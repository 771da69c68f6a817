//! Elements and sections of Fortran arrays, and arrays whose elements do not follow each other in memory.

use crate::EvalError;
use crate::context::EvalContext;
use crate::eval::operand::dereferenced;
use crate::types::{size_of, stripped};
use crate::value::{LONGEST, Value};
use debuginfo::types::dimensions::{distances, without_natural};
use debuginfo::types::{Dimension, Encoding, Kind, Place, Type, TypeRef};
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

/// Returns the type of an array with these dimensions, the outermost first.
fn array(element: TypeRef, dimensions: Vec<Dimension>, context: &EvalContext<'_>) -> TypeRef {
    let count = dimensions.iter().try_fold(1_u64, |count, one| count.checked_mul(one.count?));
    let size = count.zip(size_of(&element, context)).and_then(|(count, size)| count.checked_mul(size));
    TypeRef::Made(Arc::new(Type { name: None, size, kind: Kind::Array { element, dimensions } }))
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
    Some(crate::eval::access::member(&first, name, false, s).and_then(|part| {
        let within =
            first.address().zip(part.address()).is_some_and(|(whole, part)| part.0.wrapping_sub(whole.0) < size);
        if is_array(part.ty(), s) && !within {
            // Each element's array is stored elsewhere.
            return Err(error(format!("{name} is an array in each element: take one element of them first.")));
        }
        of_each(&part, element, dimensions, s)
    }))
}

/// Returns a part of the first element as the array of that part of all elements.
fn of_each(part: &Value, element: &TypeRef, dimensions: &[Dimension], s: &EvalContext<'_>) -> Result<Value, EvalError> {
    let size = size_of(element, s).ok_or_else(|| error("The elements have no size."))?;
    let distances = distances(dimensions, size);
    let apart = |(dimension, distance): (&Dimension, i64)| Dimension { stride: Some(distance), ..*dimension };
    let dimensions: Vec<Dimension> = dimensions.iter().zip(distances).map(apart).collect();
    let natural = size_of(part.ty(), s).unwrap_or(0);
    Ok(part.retyped(array(part.ty().clone(), without_natural(dimensions, natural), s)))
}

/// True for an array of anything but characters.
fn is_array(ty: &TypeRef, s: &EvalContext<'_>) -> bool {
    matches!(stripped(ty, s).1.kind, Kind::Array { .. }) && !is_text(ty, s)
}

/// True for an array of characters.
pub(crate) fn is_text(ty: &TypeRef, s: &EvalContext<'_>) -> bool {
    let Kind::Array { element, .. } = &stripped(ty, s).1.kind else { return false };
    let (_, element) = stripped(element, s);
    matches!(element.kind, Kind::Base(Encoding::SignedChar | Encoding::UnsignedChar)) && element.size == Some(1)
}

fn plain_character(element: &TypeRef, s: &EvalContext<'_>) -> Option<TypeRef> {
    let (_, found) = stripped(element, s);
    let is_text = matches!(element, TypeRef::Made(_)) && found.kind == Kind::Base(Encoding::SignedChar);
    let plain = Type { name: Some("character".into()), ..Type::clone(&found) };
    is_text.then(|| TypeRef::Made(Arc::new(plain)))
}

/// Copies an array with gaps between its elements into one without; `None` for anything else.
pub(crate) fn packed(value: &Value, s: &EvalContext<'_>) -> Result<Option<Value>, EvalError> {
    let (_, found) = stripped(value.ty(), s);
    let Kind::Array { element, dimensions } = &found.kind else { return Ok(None) };
    if dimensions.iter().all(|dimension| dimension.stride.is_none()) || *value.place() == Place::OptimizedOut {
        return Ok(None);
    }
    let size = size_of(element, s).filter(|size| *size > 0).ok_or_else(|| error("The elements have no size."))?;
    let mut gathering = Gathering { value, element, size, context: s, bytes: Vec::new() };
    gathering.gather(dimensions, &distances(dimensions, size), 0)?;
    let gathered = gathering.bytes;
    let dimensions = dimensions.iter().map(|dimension| Dimension { stride: None, ..*dimension }).collect();
    Ok(Some(Value::known(array(element.clone(), dimensions, s), gathered)))
}

/// The elements of an array, copied without the gaps between them.
struct Gathering<'a> {
    value: &'a Value,
    element: &'a TypeRef,
    size: u64,
    context: &'a EvalContext<'a>,
    bytes: Vec<u8>,
}

impl Gathering<'_> {
    fn gather(&mut self, dimensions: &[Dimension], distances: &[i64], offset: i64) -> Result<(), EvalError> {
        let (Some((first, rest)), Some((distance, further))) = (dimensions.split_first(), distances.split_first())
        else {
            let start = self.bytes.len();
            self.bytes.resize(start + self.size as usize, 0);
            let bytes = self.bytes.get_mut(start..).unwrap_or_default();
            return self.value.part(self.element.clone(), offset as u64, None).read(bytes, self.context);
        };
        for number in 0..first.count.unwrap_or(0) {
            if self.bytes.len() as u64 + self.size > LONGEST {
                break;
            }
            let place = offset.saturating_add(distance.saturating_mul(number as i64));
            self.gather(rest, further, place)?;
        }
        Ok(())
    }
}
