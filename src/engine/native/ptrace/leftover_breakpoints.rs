//! Leftover traps: breakpoint instructions in mapped code where the file has another instruction. A debugger that is
//! killed leaves them behind, and the first thread that hits one kills its process.
//!
//! Not every `0xcc` is one: programs rewrite their own code, too. UCX, below MPICH and Open MPI, puts jumps into libc's
//! `mmap`, `munmap` and others, and the distance of such a jump may hold this byte. Only a byte that stands alone is
//! removed: a debugger changes one byte of an instruction and nothing beside it.

use super::inserted_breakpoints::TRAP;
use super::requests::Tid;
use super::slots::memory::rest_of_code;
use crate::process::memory::{Mapping, Memory, mappings};
use crate::process::procfs::witness;
use debuginfo::named_file;
use std::fs::File;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;

const PAGE: u64 = 4096;
/// Bytes (Intel's manual, volume 2, 2.3.11).
const LONGEST_INSTRUCTION: usize = 15;
/// Bytes of an entry of `/proc/PID/pagemap` (proc(5)), and bits of it.
const ENTRY: u64 = 8;
const PRESENT: u64 = 1 << 63;
const SWAPPED: u64 = 1 << 62;
const OF_FILE: u64 = 1 << 61;

/// Removes leftover traps from a process. Returns their addresses.
pub fn take_out_leftover_breakpoints(pid: Tid, memory: &Memory) -> Vec<u64> {
    let all = leftover_breakpoints(pid, memory);
    let taken = all.into_iter().filter(|(address, file)| memory.write(*address, &[*file]).is_ok());
    taken.map(|(address, _)| address).collect()
}

/// Returns the addresses of leftover traps, with the file's original bytes.
fn leftover_breakpoints(pid: i32, memory: &Memory) -> Vec<(u64, u8)> {
    let pid = witness(pid);
    let Ok(pages) = File::open(format!("/proc/{pid}/pagemap")) else { return Vec::new() };
    let mut found = Vec::new();
    let all = mappings(pid);
    for mapping in all.iter().filter(|mapping| mapping.executable) {
        let changed = changed_pages(&pages, mapping);
        if changed.is_empty() {
            continue;
        }
        // After the code are slots of an earlier debugger.
        let end = rest_of_code(memory, mapping.start, &all).map_or(mapping.end, |(start, _)| start);
        // Opened through the process's own root: here, the path may name a different file.
        let Ok(file) = named_file::open(Path::new(&format!("/proc/{pid}/root{}", mapping.name)), u64::MAX) else {
            continue;
        };
        if !file.metadata().is_ok_and(|metadata| metadata.ino() == mapping.inode) {
            continue;
        }
        for page in changed {
            let (mut here, mut there) = ([0; PAGE as usize], [0; PAGE as usize]);
            let read = file.read_at(&mut there, mapping.offset + (page - mapping.start)).unwrap_or(0);
            let read = read.min(memory.read_some(page, &mut here));
            let code = usize::try_from(end.saturating_sub(page)).unwrap_or(usize::MAX).min(read);
            found.extend(traps(&here[..code], &there[..code]).map(|(at, byte)| (page + at as u64, byte)));
        }
    }
    found
}

/// Returns the offsets of traps in code, with the bytes of the file. Bytes near them that differ in another way tell that
/// the program has rewritten this code.
fn traps<'a>(here: &'a [u8], there: &'a [u8]) -> impl Iterator<Item = (usize, u8)> + 'a {
    let rewritten = |at: usize| here[at] != there[at] && here[at] != TRAP;
    let near = move |at: usize| at.saturating_sub(LONGEST_INSTRUCTION)..(at + LONGEST_INSTRUCTION + 1).min(here.len());
    (0..here.len().min(there.len()))
        .filter(move |at| here[*at] == TRAP && there[*at] != TRAP && !near(*at).any(rewritten))
        .map(|at| (at, there[at]))
}

/// Returns the pages of a file mapping that are private to the process, because they have been written to.
fn changed_pages(pages: &File, mapping: &Mapping) -> Vec<u64> {
    if mapping.inode == 0 {
        return Vec::new();
    }
    let mut entries = vec![0; ((mapping.end - mapping.start) / PAGE * ENTRY) as usize];
    let read = pages.read_at(&mut entries, mapping.start / PAGE * ENTRY).unwrap_or(0);
    let entries = entries.get(..read).unwrap_or_default().chunks_exact(ENTRY as usize);
    let own = |entry: &[u8]| {
        let entry = entry.try_into().map_or(0, u64::from_ne_bytes);
        entry & (PRESENT | SWAPPED) != 0 && entry & OF_FILE == 0
    };
    let numbered = entries.zip((mapping.start..mapping.end).step_by(PAGE as usize));
    numbered.filter(|(entry, _)| own(entry)).map(|(_, page)| page).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Never executed, so that a trap in it is harmless.
    #[inline(never)]
    fn never_called(number: u64) -> u64 {
        std::hint::black_box(number).wrapping_mul(0x0123_4567_89ab_cdef) ^ 0x5555
    }

    /// UCX's jump at the beginning of libc's `mmap`, as it was met.
    #[test]
    fn a_jump_that_the_program_wrote_holds_no_trap() {
        let file = [0x0f, 0x1f, 0x40, 0x00, 0xb8, 0x0c, 0x00, 0x00, 0x00, 0x0f, 0x05, 0x48, 0x3d, 0x01, 0xf0, 0xff];
        let mut jump = file;
        jump[4..9].copy_from_slice(&[0xe9, 0x5b, 0x1f, TRAP, TRAP]);
        assert_eq!(traps(&jump, &file).collect::<Vec<_>>(), []);
        // A debugger's breakpoint in it: the file does not have the byte that was there before.
        jump[4] = TRAP;
        assert_eq!(traps(&jump, &file).collect::<Vec<_>>(), []);
        let mut stepped = file;
        (stepped[4], stepped[9]) = (TRAP, TRAP);
        assert_eq!(traps(&stepped, &file).collect::<Vec<_>>(), [(4, 0xb8), (9, 0x0f)]);
    }

    #[test]
    fn what_was_put_behind_the_code_is_no_trap() {
        let own = std::process::id() as i32;
        let memory = Memory::open(own).unwrap();
        let all = mappings(own);
        let library = all.iter().find(|mapping| mapping.executable && mapping.name.contains("/libc.so")).unwrap();
        let (start, _) = rest_of_code(&memory, library.start, &all).unwrap();
        let mut byte = [0];
        memory.read(start, &mut byte).unwrap();
        memory.write(start, &[TRAP]).unwrap();
        let found = leftover_breakpoints(own, &memory);
        memory.write(start, &byte).unwrap();
        assert!(!found.iter().any(|(address, _)| *address == start), "{found:x?}");
    }

    #[test]
    fn a_trap_is_found_where_the_file_has_none() {
        let own = std::process::id() as i32;
        let memory = Memory::open(own).unwrap();
        let at = never_called as fn(u64) -> u64 as usize as u64;
        let mut byte = [0];
        memory.read(at, &mut byte).unwrap();
        assert!(!leftover_breakpoints(own, &memory).iter().any(|(address, _)| *address == at));
        memory.write(at, &[TRAP]).unwrap();
        let found = leftover_breakpoints(own, &memory);
        memory.write(at, &byte).unwrap();
        assert!(found.contains(&(at, byte[0])), "{found:x?}");
        // The page is private now, but its contents equal the file's.
        assert!(!leftover_breakpoints(own, &memory).iter().any(|(address, _)| *address == at));
    }
}
