//! Which units have a name or a file, so that few of them need be read.

pub(super) mod abbrev_skip;
pub(super) mod cache;
pub(super) mod gdb_index;
pub(super) mod name_index;
pub(super) mod parallel;
pub(super) mod unit_files;
pub(super) mod unit_index;
pub(super) mod unit_names;
