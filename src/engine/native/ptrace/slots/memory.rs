//! Memory for slots: the rest of the last page of a file's code, or else memory that the process is made to map.

use crate::native::ptrace::inserted_breakpoints::REACH;
use crate::native::ptrace::process::Process;
use crate::native::ptrace::requests::Tid;
use crate::process::memory::{Mapping, Memory, mappings};
use crate::process::procfs::has_filters;
use nix::libc;

/// Bytes mapped at once for slots; a page uses memory only once it is written.
const AREA: u64 = 64 * 1024;
const PAGE: u64 = 4096;
/// Distance of slots below the mappings, if there is room: more than libraries fill, and still within reach of data.
const AWAY: u64 = 1 << 30;
/// The maximum number of a file's segments that are read.
const MOST_SEGMENTS: u16 = 64;

impl Process {
    /// Finds memory for slots near a site, if there is any.
    ///
    /// The memory between the end of the code and the end of its page is mapped and unused. If that is too little, the
    /// stopped thread is made to map memory by a system call, except under seccomp(2), which may kill a process for an
    /// unexpected system call.
    pub(in crate::native::ptrace) fn make_room(&mut self, tid: Tid, site: u64) {
        let mappings = mappings(self.pid());
        if let Some((start, end)) = rest_of_code(self.memory(), site, &mappings)
            && self.space.add_part(site, start, end)
        {
            return;
        }
        if has_filters(tid) || !self.map_room(tid, site, &mappings) {
            self.space.note_roomless(site);
        }
    }

    fn map_room(&mut self, tid: Tid, site: u64, mappings: &[Mapping]) -> bool {
        let Some(place) = gap_near(site, mappings) else { return false };
        let protection = (libc::PROT_READ | libc::PROT_EXEC) as u64;
        let flags = (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED_NOREPLACE) as u64;
        let mapped =
            self.system_call(tid, libc::SYS_mmap, [place, AREA, protection, flags, u64::MAX, 0]) == Some(place);
        if mapped {
            self.space.add_area(place, AREA);
        }
        mapped
    }
}

/// Returns the bytes of a site's mapping that belong to no segment of its file (elf(5)). After writable code, the
/// program may use these bytes itself.
pub(in crate::native::ptrace) fn rest_of_code(memory: &Memory, site: u64, mappings: &[Mapping]) -> Option<(u64, u64)> {
    let within = mappings.iter().find(|mapping| (mapping.start..mapping.end).contains(&site))?;
    if within.changes || !within.executable || within.inode == 0 {
        return None;
    }
    // The header is mapped by the first part of the file, which lies below.
    let mut of_file = mappings.iter().filter(|mapping| mapping.inode == within.inode && mapping.start <= within.start);
    let head = of_file.rfind(|mapping| mapping.offset == 0)?;
    let mut header = [0; 64];
    memory.read(head.start, &mut header).ok()?;
    let half = |at: usize| Some(u16::from_le_bytes(header.get(at..at + 2)?.try_into().ok()?));
    let is_elf64 = header.starts_with(b"\x7fELF\x02\x01");
    if !is_elf64 || half(54)? != 56 || half(56)? > MOST_SEGMENTS {
        return None;
    }
    let table = u64::from_le_bytes(header.get(32..40)?.try_into().ok()?);
    let mut entries = vec![0; usize::from(half(56)?) * 56];
    memory.read(head.start.checked_add(table)?, &mut entries).ok()?;
    let ends = entries.chunks_exact(56).filter_map(|entry| {
        let word = |at: usize| Some(u32::from_le_bytes(entry.get(at..at + 4)?.try_into().ok()?));
        let long = |at: usize| Some(u64::from_le_bytes(entry.get(at..at + 8)?.try_into().ok()?));
        let (offset, size) = (long(8)?, long(32)?.max(long(40)?));
        let is_code = word(0)? == 1 && word(4)? & 3 == 1;
        let begins_here = within.offset == offset & !(PAGE - 1);
        let end = within.start.checked_add(offset % PAGE)?.checked_add(size)?;
        (is_code && begins_here).then_some(end)
    });
    let end = ends.max()?;
    // Aligned for the benefit of anyone who reads the memory.
    let start = end.checked_next_multiple_of(16)?;
    (start > site && start < within.end && within.end - start < PAGE).then_some((start, within.end))
}

/// Returns a free place for slots within reach of the site: in the nearest gap below it, or else above. Below, it stays
/// away from the mappings if it can: the kernel maps the next library right under them, at the same address in every
/// rank.
fn gap_near(site: u64, mappings: &[Mapping]) -> Option<u64> {
    let lowest = site.saturating_sub(REACH - AREA).max(PAGE * 16);
    let ends = std::iter::once(0).chain(mappings.iter().map(|mapping| mapping.end));
    let starts = mappings.iter().map(|mapping| mapping.start).chain(std::iter::once(0x7fff_ffff_0000));
    let gaps: Vec<(u64, u64)> =
        ends.zip(starts).filter(|(end, start)| start.saturating_sub(*end) >= AREA + 2 * PAGE).collect();
    let below = gaps.iter().rev().find(|(_, start)| *start <= site).map(|(end, start)| {
        let near = start - AREA - PAGE;
        let away = near.checked_sub(AWAY).filter(|place| place > end);
        away.or(Some(end + PAGE)).filter(|place| *place >= lowest).unwrap_or(near)
    });
    let above = gaps.iter().find(|(end, _)| *end > site).map(|(end, _)| end + PAGE);
    below.filter(|place| *place >= lowest).or(above.filter(|place| place - site < REACH - AREA))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapping(start: u64, end: u64) -> Mapping {
        Mapping { start, end, offset: 0, executable: true, changes: false, inode: 0, name: String::new() }
    }

    #[test]
    fn slots_lie_below_the_file_of_the_site_or_above() {
        let low = [mapping(0x40_0000, 0x40_5000), mapping(0x7fff_f7dc_0000, 0x7fff_f7ff_f000)];
        assert_eq!(gap_near(0x40_1136, &low), Some(0x40_0000 - AREA - PAGE));
        assert_eq!(gap_near(0x7fff_f7e0_0000, &low), Some(0x7fff_f7dc_0000 - AREA - PAGE - AWAY));
        let tight = [mapping(0x7fff_f000_0000, 0x7fff_f000_1000), mapping(0x7fff_f7dc_0000, 0x7fff_f7ff_f000)];
        assert_eq!(gap_near(0x7fff_f7e0_0000, &tight), Some(0x7fff_f000_2000));
        let crowded = [mapping(0, 0x40_5000), mapping(0x50_0000, 0x60_0000)];
        assert_eq!(gap_near(0x40_1136, &crowded), Some(0x40_5000 + PAGE));
        assert_eq!(gap_near(0x40_1136, &[mapping(0, 0x7fff_ffff_0000)]), None);
    }

    #[test]
    fn the_rest_of_the_last_page_of_code_is_free() {
        let memory = Memory::open(std::process::id() as i32).unwrap();
        let mappings = mappings(std::process::id() as i32);
        let site = gap_near as fn(u64, &[Mapping]) -> Option<u64> as usize as u64;
        let within = mappings.iter().find(|mapping| (mapping.start..mapping.end).contains(&site)).unwrap();
        // The size of the rest depends on how the linker laid out this test program.
        if let Some((start, end)) = rest_of_code(&memory, site, &mappings) {
            assert!(start > site && end == within.end && end - start < PAGE);
        }
        let library = mappings.iter().find(|mapping| mapping.executable && mapping.name.contains("/libc.so")).unwrap();
        let (start, end) = rest_of_code(&memory, library.start, &mappings).unwrap();
        assert!(start > library.start && end == library.end && end - start < PAGE);
        let data = mappings.iter().find(|mapping| mapping.name == "[stack]").unwrap();
        assert_eq!(rest_of_code(&memory, data.start, &mappings), None);
    }
}
