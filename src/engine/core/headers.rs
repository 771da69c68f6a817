//! The headers of an ELF core file (elf(5)). Every number in them may be wrong: nothing is read that the file does not
//! have, and only as much as a limit allows.

use super::fault::CoreFileFault;
use super::little_endian::{half, long, word};
use std::fs::File;
use std::os::unix::fs::FileExt;

/// The size of the header of a file, of a segment and of a section.
const HEADER: usize = 64;
const PROGRAM_HEADER: usize = 56;
/// More than the kernel allows mappings in a process by default (`vm.max_map_count`) and on large systems.
const MOST_SEGMENTS: u64 = 1 << 20;
const PT_LOAD: u32 = 1;
const PT_NOTE: u32 = 4;
/// The number of program headers is in the first section header (elf(5), `PN_XNUM`).
const PN_XNUM: u16 = 0xffff;

/// A part of the memory, and where the file has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) start: u64,
    /// The end in memory.
    pub(super) end: u64,
    /// The end of the bytes that the file has; behind them, the content is unknown.
    pub(super) stored_end: u64,
    pub(super) offset: u64,
    pub(super) writable: bool,
    pub(super) executable: bool,
}

/// The headers of a core file.
#[derive(Debug, Default)]
pub(super) struct Headers {
    /// By address.
    pub(super) segments: Vec<Segment>,
    /// Offset and size of the notes.
    pub(super) notes: Vec<(u64, u64)>,
    /// The size of the file according to its headers.
    pub(super) wanted_size: u64,
    /// In words, what is wrong with the headers.
    pub(super) damage: Vec<&'static str>,
}

impl Headers {
    /// Reads the headers of a file.
    pub(super) fn read(file: &File, length: u64, path: &str) -> Result<Self, CoreFileFault> {
        let damaged = |reason: &str| CoreFileFault::Damaged { path: path.to_owned(), reason: reason.to_owned() };
        let mut header = [0; HEADER];
        let has = usize::try_from(length).unwrap_or(HEADER).min(HEADER);
        let (there, _) = header.split_at_mut(has);
        let unreadable =
            |error: std::io::Error| CoreFileFault::Unreadable { path: path.to_owned(), reason: error.to_string() };
        file.read_exact_at(there, 0).map_err(unreadable)?;
        check_kind(&header, path)?;
        if has < HEADER {
            return Err(damaged("it is cut off in its first header"));
        }
        let (table, size) = (long(&header, 32).unwrap_or(0), usize::from(half(&header, 54).unwrap_or(0)));
        let mut count = u64::from(half(&header, 56).unwrap_or(0));
        if count == u64::from(PN_XNUM) {
            let section = long(&header, 40).unwrap_or(0);
            let mut bytes = [0; 4];
            let counted = section.checked_add(44).and_then(|at| file.read_exact_at(&mut bytes, at).ok());
            counted.ok_or_else(|| damaged("it is cut off: the number of its segments is missing"))?;
            count = u64::from(u32::from_le_bytes(bytes));
        }
        if size != PROGRAM_HEADER {
            return Err(damaged("its headers have a size that no core file has"));
        }
        let mut headers = Self::default();
        let room = length.saturating_sub(table) / PROGRAM_HEADER as u64;
        let known = count.min(MOST_SEGMENTS).min(room);
        if known < count {
            let why = if count > MOST_SEGMENTS { "it claims too many segments" } else { "its headers are cut off" };
            headers.damage.push(why);
        }
        let mut bytes = vec![0; usize::try_from(known).unwrap_or(0) * PROGRAM_HEADER];
        file.read_exact_at(&mut bytes, table).map_err(unreadable)?;
        for header in bytes.chunks_exact(PROGRAM_HEADER) {
            headers.add(header, length);
        }
        headers.segments.sort_by_key(|segment| segment.start);
        if headers.segments.windows(2).any(|pair| matches!(pair, [one, next] if next.start < one.end)) {
            headers.damage.push("its segments overlap");
        }
        Ok(headers)
    }

    fn add(&mut self, header: &[u8], length: u64) {
        let number = |at| long(header, at).unwrap_or(0);
        let (kind, rights) = (word(header, 0).unwrap_or(0), word(header, 4).unwrap_or(0));
        let (offset, start, stored, size) = (number(8), number(16), number(32), number(40));
        match kind {
            PT_NOTE => self.notes.push((offset, stored)),
            PT_LOAD if size > 0 => {
                let Some(end) = start.checked_add(size) else {
                    return self.damage.push("a segment is larger than the address space");
                };
                let there = stored.min(size).min(length.saturating_sub(offset));
                self.segments.push(Segment {
                    start,
                    end,
                    stored_end: start + there,
                    offset,
                    writable: rights & 2 != 0,
                    executable: rights & 1 != 0,
                });
            }
            _ => return,
        }
        if stored > 0 {
            self.wanted_size = self.wanted_size.max(offset.saturating_add(stored));
        }
    }
}

/// Fails unless a header is that of a core file of this architecture.
fn check_kind(header: &[u8; HEADER], path: &str) -> Result<(), CoreFileFault> {
    const COMPRESSED: [(&[u8], &str); 5] = [
        (b"\x28\xb5\x2f\xfd", "zstd"),
        (b"\xfd7zXZ", "xz"),
        (b"\x1f\x8b", "gzip"),
        (b"\x04\x22\x4d\x18", "lz4"),
        (b"BZh", "bzip2"),
    ];
    let path = || path.to_owned();
    if let Some((_, format)) = COMPRESSED.iter().find(|(magic, _)| header.starts_with(magic)) {
        return Err(CoreFileFault::Compressed { path: path(), format });
    }
    if !header.starts_with(b"\x7fELF") {
        return Err(CoreFileFault::NotElf { path: path() });
    }
    const LITTLE_ENDIAN_64: &[u8] = &[2, 1];
    const EM_X86_64: u16 = 62;
    if header.get(4..6) != Some(LITTLE_ENDIAN_64) || half(header, 18) != Some(EM_X86_64) {
        return Err(CoreFileFault::Architecture { path: path() });
    }
    match half(header, 16) {
        Some(4) => Ok(()),
        Some(1) => Err(CoreFileFault::OtherKind { path: path(), kind: "an object file" }),
        Some(2) => Err(CoreFileFault::OtherKind { path: path(), kind: "a program" }),
        Some(3) => Err(CoreFileFault::OtherKind { path: path(), kind: "a program or a library" }),
        _ => Err(CoreFileFault::OtherKind { path: path(), kind: "another kind of ELF file" }),
    }
}
