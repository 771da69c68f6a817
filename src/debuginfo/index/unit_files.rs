//! The files that a unit's line table names, so that a line is searched only in the tables that have its file.

use super::cache::{FileRow, KeptUnit};
use super::unit_names::hash_of_bytes;
use crate::dwarf::debug_info::DebugInformation;
use crate::dwarf::unit::Unit;
use crate::lines::program::files_of;
use crate::lines::source_path::last_part;
use std::borrow::Cow;

/// The last parts of the names of a unit's files, as sorted hashes.
#[derive(Debug, Default)]
pub(crate) struct UnitFiles(Cow<'static, [FileRow]>);

fn row(name: &[u8]) -> FileRow {
    hash_of_bytes(last_part(name)).to_le_bytes()
}

impl UnitFiles {
    /// Restores the saved form.
    pub(crate) fn kept(unit: &KeptUnit<'static>) -> Self {
        Self(Cow::Borrowed(unit.files))
    }

    pub(crate) fn to_keep(&self) -> &[FileRow] {
        &self.0
    }

    pub(crate) fn read(debug: &DebugInformation, unit: &Unit) -> Self {
        let Some(program) = &unit.dwarf.line_program else { return Self::default() };
        let files = files_of(debug, unit, program.header());
        let mut rows: Vec<FileRow> = files.iter().map(|file| row(file.last_part())).collect();
        rows.sort_unstable();
        rows.dedup();
        Self(Cow::Owned(rows))
    }

    /// True if a file in some directory may have this name.
    pub(crate) fn may_have(&self, name: &str) -> bool {
        self.0.binary_search(&row(name.as_bytes())).is_ok()
    }
}
