//! The line table of a unit (DWARF 5, 6.2), with the rows kept that gdb keeps, so that breakpoints and steps end where
//! its users expect them to.

use super::source_path::SourceName;
use crate::dwarf::debug_info::{DebugInformation, Slice};
use crate::dwarf::unit::Unit;
use model::FileAddress;
use std::ops::Range;

/// A row: it covers the addresses up to the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) address: u64,
    /// 0: nothing from here on.
    pub(crate) line: u32,
    /// An index into [`UnitLines::files`].
    pub(crate) file: u32,
    pub(crate) is_stmt: bool,
    /// The compiler says that the frame of the function has been made.
    pub(crate) ends_prologue: bool,
}

/// The line table of a unit.
#[derive(Debug, Default)]
pub(crate) struct UnitLines {
    /// By address.
    rows: Vec<Row>,
    pub(crate) files: Vec<SourceName>,
}

/// More files in one table than any program has; a damaged header may claim any number.
const MOST_FILES: u64 = 1 << 20;

/// The files of a line table, by index.
pub(crate) fn files_of(
    debug: &DebugInformation,
    unit: &Unit,
    header: &gimli::LineProgramHeader<Slice>,
) -> Vec<SourceName> {
    let first = u64::from(header.version() < 5);
    let count = (header.file_names().len() as u64).min(MOST_FILES);
    let file = |index| SourceName::of_file(debug, unit, header, index).unwrap_or_default();
    (0..first + count).map(file).collect()
}

impl UnitLines {
    pub(crate) fn read(debug: &DebugInformation, unit: &Unit) -> Self {
        let Some(program) = unit.dwarf.line_program.clone() else { return Self::default() };
        let files = files_of(debug, unit, program.header());
        let mut rows = Vec::new();
        let mut program = program.rows();
        let mut recorder = Recorder::default();
        // Where the rows of the sequence begin in the table, and in memory.
        let (mut begun, mut start) = (0, None);
        loop {
            match program.next_row() {
                Ok(Some((_, row))) => {
                    let address = *start.get_or_insert(row.address());
                    recorder.record(row, &mut rows);
                    if row.end_sequence() {
                        // Of code that the linker has left out the rows would be in the middle of others.
                        if !debug.is_code(address) {
                            rows.truncate(begun);
                        }
                        (begun, start) = (rows.len(), None);
                    }
                }
                Ok(None) => break,
                Err(error) => {
                    debug.damage.within(unit, format_args!("its line table: {error}"));
                    break;
                }
            }
        }
        // Where one sequence of rows ends another may begin, wherever in the table it is.
        rows.sort_by_key(|row| (row.address, row.line != 0));
        let read = rows.len();
        rows.retain(|row| (row.file as usize) < files.len());
        if rows.len() < read {
            debug.damage.within(unit, "its line table names files that it does not have");
        }
        Self { rows, files }
    }

    /// The row that covers an address, and the addresses it covers.
    pub(crate) fn covering(&self, address: FileAddress) -> Option<(&Row, Range<FileAddress>)> {
        let after = self.rows.partition_point(|row| row.address <= address.0);
        let last = self.rows.get(after.checked_sub(1)?)?;
        let start = last.address;
        // Of the rows of one address the last one holds, but one that begins a statement is preferred.
        let same = self.rows.get(..after)?.iter().rev().take_while(|row| row.address == start && row.line != 0);
        let row = same.clone().find(|row| row.is_stmt && row.file == last.file).or_else(|| same.clone().next())?;
        let end = self.rows.get(after).map_or(u64::MAX, |row| row.address);
        Some((row, FileAddress(start)..FileAddress(end)))
    }

    /// Whether two numbers mean one file, which the table may have twice.
    pub(crate) fn is_same_file(&self, one: u32, other: u32) -> bool {
        let name = |file: u32| self.files.get(file as usize).map(SourceName::absolute);
        one == other || name(one) == name(other)
    }

    /// All rows, with the addresses they cover; rows of one address cover nothing, but the last of them.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (&Row, Range<FileAddress>)> {
        self.rows.iter().enumerate().filter(|(_, row)| row.line != 0).map(|(index, row)| {
            let end = self.rows.get(index + 1).map_or(row.address, |next| next.address);
            (row, FileAddress(row.address)..FileAddress(end))
        })
    }

    /// The rows that begin within a range.
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

/// Which rows are kept: not those of line 0, not those that only tell another discriminator of the same line, and of a
/// change of file at one address not the one that is no statement when the other is.
#[derive(Default)]
struct Recorder {
    /// Of the sequence.
    last: Option<Row>,
    last_address: u64,
    statement_at_address: bool,
    discriminated: bool,
}

impl Recorder {
    fn record(&mut self, row: &gimli::LineRow, rows: &mut Vec<Row>) {
        let address = row.address();
        if row.end_sequence() {
            // Rows without any instruction would hide the end.
            while rows.last().is_some_and(|last| last.address == address && last.line != 0) {
                rows.pop();
            }
            rows.push(Row { address, line: 0, file: 0, is_stmt: true, ends_prologue: false });
            *self = Self::default();
            return;
        }
        if address != self.last_address {
            self.last_address = address;
            self.statement_at_address = false;
        }
        let line = row.line().and_then(|line| u32::try_from(line.get()).ok()).unwrap_or(0);
        let (file, is_stmt, ends_prologue) = (row.file_index() as u32, row.is_stmt(), row.prologue_end());
        let new = Row { address, line, file, is_stmt, ends_prologue };
        let same_file = self.last.is_some_and(|last| last.file == new.file);
        let same_line = self.last.is_some_and(|last| last.line == new.line);
        self.discriminated = (self.discriminated && same_line) || row.discriminator() != 0;
        let at_last = rows.last().is_some_and(|last| last.address == address);
        let hidden = self.last.is_some() && !same_file && at_last && !new.is_stmt && self.statement_at_address;
        self.statement_at_address |= new.is_stmt;
        if line == 0 || hidden || (same_file && same_line && self.discriminated) {
            return;
        }
        if !same_file {
            // Another file begins at the address: what the first one said of it has no instructions.
            while rows.last().is_some_and(|last| last.address == address && last.line != 0 && last.file != new.file) {
                rows.pop();
            }
        }
        rows.push(new);
        self.last = Some(new);
    }
}
