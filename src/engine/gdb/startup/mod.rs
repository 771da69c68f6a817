//! Brings a rank under gdb, by launch or attach, to its first stop.

pub(super) mod attaching;
pub(super) mod first_stop;
pub(super) mod launch;
pub(super) mod program;
