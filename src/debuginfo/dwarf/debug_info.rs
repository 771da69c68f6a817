//! The debug information of one file: its units, each read on first use and kept. A unit that cannot be read counts as
//! missing, and is recorded as damage.

use super::damage::Damage;
use super::debug_files::Parts;
use super::entry::{Attribute, Entry, EntryId, Slice};
use super::open::open;
use super::unit::Unit;
use crate::demangle::canonical::canonical;
use crate::elf::file::ElfFile;
use crate::images::blocking_reads;
use gimli::{AttributeValue, UnitOffset};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The bits of an entry's number that hold its offset in its unit; the others hold the unit.
const OFFSET_BITS: u32 = 40;

/// The limit on references followed from entry to entry; a longer chain is a cycle.
const LONGEST_CHAIN: usize = 16;

/// The debug information of one file.
pub(crate) struct DebugInformation {
    pub(crate) file: ElfFile,
    path: PathBuf,
    /// Not read until a query needs more than the index.
    parts: OnceLock<Parts>,
    pub(crate) units: Vec<OnceLock<Option<Box<Unit>>>>,
    signatures: OnceLock<FxHashMap<u64, EntryId>>,
    /// For Rust: the type of each vtable, by its address in the file.
    pub(crate) method_tables: OnceLock<FxHashMap<u64, u64>>,
    pub(crate) damage: Damage,
}

impl DebugInformation {
    /// Reads the unit headers only. `None` if there are none.
    pub(crate) fn read(file: &ElfFile, path: &Path) -> Option<Self> {
        let damage = Damage::default();
        let parts = open(file, path, &damage);
        let debug = Self::of_units(file, path, parts.slots.len());
        (!parts.slots.is_empty()).then_some(Self { parts: parts.into(), damage, ..debug })
    }

    /// Makes debug information with a known number of units, whose headers are read on demand.
    pub(crate) fn of_units(file: &ElfFile, path: &Path, units: usize) -> Self {
        Self {
            file: file.clone(),
            path: path.to_owned(),
            parts: OnceLock::new(),
            units: (0..units).map(|_| OnceLock::new()).collect(),
            signatures: OnceLock::new(),
            method_tables: OnceLock::new(),
            damage: Damage::default(),
        }
    }

    pub(crate) fn parts(&self) -> &Parts {
        self.parts.get_or_init(|| {
            blocking_reads::reads(|| format!("the debug information of {}", self.path.display()));
            open(&self.file, &self.path, &self.damage)
        })
    }

    /// Returns a unit, reading it on first use.
    pub(crate) fn unit(&self, index: u32) -> Option<&Unit> {
        let slot = self.parts().slots.get(index as usize)?;
        let read = || {
            blocking_reads::reads(|| "a unit".to_owned());
            Unit::read(self.parts(), slot, index).map(Box::new)
        };
        let unit = self.units.get(index as usize)?;
        unit.get_or_init(|| read().map_err(|error| self.damage.at(slot.start, error)).ok()).as_deref()
    }

    /// Returns the sections of a unit's file.
    pub(crate) fn dwarf(&self, unit: &Unit) -> Option<&gimli::Dwarf<Slice>> {
        self.parts().dwarf(unit.part)
    }

    /// Iterates over all readable units.
    pub(crate) fn units(&self) -> impl Iterator<Item = &Unit> {
        (0..self.units.len() as u32).filter_map(|index| self.unit(index))
    }

    pub(crate) fn address(&self, unit: &Unit, value: Attribute) -> Option<u64> {
        self.dwarf(unit)?.attr_address(&unit.dwarf, value).ok().flatten()
    }

    pub(crate) fn follow(&self, unit: &Unit, value: Attribute) -> Option<EntryId> {
        match value {
            AttributeValue::UnitRef(offset) => Some(EntryId { unit: unit.index, offset }),
            AttributeValue::DebugInfoRef(offset) => self.entry_in(unit.part, offset.0 as u64),
            AttributeValue::DebugInfoRefSup(offset) => {
                let (unit, offset) = self.parts().at_shared(offset.0 as u64)?;
                Some(EntryId { unit, offset })
            }
            AttributeValue::DebugTypesRef(signature) => self.signatures().get(&signature.0).copied(),
            _ => None,
        }
    }

    /// Returns the entry at an offset in `.debug_info` of a part.
    pub(crate) fn entry_in(&self, part: u32, offset: u64) -> Option<EntryId> {
        let (unit, offset) = self.parts().at(part, offset)?;
        Some(EntryId { unit, offset })
    }

    /// Returns the entry with this number.
    pub(crate) fn entry_at(&self, number: u64) -> Option<EntryId> {
        let unit = (number >> OFFSET_BITS) as u32;
        let offset = UnitOffset((number & ((1 << OFFSET_BITS) - 1)) as usize);
        self.parts().slots.get(unit as usize).map(|_| EntryId { unit, offset })
    }

    /// Returns the number of an entry, for [`DebugInformation::entry_at`].
    pub(crate) fn offset_of(&self, entry: EntryId) -> u64 {
        u64::from(entry.unit) << OFFSET_BITS | entry.offset.0 as u64
    }

    /// Returns the complete type: other units refer to a type in its own unit by signature (DWARF 5, 3.1.4).
    pub(crate) fn whole(&self, id: EntryId) -> EntryId {
        let signature = self.entry(id).and_then(|(_, entry)| entry.attr_value(gimli::DW_AT_signature));
        match signature {
            Some(AttributeValue::DebugTypesRef(signature)) => {
                self.signatures().get(&signature.0).copied().unwrap_or(id)
            }
            _ => id,
        }
    }

    fn signatures(&self) -> &FxHashMap<u64, EntryId> {
        self.signatures.get_or_init(|| {
            let types = self.parts().slots.iter().enumerate().filter_map(|(index, slot)| match slot.header.type_() {
                gimli::UnitType::Type { type_signature, type_offset }
                | gimli::UnitType::SplitType { type_signature, type_offset } => {
                    Some((type_signature.0, EntryId { unit: index as u32, offset: type_offset }))
                }
                _ => None,
            });
            types.collect()
        })
    }

    pub(crate) fn entry(&self, id: EntryId) -> Option<(&Unit, Entry)> {
        let unit = self.unit(id.unit)?;
        Some((unit, unit.entry(id.offset)?))
    }

    pub(crate) fn string(&self, unit: &Unit, value: Attribute) -> Option<&'static [u8]> {
        self.dwarf(unit)?.attr_string(&unit.dwarf, value).ok().map(|slice| slice.slice())
    }

    /// Returns a string of a line table, which is in the first part even if its unit is not.
    pub(crate) fn line_string(&self, unit: &Unit, value: Attribute) -> Option<&'static [u8]> {
        match (&unit.skeleton, self.parts().own()) {
            (Some(skeleton), Some(own)) => own.attr_string(skeleton, value).ok().map(|slice| slice.slice()),
            _ => self.string(unit, value),
        }
    }

    /// Returns an attribute of an entry, or of the one it completes or is an instance of (DWARF 5, 2.13, 3.3.8).
    pub(crate) fn inherited(&self, id: EntryId, name: gimli::DwAt) -> Option<(&Unit, Attribute)> {
        let mut id = id;
        for _ in 0..LONGEST_CHAIN {
            let (unit, entry) = self.entry(id)?;
            if let Some(value) = entry.attr_value(name) {
                return Some((unit, value));
            }
            id = self.origin(unit, &entry)?;
        }
        None
    }

    /// Returns the entry that this one completes or is an instance of.
    pub(crate) fn origin(&self, unit: &Unit, entry: &Entry) -> Option<EntryId> {
        let value =
            entry.attr_value(gimli::DW_AT_abstract_origin).or_else(|| entry.attr_value(gimli::DW_AT_specification))?;
        self.follow(unit, value)
    }

    /// Follows [`DebugInformation::origin`] to the last entry, which all instances share.
    pub(crate) fn declaration(&self, id: EntryId) -> EntryId {
        let mut id = id;
        for _ in 0..LONGEST_CHAIN {
            let Some(next) = self.entry(id).and_then(|(unit, entry)| self.origin(unit, &entry)) else { break };
            id = next;
        }
        id
    }

    /// Returns the unqualified name of an entry, as in the source.
    pub(crate) fn base_name(&self, id: EntryId) -> Option<&'static [u8]> {
        match self.inherited(id, gimli::DW_AT_name) {
            Some((unit, value)) => self.string(unit, value),
            None => self.name_for_linkage(id),
        }
    }

    /// Returns a name found only in `DW_AT_linkage_name`: an unnamed type may be named after its first typedef, and
    /// compiler-generated initializers have a linkage name only.
    fn name_for_linkage(&self, id: EntryId) -> Option<&'static [u8]> {
        let (unit, entry) = self.entry(id)?;
        let is_type = matches!(
            entry.tag(),
            gimli::DW_TAG_structure_type
                | gimli::DW_TAG_class_type
                | gimli::DW_TAG_union_type
                | gimli::DW_TAG_enumeration_type
        );
        let name = entry.attr_value(gimli::DW_AT_linkage_name).and_then(|name| self.string(unit, name))?;
        match entry.tag() {
            gimli::DW_TAG_subprogram => Some(name).filter(|name| !name.starts_with(b"_Z")),
            _ if is_type => crate::demangle::symbol::last_source_name(name),
            _ => None,
        }
    }

    /// Returns the name of an entry in the symbol table.
    pub(crate) fn linkage_name(&self, id: EntryId) -> Option<&'static [u8]> {
        let own = self.inherited(id, gimli::DW_AT_linkage_name);
        own.and_then(|(unit, value)| self.string(unit, value)).or_else(|| self.base_name(id))
    }

    pub(crate) fn is_method(&self, id: EntryId) -> bool {
        let declaration = self.declaration(id);
        let parent = self.unit(declaration.unit).and_then(|unit| unit.entry(unit.parent(declaration.offset)?));
        let of_class =
            |tag| matches!(tag, gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type | gimli::DW_TAG_union_type);
        parent.is_some_and(|parent| of_class(parent.tag()))
            && self.entry(id).is_some_and(|(_, entry)| entry.tag() == gimli::DW_TAG_subprogram)
    }

    /// Returns the name of an entry with its namespaces and classes.
    pub(crate) fn qualified_name(&self, id: EntryId) -> Option<Arc<str>> {
        let declaration = self.declaration(id);
        let unit = self.unit(declaration.unit)?;
        if !unit.language.has_scopes() {
            // In C, a different linkage name was chosen by the programmer, and gdb shows it.
            let linkage = self.inherited(id, gimli::DW_AT_linkage_name);
            if let Some(name) = linkage.and_then(|(unit, value)| self.string(unit, value)) {
                return Some(String::from_utf8_lossy(name).into());
            }
        }
        let base = self.base_name(id)?;
        let mut scopes = Vec::new();
        let mut offset = declaration.offset;
        while scopes.len() < LONGEST_CHAIN
            && let Some(parent) = unit.parent(offset)
        {
            // An entry that completes a declaration has the declaration's scopes.
            let declared = self.declaration(EntryId { unit: unit.index, offset: parent });
            offset = if declared.unit == unit.index { declared.offset } else { parent };
            match self.base_name(EntryId { unit: unit.index, offset }) {
                Some(name) => scopes.push(canonical_in(unit, name)),
                None if unit.entry(offset).is_none_or(|scope| scope.tag() == gimli::DW_TAG_namespace) => {
                    scopes.push("(anonymous namespace)".into());
                }
                // As in gdb, nothing is said of where a class without a name is: that of a lambda is in a function.
                None => break,
            }
        }
        let mut name = String::new();
        for scope in scopes.iter().rev() {
            name.push_str(scope);
            name.push_str("::");
        }
        name.push_str(&canonical_in(unit, base));
        Some(name.into())
    }
}

/// Returns a name in gdb's spelling, by the language of its unit.
fn canonical_in<'a>(unit: &Unit, name: &'a [u8]) -> Cow<'a, str> {
    let name = String::from_utf8_lossy(name);
    if unit.language.has_templates() && name.contains('<') { canonical(&name).into() } else { name }
}
