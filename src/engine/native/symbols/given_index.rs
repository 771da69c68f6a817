//! The index that a compiler, linker or `gdb-add-index` has put into a file: which units have a name, so that those
//! alone need be read to find it. Whatever it does not tell for certain is looked for in all units, as if there were no
//! such index.

use super::debug_info::DebugInformation;
use super::gdb_index::{GdbIndex, Kind};
use super::names::{Named, hash};
use super::parts::Parts;
use rustc_hash::FxHashMap;

/// Which units have a name.
#[derive(Debug, Default)]
pub(super) struct GivenIndex {
    /// Hash of a name, what sort of thing it is of, and the unit; in order.
    rows: Vec<(u32, Sort, u32)>,
    /// Units that the index says nothing of.
    uncovered: Vec<u32>,
    /// Whether functions that are only inlined are in it.
    has_inlined: bool,
}

/// The sorts that are told apart: an enumerator is a variable for gdb.
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

/// Offsets of units in `.debug_info` with their numbers; of one that is split it is the skeleton's.
struct Units(FxHashMap<u64, u32>);

impl Units {
    fn of(parts: &Parts) -> Self {
        let offset = |(number, slot): (usize, &super::parts::Slot)| {
            let header = slot.skeleton.as_ref().or_else(|| (slot.part == 0).then_some(&slot.header))?;
            Some((header.debug_info_offset()?.0 as u64, number as u32))
        };
        Self(parts.slots.iter().enumerate().filter_map(offset).collect())
    }

    fn at(&self, offset: u64) -> Option<u32> {
        self.0.get(&offset).copied()
    }
}

impl GivenIndex {
    /// The index of a file; `None` when there is none, or when it is of other information than the file has.
    pub(super) fn read(debug: &DebugInformation, gdb_index: &'static [u8], names: &'static [u8]) -> Option<Self> {
        if gdb_index.is_empty() && names.is_empty() {
            return None;
        }
        let units = Units::of(debug.parts());
        let of_gdb = GdbIndex::parse(gdb_index).and_then(|index| Self::of_gdb(&index, &units));
        of_gdb.or_else(|| Self::of_names(debug, names, &units))
    }

    fn finish(mut self, count: usize, covered: impl IntoIterator<Item = u32>) -> Self {
        let mut is_covered = vec![false; count];
        for unit in covered {
            if let Some(slot) = is_covered.get_mut(unit as usize) {
                *slot = true;
            }
        }
        let uncovered = (0u32..).zip(is_covered).filter(|(_, covered)| !covered);
        self.uncovered = uncovered.map(|(unit, _)| unit).collect();
        self.rows.sort_unstable();
        self.rows.dedup();
        self.rows.shrink_to_fit();
        self
    }

    fn of_gdb(index: &GdbIndex, units: &Units) -> Option<Self> {
        let numbers: Vec<u32> = index.units().map(|offset| units.at(offset)).collect::<Option<_>>()?;
        let mut given = Self { has_inlined: index.is_of_gdb(), ..Self::default() };
        for (name, unit, kind) in index.symbols() {
            let sort = match kind {
                Kind::Function => Sort::Function,
                Kind::Variable => Sort::Variable,
                Kind::Type => Sort::Type,
                Kind::Other => continue,
            };
            // Beyond the list of units are type units, which count as not covered.
            let Some(unit) = numbers.get(unit as usize) else { continue };
            given.rows.push((hash_of_qualified(name), sort, *unit));
        }
        Some(given.finish(units.0.len(), numbers))
    }

    /// `.debug_names` (DWARF 5, 6.1.1).
    fn of_names(debug: &DebugInformation, section: &'static [u8], units: &Units) -> Option<Self> {
        let strings = &debug.parts().own()?.debug_str;
        let mut headers = gimli::DebugNames::new(section, gimli::LittleEndian).headers();
        let mut given = Self { has_inlined: true, ..Self::default() };
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
                    given.rows.push((hash, sort, units.at(offset.0 as u64)?));
                }
            }
        }
        (!covered.is_empty()).then(|| given.finish(units.0.len(), covered))
    }

    /// The units that may have something of a sort under a name without its scopes. `None` when that is not for certain:
    /// all units are to be looked at.
    pub(super) fn units_of(&self, name: &[u8], sort: Named) -> Option<Vec<u32>> {
        if sort == Named::Function && !self.has_inlined {
            return None;
        }
        let wanted = (hash(name), Sort::from(sort));
        let start = self.rows.partition_point(|(hash, sort, _)| (*hash, *sort) < wanted);
        let rows = self.rows.get(start..).unwrap_or_default().iter();
        let named = rows.take_while(|(hash, sort, _)| (*hash, *sort) == wanted).map(|(_, _, unit)| *unit);
        let mut units: Vec<u32> = named.collect();
        if units.is_empty() {
            return None;
        }
        units.extend(&self.uncovered);
        units.sort_unstable();
        Some(units)
    }
}

/// Names of gdb have the scopes before them.
fn hash_of_qualified(name: &[u8]) -> u32 {
    match std::str::from_utf8(name) {
        Ok(text) if name.contains(&b':') => hash(super::function_name::FunctionName::parse(text).base().as_bytes()),
        _ => hash(name),
    }
}

fn sort_of(tag: gimli::DwTag) -> Option<Sort> {
    match tag {
        gimli::DW_TAG_inlined_subroutine => Some(Sort::Function),
        tag => super::names::sort_of(tag).map(Sort::from),
    }
}
