//! Modules and trait objects of Rust.

use super::scope::FrameScope;
use super::view::FrameView;
use crate::dwarf::debug_info::DebugInformation;
use crate::dwarf::entry::Entry;
use crate::dwarf::entry::EntryId;
use crate::dwarf::named::Named;
use crate::dwarf::unit::Unit;
use crate::images::blocking_reads;
use crate::images::loaded::LoadedImage;
use crate::index::unit_index::UnitIndex;
use crate::types::description::{Place, TypeId, TypeRef};
use model::VirtualAddress;
use rustc_hash::FxHashMap;

impl FrameScope<'_> {
    /// Returns the path of the function's module, starting with its crate.
    pub(crate) fn module(&self) -> Option<String> {
        let (unit, function) = self.function();
        let name = self.debug().qualified_name(EntryId { unit: unit.index, offset: function.offset() })?;
        let mut modules: Vec<&str> = name.split("::").collect();
        modules.pop();
        // The parts after an implementation or a closure are not modules.
        let end = modules.iter().position(|part| !part.starts_with(|c: char| c.is_alphabetic() || c == '_'));
        modules.truncate(end.unwrap_or(modules.len()));
        (!modules.is_empty()).then(|| modules.join("::"))
    }
}

/// Returns the type that a vtable belongs to; the compiler describes the vtable as a variable.
pub(crate) fn implementor_of(view: &FrameView<'_>, table: VirtualAddress) -> Option<TypeRef> {
    let (loaded, address) = view.images.locate(table)?;
    let units = loaded.image.units()?;
    let tables = units.debug.method_tables.get_or_init(|| method_tables(view, loaded, units));
    let entry = *tables.get(&address.0)?;
    Some(TypeRef::Entry(TypeId { image: loaded.image.index(), entry }))
}

/// Maps the file addresses of vtables to their types' entries.
fn method_tables(view: &FrameView<'_>, loaded: &LoadedImage, units: &UnitIndex) -> FxHashMap<u64, u64> {
    units.read_all();
    let debug = &units.debug;
    blocking_reads::reads(|| "all tables of methods".to_owned());
    let mut tables = FxHashMap::default();
    let Some(locator) = view.locator(loaded, None) else { return tables };
    for (index, names) in units.all_names() {
        let Some(unit) = debug.unit(index).filter(|unit| unit.language.has_trait_objects()) else { continue };
        for offset in names.of_sort(Named::Variable) {
            let id = EntryId { unit: unit.index, offset };
            if !debug.base_name(id).is_some_and(|name| name.ends_with(b"::{vtable}")) {
                continue;
            }
            let Some(entry) = unit.entry(offset) else { continue };
            let place = locator.value(unit, &entry).map(|table| table.place);
            if let (Some(Ok(Place::Memory(at))), Some(ty)) = (place, implementor(debug, unit, &entry)) {
                tables.entry(loaded.bias.unloaded(at).0).or_insert(debug.offset_of(ty));
            }
        }
    }
    tables
}

/// Returns the type that a vtable variable belongs to.
fn implementor(debug: &DebugInformation, unit: &Unit, table: &Entry) -> Option<EntryId> {
    let table = debug.follow(unit, table.attr_value(gimli::DW_AT_type)?)?;
    let (owner, table) = debug.entry(table)?;
    debug.follow(owner, table.attr_value(gimli::DW_AT_containing_type)?)
}
