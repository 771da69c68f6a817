//! Arrays whose elements do not follow each other in memory, such as one member of each struct of an array.

use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::types::{size_of, stripped};
use crate::value::{LONGEST, Value};
use debuginfo::types::dimensions::{distances, without_natural};
use debuginfo::types::{Dimension, Encoding, Kind, Place, Type, TypeRef};
use std::sync::Arc;

/// Returns the type of an array with these dimensions, the outermost first.
pub(crate) fn array(element: TypeRef, dimensions: Vec<Dimension>, context: &EvalContext<'_>) -> TypeRef {
    let count = dimensions.iter().try_fold(1_u64, |count, one| count.checked_mul(one.count?));
    let size = count.zip(size_of(&element, context)).and_then(|(count, size)| count.checked_mul(size));
    TypeRef::Made(Arc::new(Type { name: None, size, kind: Kind::Array { element, dimensions } }))
}

/// Returns a part of the first element as the array of that part of all elements.
pub(crate) fn of_each(
    part: &Value,
    element: &TypeRef,
    dimensions: &[Dimension],
    s: &EvalContext<'_>,
) -> Result<Value, EvalError> {
    let size = size_of(element, s).ok_or_else(|| error("The elements have no size."))?;
    let distances = distances(dimensions, size);
    let apart = |(dimension, distance): (&Dimension, i64)| Dimension { stride: Some(distance), ..*dimension };
    let dimensions: Vec<Dimension> = dimensions.iter().zip(distances).map(apart).collect();
    let natural = size_of(part.ty(), s).unwrap_or(0);
    Ok(part.retyped(array(part.ty().clone(), without_natural(dimensions, natural), s)))
}

/// Returns how many bytes after the start of the whole a part starts; `None` if they are not in the same place.
pub(crate) fn distance(part: &Value, whole: &Value) -> Option<u64> {
    match (part.address(), whole.address()) {
        (Some(part), Some(whole)) => part.0.checked_sub(whole.0),
        _ if part.place() == whole.place() => part.offset().checked_sub(whole.offset()),
        _ => None,
    }
}

/// True if a part starts in the bytes of the whole, which are `size`: a pointer, or an array with a descriptor, leads
/// elsewhere.
pub(crate) fn is_within(part: &Value, whole: &Value, size: u64) -> bool {
    distance(part, whole).is_some_and(|distance| distance < size)
}

/// True for an array of characters.
pub(crate) fn is_text(ty: &TypeRef, s: &EvalContext<'_>) -> bool {
    let Kind::Array { element, .. } = &stripped(ty, s).1.kind else { return false };
    let (_, element) = stripped(element, s);
    matches!(element.kind, Kind::Base(Encoding::SignedChar | Encoding::UnsignedChar)) && element.size == Some(1)
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
