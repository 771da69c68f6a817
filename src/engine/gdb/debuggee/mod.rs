//! A rank under gdb: its thread dispatches orders and gdb's news to the parts; handover to and from other engines.

pub(super) mod acquire;
pub(super) mod control;
mod core_file;
pub(super) mod handover;
pub(super) mod rank;
pub(super) mod state;
pub(super) mod stops;
