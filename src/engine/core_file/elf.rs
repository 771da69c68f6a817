//! The headers of an ELF core file (elf(5)), for x86-64.

/// The places of the parts of a core file.
#[derive(Debug)]
pub(super) struct Layout {
    /// The headers, up to and with the notes.
    pub(super) head: Vec<u8>,
    /// The section header behind everything, if there are more segments than its header can count.
    pub(super) tail: Vec<u8>,
    /// The offset of each segment's content.
    pub(super) offsets: Vec<u64>,
    /// The offset of the tail: the size without it.
    pub(super) end: u64,
}

/// A segment of memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub(super) address: u64,
    /// `PF_R`, `PF_W`, `PF_X`.
    pub(super) rights: u32,
    /// The size in memory.
    pub(super) size: u64,
    /// The size in the file.
    pub(super) stored: u64,
}

const HEADER: u64 = 64;
const PROGRAM_HEADER: u64 = 56;
const SECTION_HEADER: u64 = 64;
const PAGE: u64 = 4096;
const PT_LOAD: u32 = 1;
const PT_NOTE: u32 = 4;
/// The number of program headers is in the first section header (elf(5), `PN_XNUM`).
const PN_XNUM: u16 = 0xffff;

impl Layout {
    /// Lays out a file with these notes and segments.
    pub(super) fn new(notes: &[u8], segments: &[Segment]) -> Self {
        let headers = segments.len() as u64 + 1;
        let notes_at = HEADER + PROGRAM_HEADER * headers;
        let mut end = (notes_at + notes.len() as u64).next_multiple_of(PAGE);
        let mut table = Vec::new();
        program_header(&mut table, (PT_NOTE, 0), notes_at, 0, (notes.len() as u64, 0), 4);
        let mut offsets = Vec::with_capacity(segments.len());
        for segment in segments {
            offsets.push(end);
            let sizes = (segment.stored, segment.size);
            program_header(&mut table, (PT_LOAD, segment.rights), end, segment.address, sizes, PAGE);
            end = end.saturating_add(segment.stored);
        }
        let counted = u16::try_from(headers).ok().filter(|count| *count != PN_XNUM);
        let tail = if counted.is_some() { Vec::new() } else { counting_section(headers) };
        let mut head = header(counted.unwrap_or(PN_XNUM), if tail.is_empty() { 0 } else { end });
        head.extend(table);
        head.extend(notes);
        Self { head, tail, offsets, end }
    }

    /// Returns the size of the file.
    pub(super) fn size(&self) -> u64 {
        self.end.saturating_add(self.tail.len() as u64)
    }
}

fn header(program_headers: u16, sections_at: u64) -> Vec<u8> {
    const ET_CORE: u16 = 4;
    const EM_X86_64: u16 = 62;
    let mut bytes = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
    bytes.extend(ET_CORE.to_le_bytes());
    bytes.extend(EM_X86_64.to_le_bytes());
    bytes.extend(1_u32.to_le_bytes());
    for number in [0, HEADER, sections_at] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend([0; 4]);
    let (section_size, sections) = if sections_at == 0 { (0, 0) } else { (SECTION_HEADER as u16, 1) };
    for number in [HEADER as u16, PROGRAM_HEADER as u16, program_headers, section_size, sections, 0] {
        bytes.extend(number.to_le_bytes());
    }
    bytes
}

fn program_header(
    table: &mut Vec<u8>,
    (kind, rights): (u32, u32),
    offset: u64,
    address: u64,
    (stored, size): (u64, u64),
    alignment: u64,
) {
    table.extend(kind.to_le_bytes());
    table.extend(rights.to_le_bytes());
    for number in [offset, address, 0, stored, size, alignment] {
        table.extend(number.to_le_bytes());
    }
}

/// Returns the section header whose `sh_info` is the number of program headers.
fn counting_section(headers: u64) -> Vec<u8> {
    let mut bytes = vec![0; SECTION_HEADER as usize];
    let count = u32::try_from(headers).unwrap_or(u32::MAX);
    for (offset, number) in [(32, 0_u32), (44, count)] {
        if let Some(place) = bytes.get_mut(offset..offset + 4) {
            place.copy_from_slice(&number.to_le_bytes());
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use object::elf::FileHeader64;
    use object::read::elf::{FileHeader as _, ProgramHeader as _};
    use object::{Endianness, LittleEndian};

    #[test]
    fn a_reader_finds_notes_and_segments() {
        let segments: Vec<Segment> = (0..3)
            .map(|index| Segment { address: 0x1000 * index, rights: 6, size: 0x1000, stored: 0x1000 * (index % 2) })
            .collect();
        let layout = Layout::new(&[7; 100], &segments);
        let mut file = layout.head.clone();
        file.resize(layout.size() as usize, 0);
        let header = FileHeader64::<Endianness>::parse(&*file).unwrap();
        let headers = header.program_headers(Endianness::Little, &*file).unwrap();
        assert_eq!((headers.len(), header.e_type(Endianness::Little)), (4, object::elf::ET_CORE));
        assert_eq!(headers[0].data(Endianness::Little, &*file).unwrap(), [7; 100]);
        for (segment, (offset, found)) in segments.iter().zip(layout.offsets.iter().zip(&headers[1..])) {
            let of = |found: &object::elf::ProgramHeader64<Endianness>| {
                (
                    found.p_vaddr(Endianness::Little),
                    found.p_offset(Endianness::Little),
                    found.p_filesz(Endianness::Little),
                )
            };
            assert_eq!(of(found), (segment.address, *offset, segment.stored));
            assert_eq!(offset % PAGE, 0);
        }
        assert_eq!(layout.size(), layout.offsets[2]);
    }

    #[test]
    fn more_segments_than_the_header_counts_are_counted_in_a_section() {
        let segments = vec![Segment { address: 0x1000, rights: 4, size: 0x1000, stored: 0 }; 70_000];
        let layout = Layout::new(&[], &segments);
        let mut file = layout.head.clone();
        file.resize(layout.end as usize, 0);
        file.extend(&layout.tail);
        assert_eq!(file.len() as u64, layout.size());
        let header = FileHeader64::<LittleEndian>::parse(&*file).unwrap();
        assert_eq!(header.program_headers(LittleEndian, &*file).unwrap().len(), 70_001);
    }
}
