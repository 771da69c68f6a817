//! Call frame information of one file (`.eh_frame` with its search table, and `.debug_frame`).

use crate::dwarf::entry::Slice;
use crate::elf::compressed::Bytes;
use crate::elf::file::ElfFile;
use crate::images::blocking_reads;
use gimli::{BaseAddresses, EndianSlice, LittleEndian, UnwindSection};
use model::FileAddress;
use std::cell::RefCell;
use std::sync::OnceLock;

type Row = gimli::UnwindTableRow<usize>;
type Description = gimli::FrameDescriptionEntry<Slice>;

pub(crate) struct CallFrames {
    pub(crate) eh_frame: gimli::EhFrame<Slice>,
    table: Option<SearchTable>,
    pub(crate) debug_frame: gimli::DebugFrame<Slice>,
    bases: BaseAddresses,
    /// Used if the file has no search table.
    eh_index: OnceLock<Vec<Span>>,
    debug_index: OnceLock<Vec<Span>>,
}

/// The addresses of a frame description entry.
#[derive(Clone, Copy)]
struct Span {
    start: u64,
    end: u64,
    offset: usize,
}

/// The section of a row and its expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FrameSection {
    EhFrame,
    DebugFrame,
}

/// Rules for unwinding a frame at an address.
pub(crate) struct FrameRules<'a> {
    pub(crate) row: &'a Row,
    pub(crate) section: FrameSection,
    pub(crate) encoding: gimli::Encoding,
    pub(crate) return_address: u16,
}

thread_local! {
    /// Reused space for executing call frame instructions.
    static CONTEXT: RefCell<gimli::UnwindContext<usize>> = RefCell::new(gimli::UnwindContext::new());
}

impl CallFrames {
    pub(crate) fn read(file: &ElfFile, separate: Option<&ElfFile>) -> Self {
        let slice = |file: &ElfFile, name| EndianSlice::new(file.section_data(name), LittleEndian);
        let start = |name| file.section(name).map_or(0, |section| section.addresses.start.0);
        let bases = BaseAddresses::default()
            .set_eh_frame_hdr(start(".eh_frame_hdr"))
            .set_eh_frame(start(".eh_frame"))
            .set_text(start(".text"))
            .set_got(start(".got"));
        let table = SearchTable::read(file.section_data(".eh_frame_hdr"), start(".eh_frame_hdr"), start(".eh_frame"));
        let mut debug_frame = slice(file, ".debug_frame");
        if debug_frame.is_empty()
            && let Some(separate) = separate
        {
            debug_frame = slice(separate, ".debug_frame");
        }
        Self {
            eh_frame: slice(file, ".eh_frame").into(),
            table,
            debug_frame: debug_frame.into(),
            bases,
            eh_index: OnceLock::new(),
            debug_index: OnceLock::new(),
        }
    }

    /// Builds the search tables that the file lacks.
    pub(crate) fn prepare(&self) {
        if self.table.is_none() {
            self.eh_index();
        }
        self.debug_index();
    }

    fn eh_index(&self) -> &[Span] {
        self.eh_index.get_or_init(|| {
            blocking_reads::reads(|| "all call frames".to_owned());
            index(&self.eh_frame, &self.bases)
        })
    }

    fn debug_index(&self) -> &[Span] {
        self.debug_index.get_or_init(|| {
            blocking_reads::reads(|| "all call frames for debugging".to_owned());
            index(&self.debug_frame, &self.bases)
        })
    }

    fn description(&self, address: FileAddress) -> Option<(Description, FrameSection)> {
        self.eh_description(address)
            .map(|entry| (entry, FrameSection::EhFrame))
            .or_else(|| Some((self.debug_description(address)?, FrameSection::DebugFrame)))
    }

    fn eh_description(&self, address: FileAddress) -> Option<Description> {
        if let Some(table) = &self.table {
            let offset = gimli::EhFrameOffset(table.offset_of(address)?);
            let entry = self.eh_frame.fde_from_offset(&self.bases, offset, gimli::EhFrame::cie_from_offset).ok()?;
            return covers(&entry, address).then_some(entry);
        }
        let offset = find(self.eh_index(), address)?;
        self.eh_frame.fde_from_offset(&self.bases, offset.into(), gimli::EhFrame::cie_from_offset).ok()
    }

    fn debug_description(&self, address: FileAddress) -> Option<Description> {
        let offset = find(self.debug_index(), address)?;
        self.debug_frame.fde_from_offset(&self.bases, offset.into(), gimli::DebugFrame::cie_from_offset).ok()
    }

    pub(crate) fn is_signal_frame(&self, address: FileAddress) -> bool {
        self.description(address).is_some_and(|(entry, _)| entry.is_signal_trampoline())
    }

    /// Calls `leave` with the rules at an address; `None` if there are none or they are damaged.
    pub(crate) fn with_rules<T>(&self, address: FileAddress, leave: impl FnOnce(FrameRules<'_>) -> T) -> Option<T> {
        let (entry, section) = self.description(address)?;
        let encoding = entry.cie().encoding();
        let return_address = entry.cie().return_address_register().0;
        CONTEXT.with(|context| {
            let mut context = context.try_borrow_mut().ok()?;
            let row = match section {
                FrameSection::EhFrame => {
                    entry.unwind_info_for_address(&self.eh_frame, &self.bases, &mut context, address.0)
                }
                FrameSection::DebugFrame => {
                    entry.unwind_info_for_address(&self.debug_frame, &self.bases, &mut context, address.0)
                }
            };
            Some(leave(FrameRules { row: row.ok()?, section, encoding, return_address }))
        })
    }

    /// Returns the expression of a rule.
    pub(crate) fn expression(
        &self,
        rule: gimli::UnwindExpression<usize>,
        section: FrameSection,
    ) -> Option<gimli::Expression<Slice>> {
        match section {
            FrameSection::EhFrame => rule.get(&self.eh_frame).ok(),
            FrameSection::DebugFrame => rule.get(&self.debug_frame).ok(),
        }
    }
}

/// The binary search table of `.eh_frame_hdr` (Linux Standard Base, 10.6), in the only form that linkers write: pairs
/// of signed words, both relative to the section.
struct SearchTable {
    rows: &'static [[u8; 8]],
    base: u64,
    eh_frame: u64,
}

impl SearchTable {
    fn read(data: Bytes, base: u64, eh_frame: u64) -> Option<Self> {
        // Version 1; a pointer of four bytes; a count of four; the table.
        let [1, pointer, 0x03, 0x3b, rest @ ..] = data else { return None };
        if !matches!(pointer & 0x0f, 0x03 | 0x0b) {
            return None;
        }
        let count = u32::from_le_bytes(*rest.get(4..)?.first_chunk::<4>()?) as usize;
        let rows = rest.get(8..)?.as_chunks::<8>().0;
        Some(Self { rows: rows.get(..count).unwrap_or(rows), base, eh_frame }).filter(|table| !table.rows.is_empty())
    }

    fn relative(&self, bytes: Option<&[u8; 4]>) -> u64 {
        let word = bytes.map_or(0, |bytes| i32::from_le_bytes(*bytes));
        self.base.wrapping_add_signed(i64::from(word))
    }

    /// Returns the offset in `.eh_frame` of the entry that may cover an address.
    fn offset_of(&self, address: FileAddress) -> Option<usize> {
        let end = self.rows.partition_point(|row| self.relative(row.first_chunk::<4>()) <= address.0);
        let row = self.rows.get(end.checked_sub(1)?)?;
        let place = self.relative(row.last_chunk::<4>());
        usize::try_from(place.checked_sub(self.eh_frame)?).ok()
    }
}

fn covers(entry: &Description, address: FileAddress) -> bool {
    address.0.checked_sub(entry.initial_address()).is_some_and(|within| within < entry.len())
}

/// Returns all entries of a section, sorted by address.
fn index<S>(section: &S, bases: &BaseAddresses) -> Vec<Span>
where
    S: UnwindSection<Slice>,
{
    let mut spans = Vec::new();
    let mut entries = section.entries(bases);
    while let Ok(Some(entry)) = entries.next() {
        let gimli::CieOrFde::Fde(partial) = entry else { continue };
        let Ok(entry) = partial.parse(S::cie_from_offset) else { continue };
        let start = entry.initial_address();
        spans.push(Span { start, end: start.saturating_add(entry.len()), offset: entry.offset() });
    }
    spans.sort_by_key(|span| span.start);
    spans
}

fn find(index: &[Span], address: FileAddress) -> Option<usize> {
    let end = index.partition_point(|span| span.start <= address.0);
    let near = index.get(end.saturating_sub(4)..end)?;
    near.iter().rev().find(|span| address.0 < span.end).map(|span| span.offset)
}
