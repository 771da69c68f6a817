//! The units of a file: their names, the files of their lines, and their addresses.

use super::cache::{IndexCache, IndexKey, KeptIndex};
use super::name_index::GivenIndex;
use super::parallel;
use super::unit_files::UnitFiles;
use super::unit_names::UnitNames;
use crate::dwarf::debug_info::DebugInformation;
use crate::dwarf::named::Named;
use crate::dwarf::unit::Unit;
use crate::elf::file::ElfFile;
use crate::images::blocking_reads;
use model::FileAddress;
use std::cmp::Reverse;
use std::path::Path;
use std::sync::OnceLock;

/// A range of addresses at which a unit has code.
#[derive(Clone, Copy)]
struct UnitRange {
    begin: u64,
    end: u64,
    /// The greatest end of this and all earlier ranges.
    reach: u64,
    unit: u32,
}

/// The units of a file by their contents: read unit by unit on demand, all at once, or restored from a saved index.
pub(crate) struct UnitIndex {
    pub(crate) debug: DebugInformation,
    ranges: OnceLock<Vec<UnitRange>>,
    names: Vec<OnceLock<UnitNames>>,
    files: Vec<OnceLock<UnitFiles>>,
    /// Set once the names and files of all units are known.
    whole: OnceLock<()>,
    /// The index contained in the file.
    given: OnceLock<Option<GivenIndex>>,
    /// The key under which to save the index.
    key: Option<IndexKey>,
}

impl UnitIndex {
    /// Reads only the unit headers, or not even those if there is a saved index. `None` if there are no units.
    pub(crate) fn open(file: &ElfFile, path: &Path, cache: Option<&IndexCache>) -> Option<Self> {
        if !file.has_units() {
            return None;
        }
        let key = cache.and_then(|cache| cache.key(file));
        let kept = key.as_ref().and_then(|key| key.load().or_else(|| Self::index_for_a_time(file, path, key)));
        match kept {
            Some(kept) => {
                let index = Self::of(DebugInformation::of_units(file, path, kept.units.len()), None);
                index.take_over(kept);
                Some(index)
            }
            None => Self::without_kept(file, path, key),
        }
    }

    /// As [`UnitIndex::open`], but ignores a saved index; a new one is saved under `key`.
    fn without_kept(file: &ElfFile, path: &Path, key: Option<IndexKey>) -> Option<Self> {
        let debug = DebugInformation::read(file, path)?;
        let key = key.filter(|_| debug.parts().is_whole());
        Some(Self::of(debug, key))
    }

    fn of(debug: DebugInformation, key: Option<IndexKey>) -> Self {
        let units = debug.units.len();
        Self {
            debug,
            ranges: OnceLock::new(),
            names: (0..units).map(|_| OnceLock::new()).collect(),
            files: (0..units).map(|_| OnceLock::new()).collect(),
            whole: OnceLock::new(),
            given: OnceLock::new(),
            key,
        }
    }

    /// Iterates over the units that may have code at an address.
    pub(crate) fn units_at(&self, address: FileAddress) -> impl Iterator<Item = &Unit> {
        let ranges = self.ranges();
        let end = ranges.partition_point(|range| range.begin <= address.0);
        let before = ranges.get(..end).unwrap_or_default().iter().rev();
        let near = before.take_while(move |range| range.reach > address.0);
        near.filter(move |range| range.end > address.0).filter_map(|range| self.debug.unit(range.unit))
    }

    fn ranges(&self) -> &[UnitRange] {
        self.ranges.get_or_init(|| {
            blocking_reads::reads(|| "the addresses of all units".to_owned());
            if let Some(given) = self.given().and_then(GivenIndex::ranges) {
                let code = given.into_iter().filter(|(begin, end, _)| begin < end && self.debug.is_code(*begin));
                let range = |(begin, end, unit)| UnitRange { begin, end, reach: 0, unit };
                let mut all: Vec<UnitRange> = code.map(range).collect();
                all.sort_by_key(|range| (range.begin, range.end));
                return reaching(all);
            }
            let parts = parallel::map(self.debug.units.len(), |index| {
                let unit = self.debug.unit(index as u32)?;
                let mut ranges = Vec::new();
                self.debug.ranges_of_unit(unit, &mut ranges);
                if ranges.is_empty() && !unit.is_of_types() {
                    ranges.extend(unit.functions(&self.debug).spans().map(|span| span.start..span.end));
                }
                Some(ranges.into_iter().map(|range| (range, index as u32)).collect::<Vec<_>>())
            });
            let mut all: Vec<UnitRange> = parts
                .into_iter()
                .flatten()
                .flatten()
                .map(|(range, unit)| UnitRange { begin: range.start, end: range.end, reach: 0, unit })
                .collect();
            // Of code that several units have, the linker kept the first's; searches run from the end.
            all.sort_by_key(|range| (range.begin, range.end, Reverse(range.unit)));
            reaching(all)
        })
    }

    /// Returns the names of a unit; none if it cannot be read.
    pub(crate) fn names(&self, unit: u32) -> Option<&UnitNames> {
        let names = self.names.get(unit as usize)?;
        Some(names.get_or_init(|| {
            blocking_reads::reads(|| "the names of a unit".to_owned());
            self.debug.unit(unit).map(|unit| UnitNames::read(&self.debug, unit)).unwrap_or_default()
        }))
    }

    /// Iterates over all units with their names, reading each when it is reached.
    pub(crate) fn all_names(&self) -> impl Iterator<Item = (u32, &UnitNames)> {
        (0..self.names.len() as u32).filter_map(|unit| Some((unit, self.names(unit)?)))
    }

    /// Returns the units to search for an unqualified name, with their names: those that the file's own index gives, as
    /// long as there is no complete index.
    pub(crate) fn that_may_have(&self, name: &[u8], sort: Named) -> Vec<(u32, &UnitNames)> {
        if self.whole.get().is_none()
            && let Some(units) = self.given().and_then(|given| given.units_of(name, sort))
        {
            return units.into_iter().filter_map(|unit| Some((unit, self.names(unit)?))).collect();
        }
        self.read_all();
        self.all_names().collect()
    }

    /// Returns the index contained in the file.
    fn given(&self) -> Option<&GivenIndex> {
        let read = || {
            blocking_reads::reads(|| "the index of a file".to_owned());
            let section = |name| self.debug.file.section_data(name);
            GivenIndex::read(&self.debug, section(".gdb_index"), section(".debug_names"))
        };
        self.given.get_or_init(read).as_ref()
    }

    /// Ensures that most names are found without a long search: by the file's own index, or by the names of all units.
    pub(crate) fn index_quickly(&self) {
        if self.whole.get().is_none() && self.given().is_none() {
            self.read_all();
        }
    }

    /// True if the names of all units have been read.
    pub(crate) fn is_indexed(&self) -> bool {
        self.whole.get().is_some()
    }

    /// Ensures that the names and addresses of all units are known: restored from a saved index, or read now on all
    /// processors.
    pub(crate) fn read_all(&self) {
        self.whole.get_or_init(|| {
            blocking_reads::reads(|| "the names of all units".to_owned());
            parallel::map(self.debug.units.len(), |index| {
                self.names(index as u32);
                self.files(index as u32);
            });
            if let Some((key, printed)) = self.key.as_ref().and_then(|key| Some((key, self.printed(key)?))) {
                key.store(&printed);
            }
        });
    }

    /// Returns the index in saved form; `None` if there is damage, so that every session reports it.
    fn printed(&self, key: &IndexKey) -> Option<Vec<u8>> {
        let units =
            self.all_names().filter_map(|(unit, names)| Some(names.to_keep(self.files(unit)?.to_keep()))).collect();
        let ranges = self.ranges().iter().map(|range| (range.begin, range.end, range.unit)).collect();
        self.debug.damage.is_none().then(|| key.print(&KeptIndex { units, ranges }))
    }

    /// Adopts a saved index.
    fn take_over(&self, kept: KeptIndex<'static>) {
        for ((names, files), unit) in self.names.iter().zip(&self.files).zip(kept.units) {
            names.get_or_init(|| UnitNames::kept(&unit));
            files.get_or_init(|| UnitFiles::kept(&unit));
        }
        let range = |(begin, end, unit)| UnitRange { begin, end, reach: 0, unit };
        self.ranges.get_or_init(|| reaching(kept.ranges.into_iter().map(range).collect()));
        self.whole.get_or_init(|| ());
    }

    /// Indexes compressed information without keeping the decompressed bytes: of most libraries nothing more is needed.
    fn index_for_a_time(file: &ElfFile, path: &Path, key: &IndexKey) -> Option<KeptIndex<'static>> {
        if !key.is_compressed {
            return None;
        }
        blocking_reads::reads(|| format!("the index of {}", path.display()));
        let printed = file.for_a_time(|file| {
            let index = Self::without_kept(file, path, None)?;
            if !index.debug.parts().is_whole() {
                return None;
            }
            index.read_all();
            index.printed(key)
        })?;
        key.store(&printed);
        key.parse(printed)
    }

    /// Returns the files of a unit; none if it cannot be read.
    fn files(&self, unit: u32) -> Option<&UnitFiles> {
        let files = self.files.get(unit as usize)?;
        Some(files.get_or_init(|| {
            blocking_reads::reads(|| "the names of the files of a unit".to_owned());
            self.debug.unit(unit).map(|unit| UnitFiles::read(&self.debug, unit)).unwrap_or_default()
        }))
    }

    /// Returns the units whose line tables may name a file. The tables of the others are not read.
    pub(crate) fn units_of_file(&self, name: &str) -> Vec<&Unit> {
        let may_have = |index: usize| self.files(index as u32).is_some_and(|files| files.may_have(name));
        let units = parallel::map(self.files.len(), may_have).into_iter().zip(0..);
        units.filter(|(may_have, _)| *may_have).filter_map(|(_, unit)| self.debug.unit(unit)).collect()
    }

    /// Returns the units that may have code at an address if all of them have been read, else `None`.
    pub(crate) fn known_units_at(&self, address: FileAddress) -> Option<Vec<&Unit>> {
        let ranges = self.ranges.get()?;
        let end = ranges.partition_point(|range| range.begin <= address.0);
        let before = ranges.get(..end).unwrap_or_default().iter().rev();
        let near = before.take_while(|range| range.reach > address.0).filter(|range| range.end > address.0);
        let known = near.map(|range| self.debug.units.get(range.unit as usize).and_then(OnceLock::get));
        Some(known.collect::<Option<Vec<_>>>()?.into_iter().filter_map(Option::as_deref).collect())
    }

    /// Reads what address lookups need, on all processors.
    pub(crate) fn index_addresses(&self) {
        self.ranges();
    }
}

/// Adds to sorted ranges how far the earlier ones reach.
fn reaching(mut ranges: Vec<UnitRange>) -> Vec<UnitRange> {
    let mut reach = 0;
    for range in &mut ranges {
        reach = reach.max(range.end);
        range.reach = reach;
    }
    ranges
}
