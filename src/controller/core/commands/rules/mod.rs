//! Rules that the user gives to the engines: where sources are, and how values are printed.

pub(in crate::core) mod printers;
pub(in crate::core) mod sources;
