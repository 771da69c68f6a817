//! An ELF file in memory: headers, segments, sections by name (elf(5)). Nothing here knows DWARF.

use super::compressed::Bytes;
use super::compressed::Lent;
use super::truncated_files::Watched;
use crate::images::error::ImageError;
use crate::named_file::{self, LONGEST_IMAGE};
use model::FileAddress;
use object::elf;
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader, SectionTable, Sym};
use object::{Endianness, ReadRef};
use rustc_hash::{FxHashMap, FxHasher};
use std::fs::File;
use std::hash::{Hash as _, Hasher as _};
use std::ops::Range;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::{Arc, OnceLock};

type Header = elf::FileHeader64<Endianness>;

/// `SHT_SYMTAB` or `SHT_DYNSYM`, with the names.
pub(crate) type SymbolTable = object::read::elf::SymbolTable<'static, Header>;

/// A part of the file that is mapped into memory (`PT_LOAD`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadSegment {
    /// Where, before the load bias.
    pub addresses: Range<FileAddress>,
    /// Offset of its first byte in the file.
    pub offset: u64,
    /// Bytes that come from the file; the rest is zero.
    pub file_size: u64,
    /// Instructions in it may be executed.
    pub executable: bool,
    /// The program may write to it.
    pub writable: bool,
}

/// A section of the file.
#[derive(Clone, Debug)]
pub struct Section {
    /// `.text` and the like.
    pub name: &'static str,
    /// Where it is loaded, before the load bias; empty when it is not.
    pub addresses: Range<FileAddress>,
    /// `SHT_NOBITS`: it has no bytes in the file.
    pub without_bytes: bool,
    /// Instructions in it may be executed.
    pub executable: bool,
    pub(crate) index: usize,
}

/// An ELF file, its headers read.
#[derive(Clone)]
pub struct ElfFile {
    pub(crate) data: Bytes,
    /// The mapping behind `data`.
    map: Option<&'static memmap2::Mmap>,
    watched: Option<Watched>,
    /// Identifies the file and its state; 0 when it is in memory alone.
    pub(crate) stamp: u64,
    header: &'static Header,
    pub(crate) endian: Endianness,
    pub(crate) table: SectionTable<'static, Header>,
    /// Gives decompressed bytes back; `None`: they are kept for good.
    pub(crate) lent: Option<Lent>,
    /// The first thing of it that is not read, although it is there; why.
    pub(crate) refused: Arc<OnceLock<String>>,
    pub(crate) sections: Vec<Section>,
    pub(crate) segments: Vec<LoadSegment>,
    /// Where instructions are: the sections of them, or the executable segments of a file without sections.
    code: Vec<Range<FileAddress>>,
    pub(crate) interpreter: Option<&'static str>,
    /// Bytes from the beginning of the thread-local segment (`PT_TLS`) of a program to the thread pointer.
    pub(crate) thread_local_size: Option<u64>,
    /// The addresses that the thread-local segment has in the file.
    pub(crate) thread_local: Range<u64>,
    /// The address of the program headers in memory, before the load bias.
    pub(crate) program_headers: Option<FileAddress>,
    pub(crate) dynamic: Option<FileAddress>,
    pub(crate) build_id: Option<Bytes>,
}

impl ElfFile {
    /// Opens and maps a file that another file, or a debuggee, names.
    pub(crate) fn open(path: &Path) -> Result<Self, ImageError> {
        let unreadable = |reason: String| ImageError::Unreadable { path: path.to_owned(), reason };
        let file = named_file::open(path, LONGEST_IMAGE).map_err(|error| unreadable(error.to_string()))?;
        Self::map(&file, path)
    }

    /// Maps a file. The mapping is never undone: the store keeps every image for the life of the server, and only one
    /// of each file.
    #[expect(unsafe_code, reason = "mapping a file")]
    pub(crate) fn map(file: &File, path: &Path) -> Result<Self, ImageError> {
        let there = file.metadata().map_err(|error| ImageError::unreadable(path, &error))?;
        if there.len() == 0 {
            return Err(ImageError::NotElf { path: path.to_owned() });
        }
        // SAFETY: the mapping is private and read-only, and what a file loses that is cut in place is zeros.
        let map = unsafe { memmap2::Mmap::map(file) }.map_err(|error| ImageError::unreadable(path, &error))?;
        let map: &'static memmap2::Mmap = Box::leak(Box::new(map));
        let watched = Watched::new(map);
        Ok(Self { map: Some(map), watched, stamp: stamp(&there), ..Self::parse(map, path)? })
    }

    /// The file was written over: something that was wanted of it is not there any more.
    pub(crate) fn is_cut(&self) -> bool {
        self.watched.is_some_and(Watched::is_cut)
    }

    /// Gives the memory back that the pages of the file take in this process: whoever touches one again gets it again.
    #[expect(unsafe_code, reason = "advice about a mapping")]
    pub(crate) fn put_away(&self) {
        if let Some(map) = self.map {
            // SAFETY: of a private mapping that was never written to, the pages are read from the file again.
            let _ = unsafe { map.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
        }
    }

    /// Reads the headers of a file that is in memory.
    pub(crate) fn parse(data: Bytes, path: &Path) -> Result<Self, ImageError> {
        let malformed =
            |error: object::read::Error| ImageError::Malformed { path: path.to_owned(), reason: error.to_string() };
        match (data.get(..4), data.get(4)) {
            (Some(b"\x7fELF"), Some(&2)) => {}
            (Some(b"\x7fELF"), _) => return Err(ImageError::Architecture { path: path.to_owned() }),
            _ => return Err(ImageError::NotElf { path: path.to_owned() }),
        }
        let header = Header::parse(data).map_err(malformed)?;
        let endian = header.endian().map_err(malformed)?;
        if header.e_machine.get(endian) != elf::EM_X86_64 || endian != Endianness::Little {
            return Err(ImageError::Architecture { path: path.to_owned() });
        }
        // Without sections there are no symbols, but the file can be run.
        let table = header.sections(endian, data).unwrap_or_default();
        let mut file = Self {
            data,
            map: None,
            watched: None,
            stamp: 0,
            header,
            endian,
            table,
            lent: None,
            refused: Arc::default(),
            sections: Vec::new(),
            segments: Vec::new(),
            code: Vec::new(),
            interpreter: None,
            thread_local_size: None,
            thread_local: 0..0,
            program_headers: None,
            dynamic: None,
            build_id: None,
        };
        file.read_segments().map_err(malformed)?;
        file.read_sections();
        file.code = file.find_code();
        Ok(file)
    }

    fn read_segments(&mut self) -> object::read::Result<()> {
        let (endian, data) = (self.endian, self.data);
        let table_offset = self.header.e_phoff.get(endian);
        for segment in self.header.program_headers(endian, data)? {
            let address = segment.p_vaddr(endian);
            let (offset, file_size) = segment.file_range(endian);
            match segment.p_type(endian) {
                elf::PT_LOAD => {
                    let flags = segment.p_flags(endian);
                    let end = address.saturating_add(segment.p_memsz(endian));
                    if let Some(within) = table_offset.checked_sub(offset)
                        && within < file_size
                    {
                        self.program_headers = Some(FileAddress(address.wrapping_add(within)));
                    }
                    self.segments.push(LoadSegment {
                        addresses: FileAddress(address)..FileAddress(end),
                        offset,
                        file_size,
                        executable: flags.contains(elf::PF_X),
                        writable: flags.contains(elf::PF_W),
                    });
                }
                elf::PT_INTERP => self.interpreter = segment.interpreter(endian, data).ok().flatten().and_then(text),
                elf::PT_TLS => {
                    self.thread_local = address..address.saturating_add(segment.p_memsz(endian));
                    let align = segment.p_align(endian).max(1);
                    // The end is aligned, and the beginning is to be as far from it as it is in the file.
                    let past = address.wrapping_add(segment.p_memsz(endian));
                    let padding = past.wrapping_neg() % align;
                    self.thread_local_size = Some(segment.p_memsz(endian).wrapping_add(padding));
                }
                elf::PT_DYNAMIC => self.dynamic = Some(FileAddress(address)),
                elf::PT_NOTE => {
                    if let Ok(Some(notes)) = segment.notes(endian, data) {
                        self.build_id = build_id(endian, notes).or(self.build_id);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn read_sections(&mut self) {
        let endian = self.endian;
        for (index, section) in self.table.enumerate() {
            let Some(name) = self.table.section_name(endian, section).ok().and_then(text) else { continue };
            // A file with debug information alone may have no segments.
            if self.build_id.is_none()
                && let Ok(Some(notes)) = section.notes(endian, self.data)
            {
                self.build_id = build_id(endian, notes);
            }
            let address = section.sh_addr(endian);
            let flags = section.sh_flags(endian);
            let size = if flags.contains(elf::SHF_ALLOC) { section.sh_size(endian) } else { 0 };
            self.sections.push(Section {
                name,
                addresses: FileAddress(address)..FileAddress(address.saturating_add(size)),
                without_bytes: section.sh_type(endian) == elf::SHT_NOBITS,
                executable: flags.contains(elf::SHF_EXECINSTR),
                index: index.0,
            });
        }
    }

    /// Where the program begins to execute.
    pub fn entry(&self) -> FileAddress {
        FileAddress(self.header.e_entry.get(self.endian))
    }

    /// The parts that are mapped into memory, in the order of the file.
    pub fn segments(&self) -> &[LoadSegment] {
        &self.segments
    }

    /// From the first mapped byte to behind the last, before the load bias.
    pub(crate) fn extent(&self) -> Range<FileAddress> {
        let start = self.segments.iter().map(|segment| segment.addresses.start).min().unwrap_or_default();
        let end = self.segments.iter().map(|segment| segment.addresses.end).max().unwrap_or_default();
        start..end
    }

    /// The dynamic linker it asks for; `None` when it is static, or a library.
    pub fn interpreter(&self) -> Option<&'static str> {
        self.interpreter
    }

    /// The sections, in the order of the file.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// The section that covers an address.
    pub fn section_at(&self, address: FileAddress) -> Option<&Section> {
        self.sections.iter().find(|section| section.addresses.contains(&address))
    }

    /// The address is in a stub that jumps into another library (`.plt` and its kin).
    pub fn is_plt(&self, address: FileAddress) -> bool {
        self.section_at(address).is_some_and(|section| matches!(section.name, ".plt" | ".plt.sec" | ".plt.got"))
    }

    /// Made by Go's compiler: its tables are there in stripped programs, too.
    pub fn is_go(&self) -> bool {
        [".go.buildinfo", ".gopclntab"].iter().any(|name| self.section(name).is_some())
    }

    /// Where in the thread-local segment a variable is. Some compilers say for split units where that is in the file
    /// instead.
    pub(crate) fn thread_local_offset(&self, offset: u64) -> u64 {
        let Range { start, end } = self.thread_local;
        if offset >= end - start && (start..end).contains(&offset) { offset - start } else { offset }
    }

    /// The bytes of the file that are loaded at an address, to the end of their segment.
    pub fn bytes_at(&self, address: FileAddress) -> Option<&'static [u8]> {
        let segment = self.segments.iter().find(|segment| segment.addresses.contains(&address))?;
        let within = address.0 - segment.addresses.start.0;
        let length = segment.file_size.checked_sub(within)?;
        self.data.read_bytes_at(segment.offset.checked_add(within)?, length).ok()
    }

    /// Has debug information, compressed or not.
    pub(crate) fn has_units(&self) -> bool {
        let has = |section: &&Section| matches!(section.name, ".debug_info" | ".zdebug_info" | ".debug_types");
        self.sections.iter().filter(has).any(|section| !section.without_bytes)
    }

    pub(crate) fn section(&self, name: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.name == name)
    }

    /// A table of symbols with its strings.
    pub(crate) fn symbol_table(&self, kind: elf::SectionType) -> Option<SymbolTable> {
        self.table.symbols(self.endian, self.data, kind).ok().filter(|table| !table.is_empty())
    }

    pub(crate) fn endian(&self) -> Endianness {
        self.endian
    }

    /// An executable segment may begin with the headers of the file, so that it tells less than its sections.
    fn find_code(&self) -> Vec<Range<FileAddress>> {
        let sections = self.sections.iter().filter(|section| section.executable && !section.addresses.is_empty());
        let code: Vec<_> = sections.map(|section| section.addresses.clone()).collect();
        if !code.is_empty() {
            return code;
        }
        let segments = self.segments.iter().filter(|segment| segment.executable);
        segments.map(|segment| segment.addresses.clone()).collect()
    }

    /// From the first byte to the last that the program itself has, without the headers of the file.
    pub(crate) fn contents(&self) -> Range<FileAddress> {
        let sections = || self.sections.iter().map(|section| &section.addresses).filter(|section| !section.is_empty());
        let segments = || self.segments.iter().map(|segment| &segment.addresses);
        let start = sections().map(|part| part.start).min().or_else(|| segments().map(|part| part.start).min());
        let end = sections().chain(segments()).map(|part| part.end).max();
        start.unwrap_or_default()..end.unwrap_or_default()
    }

    pub(crate) fn is_executable(&self, address: FileAddress) -> bool {
        self.code.iter().any(|code| code.contains(&address))
    }

    /// The slots that the dynamic linker fills with the addresses of symbols: address of the slot, name of the symbol, and
    /// whether it is of the procedure linkage table alone.
    pub(crate) fn slot_names(&self) -> FxHashMap<u64, (&'static str, bool)> {
        let mut slots = FxHashMap::default();
        let Some(symbols) = self.symbol_table(elf::SHT_DYNSYM) else { return slots };
        for section in self.table.iter() {
            let Ok(Some((relocations, _))) = section.rela(self.endian, self.data) else { continue };
            for relocation in relocations {
                let kind = relocation.r_type(self.endian, false);
                if kind != elf::R_X86_64_JUMP_SLOT && kind != elf::R_X86_64_GLOB_DAT {
                    continue;
                }
                let index = object::SymbolIndex(relocation.r_sym(self.endian, false) as usize);
                let symbol = symbols.symbol(index).ok();
                let name = symbol.and_then(|symbol| symbol.name(self.endian, symbols.strings()).ok()).and_then(text);
                if let Some(name) = name {
                    slots.insert(relocation.r_offset.get(self.endian), (name, kind == elf::R_X86_64_JUMP_SLOT));
                }
            }
        }
        slots
    }

    /// File name and checksum of the separate debug information (`.gnu_debuglink`).
    pub(crate) fn debug_link(&self) -> Option<(&'static str, u32)> {
        let data = self.section_data(".gnu_debuglink");
        let end = data.iter().position(|byte| *byte == 0)?;
        let name = std::str::from_utf8(data.get(..end)?).ok()?;
        let checksum = data.get((end + 4) & !3..)?.first_chunk::<4>()?;
        Some((name, u32::from_le_bytes(*checksum)))
    }
}

/// Changes when a file is written to or another takes its place. The number of the device is left out: it differs
/// between hosts that share a file system.
fn stamp(there: &std::fs::Metadata) -> u64 {
    let mut hasher = FxHasher::default();
    (there.ino(), there.len()).hash(&mut hasher);
    (there.mtime(), there.mtime_nsec(), there.ctime(), there.ctime_nsec()).hash(&mut hasher);
    hasher.finish()
}

fn build_id(endian: Endianness, mut notes: object::read::elf::NoteIterator<'static, Header>) -> Option<Bytes> {
    while let Ok(Some(note)) = notes.next() {
        if note.name() == elf::ELF_NOTE_GNU && note.n_type(endian) == elf::NT_GNU_BUILD_ID {
            return Some(note.desc());
        }
    }
    None
}

fn text(bytes: &'static [u8]) -> Option<&'static str> {
    std::str::from_utf8(bytes).ok()
}
