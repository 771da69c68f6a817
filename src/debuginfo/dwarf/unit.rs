//! A unit of debug information: the result of one compilation, read part by part on first use.

use super::children::{Ends, for_each_child};
use super::debug_files::{Parts, Slot};
use super::entry::Entry;
use super::entry::Slice;
use super::left_out::LeftOut;
use super::unit_language::UnitLanguage;
use crate::functions::call_sites::CallSites;
use crate::functions::ranges::UnitFunctions;
use crate::images::blocking_reads;
use crate::lines::table::UnitLines;
use gimli::{AttributeValue, UnitOffset};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::OnceLock;

/// A unit that has been read.
pub(crate) struct Unit {
    pub(crate) index: u32,
    /// The index of its file in [`Parts`].
    pub(crate) part: u32,
    pub(crate) dwarf: gimli::Unit<Slice>,
    /// For a split unit, its skeleton in the image, with its code ranges and line table.
    pub(crate) skeleton: Option<Box<gimli::Unit<Slice>>>,
    pub(crate) language: UnitLanguage,
    pub(crate) producer: &'static [u8],
    pub(crate) directory: &'static [u8],
    pub(crate) lines: OnceLock<UnitLines>,
    pub(crate) functions: OnceLock<UnitFunctions>,
    pub(crate) call_sites: OnceLock<CallSites>,
    parents: OnceLock<FxHashMap<u32, u32>>,
    nested_functions: OnceLock<FxHashSet<u32>>,
    pub(crate) left_out: OnceLock<LeftOut>,
    ends: Ends,
}

impl Unit {
    pub(crate) fn read(parts: &Parts, slot: &Slot, index: u32) -> gimli::Result<Self> {
        let dwarf = parts.dwarf(slot.part).ok_or(gimli::Error::MissingUnitDie)?;
        let mut unit = gimli::Unit::new(dwarf, slot.header)?;
        let skeleton = slot.skeleton.zip(parts.own());
        let skeleton = skeleton.map(|(header, own)| gimli::Unit::new(own, header)).transpose()?.map(Box::new);
        if let Some(skeleton) = &skeleton {
            unit.copy_relocated_attributes(skeleton);
            unit.comp_dir = skeleton.comp_dir;
            unit.line_program.clone_from(&skeleton.line_program);
        }
        let root = unit.entry(unit.header.root_offset())?;
        let language = match root.attr_value(gimli::DW_AT_language) {
            Some(AttributeValue::Language(language)) => Some(language),
            _ => None,
        };
        let producer = root.attr_value(gimli::DW_AT_producer).and_then(|value| dwarf.attr_string(&unit, value).ok());
        let directory = unit.comp_dir.map_or(&[][..], |directory| directory.slice());
        Ok(Self {
            index,
            part: slot.part,
            skeleton,
            language: UnitLanguage::of(language),
            producer: producer.map_or(&[], |producer| producer.slice()),
            directory,
            dwarf: unit,
            lines: OnceLock::new(),
            functions: OnceLock::new(),
            call_sites: OnceLock::new(),
            parents: OnceLock::new(),
            nested_functions: OnceLock::new(),
            left_out: OnceLock::new(),
            ends: Ends::default(),
        })
    }

    /// True for a unit of types that other units refer to, without code.
    pub(crate) fn is_of_types(&self) -> bool {
        use gimli::UnitType;
        matches!(self.dwarf.header.type_(), UnitType::Type { .. } | UnitType::SplitType { .. } | UnitType::Partial)
    }

    /// Calls `found` for each child of an entry.
    pub(crate) fn for_each_child(&self, entry: &Entry, found: impl FnMut(&Entry)) {
        for_each_child(&self.dwarf, &self.ends, entry, found);
    }

    /// Reads an entry; `None` if there is none at the offset.
    pub(crate) fn entry(&self, offset: UnitOffset) -> Option<Entry> {
        self.dwarf.entry(offset).ok().filter(|entry| !entry.is_null())
    }

    /// True if lines, functions and scopes have been read.
    pub(crate) fn has_code_read(&self) -> bool {
        self.lines.get().is_some()
            && self.functions.get().is_some()
            && (!self.language.has_scopes() || self.parents.get().is_some())
    }

    pub(crate) fn reads(&self, what: &str) {
        blocking_reads::reads(|| {
            let name = self.dwarf.name.map_or(&b"a unit"[..], |name| name.slice());
            format!("{what} of {}", String::from_utf8_lossy(name))
        });
    }

    /// Returns the namespace or class that an entry is declared in.
    pub(crate) fn parent(&self, offset: UnitOffset) -> Option<UnitOffset> {
        if !self.language.has_scopes() {
            return None;
        }
        self.parents().get(&(offset.0 as u32)).map(|parent| UnitOffset(*parent as usize))
    }

    /// True for a function in the body of another one.
    pub(crate) fn is_nested(&self, function: UnitOffset) -> bool {
        let nested = self.nested_functions.get_or_init(|| {
            self.reads("nested functions");
            super::named::nested_functions(&self.dwarf)
        });
        nested.contains(&(function.0 as u32))
    }

    pub(crate) fn parents(&self) -> &FxHashMap<u32, u32> {
        self.parents.get_or_init(|| {
            self.reads("scopes");
            super::named::scopes(&self.dwarf)
        })
    }
}
