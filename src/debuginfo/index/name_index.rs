//! The index that a compiler, linker or `gdb-add-index` put into a file: it maps names to units, so that only those
//! need to be read. If it gives no certain answer, all units are searched, as without an index.

use super::gdb_index::{GdbIndex, Kind};
use super::unit_names::{hash, without_template_arguments};
use crate::demangle::function_name::FunctionName;
use crate::dwarf::debug_files::Parts;
use crate::dwarf::debug_info::DebugInformation;
use crate::dwarf::named::Named;
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;

/// Names, with the units that define them.
#[derive(Debug)]
enum Names {
    /// Looked up in the file; with the numbers of its units.
    OfGdb(GdbIndex, Vec<u32>),
    /// The hash of a name, its kind and its unit; sorted.
    Rows(Vec<(u32, Sort, u32)>),
}

/// The index contained in a file.
#[derive(Debug)]
pub(crate) struct GivenIndex {
    names: Names,
    /// Units that the index does not cover.
    uncovered: Vec<u32>,
    /// True if it includes functions that are only inlined.
    has_inlined: bool,
}

/// The kinds that the index distinguishes: gdb treats an enumerator as a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sort {
    Function,
    Variable,
    Type,
}

impl From<Named> for Sort {
    fn from(named: Named) -> Self {
        match named {
            Named::Function => Self::Function,
            Named::Variable | Named::Enumerator => Self::Variable,
            Named::Type => Self::Type,
        }
    }
}

impl Sort {
    fn of(kind: Kind) -> Option<Self> {
        match kind {
            Kind::Function => Some(Self::Function),
            Kind::Variable => Some(Self::Variable),
            Kind::Type => Some(Self::Type),
            Kind::Other => None,
        }
    }
}

/// Numbers of units by their offsets in `.debug_info`; a split unit has the offset of its skeleton.
struct Units(FxHashMap<u64, u32>);

impl Units {
    fn of(parts: &Parts) -> Self {
        let offset = |(number, slot): (usize, &crate::dwarf::debug_files::Slot)| {
            let header = slot.skeleton.as_ref().or_else(|| (slot.part == 0).then_some(&slot.header))?;
            Some((header.debug_info_offset()?.0 as u64, number as u32))
        };
        Self(parts.slots.iter().enumerate().filter_map(offset).collect())
    }

    fn at(&self, offset: u64) -> Option<u32> {
        self.0.get(&offset).copied()
    }

    /// Returns the units, including type units, that are not in `covered`.
    fn without(&self, covered: &[u32]) -> Vec<u32> {
        let covered: FxHashSet<u32> = covered.iter().copied().collect();
        let mut others: Vec<u32> = self.0.values().copied().filter(|unit| !covered.contains(unit)).collect();
        others.sort_unstable();
        others
    }
}

impl GivenIndex {
    /// Reads the index of a file; `None` if there is none, or it belongs to other debug information.
    pub(crate) fn read(debug: &DebugInformation, gdb_index: &'static [u8], names: &'static [u8]) -> Option<Self> {
        if gdb_index.is_empty() && names.is_empty() {
            return None;
        }
        let units = Units::of(debug.parts());
        let of_gdb = GdbIndex::parse(gdb_index).and_then(|index| Self::of_gdb(index, &units));
        of_gdb.or_else(|| Self::of_names(debug, names, &units))
    }

    fn of_gdb(index: GdbIndex, units: &Units) -> Option<Self> {
        let numbers: Vec<u32> = index.units().map(|offset| units.at(offset)).collect::<Option<_>>()?;
        let (has_inlined, uncovered) = (index.is_of_gdb(), units.without(&numbers));
        Some(Self { names: Names::OfGdb(index, numbers), uncovered, has_inlined })
    }

    /// Reads `.debug_names` (DWARF 5, 6.1.1).
    fn of_names(debug: &DebugInformation, section: &'static [u8], units: &Units) -> Option<Self> {
        let strings = &debug.parts().own()?.debug_str;
        let mut headers = gimli::DebugNames::new(section, gimli::LittleEndian).headers();
        let mut rows = Vec::new();
        let mut covered = Vec::new();
        while let Some(header) = headers.next().ok()? {
            let index = header.index().ok()?;
            for number in 0..index.compile_unit_count() {
                covered.push(units.at(index.compile_unit(number).ok()?.0 as u64)?);
            }
            let default = index.default_compile_unit().ok()?;
            for name in index.names() {
                let hash = hash(index.name_string(name, strings).ok()?.slice());
                let mut entries = index.name_entries(name).ok()?;
                while let Some(entry) = entries.next().ok()? {
                    let Some(sort) = sort_of(entry.tag) else { continue };
                    if entry.type_unit(&index).ok()?.is_some() {
                        continue;
                    }
                    let offset = entry.compile_unit(&index).ok()?.or(default)?;
                    rows.push((hash, sort, units.at(offset.0 as u64)?));
                }
            }
        }
        rows.sort_unstable();
        rows.dedup();
        rows.shrink_to_fit();
        let uncovered = units.without(&covered);
        (!covered.is_empty()).then_some(Self { names: Names::Rows(rows), uncovered, has_inlined: true })
    }

    /// Returns the units that may define something of a kind under an unqualified name. `None` if this is uncertain,
    /// and all units must be searched.
    pub(crate) fn units_of(&self, name: &[u8], sort: Named) -> Option<Vec<u32>> {
        if sort == Named::Function && !self.has_inlined {
            return None;
        }
        let (name, sort) = (without_template_arguments(name), Sort::from(sort));
        let mut units: Vec<u32> = match &self.names {
            Names::OfGdb(index, numbers) => {
                let named = index.named(name, |own| base_of(own) == name);
                let named = named.into_iter().filter(|(_, kind)| Sort::of(*kind) == Some(sort));
                named.filter_map(|(unit, _)| numbers.get(unit as usize).copied()).collect()
            }
            Names::Rows(rows) => {
                let wanted = (hash(name), sort);
                let start = rows.partition_point(|(hash, sort, _)| (*hash, *sort) < wanted);
                let rows = rows.get(start..).unwrap_or_default().iter();
                rows.take_while(|(hash, sort, _)| (*hash, *sort) == wanted).map(|(_, _, unit)| *unit).collect()
            }
        };
        if units.is_empty() {
            return None;
        }
        units.extend(&self.uncovered);
        units.sort_unstable();
        units.dedup();
        Some(units)
    }

    /// Returns the address ranges of units found by gdb: begin, end and unit. `None` unless the index covers all units.
    pub(crate) fn ranges(&self) -> Option<Vec<(u64, u64, u32)>> {
        let Names::OfGdb(index, numbers) = &self.names else { return None };
        if !self.has_inlined || !self.uncovered.is_empty() {
            return None;
        }
        let of_unit = |(begin, end, unit): (u64, u64, u32)| Some((begin, end, *numbers.get(unit as usize)?));
        index.ranges()?.map(of_unit).collect()
    }
}

/// Returns the unqualified name without template arguments: gdb's names include the scopes.
fn base_of(name: &[u8]) -> Cow<'_, [u8]> {
    match std::str::from_utf8(name) {
        Ok(text) if name.contains(&b':') => Cow::Owned(FunctionName::parse(text).base().as_bytes().to_vec()),
        _ => Cow::Borrowed(without_template_arguments(name)),
    }
}

fn sort_of(tag: gimli::DwTag) -> Option<Sort> {
    match tag {
        gimli::DW_TAG_inlined_subroutine => Some(Sort::Function),
        tag => crate::dwarf::named::sort_of(tag).map(Sort::from),
    }
}
