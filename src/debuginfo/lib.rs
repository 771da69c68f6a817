//! Files and their debug information, read once and shared by all ranks: lines, functions, variables, types, unwinding.
//!
//! A [`SymbolStore`] opens files as [`Image`]s, which read on demand and cache what they read. The mapped files of a
//! process are a [`LoadedImages`]; with the registers of a thread it yields a [`stack`], and for a frame of the stack a
//! [`FrameView`], on which expressions are evaluated. Nothing here traces: memory and registers are read through
//! [`ReadMemory`] and [`ThreadAccess`].
#![warn(unused_crate_dependencies)]

mod demangle;
mod dwarf;
mod elf;
mod frame;
mod functions;
mod images;
mod index;
mod lines;
mod listing;
pub mod named_file;
mod sources;
pub mod types;
mod unwind;
mod variables;

pub use crate::demangle::canonical::is_written;
pub use crate::demangle::symbol::demangled_type;
pub use crate::demangle::template::template_parts;
pub use crate::dwarf::unit_language::UnitLanguage;
pub use crate::elf::file::{ElfFile, LoadSegment, Section};
pub use crate::frame::binding::{Block, CodeScope, TooDeep};
pub use crate::frame::unit_facts::UnitFacts;
pub use crate::frame::view::{FrameView, thread_locals};
pub use crate::functions::main_function::name_of_main_program;
pub use crate::images::blocking_reads::{slow_reads, watch_this_thread};
pub use crate::images::error::ImageError;
pub use crate::images::freed_memory::give_back_freed_memory;
pub use crate::images::image::Image;
pub use crate::images::link_map::{AuxiliaryVector, LinkEntry, LinkMap, LinkerState, ProcessFiles, linker_events};
pub use crate::images::loaded::{LoadedImage, LoadedImages, Missing};
pub use crate::images::places::{Defined, FunctionAt, InlineFrame, LineRow, ResolvedSite};
pub use crate::images::preparing::{AfterPreparing, BeforePreparing};
pub use crate::images::store::SymbolStore;
pub use crate::index::cache::IndexCache;
pub use crate::listing::found::{Definition, FoundInFile, Interrupted, Sought, Undescribed};
pub use crate::listing::search::search_file;
pub use crate::listing::source_files::source_files;
pub use crate::sources::recorded::RecordedSource;
pub use crate::sources::search::{Advice, Surroundings, advice, source_candidates, source_path};
pub use crate::unwind::caller::{Caller, UnwindFault, unwind_one};
pub use crate::unwind::memory_cache::Window;
pub use crate::unwind::register_groups::{REGISTER_GROUPS, register_group};
pub use crate::unwind::registers::{
    FS_BASE, Home, RBP, RBX, REGISTERS, RIP, RSP, RegisterClass, RegisterInfo, Registers, YMM, register_named,
    register_numbered,
};
pub use crate::unwind::stack::{
    Stack, StackFrame, inlined_at_entry, registers_of_caller, stack, stack_depth, stack_from,
};
pub use crate::unwind::thread_access::{ReadMemory, ThreadAccess};
pub use crate::variables::fixed_place::{FixedPlace, NoThread};
