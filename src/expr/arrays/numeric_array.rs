//! The shape of an array of numbers, and the place of its elements.

use super::element_kind::ElementType;
use crate::EvalError;
use crate::context::EvalContext;
use crate::error::error;
use crate::eval::operand::dereferenced;
use crate::printers::element_storage::is_matrix;
use crate::types::{MAX_DEPTH, size_of, stripped};
use crate::value::Value;
use crate::value_contents::optimized_out;
use debuginfo::types::dimensions::distances;
use debuginfo::types::{Kind, Place, TypeRef};
use model::{ElementIndex, VirtualAddress};

/// A dimension of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    /// The index of the first element.
    pub(super) lower: i64,
    pub(super) count: u64,
    /// Bytes from one element to the next.
    pub(super) distance: i64,
}

/// The bytes of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    /// From the first element, wherever gaps and strides lead from there.
    Memory(VirtualAddress),
    /// A value that is not in memory.
    Bytes(Vec<u8>),
}

/// An array of numbers of one type; a single number is an array without dimensions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NumericArray {
    pub(super) element: ElementType,
    pub(super) storage: Storage,
    /// From the outermost in.
    pub(super) extents: Vec<Extent>,
    /// The number of dimensions of each of the nested arrays.
    pub(super) nested: Vec<usize>,
    /// The number of elements.
    pub(super) count: u64,
    /// True if subscripts are written innermost first.
    pub(super) by_columns: bool,
    in_parentheses: bool,
}

impl NumericArray {
    /// Returns the array that a value is or holds; fails if it holds anything but numbers.
    pub(super) fn of(value: &Value, context: &EvalContext<'_>) -> Result<Self, EvalError> {
        let value = dereferenced(value, context)?;
        Self::with_elements(&value, &contents(&value, context)?, context, |ty| ElementType::of(ty, context))
    }

    /// As [`Self::of`], for the contents of a value and with another reading of the elements' type.
    pub(super) fn with_elements(
        whole: &Value,
        contents: &Value,
        context: &EvalContext<'_>,
        element_of: impl FnOnce(&TypeRef) -> Result<ElementType, EvalError>,
    ) -> Result<Self, EvalError> {
        let has_rows = stripped(whole.ty(), context).1.name.as_deref().is_some_and(is_matrix);
        let value = contents;
        if value.bit_field().is_some() {
            return Err(error("A bit-field is not an array of numbers."));
        }
        let (mut extents, mut nested) = (Vec::new(), Vec::new());
        let mut ty = value.ty().clone();
        for _ in 0..MAX_DEPTH {
            let (_, found) = stripped(&ty, context);
            let Kind::Array { element, dimensions } = &found.kind else { break };
            if dimensions.iter().any(|dimension| dimension.count.is_none() || dimension.assumed) {
                return Err(error("The bounds of the array are not known: give its length, as in a[0]@100."));
            }
            let size = size_of(element, context).ok_or_else(|| error("The elements have no size."))?;
            let apart = dimensions.iter().zip(distances(dimensions, size));
            extents.extend(apart.map(|(dimension, distance)| Extent {
                lower: dimension.lower,
                count: dimension.count.unwrap_or(0),
                distance,
            }));
            nested.push(dimensions.len());
            ty = element.clone();
        }
        if matches!(stripped(&ty, context).1.kind, Kind::Pointer(_)) && extents.is_empty() {
            return Err(error("This is a pointer: say how many elements it leads to, as in p[0]@100."));
        }
        let element = element_of(&ty)?;
        let count = extents.iter().try_fold(1_u64, |count, extent| count.checked_mul(extent.count));
        let count = count.ok_or_else(|| error("The array has more elements than can be counted."))?;
        let storage = storage(value, &ty, &extents, context)?;
        let by_columns = context.language().has_columns();
        Ok(Self { element, storage, extents, nested, count, by_columns, in_parentheses: by_columns || has_rows })
    }

    /// Returns the subscripts of an element by its number, the first element being 0.
    pub(super) fn index(&self, number: u64) -> ElementIndex {
        let mut rest = number;
        let mut subscripts: Vec<i64> = Vec::with_capacity(self.extents.len());
        for extent in self.extents.iter().rev() {
            let count = extent.count.max(1);
            subscripts.push(extent.lower.saturating_add_unsigned(rest % count));
            rest /= count;
        }
        subscripts.reverse();
        if self.by_columns {
            let mut start = 0;
            for dimensions in &self.nested {
                subscripts.get_mut(start..start + dimensions).unwrap_or_default().reverse();
                start += dimensions;
            }
        }
        ElementIndex { subscripts, parentheses: self.in_parentheses }
    }
}

impl NumericArray {
    /// True if subscripts are written in one pair of parentheses.
    pub(super) fn is_in_parentheses(&self) -> bool {
        self.in_parentheses
    }

    /// Returns the array of the elements at these dimensions, `offset` bytes from the first element on.
    pub(super) fn part(&self, offset: i64, extents: Vec<Extent>) -> Self {
        let storage = match &self.storage {
            Storage::Memory(address) => Storage::Memory(VirtualAddress(address.0.wrapping_add_signed(offset))),
            Storage::Bytes(bytes) => {
                let from = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
                Storage::Bytes(bytes.get(from..).unwrap_or_default().to_vec())
            }
        };
        let count = extents.iter().fold(1_u64, |count, extent| count.saturating_mul(extent.count));
        Self { storage, nested: vec![extents.len()], extents, count, by_columns: false, ..self.clone() }
    }
}

/// Returns the elements of a container that stores them one after another; other values stay as they are.
pub(super) fn contents(value: &Value, context: &EvalContext<'_>) -> Result<Value, EvalError> {
    let (_, found) = stripped(value.ty(), context);
    let (Kind::Aggregate { .. }, Some(name)) = (&found.kind, &found.name) else { return Ok(value.clone()) };
    let own = context.own_printers().and_then(|table| table.elements(value, context));
    let elements = own
        .or_else(|| context.language().elements(value, name, context))
        .or_else(|| context.shipped_printers()?.elements(value, context));
    elements.ok_or_else(|| {
        let name = context.type_name(value.ty());
        error(format!("{name} is neither an array of numbers nor a container that stores them one after another."))
    })
}

fn storage(value: &Value, ty: &TypeRef, extents: &[Extent], context: &EvalContext<'_>) -> Result<Storage, EvalError> {
    if let Place::Memory(address) = value.place() {
        return Ok(Storage::Memory(*address));
    }
    if matches!(value.place(), Place::OptimizedOut) {
        return Err(optimized_out());
    }
    let size = size_of(value.ty(), context).or_else(|| size_of(ty, context)).unwrap_or(0);
    let whole = extents.iter().map(|extent| extent.count).product::<u64>() * size_of(ty, context).unwrap_or(0);
    if extents.iter().any(|extent| extent.distance < 0) || size != whole || size > crate::value::LONGEST {
        return Err(error("Only arrays in memory can be measured in part."));
    }
    let mut bytes = vec![0; size as usize];
    value.read(&mut bytes, context)?;
    Ok(Storage::Bytes(bytes))
}
