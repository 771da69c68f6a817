//! Enumerators: constants in the scope of their enumeration, or in the enumeration itself if that is a scope.

use crate::demangle::qualified::ends_so;
use crate::dwarf::debug_info::DebugInformation;
use crate::dwarf::entry::{Entry, EntryId};
use crate::dwarf::unit::Unit;
use gimli::UnitOffset;

/// Returns the enumeration that declares an enumerator.
pub(crate) fn enumeration_of(unit: &Unit, enumerator: UnitOffset) -> Option<UnitOffset> {
    let mut entries = unit.dwarf.entries_raw(None).ok()?;
    let mut last = None;
    while !entries.is_empty() && entries.next_offset() < enumerator {
        let offset = entries.next_offset();
        let Some(abbreviation) = entries.read_abbreviation().ok()? else { continue };
        if abbreviation.tag() == gimli::DW_TAG_enumeration_type {
            last = Some(offset);
        }
        entries.skip_attributes(abbreviation.attributes()).ok()?;
    }
    last
}

/// True for an `enum class`, whose enumerators are qualified by its name.
pub(crate) fn is_scope(enumeration: &Entry) -> bool {
    enumeration.attr(gimli::DW_AT_enum_class).is_some()
}

/// Returns the qualified names of an enumerator: `Class::red` and, as in C++11, `Class::Colour::red`. The latter is the
/// only one if the enumeration is a scope.
pub(crate) fn enumerator_names(debug: &DebugInformation, id: EntryId) -> Vec<String> {
    names_of(debug, id).1
}

/// True if the enumerator's name ends with the wanted one. An unqualified name does not match an `enum class`'s
/// enumerator.
pub(crate) fn is_enumerator_named(debug: &DebugInformation, id: EntryId, wanted: &str) -> bool {
    let (is_within, names) = names_of(debug, id);
    (!is_within || wanted.contains("::")) && names.iter().any(|name| ends_so(name, wanted))
}

/// Returns true if the enumeration is a scope, and the enumerator's names.
fn names_of(debug: &DebugInformation, id: EntryId) -> (bool, Vec<String>) {
    let Some((unit, name)) = debug.unit(id.unit).zip(debug.base_name(id)) else { return (false, Vec::new()) };
    let name = String::from_utf8_lossy(name);
    let enumeration = enumeration_of(unit, id.offset).filter(|_| unit.language.has_scopes());
    let Some((offset, entry)) = enumeration.and_then(|offset| Some((offset, unit.entry(offset)?))) else {
        return (false, vec![name.into_owned()]);
    };
    let within = |id: EntryId| debug.qualified_name(id).map(|scope| format!("{scope}::{name}"));
    let own = within(EntryId { unit: unit.index, offset });
    if is_scope(&entry) {
        return (true, own.into_iter().collect());
    }
    let around = unit.parent(offset).map(|offset| EntryId { unit: unit.index, offset });
    let plain = around.map_or_else(|| Some(name.to_string()), within);
    (false, plain.into_iter().chain(own).collect())
}
