//! Answers questions about the stopped program with gdb.

pub(super) mod all_threads;
mod code_page;
mod data_parts;
pub(super) mod examine;
pub(super) mod failed_thread;
mod gdb_history;
pub(super) mod glob;
pub(super) mod globals;
pub(super) mod info;
pub(super) mod instructions;
pub(super) mod last_examined;
pub(super) mod listing;
pub(super) mod locations;
pub(super) mod many_threads;
pub(super) mod memory;
mod memory_page;
pub(super) mod observation;
pub(super) mod printed_children;
pub(super) mod queries;
pub(super) mod script_answers;
pub(super) mod system_call;
pub(super) mod values;
pub(super) mod variables;
