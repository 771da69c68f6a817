//! Functions by name with all overloads, and the facts that calls need.

use super::view::FrameView;
use crate::dwarf::entry::EntryId;
use crate::functions::named::functions_named;
use crate::types::description::{NamedValue, TypeRef};
use gimli::AttributeValue;
use model::VirtualAddress;

impl FrameView<'_> {
    /// Returns all functions of a name that have code, each once.
    pub(crate) fn functions_of(&self, name: &str) -> Vec<NamedValue> {
        let mut found: Vec<NamedValue> = Vec::new();
        for loaded in self.files() {
            let (Some(units), Some(locator)) = (loaded.image.units(), self.locator(loaded, None)) else { continue };
            for id in functions_named(units, name) {
                let value = units.debug.entry(id).and_then(|(unit, entry)| locator.value(unit, &entry));
                found.extend(value.filter(|value| !found.iter().any(|known| known.place == value.place)));
            }
            if !found.is_empty() {
                break;
            }
        }
        found
    }
}

/// Returns the described function that begins at an address, whatever its name is.
pub(crate) fn function_beginning(view: &FrameView<'_>, address: VirtualAddress) -> Option<NamedValue> {
    let (loaded, at) = view.images.locate(address)?;
    let (debug, unit, span) = loaded.image.span_at(at)?;
    if span.entry != at.0 {
        return None;
    }
    let (unit, entry) = debug.entry(EntryId { unit: unit.index, offset: span.offset })?;
    view.locator(loaded, None)?.value(unit, &entry)
}

/// Returns the index of a function in the virtual function table.
pub(crate) fn virtual_slot_of(view: &FrameView<'_>, function: &TypeRef) -> Option<u64> {
    let TypeRef::Entry(id) = function else { return None };
    let debug = view.images.by_index(id.image)?.image.debug()?;
    let (unit, value) = debug.inherited(debug.entry_at(id.entry)?, gimli::DW_AT_vtable_elem_location)?;
    let AttributeValue::Exprloc(expression) = value else { return None };
    let mut bytes = expression.0;
    match gimli::Operation::parse(&mut bytes, unit.dwarf.encoding()).ok()? {
        gimli::Operation::UnsignedConstant { value } => Some(value),
        _ => None,
    }
}
