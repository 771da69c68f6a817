//! Enumerators in the scope of a frame, and their values.

use super::view::FrameView;
use crate::dwarf::debug_info::DebugInformation;
use crate::dwarf::entry::EntryId;
use crate::images::loaded::LoadedImage;
use crate::types::description::{NamedValue, Place, TypeId, TypeRef};
use crate::types::enumerators::{enumeration_of, is_scope};
use crate::types::reader::signed;

/// Looks up an enumerator declared in the frame's function.
pub(crate) fn local_enumerator(view: &FrameView<'_>, name: &str) -> Option<NamedValue> {
    let (loaded, scope) = view.scope.as_ref()?;
    let debug = loaded.image.debug()?;
    let (of, name) = name.rsplit_once("::").map_or((None, name), |(of, name)| (Some(of), name));
    scope.types().into_iter().find_map(|id| {
        let (unit, entry) = debug.entry(id)?;
        let is_meant = match of {
            Some(of) => debug.base_name(id) == Some(of.as_bytes()),
            None => !is_scope(&entry),
        };
        if entry.tag() != gimli::DW_TAG_enumeration_type || !is_meant {
            return None;
        }
        let mut found = None;
        unit.for_each_child(&entry, |child| {
            let own = EntryId { unit: unit.index, offset: child.offset() };
            if found.is_none() && debug.base_name(own) == Some(name.as_bytes()) {
                found = Some(child.clone());
            }
        });
        let enumerator = found?;
        let id = EntryId { unit: unit.index, offset: enumerator.offset() };
        let value = view.locator(loaded, None)?.value(unit, &enumerator)?;
        Some(described_as_enumerator(loaded, debug, id, value))
    })
}

/// Describes an enumerator; its type is the enumeration around it, which its entry does not name.
pub(crate) fn described_as_enumerator(
    loaded: &LoadedImage,
    debug: &DebugInformation,
    id: EntryId,
    value: NamedValue,
) -> NamedValue {
    let Some((unit, entry)) = debug.entry(id).filter(|(_, entry)| entry.tag() == gimli::DW_TAG_enumerator) else {
        return value;
    };
    let enumeration = enumeration_of(unit, id.offset);
    let Some(offset) = enumeration else { return value };
    let entry_offset = debug.offset_of(EntryId { unit: unit.index, offset });
    let ty = TypeRef::Entry(TypeId { image: loaded.image.index(), entry: entry_offset });
    let number = entry.attr_value(gimli::DW_AT_const_value).as_ref().and_then(signed);
    let size = loaded.image.types().size_of(&ty).unwrap_or(4) as usize;
    let bytes = number.unwrap_or(0).to_le_bytes();
    NamedValue { ty, place: Ok(Place::Bytes(bytes.get(..size).unwrap_or(&bytes).to_vec())), ..value }
}
