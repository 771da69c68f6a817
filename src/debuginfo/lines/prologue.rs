//! Finds the address after a function's prologue: gdb puts breakpoints on functions there, and we use the same address.

use crate::dwarf::debug_info::DebugInformation;
use crate::dwarf::unit::Unit;
use crate::elf::file::ElfFile;
use crate::index::unit_index::UnitIndex;
use model::FileAddress;

/// Returns the address for a breakpoint on the function with this entry.
pub(crate) fn after_prologue(file: &ElfFile, units: Option<&UnitIndex>, entry: FileAddress) -> FileAddress {
    beginning(file, units, entry, true)
}

/// Returns the address where a step into the function ends. For this, gdb ignores location lists and compilers'
/// prologue marks.
pub(crate) fn stepped_into(file: &ElfFile, units: Option<&UnitIndex>, entry: FileAddress) -> FileAddress {
    beginning(file, units, entry, false)
}

fn beginning(file: &ElfFile, units: Option<&UnitIndex>, entry: FileAddress, for_breakpoint: bool) -> FileAddress {
    let code = file.bytes_at(entry).unwrap_or_default();
    let analysed = FileAddress(entry.0 + frame_setup(code) as u64);
    let Some(units) = units else { return analysed };
    let debug = &units.debug;
    for unit in units.units_at(entry) {
        let Some(span) = unit.functions(debug).covering(entry).filter(|span| span.entry == entry.0) else { continue };
        let end = FileAddress(span.end);
        let compiler = Compiler::of(unit);
        if compiler == Compiler::Assembler || for_breakpoint && compiler == Compiler::TracksLocations {
            return entry;
        }
        if let Some(marked) = marked_end(debug, unit, entry, end).filter(|_| for_breakpoint) {
            return marked;
        }
        if compiler == Compiler::MarksPrologue {
            return second_line(debug, unit, entry, end);
        }
        return match unit.lines(debug).covering(analysed) {
            // The frame setup ends within a line: the body begins with the next.
            Some((_, line)) if line.start != analysed && entry <= line.end && line.end < end => line.end,
            _ => analysed,
        };
    }
    analysed
}

/// Compilers, by the properties of their code.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Compiler {
    /// Lines were written by hand: every instruction counts.
    Assembler,
    /// Records the locations of variables for every instruction, so that nothing needs to be skipped.
    TracksLocations,
    /// Always begins another row of the line table after the prologue.
    MarksPrologue,
    Plain,
}

impl Compiler {
    fn of(unit: &Unit) -> Self {
        let begins = |words: &[u8]| unit.producer.starts_with(words);
        if unit.language.is_written_by_instruction() {
            Self::Assembler
        } else if begins(b"clang ") || begins(b" F90 Flang ") {
            // gdb identifies these by the producer: rustc counts; some distributions' clang, which has another name,
            // does not.
            Self::MarksPrologue
        } else if unit.producer.starts_with(b"GNU ") && has_location_lists(unit) {
            Self::TracksLocations
        } else {
            Self::Plain
        }
    }
}

/// True if some variable of the unit has a location that changes with the program counter.
fn has_location_lists(unit: &Unit) -> bool {
    let tags = [gimli::DW_TAG_variable, gimli::DW_TAG_formal_parameter];
    // Compilers number abbreviations from 1 without gaps.
    let abbreviations = (1..).map_while(|code| unit.dwarf.abbreviations.get(code));
    abbreviations.filter(|abbreviation| tags.contains(&abbreviation.tag())).any(|abbreviation| {
        abbreviation.attributes().iter().any(|attribute| {
            attribute.name() == gimli::DW_AT_location
                && matches!(
                    attribute.form(),
                    gimli::DW_FORM_sec_offset | gimli::DW_FORM_loclistx | gimli::DW_FORM_data4 | gimli::DW_FORM_data8
                )
        })
    })
}

/// Returns the end of the prologue as marked by the compiler (DWARF 5, 6.2.2), among rows of the file that the function
/// begins in.
fn marked_end(debug: &DebugInformation, unit: &Unit, entry: FileAddress, end: FileAddress) -> Option<FileAddress> {
    let lines = unit.lines(debug);
    let file = lines.covering(entry)?.0.file;
    let function = entry..end;
    let mut rows = lines.rows_in(&function);
    rows.find(|(row, _)| row.ends_prologue && lines.is_same_file(row.file, file)).map(|(_, range)| range.start)
}

fn second_line(debug: &DebugInformation, unit: &Unit, entry: FileAddress, end: FileAddress) -> FileAddress {
    let lines = unit.lines(debug);
    let Some((_, first)) = lines.covering(entry) else { return entry };
    // Two rows at the entry mean that the prologue has no instructions.
    let doubled = lines.rows_in(&(entry..FileAddress(entry.0 + 1))).count() > 1;
    if doubled || first.end >= end { entry } else { first.end }
}

/// Returns the length of `push %rbp; mov %rsp,%rbp` at the start of a function, with any instructions before it; 0 if
/// there is no such frame setup.
fn frame_setup(code: &[u8]) -> usize {
    let mut rest = code;
    let mut skip = |prefix: &[u8]| match rest.strip_prefix(prefix) {
        Some(behind) => {
            rest = behind;
            true
        }
        None => false,
    };
    // endbr64
    skip(&[0xf3, 0x0f, 0x1e, 0xfa]);
    // lea 8(%rsp),%r10; and $-16,%rsp; push -8(%r10)
    if skip(&[0x4c, 0x8d, 0x54, 0x24, 0x08]) && skip(&[0x48, 0x83, 0xe4]) {
        skip(&[0xe0]);
        skip(&[0xf0]);
        skip(&[0xc0]);
        skip(&[0x41, 0xff, 0x72, 0xf8]);
    }
    // push %rbp; then mov %rsp,%rbp in either encoding
    let framed = skip(&[0x55]) && (skip(&[0x48, 0x89, 0xe5]) || skip(&[0x48, 0x8b, 0xec]));
    if framed { code.len() - rest.len() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::frame_setup;

    #[test]
    fn frames() {
        assert_eq!(frame_setup(&[0x55, 0x48, 0x89, 0xe5, 0x90]), 4);
        assert_eq!(frame_setup(&[0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0x48, 0x89, 0xe5, 0x90]), 8);
        assert_eq!(frame_setup(&[0x55, 0x53, 0x48, 0x83, 0xec, 0x08]), 0);
        assert_eq!(frame_setup(&[]), 0);
        assert_eq!(frame_setup(&[0x55]), 0);
    }
}
