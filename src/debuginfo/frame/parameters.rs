//! How the parameters of a function are passed, in languages that pass the addresses of their arguments.

use super::view::FrameView;
use crate::dwarf::debug_info::DebugInformation;
use crate::dwarf::entry::Entry;
use crate::dwarf::entry::EntryId;
use crate::dwarf::expression::location_at;
use crate::dwarf::unit::Unit;
use crate::types::description::TypeRef;
use crate::types::parameters::{Parameter, Passing};
use gimli::Operation;

/// DWARF numbers of rbp and rsp: what lies beside them is in the frame.
const FRAME_REGISTERS: [u16; 2] = [6, 7];
/// Qualifiers and typedefs around a type; more means damaged debug information.
const DEEPEST: u32 = 16;

/// Returns the parameters of a function, in the order of its type; `None` if its language passes values.
pub(crate) fn parameters_of(view: &FrameView<'_>, function: &TypeRef) -> Option<Vec<Parameter>> {
    let TypeRef::Entry(id) = function else { return None };
    let debug = view.images.by_index(id.image)?.image.debug()?;
    let (unit, entry) = debug.entry(debug.entry_at(id.entry)?)?;
    if !unit.language.passes_addresses() {
        return None;
    }
    let mut found = Vec::new();
    unit.for_each_child(&entry, |child| {
        if child.tag() == gimli::DW_TAG_formal_parameter {
            found.push(parameter(debug, unit, child));
        }
    });
    Some(found)
}

fn parameter(debug: &DebugInformation, unit: &Unit, entry: &Entry) -> Parameter {
    let id = EntryId { unit: unit.index, offset: entry.offset() };
    let name = debug.inherited(id, gimli::DW_AT_name).and_then(|(unit, name)| debug.string(unit, name));
    let artificial = debug.inherited(id, gimli::DW_AT_artificial).is_some();
    let passing = if has_descriptor(debug, unit, entry) {
        Passing::Descriptor
    } else if is_in_frame(debug, unit, entry) {
        Passing::Value
    } else {
        Passing::Address
    };
    Parameter { name: name.map(|name| String::from_utf8_lossy(name).into()), artificial, passing }
}

/// True if the parameter's type is an array that is described by a descriptor.
fn has_descriptor(debug: &DebugInformation, unit: &Unit, entry: &Entry) -> bool {
    let id = EntryId { unit: unit.index, offset: entry.offset() };
    let mut ty = debug.inherited(id, gimli::DW_AT_type).and_then(|(unit, value)| debug.follow(unit, value));
    for _ in 0..DEEPEST {
        let Some((unit, found)) = ty.and_then(|id| debug.entry(id)) else { return false };
        if found.tag() == gimli::DW_TAG_array_type {
            return found.attr(gimli::DW_AT_data_location).is_some();
        }
        let wraps = [
            gimli::DW_TAG_typedef,
            gimli::DW_TAG_const_type,
            gimli::DW_TAG_restrict_type,
            gimli::DW_TAG_reference_type,
            gimli::DW_TAG_pointer_type,
        ];
        if !wraps.contains(&found.tag()) {
            return false;
        }
        ty = found.attr_value(gimli::DW_AT_type).and_then(|value| debug.follow(unit, value));
    }
    false
}

/// True if the location of the parameter at the start of the function is that of the argument itself, not an address
/// that is stored there.
fn is_in_frame(debug: &DebugInformation, unit: &Unit, entry: &Entry) -> bool {
    let Some(location) = entry.attr_value(gimli::DW_AT_location) else { return false };
    let first = match location {
        gimli::AttributeValue::Exprloc(_) | gimli::AttributeValue::Block(_) => {
            location_at(debug, unit, location, None).ok().flatten()
        }
        // The first of a list is that at the function's entry.
        _ => debug.dwarf(unit).and_then(|dwarf| {
            let mut list = dwarf.attr_locations(&unit.dwarf, location).ok()??;
            Some(list.next().ok()??.data)
        }),
    };
    let Some(expression) = first else { return false };
    let mut operations = expression.operations(unit.dwarf.encoding());
    let mut in_frame = false;
    while let Ok(Some(operation)) = operations.next() {
        match operation {
            Operation::Register { .. } => in_frame = true,
            Operation::FrameOffset { .. } => in_frame = true,
            Operation::RegisterOffset { register, .. } => in_frame = FRAME_REGISTERS.contains(&register.0),
            Operation::Deref { .. } => return false,
            Operation::StackValue => return true,
            _ => {}
        }
    }
    in_frame
}
