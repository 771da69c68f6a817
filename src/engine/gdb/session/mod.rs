//! One gdb: its process, its pipes, its script, and a check that it is alive.

pub(super) mod activity;
pub(super) mod device_focus;
pub(super) mod fault;
pub(super) mod gdb;
pub(super) mod link;
pub(super) mod options;
pub(super) mod script;
pub(super) mod set_up;
pub(super) mod stop_words;
