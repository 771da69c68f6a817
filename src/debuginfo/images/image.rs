//! One executable or library: its headers, and access to the content read on demand.

use super::blocking_reads;
use super::error::ImageError;
use super::places::{Defined, FunctionAt, InlineFrame, LineRow};
use super::separate_file::SeparateFile;
use crate::demangle::symbol::{demangle, in_the_source, shown, shown_whole};
use crate::dwarf::debug_info::DebugInformation;
use crate::dwarf::entry::Entry;
use crate::dwarf::entry::EntryId;
use crate::dwarf::unit::Unit;
use crate::elf::file::ElfFile;
use crate::elf::symbols::ElfSymbols;
use crate::functions::entries::scopes_at;
use crate::functions::ranges::Span;
use crate::index::cache::IndexCache;
use crate::index::unit_index::UnitIndex;
use crate::lines::prologue;
use crate::listing::found::KeptSearch;
use crate::types::description::Type;
use crate::unwind::call_frames::CallFrames;
use model::{FileAddress, SourcePlace};
use rustc_hash::FxHashMap;
use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock, RwLock};

/// An executable or library.
pub struct Image {
    index: u32,
    path: Arc<str>,
    pub(crate) file: ElfFile,
    pub(crate) separate: SeparateFile,
    symbols: OnceLock<ElfSymbols>,
    pub(crate) units: OnceLock<Option<Box<UnitIndex>>>,
    call_frames: OnceLock<CallFrames>,
    /// By offset in the debug information.
    pub(super) types: RwLock<FxHashMap<u64, Arc<Type>>>,
    pub(crate) main: OnceLock<Option<FileAddress>>,
    /// True once [`Image::prepare`] has finished or was abandoned.
    pub(crate) prepared: AtomicBool,
    cache: Option<IndexCache>,
    pub(crate) searched: KeptSearch,
}

impl Image {
    pub(crate) fn open(index: u32, file: &File, path: &Path, cache: Option<IndexCache>) -> Result<Self, ImageError> {
        Ok(Self { cache, ..Self::new(index, path.to_string_lossy().into(), ElfFile::map(file, path)?) })
    }

    pub(crate) fn of_bytes(index: u32, bytes: &'static [u8], name: &str) -> Result<Self, ImageError> {
        Ok(Self::new(index, name.into(), ElfFile::parse(bytes, Path::new(name))?))
    }

    fn new(index: u32, path: Arc<str>, file: ElfFile) -> Self {
        let (separate, symbols, units, call_frames, types, main, prepared) = Default::default();
        let searched = KeptSearch::default();
        Self { index, path, file, separate, symbols, units, call_frames, types, main, prepared, cache: None, searched }
    }

    /// Returns the file's number in a [`TypeId`](crate::types::TypeId).
    pub fn index(&self) -> u32 {
        self.index
    }

    /// Returns the ELF file itself, without separate debug information.
    pub fn file(&self) -> &ElfFile {
        &self.file
    }

    /// Returns the path by which the file was first opened.
    pub fn path(&self) -> &Arc<str> {
        &self.path
    }

    /// Returns the debug information, from the file itself or from its separate debug file.
    pub(crate) fn debug(&self) -> Option<&DebugInformation> {
        self.units().map(|units| &units.debug)
    }

    /// Returns the units of the debug information, indexed by their contents.
    pub(crate) fn units(&self) -> Option<&UnitIndex> {
        let read = || {
            blocking_reads::reads(|| format!("the debug information of {}", self.path));
            let cache = self.cache.as_ref();
            let own = UnitIndex::open(&self.file, Path::new(&*self.path), cache);
            own.or_else(|| {
                self.separate.of(&self.file, &self.path).and_then(|(file, path)| UnitIndex::open(file, path, cache))
            })
        };
        self.units.get_or_init(|| read().map(Box::new)).as_deref()
    }

    pub(crate) fn symbols(&self) -> &ElfSymbols {
        self.symbols.get_or_init(|| {
            blocking_reads::reads(|| format!("the symbols of {}", self.path));
            ElfSymbols::read(&self.file, self.separate.file(&self.file, &self.path))
        })
    }

    pub(crate) fn call_frames(&self) -> &CallFrames {
        self.call_frames.get_or_init(|| {
            blocking_reads::reads(|| format!("the call frames of {}", self.path));
            CallFrames::read(&self.file, self.separate.file(&self.file, &self.path))
        })
    }

    /// Releases the memory of data that was needed only once.
    pub(crate) fn put_away(&self) {
        self.file.put_away();
        if let Some(file) = self.separate.file(&self.file, &self.path) {
            file.put_away();
        }
    }

    /// True if lines and variables are known.
    pub fn has_debug_information(&self) -> bool {
        self.file.has_units() || self.separate.of(&self.file, &self.path).is_some()
    }

    /// Returns the line table's row that covers an address.
    pub fn line_at(&self, address: FileAddress) -> Option<LineRow> {
        let units = self.units()?;
        let debug = &units.debug;
        units.units_at(address).find_map(|unit| {
            let lines = unit.lines(debug);
            let (row, range) = lines.covering(address)?;
            let file = lines.files.get(row.file as usize)?;
            let place = SourcePlace { file: Arc::clone(file.absolute()), line: row.line };
            Some(LineRow { place, is_stmt: row.is_stmt, range })
        })
    }

    /// Returns all instructions of the line that covers an address, within its function: the range for `step`. Empty if
    /// there is no line.
    pub fn stepping_ranges(&self, address: FileAddress) -> Vec<Range<FileAddress>> {
        let Some(units) = self.units() else { return Vec::new() };
        let debug = &units.debug;
        for unit in units.units_at(address) {
            let lines = unit.lines(debug);
            let Some((row, own)) = lines.covering(address) else { continue };
            let functions = unit.functions(debug);
            let Some(function) = functions.covering(address) else { return vec![own] };
            let parts = functions.spans().filter(|span| span.offset == function.offset);
            let mut ranges: Vec<Range<FileAddress>> = Vec::new();
            for part in parts {
                let part = FileAddress(part.start)..FileAddress(part.end);
                for (_, range) in lines.rows_in(&part).filter(|(_, range)| !range.is_empty()) {
                    // Of several rows at one address, another may take precedence.
                    if lines.covering(range.start).is_none_or(|(own, _)| (own.line, own.file) != (row.line, row.file)) {
                        continue;
                    }
                    ranges.push(range.start..range.end.min(part.end));
                }
            }
            return ranges;
        }
        Vec::new()
    }

    /// Returns the function (not inlined) that covers an address.
    pub fn function_at(&self, address: FileAddress) -> Option<FunctionAt> {
        if let Some((debug, unit, span)) = self.span_at(address) {
            let id = EntryId { unit: unit.index, offset: span.offset };
            if let Some(name) = debug.shown_name(id) {
                let range = FileAddress(span.start)..FileAddress(span.end);
                return Some(FunctionAt { name, entry: FileAddress(span.entry), range, described: true });
            }
        }
        if let Some((name, within)) = self.symbols().stub(address) {
            let start = FileAddress(address.0 - within);
            return Some(FunctionAt { name, entry: start, range: start..FileAddress(start.0 + 16), described: false });
        }
        let symbol = self.symbols().covering(address).filter(|symbol| symbol.is_function)?;
        let end = FileAddress(symbol.address.0.saturating_add(symbol.size.max(1)));
        let range = symbol.address..end.max(FileAddress(address.0.saturating_add(1)));
        Some(FunctionAt { name: shown(symbol.name).into(), entry: symbol.address, range, described: false })
    }

    /// Returns the unit and the function that cover an address, from the debug information.
    pub(crate) fn span_at(&self, address: FileAddress) -> Option<(&DebugInformation, &Unit, Span)> {
        let units = self.units()?;
        let debug = &units.debug;
        units.units_at(address).find_map(|unit| Some((debug, unit, *unit.functions(debug).covering(address)?)))
    }

    /// Returns the functions at an address, innermost inlined first, the one that is not inlined last; empty without
    /// debug information.
    pub fn inline_frames(&self, address: FileAddress) -> Vec<InlineFrame> {
        let Some((debug, unit, span)) = self.span_at(address) else { return Vec::new() };
        let name = |offset| debug.shown_name(EntryId { unit: unit.index, offset }).unwrap_or_else(|| "??".into());
        let mut frames = vec![InlineFrame {
            function: name(span.offset),
            call: None,
            range: FileAddress(span.start)..FileAddress(span.end),
            entry: FileAddress(span.entry),
        }];
        for scope in scopes_at(debug, unit, span.offset, address) {
            if scope.entry.tag() != gimli::DW_TAG_inlined_subroutine {
                continue;
            }
            let part = scope.ranges.iter().find(|range| range.contains(&address.0)).cloned().unwrap_or_default();
            frames.push(InlineFrame {
                function: name(scope.entry.offset()),
                call: call_site(debug, unit, &scope.entry),
                range: FileAddress(part.start)..FileAddress(part.end),
                entry: FileAddress(debug.entry_address(unit, &scope.entry, &scope.ranges).unwrap_or(part.start)),
            });
        }
        frames.reverse();
        frames
    }

    /// Returns the number of functions inlined at an address.
    pub fn inline_count(&self, address: FileAddress) -> u32 {
        let Some((debug, unit, span)) = self.span_at(address) else { return 0 };
        let scopes = scopes_at(debug, unit, span.offset, address);
        scopes.iter().filter(|scope| scope.entry.tag() == gimli::DW_TAG_inlined_subroutine).count() as u32
    }

    /// Returns the entry of the function that covers an address.
    pub fn function_entry(&self, address: FileAddress) -> Option<FileAddress> {
        if let Some((_, _, span)) = self.span_at(address) {
            return Some(FileAddress(span.entry));
        }
        self.symbols().covering(address).filter(|symbol| symbol.is_function).map(|symbol| symbol.address)
    }

    /// Returns the address after the prologue of the function with this entry, where gdb puts a breakpoint.
    pub fn after_prologue(&self, entry: FileAddress) -> FileAddress {
        prologue::after_prologue(&self.file, self.units(), entry)
    }

    /// Returns the address where a step into the function with this entry ends.
    pub fn stepped_into(&self, entry: FileAddress) -> FileAddress {
        prologue::stepped_into(&self.file, self.units(), entry)
    }

    /// Returns the demangled symbol, code or data, that covers an address, and the offset into it. Stubs are
    /// `name@plt`, the slots that they jump through `name@got[plt]`.
    pub fn symbol_at(&self, address: FileAddress) -> Option<(Arc<str>, u64)> {
        if let Some(named) = self.symbols().stub(address).or_else(|| self.symbols().slot(address)) {
            return Some(named);
        }
        // Data without a size is a linker's mark, which covers nothing.
        let symbol = self.symbols().covering(address).filter(|symbol| symbol.is_function || symbol.size > 0)?;
        let described = self.span_at(address).filter(|_| symbol.is_function);
        if let Some((debug, unit, span)) = described
            && unit.language.shows_described_names()
            && span.entry == symbol.address.0
        {
            let name = debug.shown_with_parameters(EntryId { unit: unit.index, offset: span.offset })?;
            return Some((name, address.0 - span.entry));
        }
        // A name that looks as if the compiler had added something may be the function's own: `f._omp_fn.0`.
        let own_name = described.filter(|(.., span)| span.entry == symbol.address.0).and_then(|(debug, unit, span)| {
            let name = debug.base_name(EntryId { unit: unit.index, offset: span.offset })?;
            (name == symbol.name.as_bytes()).then(|| String::from_utf8_lossy(name).into_owned())
        });
        if let Some(name) = own_name {
            return Some((name.into(), address.0 - symbol.address.0));
        }
        let name = if described.is_some() { demangle(in_the_source(symbol.name)) } else { shown_whole(symbol.name) };
        Some((name.into(), address.0 - symbol.address.0))
    }

    /// Returns the address of a symbol by its exact name in the symbol table.
    pub fn symbol(&self, name: &str) -> Option<FileAddress> {
        self.symbols().exactly(name).map(|symbol| symbol.address)
    }

    /// Returns the address of the stub by which the file calls a function of another one.
    pub fn stub_of(&self, name: &str) -> Option<FileAddress> {
        self.symbols().stub_of(name)
    }

    /// Looks up a definition in the symbol table.
    pub fn defined(&self, name: &str) -> Option<Defined> {
        let symbol = self.symbols().exactly(name)?;
        Some(Defined { address: symbol.address, is_indirect: symbol.is_indirect })
    }
}

fn call_site(debug: &DebugInformation, unit: &Unit, inlined: &Entry) -> Option<SourcePlace> {
    let line = inlined.attr_value(gimli::DW_AT_call_line)?.udata_value().filter(|line| *line != 0)? as u32;
    let file = match inlined.attr_value(gimli::DW_AT_call_file)? {
        gimli::AttributeValue::FileIndex(index) => index,
        value => value.udata_value()?,
    };
    let name = unit.lines(debug).files.get(file as usize)?;
    Some(SourcePlace { file: Arc::clone(name.absolute()), line })
}

impl std::fmt::Debug for Image {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Image").field("index", &self.index).field("path", &self.path).finish_non_exhaustive()
    }
}
