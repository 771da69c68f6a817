//! The free blocks of malloc's arenas (glibc 2.27 and later, `malloc.c`: `malloc_state`).

use super::free_block::FreeBlock;
use super::heap_reader::HeapReader;
use super::thread_caches::revealed;
use crate::process::memory::Mapping;
use model::VirtualAddress;

/// The number of lists of fast blocks, whose addresses precede that of the top; of those in the first list the size.
const FAST: u64 = 10;
const SMALLEST: u64 = 32;
const STEP: u64 = 16;
/// The number of other lists: pairs of the first and last block, two words behind that of the top. A list without a
/// block leads to itself.
const LISTS: u64 = 127;
const EMPTY: usize = 64;
/// The place of the top in an arena, and behind it that of the next arena.
const TOP: u64 = 96;
const NEXT: u64 = 16 + LISTS * 16 + 16;
/// The maximum number of bytes of variables searched, and of arenas, and of blocks in a list.
const SEARCHED: u64 = 256 << 10;
const ARENAS: usize = 64;
const LONGEST: usize = 4096;

/// Finds the free blocks of all arenas.
pub(super) fn blocks_of_arenas(heap: &HeapReader<'_>) -> Vec<FreeBlock> {
    let mut found = Vec::new();
    let mut left = SEARCHED;
    let main = heap.map.variables_of(&["libc.", "libc-"]).find_map(|data| main_arena(heap, data, &mut left));
    let mut top = main;
    for _ in 0..ARENAS {
        let Some(at) = top else { break };
        fast_blocks(heap, at, &mut found);
        blocks(heap, at, &mut found);
        let next = heap.word(at + NEXT).and_then(|next| next.checked_add(TOP));
        top = next.filter(|next| Some(*next) != main && is_arena(heap, *next));
    }
    found
}

/// Finds the first arena among the variables of the C library, by its lists without blocks; returns the place of its top.
fn main_arena(heap: &HeapReader<'_>, data: &Mapping, left: &mut u64) -> Option<u64> {
    let length = (data.end - data.start).min(*left);
    *left -= length;
    let mut bytes = vec![0; length as usize];
    heap.memory.read(VirtualAddress(data.start), &mut bytes).ok()?;
    let words: Vec<u64> = bytes.chunks_exact(8).map(|word| word.try_into().map_or(0, u64::from_le_bytes)).collect();
    let is_empty = |index: usize| {
        let itself = (data.start + index as u64 * 8).wrapping_sub(16);
        words.get(index) == Some(&itself) && words.get(index + 1) == Some(&itself)
    };
    // Every second word may be the first of a pair: counts those up to each.
    let mut counts = vec![0_usize; words.len()];
    for index in 0..words.len() {
        let before = index.checked_sub(2).and_then(|before| counts.get(before)).copied().unwrap_or(0);
        if let Some(count) = counts.get_mut(index) {
            *count = before + usize::from(is_empty(index));
        }
    }
    let pairs = LISTS as usize * 2;
    (0..words.len()).find_map(|top| {
        let (before, last) = (counts.get(top)?, counts.get(top + pairs)?);
        let at = (last - before >= EMPTY).then(|| data.start + top as u64 * 8)?;
        // The arenas are a ring; where a part of the lists is taken for all, there is no link.
        let next = heap.word(at + NEXT)?.checked_add(TOP)?;
        (next == at || is_arena(heap, next)).then_some(at)
    })
}

/// True if there are lists behind this place of a top.
fn is_arena(heap: &HeapReader<'_>, top: u64) -> bool {
    let mut lists = vec![0; LISTS as usize * 16];
    let Some(start) = top.checked_add(16).filter(|start| heap.memory.read(VirtualAddress(*start), &mut lists).is_ok())
    else {
        return false;
    };
    let pairs = lists.chunks_exact(16).zip((start..).step_by(16));
    let empty = pairs.filter(|(pair, at)| **pair == [(at - 16).to_le_bytes(), (at - 16).to_le_bytes()].concat());
    empty.count() >= EMPTY
}

/// Follows the lists of small blocks that malloc keeps as they are.
fn fast_blocks(heap: &HeapReader<'_>, top: u64, found: &mut Vec<FreeBlock>) {
    for list in 0..FAST {
        let size = SMALLEST + STEP * list;
        let Some(mut block) = top.checked_sub((FAST - list) * 8).and_then(|at| heap.word(at)) else { continue };
        for _ in 0..LONGEST {
            // Links lead to malloc's own part.
            let start = block.wrapping_add(16);
            if block == 0 || heap.size(start) != Some(size) {
                break;
            }
            let Some(word) = heap.word(start) else { break };
            let next = revealed(start, word);
            let is_block = |block: u64| block == 0 || heap.size(block.wrapping_add(16)) == Some(size);
            let is_hidden = is_block(next);
            let link = is_hidden.then_some(word);
            found.push(FreeBlock { start, end: block + size, link, mark: None });
            block = if is_hidden { next } else { word };
        }
    }
}

/// Follows the lists of blocks that malloc may join with their neighbours.
fn blocks(heap: &HeapReader<'_>, top: u64, found: &mut Vec<FreeBlock>) {
    for list in 0..LISTS {
        let head = top + list * 16;
        let Some(mut block) = heap.word(head + 16) else { return };
        let mut before = head;
        for _ in 0..LONGEST {
            let start = block.wrapping_add(16);
            if block == head || heap.word(start.wrapping_add(8)) != Some(before) {
                break;
            }
            let Some(size) = heap.size(start).filter(|size| *size >= SMALLEST) else { break };
            if heap.is_said_free(start, size) != Some(true) {
                break;
            }
            found.push(FreeBlock { start, end: block + size, link: None, mark: None });
            before = block;
            let Some(next) = heap.word(start) else { break };
            block = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::causes::memory_map::MemoryMap;
    use crate::memory_text::fake::memory;

    const ARENA: u64 = 0x1200;
    const FAST_BLOCK: u64 = 0x1b00;
    const BLOCK: u64 = 0x2000;

    /// An arena with a small block and one of 256 bytes; `changes` are written over that.
    fn found(changes: &[(u64, u64)]) -> Vec<FreeBlock> {
        let top = ARENA + TOP;
        let lists = (0..LISTS).flat_map(|list| [16, 24].map(|word| (top + list * 16 + word, top + list * 16)));
        let intact = [
            (ARENA + 16, FAST_BLOCK),
            (FAST_BLOCK + 8, 0x21),
            (FAST_BLOCK + 16, (FAST_BLOCK + 16) >> 12),
            (top + 16, BLOCK),
            (top + 24, BLOCK),
            (BLOCK + 8, 0x101),
            (BLOCK + 16, top),
            (BLOCK + 24, top),
            (BLOCK + 0x100, 0x100),
            (BLOCK + 0x108, 0x20),
            (top + NEXT, ARENA),
        ];
        let words: Vec<(u64, [u8; 8])> =
            lists.chain(intact).chain(changes.iter().copied()).map(|(at, word)| (at, word.to_le_bytes())).collect();
        let parts: Vec<(u64, &[u8])> = words.iter().map(|(at, word)| (*at, &word[..])).collect();
        let (read, map) = (memory(&parts), MemoryMap::fake(0x1000, 0x3000));
        let heap = HeapReader::new(&read, &map);
        let top = map.mapping(0x1000).and_then(|data| main_arena(&heap, data, &mut SEARCHED.clone()));
        let mut found = Vec::new();
        if let Some(top) = top {
            fast_blocks(&heap, top, &mut found);
            blocks(&heap, top, &mut found);
        }
        found
    }

    #[test]
    fn the_blocks_of_an_arena_are_found() {
        let fast = FreeBlock { start: FAST_BLOCK + 16, end: FAST_BLOCK + 32, link: Some(1), mark: None };
        let block = FreeBlock { start: BLOCK + 16, end: BLOCK + 0x100, link: None, mark: None };
        assert_eq!(found(&[]), [fast, block]);
    }

    #[test]
    fn a_block_that_does_not_look_free_is_not_believed() {
        let count = |changes: &[(u64, u64)]| found(changes).len();
        assert_eq!(count(&[(BLOCK + 0x108, 0x21)]), 1, "its neighbour says that it is in use");
        assert_eq!(count(&[(BLOCK + 0x100, 0x80)]), 1, "its neighbour says another size");
        assert_eq!(count(&[(BLOCK + 24, 0x1000)]), 1, "its link back leads elsewhere");
        assert_eq!(count(&[(FAST_BLOCK + 8, 0x41)]), 1, "a size of another list");
        assert_eq!(count(&[(ARENA + TOP + NEXT, 0x2800)]), 0, "the arenas are no ring");
    }

    proptest::proptest! {
        #[test]
        fn no_arena_is_too_odd(words in proptest::collection::vec((0x200_u64..0x5ff, 0_u64..0x3000), 0..60)) {
            let changes: Vec<_> = words.into_iter().map(|(at, word)| (at * 8, word)).collect();
            let _ = found(&changes);
        }
    }
}
