//! The free blocks that threads keep for themselves (glibc 2.26 to 2.41, `malloc.c`: `tcache_perthread_struct`).

use super::free_block::FreeBlock;
use super::heap_reader::HeapReader;
use debuginfo::{FS_BASE, Registers};
use model::VirtualAddress;
use std::collections::HashMap;

/// The number of lists, and the size of the blocks in the first of them; those in the next are larger by `STEP`.
const LISTS: usize = 64;
const SMALLEST: u64 = 32;
const STEP: u64 = 16;
/// The sizes of the block that holds the lists, and how many bytes each count of it has.
const LAYOUTS: [(u64, usize); 2] = [(0x290, 2), (0x250, 1)];
/// The thread-local variables of the C library are in this much memory below the thread pointer.
const THREAD_LOCAL: usize = 4096;
/// The maximum number of blocks in a list that is followed.
const LONGEST: u64 = 1024;

/// Finds the blocks that the first thread and this one keep.
pub(super) fn blocks_of_caches(heap: &HeapReader<'_>, registers: &Registers) -> Vec<FreeBlock> {
    let mut places = places_in_thread(heap, registers).unwrap_or_default();
    // The first thread's lists are the first block of the heap.
    places.extend(heap.map.named("[heap]").map(|first| first.start + 16));
    places.sort_unstable();
    places.dedup();
    places.into_iter().filter_map(|place| blocks_at(heap, place)).flatten().collect()
}

/// Returns the pointers among the thread-local variables that may lead to the lists.
fn places_in_thread(heap: &HeapReader<'_>, registers: &Registers) -> Option<Vec<u64>> {
    let base = registers.get(FS_BASE)?;
    let mut variables = vec![0; THREAD_LOCAL];
    // There may be less.
    let start =
        [THREAD_LOCAL, THREAD_LOCAL / 2, THREAD_LOCAL / 4, THREAD_LOCAL / 8].into_iter().find_map(|length| {
            let part = variables.get_mut(..length)?;
            heap.memory.read(VirtualAddress(base.checked_sub(length as u64)?), part).ok().map(|()| length)
        })?;
    let words = variables.get(..start)?.chunks_exact(8).map(|word| word.try_into().map_or(0, u64::from_le_bytes));
    Some(words.filter(|word| *word > SMALLEST && word % 16 == 0 && heap.map.mapping(*word).is_some()).collect())
}

/// Reads the lists at an address; `None` if there are none.
fn blocks_at(heap: &HeapReader<'_>, place: u64) -> Option<Vec<FreeBlock>> {
    let size = heap.size(place)?;
    let (_, width) = LAYOUTS.into_iter().find(|(known, _)| *known == size)?;
    let mut counts = vec![0; LISTS * width];
    heap.memory.read(VirtualAddress(place), &mut counts).ok()?;
    let mut found = Vec::new();
    for (list, count) in counts.chunks_exact(width).enumerate() {
        let count = count.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
        let first = heap.word(place + (LISTS * width + list * 8) as u64)?;
        if (count == 0) != (first == 0) {
            return None;
        }
        let size = SMALLEST + STEP * list as u64;
        if first != 0 {
            // The first block of each list is as it must be, or these are no lists.
            heap.size(first).filter(|own| *own == size)?;
            follow(heap, first, size, count.min(LONGEST), &mut found);
        }
    }
    let mark = mark(&found, place);
    found.iter_mut().for_each(|block| block.mark = block.mark.filter(|own| Some(*own) == mark));
    Some(found)
}

/// Follows a list as far as it is intact.
fn follow(heap: &HeapReader<'_>, first: u64, size: u64, count: u64, found: &mut Vec<FreeBlock>) {
    let mut start = first;
    for _ in 0..count {
        let Some((word, mark)) = heap.word(start).zip(heap.word(start + 8)) else { return };
        let is_block = |next: u64| next == 0 || heap.size(next) == Some(size);
        let hidden = revealed(start, word);
        let (next, is_hidden) = if is_block(hidden) {
            (Some(hidden), true)
        } else {
            // Releases before 2.32 link blocks by their addresses. Otherwise the program has written to the block.
            (Some(word).filter(|next| is_block(*next)), false)
        };
        let link = (is_hidden && next.is_some()).then_some(word);
        found.push(FreeBlock { start, end: start + size - 8, link, mark: Some(mark) });
        match next {
            Some(next) if next != 0 => start = next,
            _ => return,
        }
    }
}

/// Returns the address in a link that is stored at an address (glibc 2.32 and later, `malloc.c`: `REVEAL_PTR`).
pub(super) fn revealed(at: u64, link: u64) -> u64 {
    at >> 12 ^ link
}

/// Returns the word that marks free blocks: two of them have it, or it is the address of the lists as before glibc 2.34.
fn mark(blocks: &[FreeBlock], place: u64) -> Option<u64> {
    let mut counts: HashMap<u64, u32> = HashMap::new();
    for mark in blocks.iter().filter_map(|block| block.mark).filter(|mark| *mark != 0) {
        *counts.entry(mark).or_default() += 1;
    }
    counts
        .into_iter()
        .filter(|(mark, count)| *count > 1 || *mark == place)
        .max_by_key(|(_, count)| *count)
        .map(|(mark, _)| mark)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::causes::memory_map::MemoryMap;
    use crate::memory_text::fake::memory;

    const PLACE: u64 = 0x1010;
    const FIRST: u64 = 0x1310;
    const SECOND: u64 = 0x2330;
    const MARK: u64 = 0x1234_5678_9abc_def0;

    /// The lists, with two blocks of 32 bytes in the first; `changes` are written over that.
    fn found(changes: &[(u64, u64)]) -> Option<Vec<FreeBlock>> {
        let hidden = |at: u64, next: u64| at >> 12 ^ next;
        let intact = [
            (PLACE - 8, 0x291),
            (PLACE, 2),
            (PLACE + 128, FIRST),
            (FIRST - 8, 0x21),
            (FIRST, hidden(FIRST, SECOND)),
            (FIRST + 8, MARK),
            (SECOND - 8, 0x21),
            (SECOND, hidden(SECOND, 0)),
            (SECOND + 8, MARK),
        ];
        let words: Vec<(u64, [u8; 8])> =
            intact.iter().chain(changes).map(|(at, word)| (*at, word.to_le_bytes())).collect();
        let parts: Vec<(u64, &[u8])> = words.iter().map(|(at, word)| (*at, &word[..])).collect();
        let (read, map) = (memory(&parts), MemoryMap::fake(0x1000, 0x3000));
        blocks_at(&HeapReader::new(&read, &map), PLACE)
    }

    #[test]
    fn the_blocks_of_a_list_are_found_with_their_links_and_mark() {
        let block = |start: u64, link| FreeBlock { start, end: start + 24, link: Some(link), mark: Some(MARK) };
        let blocks = [block(FIRST, FIRST >> 12 ^ SECOND), block(SECOND, SECOND >> 12)];
        assert_eq!(found(&[]).unwrap(), blocks);
    }

    #[test]
    fn lists_that_are_damaged_are_believed_as_far_as_they_are_intact() {
        let starts = |changes: &[(u64, u64)]| {
            let blocks = found(changes)?;
            Some(blocks.into_iter().map(|block| (block.start, block.link.is_some())).collect::<Vec<_>>())
        };
        assert_eq!(starts(&[(FIRST, 0x4242)]).unwrap(), [(FIRST, false)], "the program has written to the block");
        assert_eq!(starts(&[(FIRST, SECOND)]).unwrap()[0], (FIRST, false), "a link as before glibc 2.32");
        let circle = FIRST >> 12 ^ FIRST;
        assert_eq!(starts(&[(PLACE, 0xffff), (FIRST, circle)]).unwrap().len(), LONGEST as usize, "a circle");
        assert_eq!(starts(&[(PLACE, 0)]), None, "a list without a count");
        assert_eq!(starts(&[(PLACE + 128, 0)]), None, "a count without a list");
        assert_eq!(starts(&[(FIRST - 8, 0x31)]), None, "a block of another size");
        assert_eq!(starts(&[(PLACE + 128, 0x9000)]), None, "a block that is nowhere");
        assert_eq!(starts(&[(PLACE - 8, 0x41)]), None, "something else");
    }

    #[test]
    fn a_mark_that_one_block_alone_has_is_the_words_of_the_program() {
        let marks = |changes| found(changes).unwrap().iter().map(|block| block.mark).collect::<Vec<_>>();
        assert_eq!(marks(&[(FIRST + 8, 7)]), [None, None]);
        assert_eq!(marks(&[(FIRST + 8, PLACE), (SECOND + 8, 7)]), [Some(PLACE), None], "as before glibc 2.34");
    }

    proptest::proptest! {
        #[test]
        fn no_heap_is_too_odd(words in proptest::collection::vec((0x200_u64..0x5ff, 0_u64..0x3000), 0..200)) {
            let changes: Vec<_> = words.into_iter().map(|(at, word)| (at * 8, word)).collect();
            let _ = found(&changes);
        }
    }
}
