//! Functions, variables and types that the debug information of a file defines, outside of functions.

use super::found::{Definition, Interrupted, Sought};
use crate::dwarf::debug_info::DebugInformation;
use crate::dwarf::entry::EntryId;
use crate::dwarf::named::Named;
use crate::dwarf::unit::Unit;
use crate::images::image::Image;
use crate::index::unit_index::UnitIndex;
use crate::types::description::{TypeId, TypeRef};
use crate::types::reader::{TypeReader, no_bound};
use crate::types::tags::is_declaration;
use gimli::AttributeValue;
use model::aif::as_gdb_spells;
use std::cmp::Ordering;
use std::sync::Arc;

/// Returns the definitions with names that are wanted, each once, in gdb's order, as long as `goes_on`.
pub(super) fn definitions(
    image: &Image,
    sought: Sought,
    is_wanted: &dyn Fn(&str) -> bool,
    goes_on: &dyn Fn() -> bool,
) -> Result<Vec<Definition>, Interrupted> {
    let Some(units) = image.units() else { return Ok(Vec::new()) };
    units.read_all();
    let mut found = Vec::new();
    let sort = match sought {
        Sought::Functions => Named::Function,
        Sought::Variables => Named::Variable,
        Sought::Types => Named::Type,
    };
    for (index, names) in units.all_names() {
        for offset in names.of_sort(sort) {
            if !goes_on() {
                return Err(Interrupted);
            }
            let id = EntryId { unit: index, offset };
            found.extend(definition(image, units, id, sought, is_wanted));
        }
    }
    found.sort_by(Definition::order);
    found.dedup_by(|one, other| one.order(other) == Ordering::Equal);
    Ok(found)
}

fn definition(
    image: &Image,
    units: &UnitIndex,
    id: EntryId,
    sought: Sought,
    is_wanted: &dyn Fn(&str) -> bool,
) -> Option<Definition> {
    let debug = &units.debug;
    let name = match sought {
        Sought::Functions => debug.shown_with_parameters(id)?,
        Sought::Variables => debug.qualified_name(id)?,
        // `long unsigned int` is `unsigned long`.
        Sought::Types => as_gdb_spells(&debug.qualified_name(id)?).into(),
    };
    if !is_wanted(&name) {
        return None;
    }
    let (unit, entry) = debug.entry(id)?;
    let reader = TypeReader { debug, image: image.index(), bound: &no_bound };
    let own = TypeRef::Entry(TypeId { image: image.index(), entry: debug.offset_of(id) });
    let (ty, of_name) = match sought {
        Sought::Functions => {
            let mut ranges = Vec::new();
            debug.ranges_of(unit, &entry, &mut ranges);
            ranges.first()?;
            // As in gdb. Those of Fortran are procedures of their own; no nested function of C is external.
            let may_be_nested = !unit.language.ignores_case() && debug.inherited(id, gimli::DW_AT_external).is_none();
            (!may_be_nested || !unit.is_nested(id.offset)).then_some(())?;
            let has_parameters = unit.language.has_overloads() && name.contains('(');
            (own.clone(), if has_parameters { reader.target(unit, &entry) } else { own })
        }
        Sought::Variables => {
            is_defined(debug, id).then_some(())?;
            let ty = reader.target(unit, &entry);
            (ty.clone(), ty)
        }
        Sought::Types => {
            (!is_declaration(debug, id)).then_some(())?;
            (own.clone(), own)
        }
    };
    let is_static = sought != Sought::Types && debug.inherited(id, gimli::DW_AT_external).is_none();
    let line = debug.inherited(id, gimli::DW_AT_decl_line).and_then(|(_, line)| line.udata_value());
    let line = line.and_then(|line| u32::try_from(line).ok()).filter(|line| *line > 0);
    let is_type = sought == Sought::Types;
    Some(Definition {
        name,
        file: file_of(debug, unit, id),
        line,
        is_static,
        ty,
        of_name,
        is_type,
        language: unit.language,
    })
}

/// True if a variable has a place or a value, in code that the linker has kept.
fn is_defined(debug: &DebugInformation, id: EntryId) -> bool {
    if debug.inherited(id, gimli::DW_AT_location).is_some() {
        return !debug.is_discarded(id);
    }
    debug.inherited(id, gimli::DW_AT_const_value).is_some()
}

/// Returns the file that declares an entry, else that of its unit.
fn file_of(debug: &DebugInformation, unit: &Unit, id: EntryId) -> Arc<str> {
    let primary = unit.dwarf.name.as_ref().map_or(&[][..], |name| name.slice());
    let declared = debug.inherited(id, gimli::DW_AT_decl_file).and_then(|(owner, value)| {
        let index = match value {
            AttributeValue::FileIndex(index) => index,
            value => value.udata_value()?,
        };
        let owner = if owner.index == unit.index { unit } else { owner };
        owner.lines(debug).files.get(usize::try_from(index).ok()?).map(|file| file.listed(primary))
    });
    let of_unit = || String::from_utf8_lossy(primary).into_owned();
    declared.filter(|name| !name.is_empty()).unwrap_or_else(of_unit).into()
}
