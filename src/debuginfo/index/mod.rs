//! The index of debug information: finds the units that define a name or a file, so that few units are read.

pub(super) mod abbrev_skip;
pub(super) mod cache;
pub(super) mod gdb_index;
pub(super) mod name_index;
pub(super) mod parallel;
pub(super) mod unit_files;
pub(super) mod unit_index;
pub(super) mod unit_names;
