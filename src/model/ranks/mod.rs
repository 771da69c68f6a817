//! Ranks, sets of them, and sentences about them.

pub(super) mod join_processes;
pub(super) mod process_set;
pub(super) mod rank;
pub(super) mod set_text;
pub(super) mod tally;
