//! The line table of a unit: rows by address, and the files they name.

use super::source_path::SourceName;
use model::FileAddress;
use std::ops::Range;

/// A row: it covers the addresses up to the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) address: u64,
    /// 0: no code from here on.
    pub(crate) line: u32,
    /// An index into [`UnitLines::files`].
    pub(crate) file: u32,
    pub(crate) is_stmt: bool,
    /// True if the compiler marks the end of the prologue here.
    pub(crate) ends_prologue: bool,
}

/// The line table of a unit.
#[derive(Debug, Default)]
pub(crate) struct UnitLines {
    rows: Vec<Row>,
    pub(crate) files: Vec<SourceName>,
}

impl UnitLines {
    /// Makes a table from rows sorted by address.
    pub(crate) fn new(rows: Vec<Row>, files: Vec<SourceName>) -> Self {
        Self { rows, files }
    }

    /// Returns the row that covers an address, and the addresses it covers.
    pub(crate) fn covering(&self, address: FileAddress) -> Option<(&Row, Range<FileAddress>)> {
        let after = self.rows.partition_point(|row| row.address <= address.0);
        let last = self.rows.get(after.checked_sub(1)?)?;
        let start = last.address;
        // Of several rows at one address, the last counts, but one that begins a statement is preferred.
        let same = self.rows.get(..after)?.iter().rev().take_while(|row| row.address == start && row.line != 0);
        let row = same.clone().find(|row| row.is_stmt && row.file == last.file).or_else(|| same.clone().next())?;
        let end = self.rows.get(after).map_or(u64::MAX, |row| row.address);
        Some((row, FileAddress(start)..FileAddress(end)))
    }

    /// True if both indexes denote one file, which the table may list twice.
    pub(crate) fn is_same_file(&self, one: u32, other: u32) -> bool {
        let name = |file: u32| self.files.get(file as usize).map(SourceName::absolute);
        one == other || name(one) == name(other)
    }

    /// Iterates over all rows with the addresses they cover; of several rows at one address, only the last covers any.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (&Row, Range<FileAddress>)> {
        self.rows.iter().enumerate().filter(|(_, row)| row.line != 0).map(|(index, row)| {
            let end = self.rows.get(index + 1).map_or(row.address, |next| next.address);
            (row, FileAddress(row.address)..FileAddress(end))
        })
    }

    /// Iterates over the rows that begin within a range.
    pub(crate) fn rows_in(&self, range: &Range<FileAddress>) -> impl Iterator<Item = (&Row, Range<FileAddress>)> {
        let start = self.rows.partition_point(|row| row.address < range.start.0);
        let end = self.rows.partition_point(|row| row.address < range.end.0);
        let rows = self.rows.get(start..end).unwrap_or_default();
        rows.iter().enumerate().filter(|(_, row)| row.line != 0).map(move |(index, row)| {
            let next = self.rows.get(start + index + 1).map_or(row.address, |next| next.address);
            (row, FileAddress(row.address)..FileAddress(next))
        })
    }
}
