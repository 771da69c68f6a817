//! What programs in Rust say of modules and trait objects.

use super::debug_info::EntryId;
use super::frame_scope::FrameScope;
use super::frame_view::FrameView;
use super::names::Named;
use crate::engine::native::types::{Place, TypeId, TypeRef};
use crate::model::VirtualAddress;

impl FrameScope<'_> {
    /// The modules that the function is in, from its crate on.
    pub(super) fn module(&self) -> Option<String> {
        let (unit, function) = self.function();
        let name = self.debug().qualified_name(EntryId { unit: unit.index, offset: function.offset() })?;
        let mut modules: Vec<&str> = name.split("::").collect();
        modules.pop();
        // What is behind an implementation or a closure is in no module of its own.
        let end = modules.iter().position(|part| !part.starts_with(|c: char| c.is_alphabetic() || c == '_'));
        modules.truncate(end.unwrap_or(modules.len()));
        (!modules.is_empty()).then(|| modules.join("::"))
    }
}

impl FrameView<'_> {
    /// The type that a table of methods is of: the compiler describes the table as a variable.
    pub(super) fn implementor_of(&self, table: VirtualAddress) -> Option<TypeRef> {
        let (loaded, _) = self.images.locate(table)?;
        let debug = loaded.image.debug()?;
        debug.index();
        let locator = self.locator(loaded, None)?;
        for (index, names) in debug.all_names() {
            let Some(unit) = debug.unit(index).filter(|unit| unit.is_rust()) else { continue };
            for offset in names.of_sort(Named::Variable) {
                let id = EntryId { unit: unit.index, offset };
                if !debug.base_name(id).is_some_and(|name| name.ends_with(b"::{vtable}")) {
                    continue;
                }
                let Some(entry) = unit.entry(offset) else { continue };
                if locator.value(unit, &entry).map(|table| table.place) != Some(Ok(Place::Memory(table))) {
                    continue;
                }
                let table = debug.follow(unit, entry.attr_value(gimli::DW_AT_type)?)?;
                let (owner, table) = debug.entry(table)?;
                let ty = debug.follow(owner, table.attr_value(gimli::DW_AT_containing_type)?)?;
                let id = TypeId { image: loaded.image.index(), entry: debug.offset_of(ty) };
                return Some(TypeRef::Entry(id));
            }
        }
        None
    }
}
