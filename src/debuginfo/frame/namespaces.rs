//! Namespaces of C++ by name.

use super::scope::FrameScope;
use crate::dwarf::entry::{Entry, EntryId};

/// True if the unit around a place has a namespace with this name: `outer::inner`.
pub(super) fn has_namespace(scope: &FrameScope<'_>, name: &str) -> bool {
    let (debug, unit) = (scope.debug(), scope.unit());
    if !unit.language.has_templates() {
        return false;
    }
    let Ok(root) = unit.dwarf.entry(unit.dwarf.header.root_offset()) else { return false };
    // A namespace may be opened many times.
    let mut opened: Vec<Entry> = vec![root];
    for part in name.strip_prefix("::").unwrap_or(name).split("::") {
        let mut inner = Vec::new();
        for namespace in &opened {
            unit.for_each_child(namespace, |child| {
                let id = EntryId { unit: unit.index, offset: child.offset() };
                if child.tag() == gimli::DW_TAG_namespace && debug.base_name(id) == Some(part.as_bytes()) {
                    inner.push(child.clone());
                }
            });
        }
        opened = inner;
    }
    !opened.is_empty()
}
