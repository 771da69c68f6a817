//! Values of expressions on many ranks: printed, and kept to be compared later.

mod printed_values;
pub(in crate::core) mod snapshots;

pub(in crate::core) use printed_values::values;
