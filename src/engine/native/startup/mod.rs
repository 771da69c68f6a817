//! From exec to the program's own code: the first stop, libraries, forks, attached processes.

pub(super) mod arriving;
mod attaching;
mod beginning;
pub(super) mod engine_change;
mod executed;
pub(super) mod first_stop;
pub(super) mod follow_fork;
pub(super) mod fork;
mod gdb_printers;
pub(super) mod libraries;
mod library_search;
mod place_search;
pub(super) mod program;
pub(super) mod rehearsed_move;
mod unsupported;
