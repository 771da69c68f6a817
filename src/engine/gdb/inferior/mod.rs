//! The process under gdb: its state, threads, frames, signals and mapped files.

pub(super) mod frames;
pub(super) mod missed_exits;
pub(super) mod modules;
pub(super) mod places;
pub(super) mod program_file;
pub(super) mod signals;
pub(super) mod state;
