//! Named entries by tag, and the entries that are scopes of others.

use super::entry::Slice;
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Named {
    Function,
    Variable,
    Type,
    Enumerator,
}

pub(crate) fn sort_of(tag: gimli::DwTag) -> Option<Named> {
    match tag {
        gimli::DW_TAG_subprogram => Some(Named::Function),
        gimli::DW_TAG_variable | gimli::DW_TAG_constant | gimli::DW_TAG_member => Some(Named::Variable),
        gimli::DW_TAG_base_type
        | gimli::DW_TAG_structure_type
        | gimli::DW_TAG_class_type
        | gimli::DW_TAG_union_type
        | gimli::DW_TAG_enumeration_type
        | gimli::DW_TAG_typedef
        | gimli::DW_TAG_unspecified_type => Some(Named::Type),
        gimli::DW_TAG_enumerator => Some(Named::Enumerator),
        _ => None,
    }
}

fn is_scope(tag: gimli::DwTag) -> bool {
    matches!(
        tag,
        gimli::DW_TAG_namespace
            | gimli::DW_TAG_structure_type
            | gimli::DW_TAG_class_type
            | gimli::DW_TAG_union_type
            | gimli::DW_TAG_module
    )
}

/// True for a static member.
pub(crate) fn is_shared(abbreviation: &gimli::Abbreviation) -> bool {
    abbreviation.attributes().iter().any(|attribute| attribute.name() == gimli::DW_AT_external)
}

/// Maps each entry declared in a namespace or class to the entry of that scope.
pub(crate) fn scopes(unit: &gimli::Unit<Slice>) -> FxHashMap<u32, u32> {
    let mut parents = FxHashMap::default();
    let Ok(mut entries) = unit.entries_raw(None) else { return parents };
    let mut open: Vec<(isize, u32)> = Vec::new();
    while !entries.is_empty() {
        let offset = entries.next_offset().0 as u32;
        let depth = entries.next_depth();
        while open.last().is_some_and(|(within, _)| depth <= *within) {
            open.pop();
        }
        let Ok(abbreviation) = entries.read_abbreviation() else { return parents };
        let Some(abbreviation) = abbreviation else { continue };
        let tag = abbreviation.tag();
        if let Some((within, parent)) = open.last()
            && depth == within + 1
            && (is_scope(tag) || sort_of(tag).is_some() && (tag != gimli::DW_TAG_member || is_shared(abbreviation)))
        {
            parents.insert(offset, *parent);
        }
        if is_scope(tag) && abbreviation.has_children() {
            open.push((depth, offset));
        }
        if entries.skip_attributes(abbreviation.attributes()).is_err() {
            return parents;
        }
    }
    parents
}

/// Returns the functions that are within the bodies of others: nested ones, and the parts of OpenMP that the compiler
/// outlines.
pub(crate) fn nested_functions(unit: &gimli::Unit<Slice>) -> FxHashSet<u32> {
    let mut nested = FxHashSet::default();
    let Ok(mut entries) = unit.entries_raw(None) else { return nested };
    let mut body: Option<isize> = None;
    while !entries.is_empty() {
        let offset = entries.next_offset().0 as u32;
        let depth = entries.next_depth();
        if body.is_some_and(|within| depth <= within) {
            body = None;
        }
        let Ok(abbreviation) = entries.read_abbreviation() else { return nested };
        let Some(abbreviation) = abbreviation else { continue };
        if abbreviation.tag() == gimli::DW_TAG_subprogram {
            if body.is_some() {
                nested.insert(offset);
            } else if abbreviation.has_children() {
                body = Some(depth);
            }
        }
        if entries.skip_attributes(abbreviation.attributes()).is_err() {
            return nested;
        }
    }
    nested
}
