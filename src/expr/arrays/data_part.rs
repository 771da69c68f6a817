//! Reads a part of a value or an array as bytes, for files.

use super::element_kind::{ElementKind, ElementType};
use super::number_kind::number_kind;
use super::numeric_array::{NumericArray, contents};
use super::packed::{by_subscripts, packed};
use super::record::record;
use crate::EvalError;
use crate::context::{EvalContext, TypePrinters};
use crate::error::error;
use crate::eval::operand::{Operand, dereferenced};
use crate::printers::container::{Container, Printed};
use crate::printers::element_storage::array_of_elements;
use crate::types::{size_of, stripped};
use crate::value::{LONGEST, Value};
use crate::value_contents::optimized_out;
use debuginfo::types::{Kind, Place};
use model::{DataPart, DataShape, DataSource, ElementForm, ElementOrder, NumberGrid, VirtualAddress};

/// Reads up to `length` bytes of a value, from byte `from` on, in the form that the source names. Values of
/// [`DataSource::Memory`] are read by the engines: they have an address, and no value.
pub fn read_data_part(
    value: &Value,
    source: &DataSource,
    (from, length): (u64, u32),
    context: &EvalContext<'_>,
) -> Result<DataPart, EvalError> {
    match source {
        DataSource::Numbers { by_rows, .. } => grid(value, true, *by_rows, (from, length), context),
        DataSource::Contents(_) => match grid(value, false, false, (from, length), context) {
            Ok(part) => Ok(DataPart { shape: DataShape { grid: None, ..part.shape }, ..part }),
            Err(_) => {
                let whole = dereferenced(value, context)?;
                bytes(&stored(whole, context)?, (from, length), context)
            }
        },
        DataSource::Value(_) | DataSource::Memory { .. } => {
            let whole = dereferenced(value, context)?;
            if has_strides(&whole, context) {
                // Its bytes are not one after another, and those between them belong to others.
                let part = grid(&whole, false, false, (from, length), context)?;
                return Ok(DataPart { shape: DataShape { grid: None, ..part.shape }, ..part });
            }
            bytes(&whole, (from, length), context)
        }
    }
}

/// Returns what a container stores one after another, the characters of a string among that; other values stay as they
/// are. Fails for containers whose elements are apart from each other: the bytes of the object are not their contents.
fn stored(value: Value, context: &EvalContext<'_>) -> Result<Value, EvalError> {
    let (_, ty) = stripped(value.ty(), context);
    let (Kind::Aggregate { .. }, Some(name)) = (&ty.kind, &ty.name) else { return Ok(value) };
    if let Ok(elements) = contents(&value, context) {
        return Ok(elements);
    }
    let refused = || {
        let name = context.type_name(value.ty());
        error(format!(
            "{name} does not store its elements one after another: save them one at a time, or write the bytes of the \
                object itself with dump value FILE EXPRESSION."
        ))
    };
    let size = size_of(value.ty(), context).unwrap_or(0);
    let is_within = |part: &Value| match (part.address(), value.address()) {
        (Some(part), Some(whole)) => part.0.wrapping_sub(whole.0) < size,
        (None, None) => part.place() == value.place(),
        _ => false,
    };
    match shown(&value, name, context) {
        Some(Container::Text { address, length, unit } | Container::Slice { address, length, element: unit, .. }) => {
            array_of_elements(context, &unit, address, length).ok_or_else(refused)
        }
        Some(Container::Held { values, .. }) if values.is_empty() || !values.iter().all(|(_, one)| is_within(one)) => {
            Err(refused())
        }
        _ => Ok(value),
    }
}

/// Returns what a printer shows of a value: the user's, the library's, or one that comes with rankscope.
fn shown(value: &Value, name: &str, context: &EvalContext<'_>) -> Option<Container> {
    let by_rules = |table: Option<&dyn TypePrinters>| match table?.printed(value, false, context) {
        Printed::Shown(Container::Titled { container, .. }) => Some(*container),
        Printed::Shown(container) => Some(container),
        Printed::Nothing | Printed::Failed(_) => None,
    };
    by_rules(context.own_printers())
        .or_else(|| context.language().container(value, name, context))
        .or_else(|| by_rules(context.shipped_printers()))
}

fn has_strides(value: &Value, context: &EvalContext<'_>) -> bool {
    match &stripped(value.ty(), context).1.kind {
        Kind::Array { dimensions, .. } => dimensions.iter().any(|dimension| dimension.stride.is_some()),
        _ => false,
    }
}

/// Reads the elements of an array of numbers, or of structs if these are wanted, too.
fn grid(
    value: &Value,
    has_structs: bool,
    by_rows: bool,
    (from, length): (u64, u32),
    context: &EvalContext<'_>,
) -> Result<DataPart, EvalError> {
    let whole = dereferenced(value, context)?;
    let elements = match contents(&whole, context) {
        Ok(elements) => elements,
        Err(_) if has_structs => whole.clone(),
        Err(why) => return Err(why),
    };
    let mut form = None;
    let array = NumericArray::with_elements(&whole, &elements, context, |ty| {
        let (of, element) = match record(ty, context).filter(|_| has_structs) {
            Some(of_struct) => {
                let (of, size) = of_struct?;
                (of, ElementType { kind: ElementKind::Integer { signed: false }, size: size as usize })
            }
            None => number_kind(ty, context).map(|(kind, element)| (ElementForm::Number(kind), element))?,
        };
        form = Some(of);
        Ok(element)
    })?;
    let element = form.ok_or_else(|| error("The elements are no numbers."))?;
    let extents = by_subscripts(&array);
    let groups = array.nested.iter().filter(|dimensions| **dimensions > 0).count();
    let several = array.extents.len() > 1;
    let order = match (array.by_columns && several, groups) {
        (false, _) => ElementOrder::Rows,
        (true, 1) => ElementOrder::Columns,
        (true, _) => ElementOrder::Mixed,
    };
    let size = array.element.size as u64;
    let whole = array.count.checked_mul(size).ok_or_else(|| error("The array has more bytes than can be counted."))?;
    let grid = NumberGrid {
        element,
        size: u32::try_from(size).unwrap_or(u32::MAX),
        counts: extents.iter().map(|extent| extent.count).collect(),
        order,
    };
    let end = from.saturating_add(u64::from(length)).min(whole);
    let shape = DataShape { size: whole, grid: Some(grid), address: None };
    if from >= end {
        return Ok(DataPart { shape, bytes: Vec::new() });
    }
    let extents = if by_rows { extents } else { array.extents.clone() };
    let mut bytes = packed(&array, &extents, from / size..end.div_ceil(size), context)?;
    bytes.drain(..(from % size) as usize);
    bytes.truncate((end - from) as usize);
    Ok(DataPart { shape, bytes })
}

fn bytes(value: &Value, (from, length): (u64, u32), context: &EvalContext<'_>) -> Result<DataPart, EvalError> {
    let size = size_of(value.ty(), context).ok_or_else(|| error("The value has no size."))?;
    let end = from.saturating_add(u64::from(length)).min(size);
    let count = end.saturating_sub(from) as usize;
    let shape = DataShape { size, grid: None, address: None };
    let bytes = match value.place() {
        Place::Memory(address) if value.bit_field().is_none() => {
            let mut bytes = vec![0; count];
            context.read(VirtualAddress(address.0.wrapping_add(from)), &mut bytes)?;
            bytes
        }
        Place::OptimizedOut => return Err(optimized_out()),
        _ if size > LONGEST => return Err(error("The value is not in memory, and too long to be read.")),
        _ if value.bit_field().is_some() => {
            // As gdb dumps it: a number of the declared type.
            let Operand::Integer { value, .. } = Operand::of(value, context)? else {
                return Err(error("The bit-field is no number."));
            };
            value.to_le_bytes().into_iter().skip(from as usize).take(count).collect()
        }
        _ => {
            let mut whole = vec![0; size as usize];
            value.read(&mut whole, context)?;
            whole.into_iter().skip(from as usize).take(count).collect()
        }
    };
    Ok(DataPart { shape, bytes })
}
