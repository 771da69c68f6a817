//! Line tables: source lines and their addresses.

pub(super) mod program;
pub(super) mod prologue;
pub(super) mod source_path;
pub(super) mod table;
