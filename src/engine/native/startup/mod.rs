//! From exec to the program's own code: the first stop, libraries, forks, attached processes.

pub(super) mod arriving;
pub(super) mod attaching;
pub(super) mod engine_change;
pub(super) mod first_stop;
pub(super) mod follow_fork;
pub(super) mod fork;
pub(super) mod libraries;
pub(super) mod place_search;
pub(super) mod program;
pub(super) mod unsupported;
