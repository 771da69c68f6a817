//! Files and their debug information, read once and shared by all ranks: lines, functions, variables, types, unwinding.
//!
//! A [`SymbolStore`] opens files as [`Image`]s; an image reads on demand and keeps what it read. What a process has
//! mapped is a [`LoadedImages`]; with the registers of a thread it gives a [`stack`], and a frame of that a
//! [`FrameView`], which expressions are evaluated on. Nothing here traces: memory and registers come in through
//! [`ReadMemory`] and [`ThreadAccess`].

mod altlink;
pub mod builtin;
mod call_frames;
mod call_sites;
mod canonical;
mod children;
mod class_reader;
pub mod classes;
mod cold;
mod constants;
mod covered;
mod damage;
mod debug_info;
mod demangle;
pub mod dimensions;
mod elf_file;
mod elf_symbols;
mod entry_plans;
mod enumerators;
mod evaluation;
mod fixed_place;
mod frame_names;
mod frame_scope;
mod frame_view;
mod function_name;
mod functions;
mod gdb_index;
mod given_index;
mod glob;
mod image;
mod image_error;
mod image_places;
mod index_cache;
mod indexing;
mod library_release;
mod lines;
mod link_map;
mod loaded;
mod made_by;
mod main_function;
mod mangled;
mod measured;
mod mini;
pub mod named_file;
mod named_within;
mod names;
mod overloads;
mod overwritten;
mod parallel;
mod parts;
mod preparing;
mod probes;
mod prologue;
mod registers;
mod resolve;
mod rust_names;
mod rust_scopes;
mod separate;
mod shown_names;
mod source_path;
mod spelled_out;
mod split;
mod stack;
mod store;
mod tail_calls;
mod template;
mod thread_access;
mod thread_locals;
mod type_names;
mod type_reader;
mod type_tags;
pub mod types;
mod unadorned;
mod unit;
mod unit_files;
mod unit_words;
mod unpacked;
mod unwind;
mod variables;
mod variant_reader;
mod warm;
mod window;

pub use canonical::is_written;
pub use cold::{slow_reads, watch_this_thread};
pub use elf_file::{LoadSegment, Section};
pub use fixed_place::{FixedPlace, NoThread};
pub use frame_view::FrameView;
pub use glob::glob_matches;
pub use image::Image;
pub use image_error::ImageError;
pub use image_places::{Defined, FunctionAt, InlineFrame, LineRow, ResolvedSite};
pub use index_cache::IndexCache;
pub use link_map::{AuxiliaryVector, LinkEntry, LinkMap, LinkerState, ProcessFiles, linker_events};
pub use loaded::{LoadedImage, LoadedImages, Missing};
pub use main_function::name_of_main_program;
pub use preparing::{BeforePreparing, Preparer};
pub use registers::{
    FS_BASE, Home, RBP, RBX, REGISTERS, RIP, RSP, RegisterClass, RegisterInfo, Registers, YMM, register_named,
    register_numbered,
};
pub use stack::{Stack, StackFrame, inlined_at_entry, registers_of_caller, stack, stack_depth, stack_from};
pub use store::SymbolStore;
pub use template::template_parts;
pub use thread_access::{ReadMemory, ThreadAccess};
pub use unit_words::UnitFacts;
pub use unwind::{Caller, UnwindFault, unwind_one};
pub use window::Window;
