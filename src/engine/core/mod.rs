//! Core files as ranks: everything that only looks works as in a stopped process; nothing runs. Memory and registers
//! come from the files, what a file does not have from the program and its libraries.

mod answers;
mod build_ids;
mod engine;
mod fault;
mod headers;
mod identity;
mod little_endian;
mod notes;
mod open_core;
mod program_files;
mod rank;
mod refusal;
mod thread_registers;
mod thread_view;

pub use engine::CoreEngine;
pub use fault::CoreFileFault;
pub use identity::CoreIdentity;
