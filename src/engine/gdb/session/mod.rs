//! One gdb: its process, its pipes, and a check that it is alive.

pub(super) mod activity;
pub(super) mod fault;
pub(super) mod link;
pub(super) mod missed_exits;
pub(super) mod options;
