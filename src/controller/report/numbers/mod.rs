//! Reports about numbers: those of an array, and those that many ranks have, also since an earlier stop.

pub(super) mod array_numbers;
pub(super) mod array_sums;
mod bars;
pub(super) mod comparison;
pub(super) mod significant;
pub(super) mod snapshot_changes;
pub(super) mod value_summary;
