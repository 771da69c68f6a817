//! Ranks, rank sets, and their names in messages.

pub(super) mod cartesian;
pub(super) mod join_processes;
pub(super) mod observation;
pub(super) mod observed_ranks;
pub(super) mod process_set;
pub(super) mod rank;
pub(super) mod set_text;
pub(super) mod tally;
pub(super) mod team_wait;
