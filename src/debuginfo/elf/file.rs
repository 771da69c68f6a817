//! An ELF file in memory: headers, segments, sections by name (elf(5)). This module does not know DWARF.

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

/// A `SHT_SYMTAB` or `SHT_DYNSYM` section, with its strings.
pub(crate) type SymbolTable = object::read::elf::SymbolTable<'static, Header>;

/// A part of the file that is mapped into memory (`PT_LOAD`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadSegment {
    /// Before the load bias.
    pub addresses: Range<FileAddress>,
    /// The offset of the first byte in the file.
    pub offset: u64,
    /// Bytes that come from the file; the rest is zeros.
    pub file_size: u64,
    /// True if its instructions may be executed.
    pub executable: bool,
    /// True if the program may write to it.
    pub writable: bool,
}

/// A section of the file.
#[derive(Clone, Debug)]
pub struct Section {
    /// Such as `.text`.
    pub name: &'static str,
    /// The addresses before the load bias; empty if the section is not loaded.
    pub addresses: Range<FileAddress>,
    /// True if the section has no bytes in the file (`SHT_NOBITS`).
    pub without_bytes: bool,
    /// True if its instructions may be executed.
    pub executable: bool,
    pub(crate) index: usize,
}

/// An ELF file with its headers parsed.
#[derive(Clone)]
pub struct ElfFile {
    pub(crate) data: Bytes,
    /// The mapping behind `data`.
    map: Option<&'static memmap2::Mmap>,
    watched: Option<Watched>,
    /// Identifies the file and its state; 0 if it is only in memory.
    pub(crate) stamp: u64,
    header: &'static Header,
    pub(crate) endian: Endianness,
    pub(crate) table: SectionTable<'static, Header>,
    /// Frees decompressed bytes after use; `None`: they are kept for good.
    pub(crate) lent: Option<Lent>,
    /// The first part of the file that was refused, and the reason.
    pub(crate) refused: Arc<OnceLock<String>>,
    pub(crate) sections: Vec<Section>,
    pub(crate) segments: Vec<LoadSegment>,
    /// The addresses of instructions: executable sections, or executable segments in a file without sections.
    code: Vec<Range<FileAddress>>,
    pub(crate) interpreter: Option<&'static str>,
    /// Bytes from the start of the program's thread-local segment (`PT_TLS`) to the thread pointer.
    pub(crate) thread_local_size: Option<u64>,
    /// The addresses of the thread-local segment in the file.
    pub(crate) thread_local: Range<u64>,
    /// The address of the program headers in memory, before the load bias.
    pub(crate) program_headers: Option<FileAddress>,
    pub(crate) dynamic: Option<FileAddress>,
    pub(crate) build_id: Option<Bytes>,
}

impl ElfFile {
    /// Opens and maps a file named by another file or by a debuggee.
    pub(crate) fn open(path: &Path) -> Result<Self, ImageError> {
        let unreadable = |reason: String| ImageError::Unreadable { path: path.to_owned(), reason };
        let file = named_file::open(path, LONGEST_IMAGE).map_err(|error| unreadable(error.to_string()))?;
        Self::map(&file, path)
    }

    /// Maps a file. The mapping is never undone: the store keeps every image for the life of the server, and maps each
    /// file once.
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

    /// True if the file was overwritten, and a part that was needed is gone.
    pub(crate) fn is_cut(&self) -> bool {
        self.watched.is_some_and(Watched::is_cut)
    }

    /// Releases the memory of the file's pages in this process; they are read again when touched.
    #[expect(unsafe_code, reason = "advice about a mapping")]
    pub(crate) fn put_away(&self) {
        if let Some(map) = self.map {
            // SAFETY: of a private mapping that was never written to, the pages are read from the file again.
            let _ = unsafe { map.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
        }
    }

    /// Parses the headers of a file that is in memory.
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
        // Without sections there are no symbols, but the file can run.
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
                    // The segment's end is aligned; its start must keep its distance from the end.
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
            // A debug-only file may have no segments.
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

    /// Returns the address of the first instruction of the program.
    pub fn entry(&self) -> FileAddress {
        FileAddress(self.header.e_entry.get(self.endian))
    }

    /// Returns the parts that are mapped into memory, in file order.
    pub fn segments(&self) -> &[LoadSegment] {
        &self.segments
    }

    /// Returns the range from the first mapped byte to the end of the last, before the load bias.
    pub(crate) fn extent(&self) -> Range<FileAddress> {
        let start = self.segments.iter().map(|segment| segment.addresses.start).min().unwrap_or_default();
        let end = self.segments.iter().map(|segment| segment.addresses.end).max().unwrap_or_default();
        start..end
    }

    /// Returns the build-id, if the file has one.
    pub fn build_id(&self) -> Option<&'static [u8]> {
        self.build_id
    }

    /// Returns the requested dynamic linker; `None` for a static program or a library.
    pub fn interpreter(&self) -> Option<&'static str> {
        self.interpreter
    }

    /// Returns the sections, in file order.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// Returns the section that covers an address.
    pub fn section_at(&self, address: FileAddress) -> Option<&Section> {
        self.sections.iter().find(|section| section.addresses.contains(&address))
    }

    /// True if the address is in a stub that jumps into another library (`.plt` and similar sections).
    pub fn is_plt(&self, address: FileAddress) -> bool {
        self.section_at(address).is_some_and(|section| matches!(section.name, ".plt" | ".plt.sec" | ".plt.got"))
    }

    /// True if made by Go's compiler, whose tables remain in stripped programs.
    pub fn is_go(&self) -> bool {
        [".go.buildinfo", ".gopclntab"].iter().any(|name| self.section(name).is_some())
    }

    /// Returns a variable's offset in the thread-local segment. For split units, some compilers give its address in the
    /// file instead.
    pub(crate) fn thread_local_offset(&self, offset: u64) -> u64 {
        let Range { start, end } = self.thread_local;
        if offset >= end - start && (start..end).contains(&offset) { offset - start } else { offset }
    }

    /// Returns the file's bytes that are loaded at an address, to the end of their segment.
    pub fn bytes_at(&self, address: FileAddress) -> Option<&'static [u8]> {
        let segment = self.segment_at(address)?;
        let within = address.0 - segment.addresses.start.0;
        let length = segment.file_size.checked_sub(within)?;
        self.data.read_bytes_at(segment.offset.checked_add(within)?, length).ok()
    }

    fn segment_at(&self, address: FileAddress) -> Option<&LoadSegment> {
        self.segments.iter().find(|segment| segment.addresses.contains(&address))
    }

    /// Reads the memory at an address as it is when the program starts, to the end of the segment; returns the number of
    /// bytes read. The part of a segment that the file leaves out is zero.
    pub fn read_initial(&self, address: FileAddress, into: &mut [u8]) -> usize {
        let Some(segment) = self.segment_at(address) else { return 0 };
        let is_stored = address.0 - segment.addresses.start.0 < segment.file_size;
        let stored = match self.bytes_at(address) {
            Some(stored) => stored,
            None if is_stored => return 0,
            None => &[],
        };
        let length = usize::try_from(segment.addresses.end.0 - address.0).unwrap_or(usize::MAX).min(into.len());
        for (index, byte) in into.iter_mut().take(length).enumerate() {
            *byte = stored.get(index).copied().unwrap_or(0);
        }
        length
    }

    /// True if there is debug information, compressed or not.
    pub(crate) fn has_units(&self) -> bool {
        let has = |section: &&Section| matches!(section.name, ".debug_info" | ".zdebug_info" | ".debug_types");
        self.sections.iter().filter(has).any(|section| !section.without_bytes)
    }

    pub(crate) fn section(&self, name: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.name == name)
    }

    /// Returns a symbol table with its strings.
    pub(crate) fn symbol_table(&self, kind: elf::SectionType) -> Option<SymbolTable> {
        self.table.symbols(self.endian, self.data, kind).ok().filter(|table| !table.is_empty())
    }

    pub(crate) fn endian(&self) -> Endianness {
        self.endian
    }

    /// Prefers sections: an executable segment may begin with the file's headers, so it is less precise.
    fn find_code(&self) -> Vec<Range<FileAddress>> {
        let sections = self.sections.iter().filter(|section| section.executable && !section.addresses.is_empty());
        let code: Vec<_> = sections.map(|section| section.addresses.clone()).collect();
        if !code.is_empty() {
            return code;
        }
        let segments = self.segments.iter().filter(|segment| segment.executable);
        segments.map(|segment| segment.addresses.clone()).collect()
    }

    /// Returns the range from the first to the last byte of the program itself, without the file's headers.
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

    /// Returns the slots that the dynamic linker fills with addresses of symbols: by the slot's address, the symbol's
    /// name, and true if only the procedure linkage table uses the slot.
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

    /// Returns the name and checksum of the separate debug file (`.gnu_debuglink`).
    pub(crate) fn debug_link(&self) -> Option<(&'static str, u32)> {
        let data = self.section_data(".gnu_debuglink");
        let end = data.iter().position(|byte| *byte == 0)?;
        let name = std::str::from_utf8(data.get(..end)?).ok()?;
        let checksum = data.get((end + 4) & !3..)?.first_chunk::<4>()?;
        Some((name, u32::from_le_bytes(*checksum)))
    }
}

/// Returns a number that changes when the file is modified or replaced. The device number is left out, since it differs
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
