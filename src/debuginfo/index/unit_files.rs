//! Which files the line table of a unit names, so that a line of one of them is looked for in the tables that have it,
//! not in all.

use super::cache::{FileRow, KeptUnit};
use super::parallel;
use super::unit_names::hash_of_bytes;
use crate::dwarf::debug_info::DebugInformation;
use crate::dwarf::unit::Unit;
use crate::images::blocking_reads;
use crate::lines::source_path::last_part;
use crate::lines::table::files_of;
use std::borrow::Cow;

/// The last parts of the names of a unit's files, as hashes in order.
#[derive(Debug, Default)]
pub(crate) struct UnitFiles(Cow<'static, [FileRow]>);

/// What a file is found by.
fn row(name: &[u8]) -> FileRow {
    hash_of_bytes(last_part(name)).to_le_bytes()
}

impl UnitFiles {
    /// As they were kept.
    pub(crate) fn kept(unit: &KeptUnit<'static>) -> Self {
        Self(Cow::Borrowed(unit.files))
    }

    /// To be kept.
    pub(crate) fn to_keep(&self) -> &[FileRow] {
        &self.0
    }

    fn read(debug: &DebugInformation, unit: &Unit) -> Self {
        let Some(program) = &unit.dwarf.line_program else { return Self::default() };
        let files = files_of(debug, unit, program.header());
        let mut rows: Vec<FileRow> = files.iter().map(|file| row(file.last_part())).collect();
        rows.sort_unstable();
        rows.dedup();
        Self(Cow::Owned(rows))
    }

    /// Whether one may be called so, whatever its directory.
    fn may_have(&self, name: &str) -> bool {
        self.0.binary_search(&row(name.as_bytes())).is_ok()
    }
}

impl DebugInformation {
    /// The files of a unit. A unit that cannot be read has none.
    pub(crate) fn files(&self, unit: u32) -> Option<&UnitFiles> {
        let files = self.files.get(unit as usize)?;
        Some(files.get_or_init(|| {
            blocking_reads::reads(|| "the names of the files of a unit".to_owned());
            self.unit(unit).map(|unit| UnitFiles::read(self, unit)).unwrap_or_default()
        }))
    }

    /// The units whose line tables may name a file. Of the others no table is read.
    pub(crate) fn units_of_file(&self, name: &str) -> Vec<&Unit> {
        let may_have = |index: usize| self.files(index as u32).is_some_and(|files| files.may_have(name));
        let units = parallel::map(self.files.len(), may_have).into_iter().zip(0..);
        units.filter(|(may_have, _)| *may_have).filter_map(|(_, unit)| self.unit(unit)).collect()
    }
}
