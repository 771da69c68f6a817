//! Runs the line program of a unit (DWARF 5, 6.2) and keeps the rows that gdb keeps, so that breakpoints and steps end
//! at the same addresses.

use super::source_path::SourceName;
use super::table::{Row, UnitLines};
use crate::dwarf::debug_info::DebugInformation;
use crate::dwarf::entry::Slice;
use crate::dwarf::unit::Unit;

/// More files in one table than any program has; a damaged header may claim any number.
const MOST_FILES: u64 = 1 << 20;

impl Unit {
    /// Returns the line table, reading it on first use.
    pub(crate) fn lines(&self, debug: &DebugInformation) -> &UnitLines {
        self.lines.get_or_init(|| {
            self.reads("lines");
            read(debug, self)
        })
    }
}

/// Reads the files of a line table, by index.
pub(crate) fn files_of(
    debug: &DebugInformation,
    unit: &Unit,
    header: &gimli::LineProgramHeader<Slice>,
) -> Vec<SourceName> {
    let first = u64::from(header.version() < 5);
    let count = (header.file_names().len() as u64).min(MOST_FILES);
    let file = |index| source_name(debug, unit, header, index).unwrap_or_default();
    (0..first + count).map(file).collect()
}

fn source_name(
    debug: &DebugInformation,
    unit: &Unit,
    header: &gimli::LineProgramHeader<Slice>,
    index: u64,
) -> Option<SourceName> {
    let file = header.file(index)?;
    let name = debug.line_string(unit, file.path_name())?;
    // Directory 0 is the compilation directory itself: by definition, or (DWARF 5) by its entry.
    let directory = file.directory(header).filter(|_| file.directory_index() != 0);
    let directory = directory.and_then(|value| debug.line_string(unit, value)).unwrap_or_default();
    Some(SourceName::new(unit.directory, directory, name))
}

fn read(debug: &DebugInformation, unit: &Unit) -> UnitLines {
    let Some(program) = unit.dwarf.line_program.clone() else { return UnitLines::default() };
    let files = files_of(debug, unit, program.header());
    let mut rows = Vec::new();
    let mut program = program.rows();
    let mut recorder = Recorder::default();
    // The index in `rows` at which the sequence begins, and its first address.
    let (mut begun, mut start) = (0, None);
    loop {
        match program.next_row() {
            Ok(Some((_, row))) => {
                let address = *start.get_or_insert(row.address());
                recorder.record(row, &mut rows);
                if row.end_sequence() {
                    // Drop rows of code that the linker discarded: they would lie among the rows of other code.
                    if !debug.is_code(address) {
                        rows.truncate(begun);
                    }
                    (begun, start) = (rows.len(), None);
                }
            }
            Ok(None) => break,
            Err(error) => {
                debug.damage.within(&unit.dwarf, format_args!("its line table: {error}"));
                break;
            }
        }
    }
    // Sequences come in any order; one may begin at the address where another ends.
    rows.sort_by_key(|row| (row.address, row.line != 0));
    let read = rows.len();
    rows.retain(|row| (row.file as usize) < files.len());
    if rows.len() < read {
        debug.damage.within(&unit.dwarf, "its line table refers to files that it does not list");
    }
    UnitLines::new(rows, files)
}

/// Keeps rows, except those of line 0 and those that only change the discriminator. When the file changes at one
/// address, it drops the row that is no statement if the other is one.
#[derive(Default)]
struct Recorder {
    last: Option<Row>,
    last_address: u64,
    statement_at_address: bool,
    discriminated: bool,
}

impl Recorder {
    fn record(&mut self, row: &gimli::LineRow, rows: &mut Vec<Row>) {
        let address = row.address();
        if row.end_sequence() {
            // Rows without instructions would hide the end of the sequence.
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
            // Another file begins at this address, so rows of the first file cover no instructions here.
            while rows.last().is_some_and(|last| last.address == address && last.line != 0 && last.file != new.file) {
                rows.pop();
            }
        }
        rows.push(new);
        self.last = Some(new);
    }
}
