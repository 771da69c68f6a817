//! One executable or library: what its headers say, and the doors to what is read on demand.

use super::elf_file::{ElfFile, LoadSegment, Section};
use crate::model::{FileAddress, LocationSpec, SourcePlace};
use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why a file is no image.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImageError {
    /// It cannot be opened or mapped.
    #[error("cannot read {path}: {reason}")]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// In the system's words.
        reason: String,
    },
    /// It is something else.
    #[error("{path} is not an ELF file")]
    NotElf {
        /// Which.
        path: PathBuf,
    },
    /// It is for another processor.
    #[error("{path} is not for x86-64")]
    Architecture {
        /// Which.
        path: PathBuf,
    },
    /// Its headers contradict themselves.
    #[error("{path} is damaged: {reason}")]
    Malformed {
        /// Which.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

impl ImageError {
    pub(super) fn unreadable(path: &Path, error: &std::io::Error) -> Self {
        Self::Unreadable { path: path.to_owned(), reason: error.to_string() }
    }
}

/// A place where a location of the user's is in the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvedSite {
    /// Where to stop: after the prologue, for functions.
    pub address: FileAddress,
    /// The function it is in, demangled.
    pub function: Option<Arc<str>>,
    /// The line there.
    pub source: Option<SourcePlace>,
}

/// A row of the line table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineRow {
    /// The line.
    pub place: SourcePlace,
    /// Whether a stop at its first address is at the beginning of a statement.
    pub is_stmt: bool,
    /// The instructions of the row; the same line may have others.
    pub range: Range<FileAddress>,
}

/// A function that covers an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionAt {
    /// Demangled.
    pub name: Arc<str>,
    /// Where it is entered.
    pub entry: FileAddress,
    /// The contiguous part of it that covers the address.
    pub range: Range<FileAddress>,
    /// Known from debug information, not from the symbol table alone.
    pub described: bool,
}

/// A function at an address, inlined or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlineFrame {
    /// Demangled.
    pub function: Arc<str>,
    /// Where it was called, when it was inlined.
    pub call: Option<SourcePlace>,
    /// The contiguous part of it that covers the address.
    pub range: Range<FileAddress>,
    /// The first of its addresses.
    pub entry: FileAddress,
}

/// An executable or library.
pub struct Image {
    index: u32,
    path: Arc<str>,
    file: ElfFile,
}

impl Image {
    pub(super) fn open(index: u32, file: &File, path: &Path) -> Result<Self, ImageError> {
        Ok(Self { index, path: path.to_string_lossy().into(), file: ElfFile::map(file, path)? })
    }

    /// Its number in a [`TypeId`](crate::engine::native::types::TypeId).
    pub fn index(&self) -> u32 {
        self.index
    }

    /// As it was first opened.
    pub fn path(&self) -> &Arc<str> {
        &self.path
    }

    /// Whether it is loaded with a bias: a position independent executable, or a library.
    pub fn is_pie(&self) -> bool {
        self.file.is_relocatable()
    }

    /// Where execution begins.
    pub fn entry(&self) -> FileAddress {
        self.file.entry()
    }

    /// The parts that are mapped into memory, in the order of the file.
    pub fn segments(&self) -> &[LoadSegment] {
        &self.file.segments
    }

    /// From the first mapped byte to behind the last, before the load bias.
    pub fn extent(&self) -> Range<FileAddress> {
        let start = self.segments().iter().map(|segment| segment.addresses.start).min().unwrap_or_default();
        let end = self.segments().iter().map(|segment| segment.addresses.end).max().unwrap_or_default();
        start..end
    }

    /// The dynamic linker it asks for; `None` when it is static, or a library.
    pub fn interpreter(&self) -> Option<&'static str> {
        self.file.interpreter
    }

    /// Its sections.
    pub fn sections(&self) -> &[Section] {
        &self.file.sections
    }

    /// The section that covers an address.
    pub fn section_at(&self, address: FileAddress) -> Option<&Section> {
        self.file.sections.iter().find(|section| section.addresses.contains(&address))
    }

    /// The bytes that the file puts at an address, to the end of their segment.
    pub fn bytes_at(&self, address: FileAddress) -> Option<&'static [u8]> {
        self.file.bytes_at(address)
    }

    pub(super) fn file(&self) -> &ElfFile {
        &self.file
    }

    /// Reads and indexes all that a first stop will ask for. Meant to be called on a thread that may take its time;
    /// asking meanwhile is safe.
    pub fn prepare(&self) {}

    /// Whether lines and variables are known.
    pub fn has_debug_information(&self) -> bool {
        false
    }

    /// Where a function or a line is; nothing when this file knows no such place. `Line` and `Address` need more than
    /// one file knows and give nothing.
    pub fn resolve(&self, _location: &LocationSpec) -> Vec<ResolvedSite> {
        Vec::new()
    }

    /// The row of the line table that covers an address.
    pub fn line_at(&self, _address: FileAddress) -> Option<LineRow> {
        None
    }

    /// All instructions of the line that covers an address, within its function: what `step` runs through.
    pub fn stepping_ranges(&self, _address: FileAddress) -> Vec<Range<FileAddress>> {
        Vec::new()
    }

    /// The function (not inlined) that covers an address.
    pub fn function_at(&self, _address: FileAddress) -> Option<FunctionAt> {
        None
    }

    /// The functions at an address, innermost inlined first, the one that is not inlined last; empty without debug
    /// information.
    pub fn inline_frames(&self, _address: FileAddress) -> Vec<InlineFrame> {
        Vec::new()
    }

    /// Where a function that is entered at this address has made its frame: where gdb puts a breakpoint.
    pub fn after_prologue(&self, entry: FileAddress) -> FileAddress {
        entry
    }

    /// The symbol that covers an address, code or data, and the distance into it; demangled.
    pub fn symbol_at(&self, _address: FileAddress) -> Option<(Arc<str>, u64)> {
        None
    }

    /// Where a symbol is, by its name in the symbol table or its demangled name.
    pub fn symbol(&self, _name: &str) -> Option<FileAddress> {
        None
    }

    /// Whether the address is in a stub that jumps into another library (`.plt` and its kin).
    pub fn is_plt(&self, address: FileAddress) -> bool {
        self.section_at(address).is_some_and(|section| matches!(section.name, ".plt" | ".plt.sec" | ".plt.got"))
    }

    /// Names of functions that begin so, in order, at most `limit`.
    pub fn function_names(&self, _prefix: &str, _limit: usize) -> Vec<Arc<str>> {
        Vec::new()
    }

    /// The sources its code is from, absolute.
    pub fn source_files(&self) -> Vec<Arc<str>> {
        Vec::new()
    }
}

impl std::fmt::Debug for Image {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Image").field("index", &self.index).field("path", &self.path).finish_non_exhaustive()
    }
}
