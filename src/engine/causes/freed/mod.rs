//! Pointers to memory that the program has freed, by the lists of free blocks of glibc's malloc. Their places are found
//! without debug information; what does not look exactly as malloc leaves it is not believed.

mod arenas;
mod free_block;
mod free_blocks;
pub(super) mod freed_pointer;
mod heap_reader;
mod thread_caches;
