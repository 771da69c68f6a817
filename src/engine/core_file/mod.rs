//! Core files: ELF files with the memory and the threads of a stopped process, written as the kernel writes them.

mod contents;
mod elf;
mod fault;
mod mappings;
mod memory_pages;
mod notes;
mod part_file;
mod thread_facts;
mod vector_state;
mod write;

pub(crate) use fault::CoreFault;
pub(crate) use notes::CoreThread;
pub(crate) use part_file::PartFile;
pub(crate) use write::{StoppedProcess, write_core};
