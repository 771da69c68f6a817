//! Matches types by name and keyword.

use crate::demangle::qualified::last_part;
use crate::dwarf::debug_info::DebugInformation;
use crate::dwarf::entry::EntryId;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tag {
    Aggregate,
    Union,
    Enumeration,
}

/// A type name being looked up.
pub(crate) struct TypeName<'a> {
    pub(crate) name: &'a str,
    pub(crate) tag: Option<Tag>,
}

impl<'a> TypeName<'a> {
    pub(crate) fn parse(text: &'a str) -> Self {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let tag = match word {
            "struct" | "class" => Some(Tag::Aggregate),
            "union" => Some(Tag::Union),
            "enum" => Some(Tag::Enumeration),
            _ => None,
        };
        Self { name: if tag.is_some() { rest.trim() } else { text }, tag }
    }

    /// Makes a name of a Rust type, which has no keyword before it.
    pub(crate) fn of_rust(name: &'a str) -> Self {
        Self { name, tag: None }
    }

    pub(crate) fn base(&self) -> &'a [u8] {
        last_part(self.name).as_bytes()
    }

    pub(crate) fn allows(&self, debug: &DebugInformation, id: EntryId) -> bool {
        let Some((unit, entry)) = debug.entry(id) else { return false };
        let tag = entry.tag();
        let tagged = match tag {
            gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type => Some(Tag::Aggregate),
            gimli::DW_TAG_union_type => Some(Tag::Union),
            gimli::DW_TAG_enumeration_type => Some(Tag::Enumeration),
            _ => None,
        };
        match self.tag {
            // A union may complete a declaration that has the tag of a structure.
            Some(Tag::Aggregate) => matches!(tagged, Some(Tag::Aggregate | Tag::Union)),
            Some(wanted) => tagged == Some(wanted),
            // In C a tag alone does not name a type; in other languages it does.
            None => tagged.is_none() || unit.language.has_scopes(),
        }
    }
}

pub(crate) fn is_declaration(debug: &DebugInformation, id: EntryId) -> bool {
    debug.entry(id).is_none_or(|(_, entry)| entry.attr(gimli::DW_AT_declaration).is_some())
}

/// Returns an allowed candidate, preferring a definition.
pub(crate) fn best(debug: &DebugInformation, wanted: &TypeName<'_>, candidates: Vec<EntryId>) -> Option<EntryId> {
    let allowed: Vec<EntryId> = candidates.into_iter().filter(|id| wanted.allows(debug, *id)).collect();
    allowed.iter().find(|id| !is_declaration(debug, **id)).or(allowed.first()).copied()
}
