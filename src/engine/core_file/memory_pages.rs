//! The memory of a stopped process, page by page: only pages that exist, without the debugger's breakpoints.

use crate::process::memory::Memory;
use crate::process::procfs::witness;
use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;

pub(super) const PAGE: usize = 4096;
/// The largest piece that is read at once.
const PIECE: usize = 1 << 20;
/// Pages whose state is read at once: those of 128 MiB.
const WINDOW: u64 = 1 << 15;
/// The breakpoint instruction.
const TRAP: u8 = 0xcc;

/// Takes pieces of memory with their addresses.
type Each<'a, E> = dyn FnMut(u64, &[u8]) -> Result<(), E> + 'a;

/// Reads the memory of a stopped process.
pub(super) struct MemoryPages<'a> {
    memory: &'a Memory,
    /// The state of each page; `None` if the kernel does not show it.
    pagemap: Option<File>,
    /// The bytes that breakpoints replace, by address.
    hidden: &'a [(u64, u8)],
}

impl<'a> MemoryPages<'a> {
    pub(super) fn new(pid: i32, memory: &'a Memory, hidden: &'a [(u64, u8)]) -> Self {
        let pagemap = File::open(format!("/proc/{}/pagemap", witness(pid))).ok();
        Self { memory, pagemap, hidden }
    }

    /// True if an ELF header is at an address.
    pub(super) fn has_elf_header(&self, address: u64) -> bool {
        let mut magic = [0; 4];
        self.memory.read(address, &mut magic).is_ok() && magic == *b"\x7fELF"
    }

    /// Calls `each` with pieces of a range of pages, in order. Pages that cannot be read are zeros.
    pub(super) fn whole<E>(&self, range: Range<u64>, each: &mut Each<'_, E>) -> Result<(), E> {
        let mut buffer = vec![0; PIECE.min((range.end - range.start) as usize)];
        let mut at = range.start;
        while at < range.end {
            let length = buffer.len().min((range.end - at) as usize);
            let Some(piece) = buffer.get_mut(..length) else { break };
            self.read(at, piece);
            each(at, piece)?;
            at += length as u64;
        }
        Ok(())
    }

    /// As [`Self::whole`], but leaves out pages that the process has not touched: reading them would create them.
    pub(super) fn touched<E>(&self, range: Range<u64>, each: &mut Each<'_, E>) -> Result<(), E> {
        let Some(pagemap) = &self.pagemap else { return self.whole(range, each) };
        let mut window = range.start;
        let mut states = vec![0; WINDOW as usize * 8];
        while window < range.end {
            let pages = (range.end - window).div_ceil(PAGE as u64).min(WINDOW);
            let end = (window + pages * PAGE as u64).min(range.end);
            let Some(states) = states.get_mut(..pages as usize * 8) else { break };
            if pagemap.read_exact_at(states, window / PAGE as u64 * 8).is_err() {
                return self.whole(window..range.end, each);
            }
            for run in runs(states) {
                self.whole(window + run.start * PAGE as u64..window + run.end * PAGE as u64, each)?;
            }
            window = end;
        }
        Ok(())
    }

    fn read(&self, address: u64, into: &mut [u8]) {
        let mut done = 0;
        while done < into.len() {
            let at = address + done as u64;
            let Some(rest) = into.get_mut(done..) else { break };
            done += self.memory.read_some(at, rest);
            // The rest of a page that cannot be read.
            let bad = done..(done + 1).next_multiple_of(PAGE).min(into.len());
            done = bad.end.max(done);
            if let Some(bad) = into.get_mut(bad) {
                bad.fill(0);
            }
        }
        let first = self.hidden.partition_point(|(at, _)| *at < address);
        for (at, original) in self.hidden.iter().skip(first) {
            match into.get_mut((at - address) as usize) {
                // A program that rewrites its code may have removed it.
                Some(byte) if *byte == TRAP => *byte = *original,
                Some(_) => {}
                None => break,
            }
        }
    }
}

/// Returns the runs of pages that exist, in memory or swapped out (proc(5), `/proc/PID/pagemap`).
fn runs(states: &[u8]) -> Vec<Range<u64>> {
    let mut runs: Vec<Range<u64>> = Vec::new();
    for (page, state) in states.chunks_exact(8).enumerate() {
        // Bits 63 and 62 of a little-endian word.
        if state.last().is_none_or(|byte| byte & 0xc0 == 0) {
            continue;
        }
        let page = page as u64;
        match runs.last_mut() {
            Some(run) if run.end == page => run.end += 1,
            _ => runs.push(page..page + 1),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use memmap2::MmapMut;

    const PAGES: usize = 40_000;

    #[test]
    fn only_touched_pages_are_read_and_breakpoints_are_hidden() {
        let mut data = MmapMut::map_anon(PAGES * PAGE).unwrap();
        for page in [3, 4, 39_000] {
            data[page * PAGE + 5] = TRAP;
        }
        let start = data.as_ptr() as u64;
        let own = std::process::id() as i32;
        let memory = Memory::open(own).unwrap();
        let hidden = [(start + 3 * PAGE as u64 + 5, 0x55), (start + 4 * PAGE as u64, 0x66)];
        let pages = MemoryPages::new(own, &memory, &hidden);
        let mut seen = Vec::new();
        let end = start + (PAGES * PAGE) as u64;
        let mut each = |at: u64, bytes: &[u8]| -> Result<(), ()> {
            let first = (at - start) / PAGE as u64;
            seen.extend(bytes.chunks(PAGE).enumerate().map(|(page, bytes)| (first + page as u64, bytes[5], bytes[0])));
            Ok(())
        };
        pages.touched(start..end, &mut each).unwrap();
        // A huge page has more than was touched.
        seen.retain(|(_, byte, _)| *byte != 0);
        assert_eq!(seen, [(3, 0x55, 0), (4, TRAP, 0), (39_000, TRAP, 0)]);
    }

    #[test]
    fn pages_that_cannot_be_read_are_zeros() {
        let own = std::process::id() as i32;
        let memory = Memory::open(own).unwrap();
        let pages = MemoryPages::new(own, &memory, &[]);
        let mut count = 0;
        let mut each = |_: u64, bytes: &[u8]| {
            count += bytes.len();
            if bytes.iter().all(|byte| *byte == 0) { Ok(()) } else { Err(()) }
        };
        pages.whole(0x1000..0x4000, &mut each).unwrap();
        assert_eq!(count, 0x3000);
    }

    #[test]
    fn runs_are_of_pages_in_memory_or_swapped_out() {
        let states: Vec<u8> =
            [0, 1 << 63, 1 << 62, 0, 1 << 61, 1 << 63].iter().flat_map(|s: &u64| s.to_le_bytes()).collect();
        assert_eq!(runs(&states), [1..3, 5..6]);
    }
}
